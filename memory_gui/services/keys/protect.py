# SPDX-License-Identifier: MIT
"""Turning encryption on and off: who can open the store afterwards, then the act, then its rest."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Capability, OpenBy
from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.evidence import inspect
from memory_gui.engine.holders import family, open_by
from memory_gui.erasure.samefile import carried_over, entries_of
from memory_gui.ledger import Pending, PendingErase
from memory_gui.ledger.keynotes import BEGUN, ENCRYPTED, KeyNote, KeyNotes
from memory_gui.rotation.copies import copies_of, refuse_hard_links
from memory_gui.rotation.names import has_leftovers
from memory_gui.rotation.rotate import (
    SWAPPED,
    decrypt_store,
    encrypt_store,
    finish_leftovers,
    sweep_part,
)
from memory_gui.services.agent.starting import ways_in
from memory_gui.services.keys.rotating import sees_all
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.neighbours.apart import Apart
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.stores.format import Access, Format
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.newkey import new_key
from memory_gui.words.rotation import Who

SLOT = "a"
"""The slot of a key that is the first for its salt."""

FINISHED: Final = "encryption-finished"
TAKEN_BACK: Final = "encryption-taken-back"
WAITS: Final = "encryption-waits"
COPY_REMOVED: Final = "copy-removed"
"""What an opening did with what a stop had left (``KeyNews.code``)."""

_PLAIN: Final = b"SQLite format 3\0"
_PURPOSES: Final = frozenset({"encrypt", "decrypt", "copy"})

Tell = Callable[[str, str], None]
"""Given the path and the code of what was finished."""


@dataclass(frozen=True, slots=True)
class ProtectPlan:
    """What encrypting, or making readable, means for one store. Nothing was written.

    ``access`` says who can open it encrypted; ``loses`` are the programs that cannot, and lose
    what they learn; ``connect`` are the lines that connect the agent again. ``readable`` are other
    readable databases in its folder, which stay readable. ``everyone``: other people of this
    computer may read the file. ``unseen``: a program of another user is not seen while idle.
    """

    path: str
    agent: str
    encrypted: bool
    access: Access
    loses: tuple[str, ...] = ()
    connect: tuple[str, ...] = ()
    open_by: tuple[OpenBy, ...] = ()
    readable: tuple[str, ...] = ()
    everyone: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Stray:
    """A readable store where one lay that this app had encrypted; ``encrypted`` are its places."""

    path: str
    encrypted: tuple[str, ...]


class Protect:
    """Encrypts and decrypts open stores. Any thread may call."""

    def __init__(
        self,
        library: Library,
        keychain: AnyKeychain,
        apart: Apart,
        *,
        notes: KeyNotes,
        formats: Mapping[str, Format],
        tell: Tell = lambda _path, _code: None,
        keep: Tell = lambda _path, _code: None,
        pending: Callable[[], Pending | None] = lambda: None,
    ) -> None:
        """``keep`` writes down what was done to a store; ``pending`` has the unfinished erases."""
        self._pending = pending
        self._library = library
        self._apart = apart
        self._keychain = keychain
        self._notes = notes
        self._formats = formats
        self._tell = tell
        self._keep = keep
        self._active: set[str] = set()

    # ---- planning

    def plan(self, store: StoreId) -> ProtectPlan:
        """Who opens an open store now, and who will.

        Raises:
            UserError: ``store.not_open``, ``rotation.hard_links``.
        """
        shelf = self._library.shelf(store)
        info, path = shelf.info, Path(shelf.info.path)
        if path.is_file():  # a store may be a folder, which has names by its nature
            refuse_hard_links(path)
        known = self._formats.get(info.format)
        access = known.encrypted_for if known is not None else Access.NOBODY
        ours = {one.pid for one in self._apart.holding([info.path])}
        return ProtectPlan(
            info.path,
            info.agent,
            info.encrypted,
            access,
            loses=known.loses if known is not None else (),
            connect=ways_in(info) if access is Access.CONNECTOR else (),
            open_by=open_by([path], excluding=family() | ours),
            readable=copies_of(path, _PLAIN),
            everyone=bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)),
            unseen=info.journal_mode != "wal" and not sees_all(),
        )

    # ---- encrypting

    def encrypt(
        self, store: StoreId, *, key: RawKey | None = None, tick: Tick = no_tick
    ) -> OpenedStore:
        """Encrypt in place with a new key, which goes to the keychain first.

        With a ``key`` of the caller's the keychain is not asked: keeping it is the caller's part.

        Raises:
            UserError: ``protect.encrypted``, ``neighbours.held``, ``rotation.in_use``,
                ``rotation.hard_links``, ``vault.*``, ``store.*``: nothing was changed.
        """
        shelf = self._library.shelf(store)
        path = Path(shelf.info.path)
        if shelf.info.encrypted:
            raise UserError("protect.encrypted", path=shelf.info.path)
        if Capability.ENCRYPT not in shelf.info.capabilities:
            why = shelf.info.reasons.get("encrypt", "")
            raise UserError("store.cannot", act="encrypt", format=shelf.info.format, why=why)
        refuse_hard_links(path)
        chosen = key or self._fresh_key()
        with self._apart.alone([shelf.info.path]):
            with self._noted(path, "encrypt", slot="" if key else SLOT) as act:

                def keep(salt: bytes) -> None:
                    act.update(salt=salt.hex())
                    if key is None:
                        self._keychain.store(salt, SLOT, chosen)

                with self._begun_erases(path):
                    encrypt_store(path, chosen, keep=keep, tick=tick)
            place = KeyPlace.KEYCHAIN if key is None else KeyPlace.TYPED
            shelf.rekey(chosen, place, bytes.fromhex(act.note.salt))
        self._keep(shelf.info.path, "encrypt")
        return shelf.opened()

    def _fresh_key(self) -> RawKey:
        """A new key for a file that is not encrypted yet, where a keychain can keep it."""
        backend = self._keychain.backend()
        if not backend.trusted:
            raise UserError("vault.off" if "off" in backend.reasons else "vault.unavailable")
        return new_key()

    # ---- making readable

    def decrypt(
        self, store: StoreId, out: Path | None = None, *, tick: Tick = no_tick
    ) -> OpenedStore:
        """Write a readable copy to ``out``, or (None) make the store itself readable again.

        The keychain's key is kept: backups of the store may need it.

        Raises:
            UserError: ``protect.not_encrypted``, ``neighbours.held``, ``rotation.in_use``,
                ``rotation.hard_links``, ``store.*``.
        """
        shelf = self._library.shelf(store)
        path = Path(shelf.info.path)
        key: Key | None = shelf.key
        if key is None or not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        refuse_hard_links(path)
        target = None if out is None else out.absolute()
        purpose, others = ("decrypt", ()) if target is None else ("copy", (str(target),))
        with self._apart.alone([shelf.info.path]):
            noted = self._noted(path, purpose, salt=shelf.salt, others=others)
            with noted, self._begun_erases(path):
                decrypt_store(path, key, target, tick=tick)
            if target is None:
                shelf.rekey(None, KeyPlace.NONE, b"")
                self._keep(shelf.info.path, "decrypt")
        return shelf.opened()

    @contextmanager
    def _begun_erases(self, path: Path) -> Iterator[None]:
        """Around a swap: an unfinished erase of this store is one of the new file from then on."""
        pending: Pending | None = None
        before: tuple[PendingErase, ...] = ()
        with suppress(UserError):
            if (pending := self._pending()) is not None:
                before = entries_of(pending, path, path)
        yield
        if before and pending is not None:
            with suppress(UserError):  # it is then said that another database lies there
                found = inspect(path)
                carried_over(pending, before, found.salt if found.head == "random" else b"")

    # ---- after a stop

    def finish(self, path: Path) -> None:
        """Before a store is opened: finish, or take back, what was stopped, and tell it."""
        real = path.resolve()
        if how := finish_leftovers(real):
            self._tell(str(real), FINISHED if how == SWAPPED else TAKEN_BACK)
        elif has_leftovers(real):
            self._tell(str(real), WAITS)
        for note in self._notes.list(str(real)):
            if note.purpose not in _PURPOSES or note.state != BEGUN or note.id in self._active:
                continue
            if not note.is_held():
                with suppress(MemoryGuiError, OSError):
                    self._settle(note, real)

    def _settle(self, note: KeyNote, path: Path) -> bool:
        """Ask the file what became of an act; True when it was done."""
        finish_leftovers(path)
        if has_leftovers(path):
            return False  # later
        if note.purpose == "copy":
            swept = [sweep_part(Path(out)) for out in note.others]
            if any(swept):
                self._tell(str(path), COPY_REMOVED)
            self._notes.remove(note)
            return False
        found = inspect(path)
        encrypted = found.head == "random"
        done = encrypted if note.purpose == "encrypt" else not encrypted
        if note.purpose == "encrypt":
            done = done and found.salt.hex() == note.salt
            if not done and note.salt and note.new_slot:  # a key of a file that never came to be
                self._keychain.retire(bytes.fromhex(note.salt), note.new_slot)
        self._end(note, done=done)
        return done

    def _end(self, note: KeyNote, *, done: bool) -> None:
        for old in self._notes.list(note.store_path):
            if done and old.state == ENCRYPTED and old.store_path == note.store_path:
                self._notes.remove(old)
        if done and note.purpose == "encrypt":
            self._notes.put(replace(note, state=ENCRYPTED))
        else:
            self._notes.remove(note)

    def who(self, plan: ProtectPlan, *, keeps: bool) -> Who:
        """The plan as the catalogue says it; ``keeps``: the keychain keeps the key."""
        return Who(
            plan.agent,
            plan.access.value,
            keeps,
            loses=plan.loses,
            readable=plan.readable,
            everyone=plan.everyone,
            unseen=plan.unseen,
        )

    @contextmanager
    def _noted(
        self,
        path: Path,
        purpose: str,
        *,
        slot: str = "",
        salt: bytes = b"",
        others: tuple[str, ...] = (),
    ) -> Iterator[_Act]:
        """Inside, the act is written down. After an error the file itself says what became of it.

        An error after the swap is none: what it left is finished here.
        """
        note = self._notes.begin(str(path), salt, purpose, new_slot=slot, others=others)
        act = _Act(self._notes, note)
        self._active.add(note.id)
        try:
            yield act
        except (MemoryGuiError, OSError):
            done = False
            with suppress(MemoryGuiError, OSError):
                done = self._settle(act.note, path)
            if not done:
                raise
        else:
            self._end(act.note, done=True)
        finally:
            self._active.discard(note.id)

    # ---- readable stores where an encrypted one should be

    def strays(self) -> tuple[Stray, ...]:
        """Readable stores that lie where this app had encrypted one: an agent made them anew.

        Looks at the files' heads only; those that are open here are left out.
        """
        found = []
        known = {one.info.path: one.salt.hex() for one in self._library.shelves()}
        mine = {shelf.info.path: shelf for shelf in self._library.shelves()}
        for note in self._notes.list():
            path = Path(note.store_path)
            if note.state != ENCRYPTED or not path.is_file():
                continue
            if self._is_readable(path, mine.get(note.store_path)):
                open_here = {one for one, salt in known.items() if salt == note.salt}
                places = {*copies_of(path, bytes.fromhex(note.salt)), *open_here}
                found.append(Stray(note.store_path, tuple(sorted(places))))
        return tuple(found)

    def _is_readable(self, path: Path, shelf: Shelf | None) -> bool:
        if shelf is not None:
            return not shelf.info.encrypted
        try:
            return inspect(path).head == "plain"
        except UserError:
            return False

    def forget_stray(self, path: str) -> None:
        """A person says that the readable store there is meant."""
        for note in self._notes.list(path):
            if note.state == ENCRYPTED:
                self._notes.remove(note)


class _Act:
    """An act that is written down as it goes on."""

    def __init__(self, notes: KeyNotes, note: KeyNote) -> None:
        self._notes = notes
        self.note = note

    def update(self, **values: str) -> None:
        """Write it down as it is now."""
        self.note = replace(self.note, **values)  # type: ignore[arg-type]  # all of them texts
        self._notes.put(self.note)
