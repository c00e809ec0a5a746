# SPDX-License-Identifier: MIT
"""The ledger: ``<data dir>/memory-gui.db``, encrypted with a raw key from the keychain.

PERSIST journal, ``secure_delete``, folder 0700, file 0600, the schema's number in
``user_version``. Window and terminal open the same file; each call is one short transaction on a
connection of its own (BEGIN IMMEDIATE), so one writes at a time and no thread owns anything.
"""

from __future__ import annotations

import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, KeyResult, Mismatch, Present, RawKey, Unavailable
from memory_gui.engine.connection import Connection, open_database
from memory_gui.engine.create import create_database
from memory_gui.ledger.cases import CaseRows
from memory_gui.ledger.drafts import DraftRows
from memory_gui.ledger.entries import KnownStore, LastSeen, Pending
from memory_gui.ledger.erased import ErasedRows
from memory_gui.ledger.files import private_folder, sync_folder, take_name
from memory_gui.ledger.filters import FilterRows
from memory_gui.ledger.journal import ActRows
from memory_gui.ledger.known import KnownRows
from memory_gui.ledger.pendingfiles import PendingFiles
from memory_gui.ledger.pendingrows import PendingRows
from memory_gui.ledger.proposals import ProposalRows
from memory_gui.ledger.receipts import ReceiptRows
from memory_gui.ledger.recovery import RecoveryRows
from memory_gui.ledger.rejections import RejectionRows
from memory_gui.ledger.reviewrules import RuleRows
from memory_gui.ledger.schema import SCHEMA, VERSION, steps_from
from memory_gui.ledger.standing import StandingRows
from memory_gui.ledger.undoparts import UndoPartRows
from memory_gui.ledger.uses import UseRows
from memory_gui.vault.keychain import AnyKeychain, Found
from memory_gui.vault.newkey import new_key

FILE: Final = "memory-gui.db"
SERVICE: Final = "memory-gui/ledger"
_SLOT: Final = "a"
_NEEDED: Final = (
    "pending_erase",
    "store",
    "recovery_key",
    "receipt",
    "receipt_signer",
    "rejection",
    "erased_record",
)
"""Tables without which an erase would stop in its middle."""
_KEY_CODES: Final = frozenset({"key.wrong", "key.needed"})


@dataclass(frozen=True, slots=True)
class LedgerState:
    """Whether there is a ledger. ``code`` has its words in ``words.keys.LEDGER``.

    ``open``; ``off`` (no keychain wanted); ``no-key-kept`` (there is no keychain to keep its key);
    ``key`` (the file is there, its key was not to be had: ``result``); ``mismatch``;
    ``unreadable`` (``problem``).
    """

    code: str
    result: KeyResult | None = None
    problem: UserError | None = None


class AnyLedger(ABC):
    """What the rest of the app may use, ledger or not. Any thread."""

    state: LedgerState
    pending: Pending
    uses: UseRows | None = None
    """Uses of the terminal without a person; None where nothing is kept."""
    acts: ActRows | None = None
    """What was done with the app; None where nothing is kept."""
    recovery: RecoveryRows | None = None
    """Recovery keys that were made; None where nothing is kept."""
    receipts: ReceiptRows | None = None
    """The chain of receipts; None where nothing is kept."""
    drafts: DraftRows | None = None
    """What was being typed when the window locked; None where nothing is kept."""
    rejections: RejectionRows | None = None
    """What was rejected in review; None where nothing is kept."""
    proposals: ProposalRows | None = None
    """Proposals for stores without a queue; None where nothing is kept."""
    rules: RuleRows | None = None
    """Rules of review and what they decided; None where nothing is kept."""

    erased: ErasedRows | None = None
    """Marks of erased records; None where nothing is kept."""
    standing: StandingRows | None = None
    """Stores that are kept clean at every write; None where nothing is kept."""
    cases: CaseRows | None = None
    """Requests to be forgotten; None where nothing is kept."""
    filters: FilterRows | None = None
    """Searches with a name; None where nothing is kept."""
    undo_parts: UndoPartRows | None = None
    """What an undo needs and is too much for memory; None where nothing is kept."""

    @abstractmethod
    def known(self) -> tuple[KnownStore, ...]:
        """The stores opened before, the last one first."""

    @abstractmethod
    def remember(self, store: KnownStore) -> None:
        """Keep a store, by its path."""

    @abstractmethod
    def count(self, path: str, seen: LastSeen) -> bool:
        """Keep how many records a store had; False when it is not on the list."""

    @abstractmethod
    def forget(self, path: str) -> bool:
        """Take a store off; False when it was not there."""

    @abstractmethod
    def forget_all(self) -> None:
        """Take every store off."""

    def secret(self) -> bytes | None:
        """What keys are derived from for things of our own; None where there is none."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Drop the key. Afterwards nothing can be read or written."""


