# SPDX-License-Identifier: MIT
"""Patterns are plain words and stars; nothing that a person types can make one slow."""

import time

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.patterns import LONGEST, checked, fits


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("password", "The PASSWORD of the router"),
        ("pass*router", "The password of the router"),
        ("天气", "今天天气很好"),
        ("今天*很好", "今天天气很好"),
        ("ＡＢＣ", "about abc things"),
        ("a.c", "it is a.c, literally"),
        ("two  words", "two\nwords in two lines"),
        ("*deploy*", "we deploy on Friday"),
    ],
)
def test_it_fits(pattern, text):
    assert fits(checked(pattern), [text])


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("router*password", "The password of the router"),
        ("a.c", "abc"),
        ("[abc]", "abc"),
        ("天气", "今天的气温"),
        ("aa*aa", "xaaax"),
    ],
)
def test_it_does_not(pattern, text):
    assert not fits(checked(pattern), [text])


@pytest.mark.parametrize(
    "pattern", ["", "*", "***", " * a * ", "x" * (LONGEST + 1), "ab" + "*" * 11]
)
def test_what_would_fit_everything_or_is_endless_is_refused(pattern):
    with pytest.raises(UserError, match=r"rules\.pattern"):
        checked(pattern)


def test_an_evil_pattern_takes_no_time():
    pattern = checked("*".join(["aa"] * 11))
    text = "a" * 21 + "b" + "a" * 1_000_000
    started = time.process_time()
    assert fits(pattern, [text, "a" * 5]) is True
    assert not fits(pattern, ["a" * 21] * 200)
    assert time.process_time() - started < 0.5
