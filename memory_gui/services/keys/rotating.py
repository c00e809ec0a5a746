# SPDX-License-Identifier: MIT
"""Another key for an open store: what that means first, then the change, then what waits."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.evidence import inspect
from memory_gui.engine.holders import family, open_by
from memory_gui.ledger.keynotes import KEPT_RECOVERY, KeyNote
from memory_gui.rotation.copies import copies_of, refuse_hard_links
from memory_gui.rotation.rekey import (
    CHANGED,
    GIVEN,
    NOT_OURS,
    RETIRED,
    TAKEN_BACK,
    Change,
    KeyChanges,
    Settled,
    Wish,
    rotate_key,
)
from memory_gui.services.keys.recovery import Recovery
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.neighbours.apart import Apart
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.values import KeyPlace, OpenedStore

FINISHED: Final = "finished"
TAKEN: Final = "taken-back"
GIVEN_OPENS: Final = "given-key-opens"
"""What an opening did with a change that was stopped (``KeyNews.code``)."""


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """What a change of a store's key means. Nothing was written.

    ``others`` are files that the old key opens too; it is kept for them. ``paper`` is the date
    (ISO 8601) of the recovery sheet that stops working, empty where there is none. ``unseen``: a
    program of another user could have the file open without being seen.
    """

    path: str
    key_place: KeyPlace
    others: tuple[str, ...] = ()
    paper: str = ""
    open_by: tuple[OpenBy, ...] = ()
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class KeyDone:
    """A store after its key was changed.

    ``old`` is ``retired``, ``kept-files``, ``kept-recovery``, ``retiring`` (the keychain did not
    remove it: ``problem``) or ``not-ours``.
    """

    store: OpenedStore
    old: str
    others: tuple[str, ...] = ()
    paper: str = ""
    unseen: bool = False
    problem: UserError | None = None


@dataclass(frozen=True, slots=True)
class KeyNews:
    """A change that was stopped earlier, and what was done with it now."""

    path: str
    code: str


class Rotating:
    """Changes keys of open stores. Any thread may call."""

    def __init__(
        self,
        library: Library,
        keeper: LedgerKeeper,
        apart: Apart,
        changes: KeyChanges,
        recovery: Recovery,
        *,
        keep: Callable[[str, str], object] = lambda _path, _code: None,
    ) -> None:
        """``keep`` writes down what was done to a store."""
        self._keep = keep
        self._library = library
        self._keeper = keeper
        self._apart = apart
        self.changes = changes
        self._recovery = recovery
        self._news: list[KeyNews] = []
        recovery.when_confirmed(lambda path, salt: self._may_go(Path(path), salt))

    # ---- planning

    def plan(self, store: StoreId) -> KeyPlan:
        """What changing the key of an open store means.

        Raises:
            UserError: ``protect.not_encrypted``, ``rotation.hard_links``, ``store.not_open``.
        """
        shelf = self._encrypted(store)
        path = Path(shelf.info.path)
        refuse_hard_links(path)
        ours = {one.pid for one in self._apart.holding([shelf.info.path])}
        return KeyPlan(
            shelf.info.path,
            shelf.key_place,
            others=self.others(shelf),
            paper=self.paper(shelf),
            open_by=open_by([path], excluding=family() | ours),
            unseen=shelf.info.journal_mode != "wal" and not sees_all(),
        )

    def others(self, shelf: Shelf) -> tuple[str, ...]:
        """Files beside a store, and known ones, that its key opens as well."""
        known = (Path(one.path) for one in self._keeper.ledger().known() if one.salt == shelf.salt)
        open_here = {one.info.path for one in self._library.shelves() if one.salt == shelf.salt}
        found = {*copies_of(Path(shelf.info.path), shelf.salt, known), *open_here}
        return tuple(sorted(found - {shelf.info.path}))

    def paper(self, shelf: Shelf) -> str:
        """The date of the recovery sheet that opens a store now; empty where there is none."""
        return self._recovery.state(shelf.id).made_at[:10]

    def gets_new_key(self, shelf: Shelf) -> bool:
        """Whether the key is ours to change without being asked: the keychain holds it."""
        return shelf.info.encrypted and shelf.key_place is KeyPlace.KEYCHAIN

    # ---- changing

    def rotate(
        self,
        store: StoreId,
        *,
        new_key: RawKey | None = None,
        give_up_paper: bool = False,
        drop_old: bool = False,
        tick: Tick = no_tick,
    ) -> KeyDone:
        """Give an open store another key: a new one, or ``new_key``.

        The old one is kept while other files need it (``drop_old``: not for them, and one that
        was kept earlier goes) and until a new recovery sheet is confirmed where there was one
        (``give_up_paper``: no new one is wanted).

        Raises:
            UserError: ``rotation.*``, ``protect.not_encrypted``, ``neighbours.held``, ``vault.*``,
                ``store.*``: the old key opens the store, unless it is ``rotation.unsettled``.
        """
        shelf = self._encrypted(store)
        path, key = Path(shelf.info.path), shelf.key
        if key is None:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        refuse_hard_links(path)
        others = () if drop_old else self.others(shelf)
        wish = Wish(
            shelf.salt,
            new=new_key,
            in_keychain=new_key is None or shelf.key_place is KeyPlace.KEYCHAIN,
            others=others,
            paper="" if give_up_paper else self.paper(shelf),
            drop=drop_old,
        )
        with self._apart.alone([shelf.info.path]):
            change = rotate_key(self.changes, path, key, wish, tick=tick)
            self.take(shelf, change, in_keychain=wish.in_keychain)
        self._keep(shelf.info.path, "rotate")
        settled = _changed(change)
        return KeyDone(
            shelf.opened(), settled.old, others, wish.paper, change.unseen, settled.problem
        )

    def take(self, shelf: Shelf, change: Change, *, in_keychain: bool) -> None:
        """Open the store with its new key from now on, where it has one."""
        settled = change.settled
        if settled is None or settled.code != CHANGED:
            return
        shelf.rekey(change.new, KeyPlace.KEYCHAIN if in_keychain else KeyPlace.TYPED, shelf.salt)
        if settled.old in {RETIRED, NOT_OURS} and isinstance(change.old, RawKey):
            with suppress(UserError):
                self._recovery.forget(shelf.salt, change.old)

    # ---- what waits

    def waiting(self, path: str | Path | None = None) -> tuple[KeyNote, ...]:
        """Stores whose old key is kept until the new recovery key is confirmed, or given up."""
        notes = self.changes.notes.list(None if path is None else str(Path(path).resolve()))
        return tuple(note for note in notes if note.state == KEPT_RECOVERY)

    def recovery_given_up(self, path: str | Path) -> Settled | None:
        """In words: no new recovery key is wanted, and the old key may go. None: none waited."""
        real = Path(path).resolve()
        notes = self.waiting(real)
        return self._may_go(real, bytes.fromhex(notes[0].salt)) if notes else None

    def _may_go(self, path: Path, salt: bytes) -> Settled | None:
        return self.changes.old_key_may_go(path, salt)

    # ---- after a stop

    def finish(self, path: Path, given: Key | None = None) -> None:
        """Before a store is opened: finish or take back what was stopped; ``news`` says it.

        ``given`` is a key that the caller keeps.
        """
        notes: Sequence[KeyNote] = self.changes.notes.list()
        if not notes:
            return
        try:
            evidence = inspect(path)
        except UserError:
            return  # its opening says why
        salt = evidence.salt if evidence.head == "random" else b""
        settled = self.changes.finish(path.resolve(), salt, given)
        if settled is not None:
            codes = {CHANGED: FINISHED, GIVEN: GIVEN_OPENS}
            self.tell(str(path), codes.get(settled.code, TAKEN))

    def tell(self, path: str, code: str) -> None:
        """Have something said by ``news``, once."""
        news = KeyNews(path, code)
        if news not in self._news:
            self._news.append(news)

    def news(self) -> tuple[KeyNews, ...]:
        """What was finished or taken back since the last call."""
        news, self._news = tuple(self._news), []
        return news

    def _encrypted(self, store: StoreId) -> Shelf:
        shelf = self._library.shelf(store)
        if not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        return shelf


def sees_all() -> bool:
    """Whether programs of other users can be looked at, too."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _changed(change: Change) -> Settled:
    """How it ended, where it was changed; else why not, as an error."""
    settled = change.settled
    if settled is None or settled.code not in {CHANGED, TAKEN_BACK}:
        raise change.problem or UserError("rotation.unsettled", path=str(change.path))
    if settled.code == TAKEN_BACK:
        raise UserError("rotation.taken_back", path=str(change.path))
    return settled
