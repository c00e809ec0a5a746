# SPDX-License-Identifier: MIT
"""Where a text names a person: what people write, by hand; and what holds for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.cases.matching import Matcher, bare_texts
from memory_gui.cases.names import Subject


def found(subject, text, also=(), others=()):
    hits = Matcher(Subject.of(subject, also, others)).find(text)
    return [(text[hit.start : hit.end], hit.why) for hit in hits]


class TestChinese:
    @pytest.mark.parametrize(
        "text",
        [
            "李雷",
            "李雷喜欢咖啡",
            "李雷的手机",
            "我和李雷，明天",
            "同事李雷说",
            "“李雷”",
            "李雷@公司",
            "韩梅梅和李雷",
            "李雷和韩梅梅",
            "李雷住在上海",
            "李\u200b雷。",
            "用户李雷3月来过",
        ],
    )
    def test_sure(self, text):
        assert [why for _, why in found("李雷", text)] == [""]

    @pytest.mark.parametrize("text", ["李雷雷", "李雷雷喜欢茶", "王李雷", "李雷鸣", "李 雷"])
    def test_never_cut_out_of_a_longer_name(self, text):
        assert all(why for _, why in found("李雷", text))
        assert found("李雷", text)

    def test_a_name_of_three_letters_is_whole(self):
        assert found("李雷雷", "李雷雷喝茶") == [("李雷雷", "")]
        assert found("李雷雷", "李雷喝茶") == []

    def test_somebody_else_of_the_case_is_told_apart(self):
        hits = found("李雷", "李雷雷，李雷。", others=["李雷雷"])
        assert hits == [("李雷", "other_person"), ("李雷", "")]


class TestLatin:
    @pytest.mark.parametrize(
        "text",
        [
            "Li Lei likes tea",
            "li  lei",
            "LI LEI",
            "Lei, Li",
            "Li\nLei",
            "Call Li Lei!",
            "Li Lei's desk",
            "Li Lei喜欢",
            "(Li Lei)",
        ],
    )
    def test_sure(self, text):
        assert [why for _, why in found("Li Lei", text)] == [""]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("Li Leiming", "inside_name"),
            ("Lei Li", "turned"),
            ("lilei", "joined"),
            ("li.lei", "joined"),
            ("L. Lei", "initial"),
            ("Maria Li Lei", "next_word"),
            ("Li Lei Wang", "next_word"),
        ],
    )
    def test_unsure(self, text, why):
        assert [one for _, one in found("Li Lei", text)] == [why]

    def test_what_a_log_writes_before_a_text_is_no_name(self):
        assert found("Li Lei", "2026-01-01 INFO Li Lei came") == [("Li Lei", "")]
        assert found("Li Lei", "[7] Warning Li Lei came") == [("Li Lei", "")]

    def test_one_word_may_be_anybody(self):
        assert found("Ann", "Ann came") == [("Ann", "one_word")]
        assert found("Ann", "planning with Annette") == []

    def test_a_field_that_holds_a_name_and_nothing_else(self):
        matcher = Matcher(Subject.of("Ann", ["ann@x.org"]))
        assert matcher.names("ann")
        assert matcher.names(" ANN ")
        assert matcher.names("ann@x.org")
        assert not matcher.names("Anna")
        assert not matcher.names("")


class TestEmail:
    @pytest.mark.parametrize(
        "text",
        [
            "to li.lei@x.cn.",
            "<LI.LEI@X.CN>",
            "li.lei (at) x (dot) cn",
            "li.lei%40x.cn",
            "ｌｉ.ｌｅｉ＠ｘ.ｃｎ",
            "mailto:li.lei@x.cn?x",
        ],
    )
    def test_sure(self, text):
        assert [why for _, why in found("zz99", text, ["li.lei@x.cn"])] == [""]

    @pytest.mark.parametrize(
        "text", ["bli.lei@x.cn", "li.lei@x.cn.evil.org", "li.lei@x.cnn", "li.lei@y.cn", "x.cn"]
    )
    def test_somebody_elses(self, text):
        assert found("zz99", text, ["li.lei@x.cn"]) == []

    def test_another_address_of_the_mailbox_is_unsure(self):
        assert found("zz99", "li.lei+news@x.cn", ["li.lei@x.cn"])[0][1] == "plus_address"


class TestPhone:
    @pytest.mark.parametrize(
        "text",
        [
            "13800138000",
            "138 0013 8000",
            "138-0013-8000",
            "+86 138 0013 8000",
            "(+86)13800138000",
            "0086 138.0013.8000",
            "１３８００１３８０００",
            "电话13800138000。",
        ],
    )
    @pytest.mark.parametrize("given", ["13800138000", "+86 138 0013 8000"])
    def test_sure(self, text, given):
        assert [why for _, why in found("zz99", text, [given])] == [""]

    @pytest.mark.parametrize("text", ["138001380001", "113800138000x9", "1380013800", "2026-11-30"])
    def test_other_numbers(self, text):
        assert not [why for _, why in found("zz99", text, ["+86 13800138000"]) if not why]

    @pytest.mark.parametrize("text", ["030 123456", "+49 (0)30 123456", "0049-30-12 34 56"])
    def test_with_and_without_the_0(self, text):
        assert [why for _, why in found("zz99", text, ["+49 30 123456"])] == [""]


LETTERS = st.text(st.sampled_from("李雷王的和 aLi.Lei@x138 \n\u200b,ßﬁ"), max_size=60)


@given(LETTERS)
def test_places_are_those_of_the_text_and_none_overlaps(text):
    hits = Matcher(Subject.of("李雷", ["Li Lei", "13800138000"])).find(text)
    at = 0
    for hit in hits:
        assert at <= hit.start < hit.end <= len(text)
        at = hit.end


@given(LETTERS, LETTERS)
def test_a_name_between_spaces_is_always_found(before, after):
    text = f"{before} 。李雷。 {after}"
    start = len(before) + 2
    hits = Matcher(Subject.of("李雷")).find(text)
    assert any(hit.sure and hit.start == start and hit.end == start + 2 for hit in hits)


@given(st.sampled_from("李王张刘陈鸣鹏伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂"))
def test_no_letter_of_a_name_behind_it_makes_it_sure(letter):
    assert all(why for _, why in found("李雷", f"{'李雷'}{letter}"))


def test_a_long_text_is_read_in_pieces_with_true_places():
    text = ("一二三四五六七八九十\n" * 20_000) + "结尾：李雷。"
    hits = Matcher(Subject.of("李雷")).find(text)
    assert [text[hit.start : hit.end] for hit in hits] == ["李雷"]


@pytest.mark.parametrize("at", [65_000, 65_279, 65_280, 65_281, 65_400, 65_535, 65_536, 66_000])
@pytest.mark.parametrize(("behind", "sure"), [("。", True), ("鸣", False)])
def test_a_name_where_two_pieces_of_a_long_line_meet(at, behind, sure):
    text = "字" * at + "。李雷" + behind + "字" * 70_000
    (hit,) = Matcher(Subject.of("李雷")).find(text)
    assert (hit.start, hit.end, hit.sure) == (at + 1, at + 3, sure)


@given(LETTERS, LETTERS, st.sampled_from(["", "\n"]))
def test_what_is_looked_for_first_never_hides_a_find(before, after, line):
    matcher = Matcher(Subject.of("李雷", ["Li Lei", "13800138000", "li@x.cn"]))
    text = f"{before}{line}{after}"
    assert bool(matcher.find(text)) <= matcher.may_hold(text)
    assert [bool(matcher._one.search(b)) for b in bare_texts([text, before])[1]] == [
        matcher.has(b) for b in bare_texts([text, before])[1]
    ]
