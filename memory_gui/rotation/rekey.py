# SPDX-License-Identifier: MIT
"""Another key for an encrypted store: written down, kept, changed, proved, switched, retired.

Each step leaves a store that one of the keychain's two slots opens, wherever it is stopped. What a
stop left is finished, or taken back, by what the file itself says: a rekey is one commit, so the
file opens under exactly one of the two keys. Used for ``key rotate`` and for an erase with a new
key; only the work in between differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.keys import Absent, Key, RawKey
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.rekeying import journal_under
from memory_gui.ledger.keynotes import (
    BEGUN,
    KEPT_FILES,
    KEPT_RECOVERY,
    RETIRING,
    UNTIDY,
    KeyNote,
    KeyNotes,
)
from memory_gui.rotation.rekeyfile import rekey_file
from memory_gui.rotation.rotate import refuse_holders
from memory_gui.vault.keychain import SLOTS, AnyKeychain, failure
from memory_gui.vault.newkey import new_key

CHANGED: Final = "changed"
TAKEN_BACK: Final = "taken-back"
GIVEN: Final = "given"
"""Of a change whose keys the caller keeps: the one that was given now opens the file."""
UNKNOWN: Final = "unknown"
"""Neither key opens the file now, or nobody could look: nothing is retired."""

RETIRED: Final = "retired"
NOT_OURS: Final = "not-ours"
"""The old key was in no slot."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a change of keys is to be.

    ``in_keychain``: the keychain keeps the keys; else the caller does, and ``new`` is given.
    ``others`` are files that the old key opens too, ``paper`` the date of a confirmed recovery
    sheet: the old key is kept for either. ``drop``: a key in the slot that is needed is retired.
    """

    salt: bytes
    purpose: str = "rotate"
    new: RawKey | None = None
    in_keychain: bool = True
    others: tuple[str, ...] = ()
    paper: str = ""
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """How a change ended.

    ``old``: what became of the key that is no longer used: RETIRED, NOT_OURS or a state of the
    note. ``problem``: why it could not be retired.
    """

    code: str
    note: KeyNote
    old: str = NOT_OURS
    problem: UserError | None = None


@dataclass(slots=True)
class Change:
    """A change under way. ``settled`` is there at its end."""

    note: KeyNote
    path: Path
    old: Key
    new: RawKey
    settled: Settled | None = None
    problem: UserError | None = None
    """Why it could not be settled; None where it was."""
    unseen: bool = False
    """Whether a program of another user could have had the file open without being seen."""


class KeyChanges:
    """Begins and ends changes of keys. Any thread; nobody here has a connection on the store."""

    def __init__(self, keychain: AnyKeychain, notes: KeyNotes) -> None:
        self._keychain = keychain
        self.notes = notes
        self._active: set[str] = set()

    # ---- a change

    @contextmanager
    def changing(self, path: Path, old: Key, wish: Wish) -> Iterator[Change]:
        """Inside, the new key is in its slot and the file may be given it; then it is settled.

        After an error inside it is settled as well, by what the file says, and the error raised.

        Raises:
            UserError: ``rotation.slots_full``, ``rotation.old_key_waits``, ``vault.*``,
                ``rotation.not_written``: nothing was changed.
        """
        change = self._begin(path, old, wish)
        self._active.add(change.note.id)
        try:
            try:
                yield change
            except BaseException:
                with suppress(MemoryGuiError, OSError):
                    self._settle_after_error(change)
                raise
            try:
                self.settle(change)
            except (UserError, OSError) as error:
                change.problem = error if isinstance(error, UserError) else None
        finally:
            self._active.discard(change.note.id)

    def opened(self, change: Change, journal_mode: str, unseen: bool) -> None:
        """Written down before the file is touched: a later start must know what it was."""
        change.unseen = unseen
        change.note = replace(change.note, journal_mode=journal_mode)
        self.notes.put(change.note)

    def _begin(self, path: Path, old: Key, wish: Wish) -> Change:
        self.finish(path, wish.salt)
        slots = self._slots(wish.salt) if wish.in_keychain else {}
        self._refuse_waiting(path, wish)
        old_slot = next((slot for slot, key in slots.items() if key == old), "")
        new_slot = self._free(path, wish, slots, old_slot) if wish.in_keychain else ""
        new = wish.new or new_key()
        note = self.notes.begin(
            str(path),
            wish.salt,
            wish.purpose,
            old_slot=old_slot,
            new_slot=new_slot,
            others=wish.others,
            paper=wish.paper,
        )
        change = Change(note, path, old, new)
        try:
            if new_slot:
                self._keychain.store(wish.salt, new_slot, new)  # added, and read back
        except BaseException:
            with suppress(MemoryGuiError, OSError):
                self.settle(change)
            raise
        return change

    def _free(self, path: Path, wish: Wish, slots: dict[str, RawKey], old_slot: str) -> str:
        free = [slot for slot in SLOTS if slot not in slots]
        if free:
            return free[0]
        if not (wish.drop and old_slot):
            raise UserError("rotation.slots_full", path=str(path))
        other = next(slot for slot in SLOTS if slot != old_slot)
        self._keychain.retire(wish.salt, other)
        for note in self._list(path, wish.salt):
            self.notes.remove(note)
        return other

    def _refuse_waiting(self, path: Path, wish: Wish) -> None:
        for note in self._list(path, wish.salt):
            if note.id in self._active or (note.state == BEGUN and self._elsewhere(note)):
                raise UserError("rotation.running", path=str(path))
            if note.state == KEPT_RECOVERY and not wish.drop:
                raise UserError("rotation.old_key_waits", path=str(path))
            if note.state == BEGUN and not note.new_slot:
                self.notes.remove(note)  # whoever keeps both keys knows best

    # ---- its end

    def settle(self, change: Change) -> Settled:
        """Ask the file which key it is under; once.

        Raises:
            UserError: ``store.*``, ``vault.*``: not known yet; both keys stay, and the note.
        """
        if change.settled is None:
            change.settled = self._settle(change.note, change.path, old=change.old, new=change.new)
        return change.settled

    def _settle_after_error(self, change: Change) -> None:
        """As ``settle``, with the file left as it should lie: an erase has its own entry for that.

        Where that cannot be done now, a file that is under its new key is left for later: half of
        it may be in its log only.
        """
        note, tidy = change.note, True
        if note.purpose == "rotate":
            try:
                self._tidy(note, change.path, old=change.old, new=change.new)
            except (MemoryGuiError, OSError):
                tidy = False
        if tidy:
            self.settle(change)
        elif journal_under(change.path, change.new) is None:
            change.settled = self._settle(note, change.path, old=change.old, tidy=False)

    def _settle(
        self,
        note: KeyNote,
        path: Path,
        *,
        old: Key | None = None,
        new: RawKey | None = None,
        tidy: bool = True,
    ) -> Settled:
        """Ask the file which key it is under; the other one is retired, or kept for a reason."""
        slots = self._slots(bytes.fromhex(note.salt)) if note.new_slot else {}
        new = slots.get(note.new_slot, new)
        if new is not None and journal_under(path, new) is not None:
            return self._switch(note, slots, new)
        old = slots.get(note.old_slot, old)
        if old is not None and journal_under(path, old) is not None:
            if note.new_slot in slots:
                self._keychain.retire(bytes.fromhex(note.salt), note.new_slot)
            if tidy or not note.new_slot:
                self.notes.remove(note)
            else:
                self.notes.put(replace(note, state=UNTIDY))
            return Settled(TAKEN_BACK, note)
        return Settled(UNKNOWN, note)

    def _switch(self, note: KeyNote, slots: dict[str, RawKey], new: RawKey) -> Settled:
        if note.new_slot and note.new_slot not in slots:
            # Somebody took it out: it must be kept before the other one may go.
            self._keychain.store(bytes.fromhex(note.salt), note.new_slot, new)
        if not note.old_slot:
            self.notes.remove(note)
            return Settled(CHANGED, note)
        state = KEPT_RECOVERY if note.paper else KEPT_FILES if note.others else RETIRING
        note = replace(note, state=state)
        self.notes.put(note)
        if state != RETIRING:
            return Settled(CHANGED, note, state)
        return self._retire(note)

    def _retire(self, note: KeyNote) -> Settled:
        try:
            self._keychain.retire(bytes.fromhex(note.salt), note.old_slot)
        except UserError as error:
            return Settled(CHANGED, note, RETIRING, error)
        self.notes.remove(note)
        return Settled(CHANGED, note, RETIRED)

    # ---- later

    def finish(self, path: Path, salt: bytes, given: Key | None = None) -> Settled | None:
        """Finish or take back what was stopped; None where there was nothing, or nothing to say.

        ``given`` is a key that the caller keeps, for changes of which no slot knows. Where somebody
        has the file open, or the keychain does not answer, it stays for later.
        """
        last = None
        for note in self._list(path, salt):
            if note.id in self._active or self._elsewhere(note):
                continue
            with suppress(UserError, OSError):
                last = self._finish(note, path, given) or last
        return last

    def _finish(self, note: KeyNote, path: Path, given: Key | None) -> Settled | None:
        if note.state == RETIRING:
            self._retire(note)
        if note.state == UNTIDY:
            self._tidy(note, path)
            self.notes.remove(note)
        if note.state != BEGUN:
            return None
        if not note.new_slot:
            return self._finish_given(note, path, given)
        self._tidy(note, path)
        settled = self._settle(note, path)
        return None if settled.code == UNKNOWN else settled

    def _finish_given(self, note: KeyNote, path: Path, given: Key | None) -> Settled | None:
        """Whoever keeps both keys tries them: the one that opens the file is the right one."""
        if given is None or journal_under(path, given) is None:
            return None
        if note.purpose == "erase":  # finished, and told, by its own entry
            self.notes.remove(note)
            return None
        if note.journal_mode:  # it was touched: log and journal mode as they should be
            rekey_file(path, given, None, journal_mode=note.journal_mode)
        self.notes.remove(note)
        return Settled(GIVEN, note)

    def _tidy(
        self, note: KeyNote, path: Path, *, old: Key | None = None, new: RawKey | None = None
    ) -> None:
        """The rest of the recipe: the log emptied, the journal mode as it was, a full check.

        Raises:
            UserError: ``rotation.in_use``, ``store.*``, ``vault.*``: then it is not finished.
        """
        slots = self._slots(bytes.fromhex(note.salt)) if note.new_slot else {}
        new = slots.get(note.new_slot, new)
        if new is not None and journal_under(path, new) is not None:
            rekey_file(path, new, None, journal_mode=note.journal_mode)
            return
        key = slots.get(note.old_slot, old)
        # Of a file that is only looked at the mode is not known for sure.
        touched = note.journal_mode not in ("", "wal")
        if key is not None and touched and journal_under(path, key) is not None:
            rekey_file(path, key, None, journal_mode=note.journal_mode)

    def old_key_may_go(self, path: Path, salt: bytes, *, files_too: bool = False) -> Settled | None:
        """The new recovery key was confirmed, or given up in words: the old key is not kept for it.

        ``files_too``: nor for other files. None where no old key waits; ``problem`` says why it
        could not be retired yet.
        """
        last = None
        for note in self._list(path, salt):
            if note.state not in {KEPT_RECOVERY, KEPT_FILES, RETIRING}:
                continue
            stays = bool(note.others) and not files_too
            note = replace(note, paper="", state=KEPT_FILES if stays else RETIRING)  # noqa: PLW2901 - its next state
            self.notes.put(note)
            last = Settled(CHANGED, note, KEPT_FILES) if stays else self._retire(note)
        return last

    # ---- inside

    def _list(self, path: Path, salt: bytes) -> list[KeyNote]:
        """Changes of keys; those of encryption are others' business."""
        found = self.notes.list(str(path), salt)
        return [note for note in found if note.purpose in {"rotate", "erase"}]

    def _slots(self, salt: bytes) -> dict[str, RawKey]:
        found = self._keychain.find_all(salt)
        if isinstance(found, list):
            return {present.slot: present.key for present in found}
        if isinstance(found, Absent):
            return {}
        raise failure(found)

    def _elsewhere(self, note: KeyNote) -> bool:
        """Whether another process works on it; in this one ``_active`` says so."""
        return note.lease_pid != os.getpid() and note.state == BEGUN and note.is_held()


def rotate_key(
    changes: KeyChanges, path: Path, old: Key, wish: Wish, *, tick: Tick = no_tick
) -> Change:
    """Change the key of an encrypted store that no program has open. The change, settled.

    Raises:
        UserError: ``rotation.in_use`` (params ``pid``, ``name``), ``rotation.*``, ``vault.*``,
            ``store.*``: the store is as it was; ``change.settled`` would say what is known.
    """
    refuse_holders(path)
    change: Change | None = None
    try:
        with changes.changing(path, old, wish) as change:
            rekey_file(path, old, change.new, opened=partial(changes.opened, change), tick=tick)
    except UserError:
        if change is None or change.settled is None or change.settled.code != CHANGED:
            raise
        # It was stopped after the commit, and finished while it was settled.
    return change