class NoLedger(AnyLedger):
    """Keeps unfinished erasures as files, and nothing else."""

    def __init__(self, data_dir: Path, state: LedgerState) -> None:
        self.state = state
        self.pending: Pending = PendingFiles(data_dir)

    def known(self) -> tuple[KnownStore, ...]:
        """None."""
        return ()

    def remember(self, store: KnownStore) -> None:
        """Nothing."""

    def count(self, path: str, seen: LastSeen) -> bool:  # noqa: ARG002 - nothing is kept of any
        """It is not there."""
        return False

    def forget(self, path: str) -> bool:  # noqa: ARG002 - nothing is kept of any
        """It was not there."""
        return False

    def forget_all(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is open."""


class Ledger(AnyLedger):
    """The open ledger."""

    def __init__(self, file: Path, key: RawKey, place: str = "") -> None:
        """Use ``Ledger.open``. ``place``: which keychain had the key (``Present.place``)."""
        self.state = LedgerState("open")
        self.key_place = place
        self._file = file
        self._key: RawKey | None = key
        self._lock = threading.RLock()
        self.pending: Pending = PendingRows(self.connection, PendingFiles(file.parent))
        self._known = KnownRows(self.connection)
        self.uses = UseRows(self.connection)
        self.acts = ActRows(self.connection)
        self.recovery = RecoveryRows(self.connection)
        self.drafts = DraftRows(self.connection)
        self.rejections = RejectionRows(self.connection)
        self.proposals = ProposalRows(self.connection)
        self.rules = RuleRows(self.connection)
        self.receipts = ReceiptRows(self.connection)
        self.erased = ErasedRows(self.connection)
        self.standing = StandingRows(self.connection)
        self.cases = CaseRows(self.connection)
        self.filters = FilterRows(self.connection)
        self.undo_parts = UndoPartRows(self.connection)

    @staticmethod
    def open(data_dir: Path, keychain: AnyKeychain) -> Ledger | NoLedger:
        """Open the ledger, or make it where there is none; NoLedger says why not.

        A ledger that is there never leads to a new key.

        Raises:
            UserError: ``ledger.folder``. Cancelled: the keychain's question was cancelled.
        """
        file = data_dir / FILE
        if file.is_symlink() or file.exists():
            return _open_existing(private_folder(data_dir) / FILE, keychain)
        found = keychain.find_in(SERVICE)
        if isinstance(found, Unavailable):
            code = "off" if found.reasons == ("off",) else "no-key-kept"
            return NoLedger(data_dir, LedgerState(code, found))
        if isinstance(found, Absent):
            found = _keep_new_key(keychain)
        if not isinstance(found, list):
            return NoLedger(data_dir, LedgerState("no-key-kept", found))
        folder = private_folder(data_dir)
        try:
            _make(folder / FILE, found[0].key)
        except UserError as error:
            return NoLedger(data_dir, LedgerState("unreadable", problem=error))
        return _open_with(folder / FILE, found)

    def known(self) -> tuple[KnownStore, ...]:
        """As AnyLedger."""
        return self._known.list()

    def remember(self, store: KnownStore) -> None:
        """As AnyLedger."""
        self._known.put(store)

    def count(self, path: str, seen: LastSeen) -> bool:
        """As AnyLedger."""
        return self._known.count(path, seen)

    def forget(self, path: str) -> bool:
        """As AnyLedger."""
        return self._known.remove(path)

    def forget_all(self) -> None:
        """As AnyLedger."""
        self._known.clear()

    def secret(self) -> bytes:
        """What keys are derived from for things of our own that no store's key seals.

        Raises:
            UserError: ``key.needed`` after ``close``.
        """
        with self._lock:
            if self._key is None:
                raise UserError("key.needed", path=str(self._file), reason="none")
            return bytes(self._key)

    def close(self) -> None:
        """As AnyLedger."""
        with self._lock:
            self._key = None

    @property
    def file(self) -> Path:
        """Where it lies."""
        return self._file

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for one call. For the ledger's own parts.

        Raises:
            UserError: ``key.needed`` after ``close``; ``store.*``.
        """
        with self._lock:
            if self._key is None:
                raise UserError("key.needed", path=str(self._file), reason="none")
            with _connect(self._file, self._key) as connection:
                yield connection


@contextmanager
def _connect(file: Path, key: RawKey) -> Iterator[Connection]:
    # The journal's mode and the schema are ours to set here: hence ``maintain``.
    connection = open_database(file, key, write=True, maintain=True)
    try:
        mode = connection.execute("PRAGMA journal_mode = PERSIST")
        if mode != [("persist",)]:
            raise UserError("store.io", path=str(file))
        yield connection
    finally:
        connection.close()


def _open_existing(file: Path, keychain: AnyKeychain) -> Ledger | NoLedger:
    found = keychain.find_in(SERVICE)
    if isinstance(found, list):
        return _open_with(file, found)
    code = "mismatch" if isinstance(found, Mismatch) else "key"
    if isinstance(found, Unavailable) and found.reasons == ("off",):
        code = "off"
    return NoLedger(file.parent, LedgerState(code, found))


def _open_with(file: Path, found: list[Present]) -> Ledger | NoLedger:
    for present in found:
        try:
            with _connect(file, present.key) as connection:
                _bring_up(connection, file)
                _look_over(connection, file)
            return Ledger(file, present.key, present.place)
        except UserError as error:
            if error.code not in _KEY_CODES:
                return NoLedger(file.parent, LedgerState("unreadable", problem=error))
    slots = tuple(present.slot for present in found)
    return NoLedger(file.parent, LedgerState("mismatch", Mismatch(found[0].backend, slots)))


def _bring_up(connection: Connection, file: Path) -> None:
    """Add what an older version of this app did not keep, all of it or nothing.

    Raises:
        UserError: ``store.newer_schema``; ``store.*``.
    """
    if _version(connection) == VERSION:
        return
    with connection.writing():  # another copy of the app may be at it: look again
        version = _version(connection)
        if not 0 < version <= VERSION:
            raise UserError("store.newer_schema", path=str(file), found=version, known=VERSION)
        if version < VERSION:
            for statement in steps_from(version):
                connection.execute(statement)


def _look_over(connection: Connection, file: Path) -> None:
    """Whether what an erase needs can be read and written; else files are kept instead.

    Raises:
        UserError: ``store.part_damaged``; ``store.*``.
    """
    for table in _NEEDED:
        if connection.execute(f"PRAGMA integrity_check({table})") != [("ok",)]:
            raise UserError("store.part_damaged", path=str(file))


def _version(connection: Connection) -> int:
    return int(connection.execute("PRAGMA user_version")[0][0])


def _keep_new_key(keychain: AnyKeychain) -> Found:
    """There is neither a file nor a key. Of two copies of the app at once the first one wins."""
    try:
        keychain.store_in(SERVICE, _SLOT, new_key())
    except UserError as error:
        if error.code != "vault.slot_taken":
            return Unavailable((f"error:{error.code}",))
    return keychain.find_in(SERVICE)


def _make(file: Path, key: RawKey) -> None:
    """Make it under another name and then give it its own, so that nobody meets half a ledger."""
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(8)}.new")
    try:
        create_database(fresh, key, SCHEMA)
        take_name(fresh, file)
        sync_folder(file.parent)
    except OSError as error:
        raise UserError("store.io", path=str(file)) from error
    finally:
        for name in (fresh, *(fresh.with_name(fresh.name + s) for s in ("-journal", "-wal"))):
            with suppress(OSError):  # what made it fail is told, not that nothing can be removed
                name.unlink(missing_ok=True)
