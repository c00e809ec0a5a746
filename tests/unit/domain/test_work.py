# SPDX-License-Identifier: MIT
"""Letting go of very many objects: between two pieces others may run."""

from typing import Any

from memory_gui.domain.work import let_go

PIECE = 1_000


class Watched(list[Any]):
    """Notes how many are taken out at once."""

    def __init__(self, items) -> None:
        super().__init__(items)
        self.taken: list[int] = []

    def __delitem__(self, at) -> None:
        before = len(self)
        super().__delitem__(at)
        self.taken.append(before - len(self))


def test_all_are_let_go_some_at_a_time():
    many = Watched((str(n),) for n in range(10_500))
    let_go(many)
    assert many == []
    assert sum(many.taken) == 10_500
    assert 0 < max(many.taken) <= PIECE


def test_of_none_nothing_is_done():
    many = Watched(())
    let_go(many)
    assert many.taken == []
