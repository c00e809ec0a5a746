# SPDX-License-Identifier: MIT
"""Acts over several records, written down before the first one: which, and how far they came.

Files of our own in ``<data dir>/acts``, two per store and act: what it is about, written once (a
line about the act, then lines of records), and how far it is, written again and again. No text,
only ids that are opaque.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.work import nobody_asks
from memory_gui.ledger.files import private_folder, read_small, remove_synced, write_whole
from memory_gui.ledger.lease import Lease
from memory_gui.ledger.pendingfiles import name_of

_SUFFIX: Final = ".act"
_FAR: Final = ".far"
_LEFT: Final = ".left"
_LINE: Final = 1_000
"""So many records are written, and read, in one piece: more would hold the interpreter up."""

Key = tuple[str, tuple[str, ...]]
"""(kind, key) of a record."""


@dataclass(frozen=True, slots=True)
class BegunAct:
    """An act over several records of one store. The first ``done`` of ``records`` are tried."""

    id: str
    store_path: str
    act: str
    records: tuple[Key, ...]
    done: int
    started_at: str
    """ISO 8601 in UTC."""
    lease_pid: int
    lease_started: float
    left: bool = False
    """Whether that process does it no more."""

    def is_held(self) -> bool:
        """Whether the process that does it is alive and at it."""
        return not self.left and Lease(self.lease_pid, self.lease_started).is_held()


class BegunActs:
    """The files. Any thread, any process."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "acts"

    def begin(
        self,
        store_path: str,
        act: str,
        records: Sequence[Key],
        check: Callable[[], object] = nobody_asks,
    ) -> BegunAct:
        """Write an act down, so that it survives a power cut.

        ``check`` is called now and then, and may raise to stop it: then nothing is written.

        Raises:
            UserError: ``acts.not_written``, ``ledger.folder``: then nothing may be done.
        """
        lease = Lease.mine()
        entry = BegunAct(
            secrets.token_hex(8),
            store_path,
            act,
            tuple(records),
            0,
            datetime.now(UTC).isoformat(timespec="seconds"),
            lease.pid,
            lease.started,
        )
        try:
            private_folder(self._folder)
            self._put(entry, check)
        except OSError as error:
            reason = error.strerror or ""
            raise UserError("acts.not_written", path=str(self._folder), reason=reason) from error
        return entry

    def reached(self, entry: BegunAct, done: int) -> BegunAct:
        """Write down how far it is. A file that cannot be written says less, never too much."""
        entry = replace(entry, done=done)
        with suppress(OSError):
            write_whole(self._file(entry, _FAR), str(done).encode(), replace=True)
        return entry

    def leave(self, entry: BegunAct, done: int) -> None:
        """It was stopped and nobody was told how far it came: it is told later, as after a kill."""
        self.reached(entry, done)
        with suppress(OSError):
            write_whole(self._file(entry, _LEFT), b"", replace=True)

    def remove(self, entry: BegunAct) -> None:
        """It came to its end."""
        for suffix in (_SUFFIX, _FAR, _LEFT):
            with suppress(OSError):
                remove_synced(self._file(entry, suffix))

    def list(self, store_path: str) -> tuple[BegunAct, ...]:
        """Those of a store, the oldest first; nothing is made where there are none."""
        return self._found(f"{name_of(store_path)}-*{_SUFFIX}")

    def every(self) -> tuple[BegunAct, ...]:
        """Those of all stores, the oldest first."""
        return self._found(f"*{_SUFFIX}")

    def _found(self, pattern: str) -> tuple[BegunAct, ...]:
        found = []
        for file in self._folder.glob(pattern):
            with suppress(OSError, ValueError, KeyError, TypeError):  # gone meanwhile, or half
                found.append(_read(file))
        return tuple(sorted(found, key=lambda entry: entry.started_at))

    def _put(self, entry: BegunAct, check: Callable[[], object]) -> None:
        head = {one.name: getattr(entry, one.name) for one in fields(entry)}
        del head["records"], head["done"], head["left"]
        starts = range(0, len(entry.records), _LINE)
        lines = []
        for start in starts:
            check()
            lines.append(json.dumps(entry.records[start : start + _LINE]))
        data = "\n".join([json.dumps(head), *lines]).encode()
        write_whole(self._file(entry), data, replace=True)

    def _file(self, entry: BegunAct, suffix: str = _SUFFIX) -> Path:
        return self._folder / f"{name_of(entry.store_path)}-{entry.id}{suffix}"


def _read(file: Path) -> BegunAct:
    first, *lines = read_small(file).split(b"\n")
    records: list[Key] = []
    for line in lines:
        records += [(kind, tuple(key)) for kind, key in json.loads(line)]
    done = 0
    with suppress(FileNotFoundError):
        done = int(read_small(file.with_suffix(_FAR)))
    left = os.path.lexists(file.with_suffix(_LEFT))
    return BegunAct(records=tuple(records), done=done, left=left, **json.loads(first))
