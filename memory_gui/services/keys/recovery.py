# SPDX-License-Identifier: MIT
"""Recovery keys: a store's key on paper, and whether that paper was ever seen to work.

A store is called recoverable only when its recovery key was typed in again once. What is kept of a
recovery key is when it was made and confirmed, and a mark that tells for which key; never the key.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from memory_gui import lazy
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import CipherSettings, RawKey
from memory_gui.domain.records import StoreId
from memory_gui.ledger.recovery import RecoveryNote, RecoveryRows, mark_of
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.vault.recovery import read_recovery_text, recovery_groups

NONE: Final = "none"
"""No recovery key was made for the store's present key."""
MADE: Final = "made"
"""It was shown, and has not come back yet."""
CONFIRMED: Final = "confirmed"
"""It was typed in again: the store is recoverable."""
READABLE: Final = "readable"
"""The store is not encrypted, so it needs none."""
PASSPHRASE: Final = "passphrase"  # noqa: S105 - the name of a state
"""The store opens with words that a person chose: those are what to keep."""

_IN_A_LINE: Final = 4

Confirmed = Callable[[str, bytes], object]
"""Told the path and the salt of a store whose recovery key was confirmed."""


@dataclass(frozen=True, slots=True)
class RecoveryState:
    """Where one store stands. Times are ISO 8601 in UTC, empty where there is none.

    ``kept`` is False where the app runs without its own records: then it forgets with this run.
    ``stale_at`` is when the last recovery key of an earlier key was made: that paper opens nothing.
    """

    code: str
    made_at: str = ""
    confirmed_at: str = ""
    kept: bool = True
    stale_at: str = ""

    @property
    def recoverable(self) -> bool:
        """Whether a confirmed paper opens the store as it is now."""
        return self.code == CONFIRMED


@dataclass(frozen=True, slots=True)
class RecoverySheet:
    """What stands on paper for one store. Hold it as short as possible: it is the key.

    ``lines`` are the groups, laid out; ``checksum`` is the last group, which checks the others.
    ``qr`` is the same text as rows of dark (True) and light modules, without a margin.
    """

    store: StoreId
    name: str
    path: str
    salt: bytes
    date: str
    """When it was made, ISO 8601 in UTC."""
    lines: tuple[str, ...] = field(repr=False)
    checksum: str = field(repr=False)
    qr: tuple[tuple[bool, ...], ...] = field(repr=False)

    @property
    def text(self) -> str:
        """The groups in one line."""
        return " ".join(self.lines)


