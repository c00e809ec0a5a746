# SPDX-License-Identifier: MIT
"""Unfinished erasures as files, for runs without a keychain: ``<data dir>/pending/<store>.json``.

One file per store, named by a digest of its path. An empty ``<store>.ledger`` says that the note is
in the ledger, so that a run that cannot open the ledger knows at least that there is one.
"""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Collection
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.ledger.entries import PendingErase
from memory_gui.ledger.files import private_folder, read_small, remove_synced, write_whole

_MARKER: Final = ".ledger"
_FIELDS: Final = frozenset(PendingErase.__dataclass_fields__)


class PendingFiles:
    """One file per store. Each is 0600, written whole and on the disk before ``put`` returns.

    A file that cannot be understood is never skipped in silence: behind it may stand an erase
    that must be finished.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "pending"

    def put(self, entry: PendingErase) -> None:
        """As Pending. Raises OSError too, where the disk is full or the folder read-only.

        Raises:
            UserError: ``pending.in_ledger``.
        """
        self._check_markers(entry.store_path)
        folder = private_folder(self._folder)
        file = folder / f"{name_of(entry.store_path)}.json"
        data = json.dumps({**asdict(entry), "scheme": dict(entry.scheme)}, sort_keys=True).encode()
        if write_whole(file, data, replace=False):
            return
        if _read(file).id != entry.id:
            raise UserError("pending.other", path=entry.store_path)
        write_whole(file, data, replace=True)

    def list(self, path: str | None = None) -> tuple[PendingErase, ...]:
        """As Pending; a single store's raises ``pending.in_ledger`` as well."""
        if path is not None:
            self._check_markers(path)
        return self.beside_ledger(path)

    def beside_ledger(self, path: str | None) -> tuple[PendingErase, ...]:
        """The same for the ledger itself, which knows what its markers mean."""
        entries = [_read(file) for file in self._files(path)]
        return tuple(sorted(entries, key=lambda entry: entry.started_at))

    def remove(self, id: str) -> None:  # noqa: A002 - the field's own name
        """As Pending."""
        for file in self._files(None):
            if _read(file).id == id:
                remove_synced(file)

    def marked(self) -> frozenset[str]:
        """The names of the stores whose note is in the ledger."""
        return frozenset(file.stem for file in self._folder.glob(f"*{_MARKER}"))

    def mark(self, store_path: str) -> None:
        """Leave word, durably, that the ledger has a note of this store."""
        name = f"{name_of(store_path)}{_MARKER}"
        write_whole(private_folder(self._folder) / name, b"", replace=True)

    def unmark(self, names: Collection[str]) -> None:
        """Take words back."""
        for name in names:
            remove_synced(self._folder / f"{name}{_MARKER}")

    def _check_markers(self, path: str) -> None:
        if os.path.lexists(self._folder / f"{name_of(path)}{_MARKER}"):
            raise UserError("pending.in_ledger", path=path)

    def _files(self, path: str | None) -> builtins.list[Path]:
        if path is not None:
            file = self._folder / f"{name_of(path)}.json"
            return [file] if file.is_symlink() or file.exists() else []
        return sorted(f for f in self._folder.glob("*.json") if not f.name.startswith("."))


def name_of(store_path: str) -> str:
    """A name that tells nothing about the store to who sees the folder."""
    return sha256(store_path.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _read(file: Path) -> PendingErase:
    try:
        found = json.loads(read_small(file))
        return PendingErase(**{name: found[name] for name in _FIELDS})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError("pending.unreadable", path=str(file)) from error
