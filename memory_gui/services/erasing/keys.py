# SPDX-License-Identifier: MIT
"""What becomes of an encrypted database's key when records of it are erased."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.engine.rekeying import journal_under
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import KEEP, NEW, ErasePlan, StorePlan, plan_limits, plan_of
from memory_gui.erasure.result import (
    KEPT,
    NEW_GIVEN,
    NEW_KEY,
    OLD_FOR_FILES,
    OLD_FOR_RECOVERY,
    OLD_STAYS,
)
from memory_gui.ledger import PendingErase
from memory_gui.ledger.keynotes import BEGUN, KEPT_FILES, KEPT_RECOVERY, RETIRING, KeyNote
from memory_gui.rotation.rekey import CHANGED, NOT_OURS, Change, Settled, Wish
from memory_gui.services.keys.rotating import Rotating
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.values import KeyPlace

_STATES: Final[Mapping[str, str]] = {
    KEPT_FILES: OLD_FOR_FILES,
    KEPT_RECOVERY: OLD_FOR_RECOVERY,
    RETIRING: OLD_STAYS,
    NOT_OURS: NEW_GIVEN,
}


@dataclass(slots=True)
class Keyed:
    """The keys of one act of erasing: by path the new ones, and what became of each."""

    new: dict[str, RawKey] = field(default_factory=dict)
    settle: Callable[[str], str] = lambda _path: KEPT
    key: Key | None = None
    """The one that opens the database of a resumed erase."""
    changed: str = ""
    """What became of its key, where an earlier run changed it."""


class EraseKeys:
    """Plans and changes keys for ``Erasing``. Any thread."""

    def __init__(self, rotating: Rotating) -> None:
        self._rotating = rotating

    def plan(self, plan: ErasePlan, shelves: Sequence[Shelf], policy: str | None) -> ErasePlan:
        """The plan with what becomes of each key, and of what the old one opens besides."""
        by_path = {shelf.info.path: shelf for shelf in shelves}
        stores = []
        for store in plan.stores:
            shelf = by_path.get(store.path)  # None for one more file of a store
            new = shelf is not None and store.encrypted and store.is_written
            if new and shelf is not None:
                new = self._rotating.gets_new_key(shelf) if policy is None else policy == NEW
            if new and shelf is not None:
                store = self._with_new_key(store, shelf)  # noqa: PLW2901 - the same store
            stores.append(store)
        own = {limit.code for limit in plan_limits(plan.stores)}
        more = tuple(limit for limit in plan.not_covered if limit.code not in own)
        return replace(plan, stores=tuple(stores), not_covered=(*plan_limits(stores), *more))

    def _with_new_key(self, store: StorePlan, shelf: Shelf) -> StorePlan:
        if shelf.key_place is not KeyPlace.KEYCHAIN:  # nothing is kept here, and nothing destroyed
            return replace(store, key_policy=NEW, given=True)
        paper, others = self._rotating.paper(shelf), self._rotating.others(shelf)
        return replace(store, key_policy=NEW, paper=paper, others=others)

    @contextmanager
    def changing(
        self, plan: ErasePlan, shelves: Mapping[str, Shelf], given: RawKey | None
    ) -> Iterator[Keyed]:
        """Inside, every database that gets a new key has it in its slot; its end is settled.

        Raises:
            UserError: ``rotation.*``, ``vault.*``: nothing was changed.
        """
        changes: dict[str, Change] = {}
        with ExitStack() as stack:
            for store in plan.stores:
                shelf = shelves.get(store.path)
                if not store.gets_new_key or shelf is None or shelf.key is None:
                    continue
                wish = Wish(
                    shelf.salt,
                    "erase",
                    new=given,
                    in_keychain=_in_keychain(shelf, given),
                    others=store.others,
                    paper=store.paper,
                )
                act = self._rotating.changes.changing(Path(store.path), shelf.key, wish)
                changes[store.path] = stack.enter_context(act)
            new = {path: change.new for path, change in changes.items()}
            yield Keyed(new, lambda path: self._settle(changes[path]))
        for path, change in changes.items():
            kept = _in_keychain(shelves[path], given)
            self._rotating.take(shelves[path], change, in_keychain=kept)

    @contextmanager
    def resuming(
        self,
        entry: PendingErase,
        shelves: Mapping[str, Shelf],
        key: Key | None,
        given: RawKey | None,
        find: Callable[[str], Key | None],
    ) -> Iterator[Keyed]:
        """The same for an erase that was stopped: its key may have been changed by then."""
        path, shelf = entry.store_path, shelves.get(entry.store_path)
        done = self._changed_before(entry)
        kept_by_us = key is None
        if key is None:
            key = shelf.key if shelf is not None and not done else find(path)
            kept_by_us = shelf is None or shelf.key_place is KeyPlace.KEYCHAIN
        elif given is not None and journal_under(Path(path), given) is not None:
            # The new one is tried: where the change lies in the log alone, the old one opens the
            # file without its log, as if that were another database's.
            key, done = given, NEW_GIVEN
        salt = bytes.fromhex(str(entry.scheme.get("salt", "")))
        if done or key is None or not salt or not (given or kept_by_us):
            yield Keyed(key=key, changed=done)
            return
        plan = plan_of(path, entry.scheme)
        if plan.key_policy != NEW:
            yield Keyed(key=key)
            return
        wish = Wish(
            salt,
            "erase",
            new=given,
            in_keychain=kept_by_us,
            others=plan.others,
            paper=plan.paper,
        )
        with self._rotating.changes.changing(Path(path), key, wish) as change:
            yield Keyed({path: change.new}, lambda _path: self._settle(change), key)
        if shelf is not None:
            self._rotating.take(shelf, change, in_keychain=kept_by_us)

    def _changed_before(self, entry: PendingErase) -> str:
        """What became of the key, if this erase has changed it already: not once more, then."""
        path = Path(entry.store_path)
        salt = bytes.fromhex(str(entry.scheme.get("salt", "")))
        begun = self._noted(path, salt)
        settled = self._rotating.changes.finish(path, salt) if begun else None
        if settled is not None and settled.code == CHANGED:
            return _STATES.get(settled.old, NEW_KEY)
        if any(one.state != BEGUN for one in begun):
            left = self._noted(path, salt)  # an old key that was to be retired is so by now
            return next((_STATES[one.state] for one in left if one.state in _STATES), NEW_KEY)
        given = plan_of(entry.store_path, entry.scheme).given
        return (NEW_GIVEN if given else NEW_KEY) if entry.scheme.get("rekeyed") else ""

    def _noted(self, path: Path, salt: bytes) -> list[KeyNote]:
        notes = self._rotating.changes.notes.list(str(path), salt)
        return [one for one in notes if one.purpose == "erase"]

    def _settle(self, change: Change) -> str:
        try:
            settled: Settled | None = self._rotating.changes.settle(change)
        except (MemoryGuiError, OSError):
            settled = None
        if settled is not None:
            return _STATES.get(settled.old, NEW_KEY) if settled.code == CHANGED else KEPT
        with suppress(UserError):
            if journal_under(change.path, change.new) is not None:
                return OLD_STAYS
        return KEPT


def _in_keychain(shelf: Shelf, given: RawKey | None) -> bool:
    """Whether the keychain keeps the new key: also a given one, where it has the one before."""
    return given is None or shelf.key_place is KeyPlace.KEYCHAIN


def keeping_keys(plan: ErasePlan) -> ErasePlan:
    """The same plan with every key kept."""
    stores = tuple(
        replace(one, key_policy=KEEP, others=(), paper="", given=False) for one in plan.stores
    )
    own = {limit.code for limit in plan_limits(plan.stores)}
    more: tuple[Limit, ...] = tuple(one for one in plan.not_covered if one.code not in own)
    return replace(plan, stores=stores, not_covered=(*plan_limits(stores), *more))
