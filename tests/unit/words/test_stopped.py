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
    on, back = ways_on(words, "approve", 2, 3)
    assert on.endswith("Go on: memory-cli review STORE approve --resume")
    assert back.endswith("memory-cli review STORE approve --take-back")
    assert len(ways_on(words, "approve", 0, 3)) == 1, "there is nothing to take back"
    assert len(ways_on(words, "delete", 2, 3)) == 1
    assert "approve --take-back" in ways_on(words, "unapprove", 1, 3)[0]
    assert ways_on(Words("zh_CN"), "trash", 2, 3)[1] == "撤回：memory-cli trash STORE --take-back"
