# SPDX-License-Identifier: MIT
"""What a few letters mean."""

import pytest

from memory_gui.ui.shell.quick.matching import Keys, found, initial, initials, rank

KNOWN = (
    ("啊芭擦搭蛾发噶哈击喀垃妈拿哦啪期然撒塌挖昔压匝", "abcdefghjklmnopqrstwxyz"),
    ("锁定打开记忆库回收站设置审核加密导出撤销", "sddkjykhszszshjmdccx"),
    ("座做坐", "zzz"),
)


@pytest.mark.parametrize(("characters", "letters"), KNOWN)
def test_the_initials_of_characters(characters, letters):
    assert "".join(map(initial, characters)) == letters


@pytest.mark.parametrize("character", ["a", "1", "😀", "龘", "，", "é", "ア"])
def test_what_has_no_initial(character):
    assert initial(character) == ""


def test_initials_of_a_text():
    assert initials("打开记忆库") == "dkjyk"
    assert initials("move to trash") == "mtt"
    assert initials("ctrl+k 命令") == "ckml"
    assert initials("") == ""


LOCK = Keys.of(("Lock", "锁定"))
TRASH = Keys.of(("Move to trash", "移到回收站"))
OPEN = Keys.of(("Open a store…", "打开记忆库…"))


@pytest.mark.parametrize(
    ("typed", "keys", "how"),
    [
        ("", LOCK, 0), ("lo", LOCK, 0), ("LOCK", LOCK, 0), ("锁", LOCK, 0), ("ｌｏｃｋ", LOCK, 0),
        ("sd", LOCK, 1), ("mtt", TRASH, 1), ("ydhsz", TRASH, 1),
        ("tra mo", TRASH, 2), ("to", TRASH, 2),
        ("rash", TRASH, 3), ("回收", TRASH, 3),
        ("hsz", TRASH, 4),
        ("xyz", LOCK, None), ("lock x", LOCK, None), ("store", OPEN, 2), ("open a store", OPEN, 0),
    ],
)  # fmt: skip
def test_how_well_it_fits(typed, keys, how):
    assert rank(typed, keys) == how


def test_the_best_come_first_and_equal_ones_keep_their_order():
    assert found("o", [LOCK, TRASH, OPEN]) == [2, 0, 1]
    assert found("", [LOCK, TRASH, OPEN]) == [0, 1, 2]
    assert found("xyz", [LOCK, TRASH, OPEN]) == []