class Recovery:
    """Makes and confirms recovery keys of open stores. Any thread may call."""

    def __init__(self, library: Library, keeper: LedgerKeeper) -> None:
        self._library = library
        self._keeper = keeper
        self._guard = threading.Lock()
        self._unkept: dict[tuple[bytes, str], RecoveryNote] = {}
        self._listeners: list[Confirmed] = []

    def when_confirmed(self, call: Confirmed) -> None:
        """Have something done in the confirming thread: an old key that waited may go now."""
        self._listeners.append(call)

    # ---- making and confirming

    def make(self, store: StoreId) -> RecoverySheet:
        """The recovery key of an open store. Made twice it is the same, of the same date.

        Raises:
            UserError: ``store.not_open``, ``recovery.readable``, ``recovery.passphrase``,
                ``recovery.settings``.
        """
        shelf = self._library.shelf(store)
        key = _raw_key(shelf)
        mark = mark_of(shelf.salt, key)
        note = self._note(shelf.salt, mark)
        if note is None:
            note = RecoveryNote(shelf.salt, mark, shelf.info.path, _now())
            self._put(note)
        groups = recovery_groups(key)
        return RecoverySheet(
            store=store,
            name=shelf.name,
            path=shelf.info.path,
            salt=shelf.salt,
            date=note.made_at,
            lines=_lines(groups),
            checksum=groups[-1],
            qr=qr_modules(" ".join(groups)),
        )

    def confirm(self, store: StoreId, text: str) -> bool:
        """Whether what was typed is the recovery key of the store as it is now; kept when it is.

        Raises:
            UserError: as ``make``; ``recovery.*`` for a slip in what was typed.
        """
        shelf = self._library.shelf(store)
        key = _raw_key(shelf)
        if read_recovery_text(text) != key:
            return False
        mark = mark_of(shelf.salt, key)
        note = self._note(shelf.salt, mark) or RecoveryNote(
            shelf.salt, mark, shelf.info.path, _now()
        )
        self._put(replace(note, path=shelf.info.path, confirmed_at=_now()))
        for call in self._listeners:
            call(shelf.info.path, shelf.salt)
        return True

    # ---- where a store stands

    def state(self, store: StoreId) -> RecoveryState:
        """Of an open store. Raises UserError ``store.not_open``."""
        shelf = self._library.shelf(store)
        kept = self._rows() is not None
        if not shelf.info.encrypted:
            return RecoveryState(READABLE, kept=kept)
        key = shelf.key
        if not isinstance(key, RawKey):
            return RecoveryState(PASSPHRASE, kept=kept)
        notes = [one for one in self._notes() if one.salt == shelf.salt]
        mark = mark_of(shelf.salt, key)
        mine = next((one for one in notes if one.mark == mark), None)
        stale = max((one.made_at for one in notes if one.mark != mark), default="")
        return _state(mine, kept=kept, stale_at=stale)

    def known(self) -> Mapping[bytes, RecoveryState]:
        """By the salt of each store that has a recovery key, without opening any store.

        Of the last one made: whether the key was changed since is not known here.
        """
        found: dict[bytes, RecoveryState] = {}
        kept = self._rows() is not None
        for note in self._notes():  # the one made last first
            found.setdefault(note.salt, _state(note, kept=kept))
        return found

    def forget(self, salt: bytes, key: RawKey) -> None:
        """A key opens nothing any more, so its paper is not spoken of."""
        mark = mark_of(salt, key)
        with self._guard:
            self._unkept.pop((salt, mark), None)
        rows = self._rows()
        if rows is not None:
            rows.remove(salt, mark)

    # ---- inside

    def _rows(self) -> RecoveryRows | None:
        return self._keeper.ledger().recovery

    def _notes(self) -> Sequence[RecoveryNote]:
        rows = self._rows()
        if rows is not None:
            return tuple(rows.list())
        with self._guard:
            return sorted(self._unkept.values(), key=lambda one: one.made_at, reverse=True)

    def _note(self, salt: bytes, mark: str) -> RecoveryNote | None:
        return next((one for one in self._notes() if (one.salt, one.mark) == (salt, mark)), None)

    def _put(self, note: RecoveryNote) -> None:
        rows = self._rows()
        if rows is not None:
            rows.put(note)
            return
        with self._guard:
            self._unkept[note.salt, note.mark] = note


def qr_modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """A text as a QR code: rows of dark (True) and light modules, without a margin."""
    code = lazy.segno().make(text, error="m", micro=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def _lines(groups: Sequence[str]) -> tuple[str, ...]:
    steps = range(0, len(groups), _IN_A_LINE)
    return tuple(" ".join(groups[at : at + _IN_A_LINE]) for at in steps)


def _raw_key(shelf: Shelf) -> RawKey:
    path = shelf.info.path
    if not shelf.info.encrypted:
        raise UserError("recovery.readable", path=path)
    if not isinstance(shelf.key, RawKey):
        raise UserError("recovery.passphrase", path=path)
    if shelf.key.settings != CipherSettings(shelf.key.settings.compatibility):
        raise UserError("recovery.settings", path=path)
    return shelf.key


def _state(note: RecoveryNote | None, *, kept: bool, stale_at: str = "") -> RecoveryState:
    if note is None:
        return RecoveryState(NONE, kept=kept, stale_at=stale_at)
    code = CONFIRMED if note.confirmed_at else MADE
    return RecoveryState(code, note.made_at, note.confirmed_at, kept=kept, stale_at=stale_at)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
