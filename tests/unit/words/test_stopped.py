# SPDX-License-Identifier: MIT
"""How far a stopped act came, and the ways on."""

from __future__ import annotations

from memory_gui.words import Words
from memory_gui.words.stopped import how_far, ways_on


def test_only_what_was_counted_is_told_as_a_number() -> None:
    words = Words("en")
    told = {
        (done, at_least): how_far(
            words, "approve", store="atlas", done=done, total=60, at_least=at_least
        )
        for done, at_least in ((23, False), (20, True), (0, True))
    }
    assert told[23, False] == "atlas: approving was stopped. 23 of 60 are done."
    assert told[20, True] == "atlas: approving was stopped. At least 20 of 60 are done."
    assert told[0, True] == "atlas: approving 60 was stopped."
    chinese = how_far(Words("zh_CN"), "reject", store="atlas", done=20, total=60, at_least=True)
    assert chinese == "atlas：拒绝时被中断，60 条中至少已完成 20 条。"


def test_the_terminal_names_the_way_on_and_back() -> None:
    words = Words("en")
    approve = ways_on(words, "approve", 2, 3)
    assert "memory-cli review STORE approve --resume" in approve
    assert "memory-cli review STORE approve --take-back" in approve
    assert "--take-back" not in ways_on(words, "approve", 0, 3), "there is nothing to take back"
    assert "--take-back" not in ways_on(words, "delete", 2, 3)
    assert "approve --take-back" in ways_on(words, "unapprove", 1, 3)
    assert "--take-back" in ways_on(Words("zh_CN"), "trash", 2, 3)
