# SPDX-License-Identifier: MIT
"""What was being typed when the window locked: sealed before the keys go, offered after unlock.

An encrypted store's draft is sealed with a key derived from the store's; a readable store's (and
one that opens with a passphrase) with a key derived from the ledger's. Sealed drafts are kept in
the ledger. Where there is none, nothing is kept and that is told. What was typed of a case is of
no store: it is sealed with a key derived from the ledger's, and goes when the case is closed.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Ref, StoreId
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ledger.drafts import BY_LEDGER, BY_STORE, DraftRows, SealedDraft
from memory_gui.services.erased.about import erased_refs
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.own.sealing import seal, unseal

Fields = Mapping[str, str | tuple[str, ...]]
OWN: Final = StoreId("")
"""In place of a store: what is our own, and offered whichever stores are open."""
CASE: Final = "case"
EDITED: Final = "edited"
NAME: Final = "name"
CORRECTED: Final = "correct.text"
"""The fields of a draft of ours that tell the number of its case, or of the one that was being
changed, who a new one is about, and another text for a record."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A half-typed edit (``ref`` and the ``etag`` it began with) or a new memory (``ref`` None)."""

    store: StoreId
    fields: Fields = field(repr=False)
    ref: Ref | None = None
    etag: str = ""
    id: str = ""
    made_at: str = ""
    """ISO 8601 in UTC; set when it was kept."""


