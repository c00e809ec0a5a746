# SPDX-License-Identifier: MIT
"""Destroying a whole store: cryptographic erase where the key was ours alone."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memory_gui import __version__
from memory_gui.domain.erasing import MayHold
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Key, Mismatch
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.holders import open_by
from memory_gui.erasure.destroying import Gone, destroy_file, destroy_files
from memory_gui.erasure.limits import Limit, limits_of
from memory_gui.erasure.proof import Find
from memory_gui.erasure.receipt import refuse_receipt
from memory_gui.erasure.result import EraseState, step_json
from memory_gui.rotation.copies import refuse_hard_links
from memory_gui.services.erased.receipts import Receipts
from memory_gui.services.erasing.left import left_beside
from memory_gui.services.erasing.plans import ErasePlans, all_files_of
from memory_gui.services.keys.rotating import Rotating
from memory_gui.services.library.library import Library
from memory_gui.services.neighbours.apart import Apart
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.values import KeyPlace
from memory_gui.vault.keychain import AnyKeychain, failure

READABLE: Final = "readable"
REMOVED: Final = "removed"
KEPT_FOR_FILES: Final = "kept-for-files"
NOT_OURS: Final = "not-ours"
"""What becomes of the key. With REMOVED it is a cryptographic erase."""


@dataclass(frozen=True, slots=True)
class DestroyPlan:
    """What destroying an open store means. ``others`` are files that its key opens as well.

    The agent's other files are left as they are: ``side_files`` are those in which text of the
    store stands, ``may_hold`` says who may hold it besides.
    """

    store: StoreId
    path: str
    format: str
    encrypted: bool
    records: int
    key: str
    others: tuple[str, ...] = ()
    not_covered: tuple[Limit, ...] = ()
    side_files: tuple[Find, ...] = ()
    may_hold: tuple[MayHold, ...] = ()


@dataclass(frozen=True, slots=True)
class Destroyed:
    """What was done. ``state`` is that of an erase: proved, or not finished with a ``reason``."""

    plan: DestroyPlan
    gone: Gone
    receipt: str | None = None

    @property
    def cryptographic(self) -> bool:
        """Whether what lies anywhere under the key cannot be read any more."""
        return self.plan.key == REMOVED

    def as_json(self) -> dict[str, Any]:
        """For the terminal and the receipt."""
        return {
            "state": str(self.gone.state),
            "path": self.plan.path,
            "format": self.plan.format,
            "encrypted": self.plan.encrypted,
            "records": self.plan.records,
            "key": self.plan.key,
            "cryptographic_erase": self.cryptographic,
            "others": list(self.plan.others),
            "steps": [step_json(step) for step in self.gone.steps],
            "open_by": [{"pid": who.pid, "name": who.name} for who in self.gone.open_by],
            "reason": self.gone.reason,
            **left_data(self.plan),
            "receipt": self.receipt,
        }


def left_data(plan: DestroyPlan) -> dict[str, Any]:
    """What is not destroyed with it, for documents."""
    return {
        "not_covered": [limit.as_json() for limit in plan.not_covered],
        "side_files": [find.as_json() for find in plan.side_files],
        "may_still_hold": [one.as_json() for one in plan.may_hold],
    }


class Destroying:
    """Plans and does it. Any thread may call."""

    def __init__(
        self,
        library: Library,
        keeper: LedgerKeeper,
        keychain: AnyKeychain,
        *,
        apart: Apart,
        rotating: Rotating,
        receipts: Receipts,
        plans: ErasePlans,
    ) -> None:
        self._refuse: Callable[[StoreId], object] = lambda _store: None
        self._library = library
        self._keeper = keeper
        self._keychain = keychain
        self._apart = apart
        self._rotating = rotating
        self._receipts = receipts
        self._plans = plans

    def refuse_with(self, refuse: Callable[[StoreId], object]) -> None:
        """Ask before each plan; it raises where something in the store must stay."""
        self._refuse = refuse

    def plan(
        self, store: StoreId, *, tick: Tick = no_tick, cancel: CancelToken | None = None
    ) -> DestroyPlan:
        """What it means, and where else its texts stand. Writes nothing.

        Raises:
            UserError: ``rotation.hard_links``, ``store.not_open``, ``erase.on_hold``,
                ``process.gone``. Cancelled: as asked.
        """
        shelf = self._library.shelf(store)
        self._refuse(store)
        info = shelf.info
        for file in shelf.screen(all_files_of) or (info.path,):
            refuse_hard_links(Path(file if isinstance(file, str) else file.path))
        others = self._rotating.others(shelf) if info.encrypted else ()
        key = READABLE
        if info.encrypted:
            key = NOT_OURS
            if shelf.key_place is KeyPlace.KEYCHAIN:
                key = KEPT_FOR_FILES if others else REMOVED
        limits = [*limits_of([(info.path, info.encrypted, key == REMOVED)])]
        limits += [Limit("limit.old_key_files", {"path": path}) for path in others]
        records = sum(number for states in info.counts.values() for number in states.values())
        left = left_beside(self._plans, shelf, tick, cancel)
        if not left.whole:
            limits.append(Limit("limit.large_store", {"path": info.path}))
        return DestroyPlan(
            store,
            info.path,
            info.format,
            info.encrypted,
            records,
            key,
            others,
            tuple(limits),
            left.finds,
            left.may_hold,
        )

    def run(
        self, plan: DestroyPlan, *, tick: Tick = no_tick, receipt: Path | None = None
    ) -> Destroyed:
        """Remove the key, overwrite the file, remove it. It cannot be undone.

        Raises:
            UserError: ``neighbours.*``, ``vault.*``, ``store.*``: nothing was changed.
        """
        refuse_receipt(receipt)
        shelf = self._library.shelf(plan.store)
        key, salt = shelf.key, shelf.salt
        files = shelf.screen(all_files_of)
        holders = open_by(map(Path, [file.path for file in files] or [plan.path]))
        if any(holder.pid != os.getpid() for holder in holders):
            blocked = Gone(EraseState.NOT_FINISHED, open_by=holders, reason="erase.in_use")
            return Destroyed(plan, blocked)
        with self._apart.alone([plan.path]):
            gone = (
                destroy_files(files, tick)
                if files
                else destroy_file(plan.path, key, lambda: self._remove_key(plan, key, salt), tick)
            )
        if gone.state is EraseState.PROVED:
            self._library.close(plan.store)
            self._forget(plan, salt)
        done = Destroyed(plan, gone)
        if receipt is not None and gone.state is EraseState.PROVED:
            self._receipts.write(_receipt(done), receipt)
            done = Destroyed(plan, gone, str(receipt))
        return done

    def _remove_key(self, plan: DestroyPlan, key: Key | None, salt: bytes) -> None:
        if plan.key != REMOVED:
            return
        found = self._keychain.find_all(salt)
        if not isinstance(found, list):
            if isinstance(found, (Absent, Mismatch)):
                return
            raise failure(found)
        for one in found:
            self._keychain.retire(salt, one.slot)
        left = self._keychain.find_all(salt)
        for one in left if isinstance(left, list) else ():
            if one.key == key:
                raise UserError("vault.not_removed", slot=one.slot)

    def _forget(self, plan: DestroyPlan, salt: bytes) -> None:
        """What we keep of it: the list of known stores, unfinished erases, its recovery keys."""
        with suppress(UserError):
            self._library.forget(plan.path)
        with suppress(UserError):
            ledger = self._keeper.ledger()
            for entry in ledger.pending.list(plan.path):
                ledger.pending.remove(entry.id)
            if ledger.recovery is not None and plan.key == REMOVED:
                for note in ledger.recovery.list():
                    if note.salt == salt:
                        ledger.recovery.remove(note.salt, note.mark)


def _receipt(done: Destroyed) -> dict[str, Any]:
    document = done.as_json()
    document.pop("receipt")
    return {
        "receipt": 2,
        "id": secrets.token_hex(8),
        "kind": "store",
        "standard": "NIST SP 800-88: cryptographic erase"
        if done.cryptographic
        else "a file overwritten and removed; sanitisation of the medium is not claimed",
        "program": {"name": "memory-gui", "version": __version__},
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        **document,
    }
