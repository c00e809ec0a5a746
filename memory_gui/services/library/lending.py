# SPDX-License-Identifier: MIT
"""Who among our own processes may have which store open: our claims, and what others were lent.

A *claim* is ours: while an erase or a change of encryption runs here, nobody else is lent the
store. A *lease* is another copy's: while it lasts, no connection of ours is opened on the store.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_gui.domain.errors import MemoryGuiError, UserError

_OPENING_S = 1.0
_LOOK = 0.1
"""Seconds between two questions whether another copy still claims a store."""

Name = str | tuple[int, int]
"""A real path, or (device, inode): a store is known by both, for a swap changes one of them."""


class Refused(MemoryGuiError):  # noqa: N818 - an answer, not a failure
    """The store cannot be lent now. ``why``: ``changing`` or ``claimed``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Lease:
    """Stores that another copy of the app was lent; ``why`` is what is said of them meanwhile."""

    names: frozenset[Name]
    why: UserError


def names_of(paths: Iterable[str | Path]) -> frozenset[Name]:
    """What the stores at these paths are known by. ``stat`` opens nothing."""
    names: set[Name] = set()
    for path in paths:
        real = os.path.realpath(path)
        names.add(real)
        try:
            found = os.stat(real)  # noqa: PTH116 - a string, of which there may be many
        except OSError:
            continue
        names.add((found.st_dev, found.st_ino))
    return frozenset(names)


class Lending:
    """Claims and leases of one running copy. Any thread may call."""

    def __init__(
        self, *, patience: float = 0.0, elsewhere: Callable[[str], UserError | None] | None = None
    ) -> None:
        """``patience``: seconds to wait for a lent store before ``store.let_go`` is raised.

        ``elsewhere`` says whether another copy has claimed a store, and which.
        """
        self.patience = patience
        self._elsewhere = elsewhere
        self._ended = threading.Condition()
        self._claims: list[frozenset[Name]] = []
        self._leases: list[Lease] = []
        self._changing = 0
        self._openings: list[frozenset[Name]] = []

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Inside, nothing is lent: an act over several records or databases is under way."""
        with self._ended:
            self._changing += 1
        try:
            yield
        finally:
            with self._ended:
                self._changing -= 1

    @property
    def under_way(self) -> bool:
        """Whether anyone is inside ``changing``. Waits for nothing."""
        return self._changing > 0

    @contextmanager
    def claim(self, paths: Iterable[str | Path]) -> Iterator[None]:
        """Inside, these stores are lent to nobody.

        Raises:
            UserError: ``store.let_go``, ``store.let_go_window``: they are lent;
                ``store.away``: another act of this copy has them.
        """
        names = names_of(paths)
        with self._ended:
            self._wait(names)
            if any(names & claim for claim in self._claims):
                raise UserError("store.away")
            self._claims.append(names)
        try:
            yield
        finally:
            with self._ended:
                self._claims.remove(names)

    def lend(self, paths: Iterable[str | Path], why: UserError) -> Lease:
        """From now on nothing here opens these stores. Raises ``Refused``.

        One that is just being opened is waited for, but not longer than ``_OPENING_S``: a
        keychain's question may stand before it. It is closed again by who opens it.
        """
        lease = Lease(names_of(paths), why)
        with self._ended:
            if any(lease.names & claim for claim in self._claims):
                raise Refused("claimed")
            if self._changing:
                raise Refused("changing")
            self._leases.append(lease)
            self._ended.wait_for(
                lambda: not any(lease.names & names for names in self._openings), _OPENING_S
            )
        return lease

    def end(self, lease: Lease) -> None:
        """They may be opened here again."""
        with self._ended:
            self._leases[:] = [one for one in self._leases if one is not lease]
            self._ended.notify_all()

    def lent(self, path: str | Path, *, beside: Lease | None = None) -> UserError | None:
        """Why a store must not be opened now; ``beside`` is a lease that does not count."""
        names = names_of([path])
        with self._ended:
            return self._why(names, beside)

    def claimed(self, path: str | Path) -> bool:
        """Whether we claim a store ourselves now."""
        names = names_of([path])
        with self._ended:
            return any(names & claim for claim in self._claims)

    @contextmanager
    def opening(self, path: str | Path) -> Iterator[None]:
        """Inside, a store is being opened here. Waits before, and raises, as ``wait``."""
        names = names_of([path])
        while True:
            self.wait(path)
            with self._ended:
                if self._why(names) is None:
                    self._openings.append(names)
                    break
        try:
            yield
        finally:
            with self._ended:
                self._openings.remove(names)
                self._ended.notify_all()

    def wait(self, path: str | Path) -> None:
        """Wait with patience until a store may be opened. Raises ``store.let_go…``."""
        names = names_of([path])
        until = time.monotonic() + self.patience
        while True:
            with self._ended:
                self._wait(names)
            why = None if self._elsewhere is None else self._elsewhere(str(path))
            if why is None:
                return
            if time.monotonic() >= until:
                raise why
            time.sleep(_LOOK)

    def _wait(self, names: frozenset[Name]) -> None:
        until = time.monotonic() + self.patience
        while (why := self._why(names)) is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise UserError(why.code, **why.params)
            self._ended.wait(left)

    def _why(self, names: frozenset[Name], beside: Lease | None = None) -> UserError | None:
        others = (one for one in self._leases if one is not beside)
        return next((one.why for one in others if one.names & names), None)
