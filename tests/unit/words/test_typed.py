# SPDX-License-Identifier: MIT
"""What helps on at a terminal is told in its own words: no button, page or key of the window."""

import re

from memory_gui.domain.errors import UserError
from memory_gui.words import Words
from memory_gui.words.errors import ERRORS, explain
from memory_gui.words.errors_typed import TYPED

WINDOW = re.compile(
    r"\bbutton|\b[Pp]ress\b|\b[Tt]ick\b|Shift\+|in the window,|’s page|on the page|…”"
)


def test_no_next_step_at_a_terminal_names_what_only_the_window_has():
    steps = {code: TYPED.get(code, words.next) for code, words in ERRORS.items()}
    assert {code: step for code, step in steps.items() if WINDOW.search(step)} == {}


def test_each_is_for_an_error_that_says_something_else_in_the_window():
    assert set(TYPED) <= set(ERRORS)
    for code, step in TYPED.items():
        assert step != ERRORS[code].next, code


def test_the_front_that_asks_gets_its_own():
    error = UserError("case.nothing", number=3)
    assert "memory-cli case close 3" in explain(Words("en", typed=True), error).next
    assert "memory-cli case close 3" in explain(Words("zh_CN", typed=True), error).next
    assert "memory-cli" not in explain(Words("en"), error).next


def test_a_path_in_a_command_is_one_word_of_a_shell():
    error = UserError("pending.other", path="/home/ann/my notes/memory.db")
    for words in (Words("en", typed=True), Words("zh_CN", typed=True), Words("en")):
        told = explain(words, error)
        assert "memory-cli erase '/home/ann/my notes/memory.db' --resume" in told.next
        assert "'" not in told.title
