# SPDX-License-Identifier: MIT
"""A Chinese terminal: no English is left in what a person reads, and columns stand in line."""

import re
from dataclasses import replace

import pytest

from memory_gui.domain.records import State
from memory_gui.terminal import names
from memory_gui.terminal.output import width
from memory_gui.terminal.parser import build_parser
from memory_gui.terminal.run import VERBS
from memory_gui.ui.shell.notices import NOTES
from memory_gui.words import Words
from memory_gui.words.keys import LEDGER, explain_ledger

HAN = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def words():
    return Words("zh_CN")


def test_every_note_about_an_opened_store_has_words(words):
    for code in NOTES:
        assert HAN.search(names.note(words, code)), code


def test_headings_of_the_help_end_in_a_wide_colon(words):
    text = build_parser(words, VERBS).format_help()
    assert "选项：" in text
    assert not re.search(r"(?m)[\u4e00-\u9fff]:$", text)


def test_the_english_help_keeps_its_own():
    assert "options:" in build_parser(Words("en"), VERBS).format_help()


@pytest.mark.parametrize("code", sorted(LEDGER))
def test_no_blank_follows_a_full_stop(words, code):
    assert "。 " not in explain_ledger(words, code).text


def test_several_stand_in_a_row_as_the_language_has_it(words):
    assert words.row(["a", "b"]) == "a、b"
    assert Words("en").row(["a", "b"]) == "a, b"


def test_states_and_fields_are_said(words):
    for state in State:
        assert HAN.search(names.value(words, "state", state.value)), state
    assert names.field(words, "updated_at") == "修改时间"
    assert names.field(words, "a_column_of_the_agent") == "a_column_of_the_agent"


def test_what_an_argument_takes_stays_as_it_is_typed(words):
    assert names.value(words, "type", "constraint") == "constraint"
    assert names.value(words, "scope", "project") == "project"


def test_times_are_written_without_a_letter_in_the_middle():
    assert names.moment("2026-11-29T18:22:43.5") == "2026-11-29 18:22:43"
    assert re.fullmatch(r"2026-11-\d\d \d\d:\d\d:00", names.here("2026-11-30T00:15:00+00:00"))
    assert names.here("") == ""


@pytest.fixture
def chinese(terminal):
    return replace(terminal, language="zh_CN.UTF-8")


def test_labels_of_info_stand_in_one_column(chinese):
    lines = chinese.verb("info").out.splitlines()
    starts = {width(re.match(r"^[^：]+：\s+", line).group()) for line in lines}
    assert len(lines) > 4
    assert len(starts) == 1


def test_show_has_no_english_label(chinese):
    _, _, fields = chinese.verb("show", "00000001").out.rpartition("\n\n")
    labels = [line.split("：")[0] for line in fields.splitlines()]
    assert {"记录", "编号", "种类", "状态", "适用范围", "修改时间"} <= set(labels)
    assert [label for label in labels if not HAN.search(label)] == []


def test_show_keeps_the_names_in_english(terminal):
    out = terminal.verb("show", "00000001").out
    assert "\nref: memory:00000001\n" in out
    assert "\nstate: live\n" in out