class Drafts:
    """Keeps drafts over a lock, and over a restart. Any thread."""

    def __init__(self, library: Library, keeper: LedgerKeeper) -> None:
        self._library = library
        self._keeper = keeper
        self._guard = threading.Lock()
        self._waiting: tuple[SealedDraft, ...] = ()
        self._lost = 0

    def seal(self, drafts: Collection[Draft]) -> None:
        """Seal with keys that are still there; takes some ms and asks nobody.

        The ledger is not opened for it: that may ask the keychain, and nothing may stand in the
        way of a lock.
        """
        shelves = {shelf.id: shelf for shelf in self._library.shelves()}
        sealed = []
        for draft in drafts:
            shelf = shelves.get(draft.store)
            there = shelf is not None or draft.store == OWN
            one = self._sealed(draft, shelf) if there else None
            if one is not None:
                sealed.append(one)
        with self._guard:
            self._waiting = (*self._waiting, *sealed)
            self._lost += len(drafts) - len(sealed)

    def keep(self) -> None:
        """Write what was sealed into the ledger, when that is open; else it waits, sealed."""
        with self._guard:
            rows = self._rows(ask=False)
            if rows is None or not self._waiting:
                return
            try:
                rows.put(self._waiting)
            except UserError:
                return
            self._waiting = ()

    def waiting(self) -> tuple[Draft, ...]:
        """Our own and those of the stores that are open now, the newest first. May open the ledger.

        One that no key opens any more (the store has another one) is left alone.
        """
        self.keep()
        shelves: dict[str, Shelf | None] = {
            shelf.info.path: shelf for shelf in self._library.shelves()
        }
        shelves[str(OWN)] = None
        with self._guard:
            kept = (*self._waiting, *self._kept())
        opened = (self._opened(one, shelves[one.store_path]) for one in kept
                  if one.store_path in shelves)  # fmt: skip
        return tuple(draft for draft in opened if draft is not None)

    def discard(self, ids: Collection[str]) -> None:
        """Forget some for good."""
        with self._guard:
            self._waiting = tuple(one for one in self._waiting if one.id not in ids)
            rows = self._rows(ask=True)
            if rows is not None:
                rows.remove(ids)

    def erase_with(self, plan: ErasePlan) -> None:
        """What was typed of records that were erased, or repeats their texts, goes too.

        What was typed of a case stays: the answer to a person is written after their erase. Of
        another text for a record that does not hold: it began as the record's own.
        """
        going, texts = erased_refs(plan), plan.texts

        def goes(draft: Draft) -> bool:
            if draft.store == OWN:  # its other fields are the person's own words
                draft = replace(draft, fields={"text": draft.fields.get(CORRECTED, "")})
            return draft.ref in going or any(_says(draft, text) for text in texts)

        self._discard_those(goes)

    def close_case(self, number: int, names: Collection[str]) -> None:
        """A case is closed: what was typed of it goes, and what names its person."""
        self._discard_those(
            lambda draft: (
                draft.store == OWN
                and (
                    str(number) in (draft.fields.get(CASE), draft.fields.get(EDITED))
                    or _names(draft, names)
                )
            )
        )

    def take_lost(self) -> int:
        """How many could not be kept since the last call: told once."""
        lost, self._lost = self._lost, 0
        return lost

    # ---- inside

    def _discard_those(self, going: Callable[[Draft], bool]) -> None:
        with suppress(UserError):
            if ids := [draft.id for draft in self.waiting() if going(draft)]:
                self.discard(ids)

    def _sealed(self, draft: Draft, shelf: Shelf | None) -> SealedDraft | None:
        secret, by = self._secret_for(shelf)
        if secret is None:
            return None
        path = str(OWN) if shelf is None else shelf.info.path
        now = datetime.now(UTC).isoformat(timespec="seconds")
        name = secrets.token_hex(8)
        data = seal(secret, _bytes_of(draft), _about(path, name))
        return SealedDraft(name, path, by, now, data)

    def _opened(self, one: SealedDraft, shelf: Shelf | None) -> Draft | None:
        key, by = self._secret_for(shelf)
        secret = key if by == one.sealed_by else self._ledger_secret()
        if secret is None:
            return None
        data = unseal(secret, one.sealed, _about(one.store_path, one.id))
        store = OWN if shelf is None else shelf.id
        return None if data is None else _draft_of(data, store, one)

    def _secret_for(self, shelf: Shelf | None) -> tuple[bytes | None, str]:
        key = None if shelf is None else shelf.key
        if isinstance(key, RawKey):
            return bytes(key), BY_STORE
        return self._ledger_secret(), BY_LEDGER

    def _ledger_secret(self) -> bytes | None:
        if not self._keeper.is_open:
            return None
        try:
            return self._keeper.ledger().secret()
        except MemoryGuiError:
            return None

    def _rows(self, *, ask: bool) -> DraftRows | None:
        if not ask and not self._keeper.is_open:
            return None
        return self._keeper.ledger().drafts

    def _kept(self) -> Sequence[SealedDraft]:
        rows = self._rows(ask=self._keeper.is_kept)
        try:
            return rows.list() if rows is not None else ()
        except UserError:
            return ()


def _says(draft: Draft, text: str) -> bool:
    values = (v if isinstance(v, str) else " ".join(v) for v in draft.fields.values())
    return any(text in value or (value and value in text) for value in values)


def _names(draft: Draft, names: Collection[str]) -> bool:
    """Whether a half-typed new case is about somebody of these names."""
    known = {name.strip().casefold() for name in names}
    return str(draft.fields.get(NAME, "")).strip().casefold() in known - {""}


def _about(path: str, name: str) -> bytes:
    return json.dumps([path, name], ensure_ascii=True).encode()


def _bytes_of(draft: Draft) -> bytes:
    ref = None if draft.ref is None else [draft.ref.kind, list(draft.ref.key)]
    said = {"ref": ref, "etag": draft.etag, "fields": dict(draft.fields)}
    return json.dumps(said, ensure_ascii=True).encode()


def _draft_of(data: bytes, store: StoreId, one: SealedDraft) -> Draft:
    said = json.loads(data)
    fields = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in said["fields"].items()
    }
    ref = Ref(store, said["ref"][0], tuple(said["ref"][1])) if said["ref"] else None
    return Draft(store, fields, ref, said["etag"], one.id, one.made_at)
