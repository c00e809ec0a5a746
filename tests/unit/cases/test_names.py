# SPDX-License-Identifier: MIT
"""Who is meant: what form a name has, and numbers in the one form in which they are compared."""

import pytest

from memory_gui.cases.names import Form, Named, Subject, form_of, named_of, national
from memory_gui.domain.errors import UserError


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("李雷", Form.NAME),
        ("Alice", Form.NAME),
        ("O'Brien", Form.NAME),
        ("Anne-Marie de la Cruz", Form.NAME),
        ("阿卜杜拉·买买提", Form.NAME),
        ("li.lei@x.cn", Form.EMAIL),
        ("ＬＩ＠Ｘ.cn", Form.EMAIL),
        ("13800138000", Form.PHONE),
        ("+86 138-0013-8000", Form.PHONE),
        ("(030) 123456", Form.PHONE),
        ("user:42", Form.ID),
        ("u_1234", Form.ID),
        ("110101199003070011", Form.ID),  # too long for a telephone number
        ("12345", Form.ID),
    ],
)
def test_forms(text, form):
    assert form_of(text) is form


def test_what_is_said_before_a_colon_counts():
    assert named_of("id: Alice") == Named(Form.ID, "Alice")
    assert named_of("name: 13800138000") == Named(Form.NAME, "13800138000")
    assert named_of("phone: 12") == Named(Form.ID, "12")  # too short for one


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("+86 138 0013 8000", ("86", "13800138000")),
        ("0086-13800138000", ("86", "13800138000")),
        ("13800138000", ("", "13800138000")),
        ("+49 (0)30 123456", ("49", "30123456")),
        ("030/123456", ("", "30123456")),
        ("+1 (415) 555-2671", ("1", "4155552671")),
        ("+380 44 1234567", ("380", "441234567")),
    ],
)
def test_numbers(text, parts):
    assert national(text) == parts


def test_a_subject_comes_back_as_it_was_kept():
    subject = Subject.of("李雷", ["li@x.cn", "+86 13800138000", "李雷"], ["李雷雷"])
    assert subject.title == "李雷"
    assert [one.form for one in subject.named] == [Form.NAME, Form.EMAIL, Form.PHONE]
    assert Subject.from_json(subject.as_json()) == subject
    assert Subject.of(subject.title, subject.also, subject.others) == subject


@pytest.mark.parametrize(
    ("name", "code"),
    [(" ", "case.no_name"), ("李", "case.short_name"), ("x" * 201, "case.long_name")],
)
def test_what_is_no_name(name, code):
    with pytest.raises(UserError, match=code.replace(".", r"\.")):
        Subject.of(name)


@pytest.mark.parametrize(
    "text", ["李", "\N{GRINNING FACE}", "\u200b\u200b", "a\u200d", "\u202ea\u202c"]
)
def test_one_letter_that_can_be_seen_is_no_name(text):
    with pytest.raises(UserError, match=r"case\.short_name"):
        Subject.of(text)
