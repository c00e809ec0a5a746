# SPDX-License-Identifier: MIT
"""Changes of keys and of encryption, written down before the first step; no key is in them.

Files of our own in ``<data dir>/keys``, one per change, so that they can be read when the ledger
cannot. A change that was stopped is found by its store's path, or by the salt when it was moved.
"""

from __future__ import annotations

import errno
import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.ledger.files import private_folder, read_small, remove_synced, write_whole
from memory_gui.ledger.lease import Lease
from memory_gui.ledger.pendingfiles import name_of

_SUFFIX: Final = ".key"
_HALF_S: Final = 60.0
"""Seconds after which nobody writes a note any more."""

BEGUN: Final = "begun"
"""A change is under way, or was stopped."""
KEPT_FILES: Final = "kept-files"
"""The key was changed; the old one is kept for other files that it opens."""
KEPT_RECOVERY: Final = "kept-recovery"
"""The key was changed; the old one is kept until the new recovery key is confirmed."""
UNTIDY: Final = "untidy"
"""The change was taken back; the file's journal mode could not be put back yet."""
ENCRYPTED: Final = "encrypted"
"""Not a change: this app has encrypted the store that lay there. A readable one there is new."""
RETIRING: Final = "retiring"
"""The key was changed; the keychain did not let the old one go yet."""


@dataclass(frozen=True, slots=True)
class KeyNote:
    """One change of a store's key (``rotate``, ``erase``) or of its encryption.

    That is ``encrypt``, ``decrypt``, or ``copy`` (``others`` has the readable file that is made).
    ``salt`` is the first 16 bytes as hex, for ``encrypt`` of the copy that is swapped in. Slots
    are those of the keychain, empty where the caller keeps the key itself.
    """

    id: str
    store_path: str
    salt: str
    purpose: str
    old_slot: str
    new_slot: str
    started_at: str
    """ISO 8601 in UTC."""
    lease_pid: int
    lease_started: float
    state: str = BEGUN
    journal_mode: str = ""
    """What the store had, as soon as that is known."""
    others: tuple[str, ...] = ()
    """Other files that the old key opens."""
    paper: str = ""
    """The date of the recovery sheet that stops working."""

    def is_held(self) -> bool:
        """Whether the process that does it is alive."""
        return Lease(self.lease_pid, self.lease_started).is_held()


class KeyNotes:
    """The files. Any thread, any process."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "keys"

    def begin(self, store_path: str, salt: bytes, purpose: str, **more: Any) -> KeyNote:
        """Write a change down, so that it survives a power cut.

        Raises:
            UserError: ``rotation.not_written``, ``ledger.folder``: then nothing may be done.
        """
        lease = Lease.mine()
        note = KeyNote(
            secrets.token_hex(8),
            store_path,
            salt.hex(),
            purpose,
            str(more.pop("old_slot", "")),
            str(more.pop("new_slot", "")),
            datetime.now(UTC).isoformat(timespec="seconds"),
            lease.pid,
            lease.started,
            **more,
        )
        private_folder(self._folder)
        self._sweep()
        self.put(note)
        return note

    def put(self, note: KeyNote) -> None:
        """Write it down as it is now.

        Raises:
            UserError: ``rotation.not_written``.
        """
        data = json.dumps(asdict(note), sort_keys=True).encode()
        try:
            write_whole(self._file(note), data, replace=True)
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            reason = "store.disk_full" if full else "rotation.not_written"
            raise UserError(reason, path=str(self._folder)) from error

    def take_over(self, note: KeyNote) -> KeyNote:
        """This process goes on with it."""
        lease = Lease.mine()
        note = replace(note, lease_pid=lease.pid, lease_started=lease.started)
        self.put(note)
        return note

    def remove(self, note: KeyNote) -> None:
        """It came to its end. One that stays is found, and understood, by the next start."""
        with suppress(OSError):
            remove_synced(self._file(note))

    def list(self, store_path: str | None = None, salt: bytes = b"") -> Sequence[KeyNote]:
        """Those of a store (by its path or its salt), or all; the oldest first."""
        found = []
        for file in self._folder.glob(f"*{_SUFFIX}"):
            if file.name.startswith("."):
                continue
            with suppress(OSError, ValueError, KeyError, TypeError):  # gone meanwhile
                data = json.loads(read_small(file))
                data["others"] = tuple(data["others"])
                found.append(KeyNote(**data))
        if store_path is not None:
            mine = salt.hex() or None  # a moved store is known by its salt
            found = [one for one in found if store_path == one.store_path or mine == one.salt]
        return tuple(sorted(found, key=lambda note: note.started_at))

    def _sweep(self) -> None:
        """Halves that a kill left beside the notes."""
        for half in self._folder.glob(f".*{_SUFFIX}.*.new"):
            with suppress(OSError):
                if time.time() - half.stat().st_mtime > _HALF_S:
                    half.unlink()

    def _file(self, note: KeyNote) -> Path:
        return self._folder / f"{name_of(note.store_path)}-{note.id}{_SUFFIX}"
