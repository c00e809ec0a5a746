# SPDX-License-Identifier: MIT
"""Having a store for oneself: the other copies of the app are asked, then ours lets go."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.services.library.lending import Lending, names_of
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.neighbours import ANSWER_S, AnyNeighbours, Held

_AGAIN: Final = (0.05, 0.3)
"""Seconds between two tries while a neighbour is busy: by chance, for two may ask each other."""


class Apart:
    """What erasing and protecting begin with. Any thread may call."""

    def __init__(self, library: Library, lending: Lending, neighbours: AnyNeighbours) -> None:
        self._library = library
        self._lending = lending
        self._neighbours = neighbours

    def holding(self, paths: Sequence[str]) -> tuple[OpenBy, ...]:
        """The other copies of the app that have the stores open, and would be asked to let go."""
        return self._neighbours.holding(paths)

    @contextmanager
    def alone(self, paths: Sequence[str], *, ask: bool = True) -> Iterator[None]:
        """Inside, no copy of the app has a connection on these stores.

        Without ``ask`` the others are left as they are: for what only looks.

        Raises:
            Held: a neighbour refuses or is silent; nothing was changed.
            UserError: ``store.let_go…``: a neighbour has them; ``store.away``: another act here.
        """
        with ExitStack() as held:
            self._settle(paths, held, ask=ask)
            with self._let_go(self._shelves(paths)):
                yield

    def _settle(self, paths: Sequence[str], held: ExitStack, *, ask: bool) -> None:
        """Our claim first, so that two who ask each other see it; both try again by chance."""
        until = time.monotonic() + ANSWER_S
        while True:
            with ExitStack() as begun:
                begun.enter_context(self._lending.claim(paths))
                try:
                    if ask:
                        begun.enter_context(self._neighbours.away_from(paths, until))
                    held.push(begun.pop_all())
                    return
                except Held as error:
                    wait = random.uniform(*_AGAIN)  # noqa: S311 - no secret
                    if not error.busy or time.monotonic() + wait > until:
                        raise
            time.sleep(wait)

    def _shelves(self, paths: Sequence[str]) -> list[Shelf]:
        wanted = names_of(paths)
        return [
            one
            for one in self._library.shelves()
            if names_of([one.info.path, *one.info.parts]) & wanted
        ]

    @contextmanager
    def _let_go(self, shelves: Sequence[Shelf]) -> Iterator[None]:
        for shelf in shelves:
            shelf.let_go()
        try:
            yield
        finally:
            for shelf in shelves:
                if not shelf.closed:  # the lock may have come meanwhile
                    with suppress(UserError, Cancelled):
                        shelf.reread()
