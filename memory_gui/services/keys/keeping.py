# SPDX-License-Identifier: MIT
"""The keychain's side of a store's key: what is known of it, keeping, moving, forgetting it.

Always added, read back, seen to open the store, and only then is anything removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from memory_gui.domain.errors import Cancelled, IntegrityError, UserError
from memory_gui.domain.keys import Absent, KeyResult, Mismatch, Passphrase, Present, RawKey
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.evidence import inspect
from memory_gui.engine.keying import derived
from memory_gui.services.keys.recovery import Recovery
from memory_gui.services.library.keyfinder import NO_DATABASE, REASONS, KeyFinder
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import KnownStores
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.stores.format import Location
from memory_gui.vault.contract import SLOTS, AnyKeychain, BackendInfo, Found, service_of
from memory_gui.vault.keychain import failure


@dataclass(frozen=True, slots=True)
class KeyLook:
    """What is known of the key of a store, opened or not.

    ``result`` is None for a store that is not encrypted or whose key the keychain cannot have
    (``half``). ``recorded`` is what had the key when the store was last opened
    (``class@program``), empty where that is not known. ``others`` are the known stores that the
    same entry of the keychain belongs to.
    """

    path: str
    encrypted: bool
    backend: BackendInfo
    result: KeyResult | None = field(default=None)
    recorded: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """The key is in a keychain: where, and what could not be removed from where it was."""

    store: OpenedStore
    place: str
    stays: UserError | None = None


@dataclass(frozen=True, slots=True)
class Brought:
    """A key was moved from the keychain that had it to the one of today, and opened the store.

    ``stores`` are what was opened, ``place`` is where the key is now, ``stays`` why it could not be
    removed from where it was, too.
    """

    stores: tuple[OpenedStore, ...]
    place: str
    stays: UserError | None = None


class Keeping:
    """Any thread may call; the keychain may ask the person."""

    def __init__(
        self,
        library: Library,
        finder: KeyFinder,
        keychain: AnyKeychain,
        known: KnownStores,
        recovery: Recovery,
    ) -> None:
        self._library = library
        self._finder = finder
        self._keychain = keychain
        self._known = known
        self._recovery = recovery

    def look(self, path: str | Path) -> KeyLook:
        """What the keychain says of a store, which need not be open. Raises ``store.*``."""
        location = self._library.locate(path)
        backend = self._keychain.backend()
        main = str(location.main)
        try:
            evidence = inspect(location.main)
        except UserError as error:
            if error.code not in NO_DATABASE:
                raise
            return KeyLook(main, encrypted=False, backend=backend)
        if evidence.head != "random":
            return KeyLook(main, evidence.is_encrypted, backend)
        salt = evidence.salt
        recorded = self._finder.recorded(salt)
        result = self._finder.state(location)
        return KeyLook(main, True, backend, result, recorded, self._others(main, salt))

    def others(self, store: StoreId) -> tuple[str, ...]:
        """The known stores whose key lies in the same entry: copies of one file."""
        shelf = self._library.shelf(store)
        return self._others(shelf.info.path, shelf.salt)

    def may_change(self, store: StoreId) -> bool:
        """Whether an open store has a passphrase that no other program needs.

        So a random key may take its place: the store lies where an agent of ours keeps it, and
        those open it through this program. A database elsewhere belongs to whoever encrypted it.
        """
        shelf = self._library.shelf(store)
        return isinstance(shelf.key, Passphrase) and shelf.info.role in ("project", "user")

    # ---- keeping

    def keep(self, store: StoreId) -> Kept:
        """Put the key that an open store was opened with into the keychain.

        Of a passphrase only what is made of it for this file is kept; the words are not.

        Raises:
            UserError: ``keys.readable``, ``keys.no_salt``, ``keys.slots_full``, ``vault.*``.
            IntegrityError: ``keys.does_not_open``: nothing was kept.
        """
        shelf, key = self._keyed(store)
        service = service_of(shelf.salt)
        found = self._keychain.find_all(shelf.salt)
        slot = _slot_of(found, key)
        if not slot:
            slot = _free(found)
            self._keychain.store_in(service, slot, key)
            if not self._proved(shelf, key, self._keychain.find_in(service), slot):
                self._keychain.retire_in(service, slot)
                raise IntegrityError("keys.does_not_open")
        return self._now_in(shelf, key, self._keychain.backend().place)

    def move(self, store: StoreId, backend: str) -> Kept:
        """Move the key of an open store to another keychain, by its class.

        Copied, read back, seen to open the store; only then the old entry is removed, and what
        could not be removed is told.

        Raises:
            UserError: ``keys.nowhere`` when no keychain had it, and as ``keep``.
        """
        shelf, key = self._keyed(store)
        service = service_of(shelf.salt)
        before = self._finder.recorded(shelf.salt).partition("@")[0]
        if not before or before == backend:
            raise UserError("keys.nowhere", path=shelf.info.path)
        where = shelf.location
        place = self._copied(service, key, backend, lambda it: self._finder.opens(where, it))
        return self._now_in(shelf, key, place, self._leave(service, before, key))

    def bring(
        self,
        path: str | Path,
        before: str,
        backend: str,
        *,
        opening: Callable[[RawKey], tuple[OpenedStore, ...]],
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Brought:
        """Move the key of a store that is not open from where it was to the keychain of today.

        Looked up, copied, read back, seen to open the store, the store opened with it
        (``opening``); only then the old entry is removed, and what could not be removed is told.
        ``before`` and ``backend`` are classes. After the store was opened nothing stops it any
        more; stopped sooner, the key is where it was.

        Raises:
            UserError: ``keys.not_moved`` (params ``reason``: absent, locked, denied, unavailable
                or mismatch, of ``before``): nothing was changed; ``vault.*``, ``keys.slots_full``
                of the keychain of today; as ``opening``.
            IntegrityError: ``keys.does_not_open``: nothing was removed.
            Cancelled: the token was used.
        """
        cancel = cancel or CancelToken()
        location = self._library.locate(path)
        salt = inspect(location.main).salt
        service = service_of(salt)
        tick("look", 0, 4)
        key = self._there(location, service, before)
        cancel.check()
        tick("copy", 1, 4)
        place = self._copied(service, key, backend, lambda it: self._finder.opens(location, it))
        cancel.check()
        tick("open", 2, 4)
        self._finder.kept(salt, place)
        stores = opening(key)
        tick("remove", 3, 4)
        stays = self._leave(service, before, key)
        tick("remove", 4, 4)
        return Brought(stores, place, stays)

    def forget(self, store: StoreId, *, given: RawKey | None = None) -> tuple[str, ...]:
        """Take a store's key out of the keychain; the slots that were emptied.

        Only where the key is not lost by it: its recovery key was confirmed, or is ``given`` now.
        A slot that holds another key is left: files made before a change of key need that one.

        Raises:
            UserError: ``keys.would_be_lost``, ``keys.readable``, ``keys.no_salt``, ``vault.*``.
        """
        shelf, key = self._keyed(store)
        if given != key and not self._recovery.state(store).recoverable:
            raise UserError("keys.would_be_lost", path=shelf.info.path)
        found = self._keychain.find_all(shelf.salt)
        if not isinstance(found, (list, Absent, Mismatch)):
            raise failure(found)
        slots = tuple(one.slot for one in _present(found) if one.key == key)
        for slot in slots:
            self._keychain.retire(shelf.salt, slot)
        self._finder.kept(shelf.salt, "")
        shelf.rekey(shelf.key, KeyPlace.TYPED, shelf.salt)
        return slots

    def left(self, store: StoreId) -> tuple[str, ...]:
        """The slots that still hold a key of an open store's salt. Raises ``vault.*``."""
        return _used(self._keychain.find_all(self._library.shelf(store).salt))

    # ---- inside

    def _keyed(self, store: StoreId) -> tuple[Shelf, RawKey]:
        """An open store and its key as 32 bytes."""
        shelf = self._library.shelf(store)
        path, key = shelf.info.path, shelf.key
        if key is None or not shelf.info.encrypted:
            raise UserError("keys.readable", path=path)
        if not shelf.salt:
            raise UserError("keys.no_salt", path=path)
        if isinstance(key, Passphrase):
            return shelf, derived(key, inspect(Path(path)))
        assert isinstance(key, RawKey)  # noqa: S101 - there are these two
        return shelf, key

    def _there(self, location: Location, service: str, backend: str) -> RawKey:
        """The key in another keychain that opens the file."""
        found = self._keychain.find_at(service, backend)
        keys = [one.key for one in _present(found)]
        key = next((one for one in keys if self._finder.opens(location, one)), None)
        if key is None:
            reason = REASONS[Mismatch if keys else type(found)]
            raise UserError("keys.not_moved", reason=reason, path=str(location.main))
        return key

    def _copied(
        self, service: str, key: RawKey, backend: str, opens: Callable[[RawKey], bool]
    ) -> str:
        """Put a key into one keychain and see what comes back open the store; where it is."""
        there = self._keychain.find_at(service, backend)
        slot = _slot_of(there, key)
        if not slot:
            slot = _free(there)
            self._keychain.store_at(service, slot, key, backend)
            there = self._keychain.find_at(service, backend)
            back = next((one.key for one in _present(there) if one.slot == slot), None)
            if back is None or back != key or not opens(back):
                self._keychain.retire_at(service, slot, backend)
                raise IntegrityError("keys.does_not_open")
        return next((one.place for one in _present(there) if one.slot == slot), backend)

    def _proved(self, shelf: Shelf, key: RawKey, found: Found, slot: str) -> bool:
        """Whether what was read back is the key and opens the store, by a fresh connection."""
        back = next((one.key for one in _present(found) if one.slot == slot), None)
        return back is not None and back == key and self._finder.opens(shelf.location, back)

    def _now_in(
        self, shelf: Shelf, key: RawKey, place: str, stays: UserError | None = None
    ) -> Kept:
        self._finder.kept(shelf.salt, place)
        shelf.rekey(key, KeyPlace.KEYCHAIN, shelf.salt)
        self._known.opened(shelf.info, shelf.name, shelf.salt)
        return Kept(shelf.opened(), place, stays)

    def _leave(self, service: str, backend: str, key: RawKey) -> UserError | None:
        """Remove the key from where it was; why it stays there, if it does."""
        try:
            found = self._keychain.find_at(service, backend)
            if not isinstance(found, (list, Absent)):
                return failure(found)
            for present in _present(found):
                if present.key == key:
                    self._keychain.retire_at(service, present.slot, backend)
        except UserError as error:
            return error
        except Cancelled:
            return UserError("keys.stopped_before")
        return None

    def _others(self, path: str, salt: bytes) -> tuple[str, ...]:
        known = self._known.at_hand()
        return tuple(one.path for one in known if one.salt == salt and one.path != path)


def _present(found: Found) -> Iterable[Present]:
    return found if isinstance(found, list) else ()


def _slot_of(found: Found, key: RawKey) -> str:
    return next((one.slot for one in _present(found) if one.key == key), "")


def _used(found: Found) -> tuple[str, ...]:
    if isinstance(found, Mismatch):
        return found.slots
    if isinstance(found, (list, Absent)):
        return tuple(one.slot for one in _present(found))
    raise failure(found)


def _free(found: Found) -> str:
    used = _used(found)
    free = [slot for slot in SLOTS if slot not in used]
    if not free:
        raise UserError("keys.slots_full")
    return free[0]
