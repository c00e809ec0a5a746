# SPDX-License-Identifier: MIT
"""Unfinished erasures as rows of the ledger, and the files that a run without it left.

A row's path is unique. One that is ASIDE has its id behind a NUL after it, which no path holds,
so that the next erase of the store is written down by itself.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import Connection
from memory_gui.ledger.entries import ASIDE, DONE, PendingErase
from memory_gui.ledger.known import Connect
from memory_gui.ledger.pendingfiles import PendingFiles, name_of
from memory_gui.ledger.schema import shown, stored

_COLUMNS: Final = "id, store_path, scheme, started_at, lease_pid, lease_started, state"


class PendingRows:
    """Writes the table ``pending_erase``; lists and removes what is in ``files`` as well.

    ``synchronous=EXTRA`` (engine) makes a committed row survive a power cut.
    """

    def __init__(self, connect: Connect, files: PendingFiles) -> None:
        self._connect = connect
        self._files = files

    def put(self, entry: PendingErase) -> None:
        """As Pending."""
        beside = self._files.beside_ledger(entry.store_path)
        if any(other.id == entry.id for other in beside):
            self._files.put(entry)  # it began without the ledger and ends where it began
            return
        scheme = json.dumps(dict(entry.scheme), sort_keys=True)
        with self._connect() as connection, connection.writing():
            aside = entry.state in ASIDE
            if not aside:
                _make_room(connection, entry, beside)
            if entry.state != DONE:  # first: never an unfinished row without its marker
                self._files.mark(entry.store_path)
            connection.execute(
                f"INSERT OR REPLACE INTO pending_erase ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (
                    entry.id,
                    _place(entry.store_path, entry.id if aside else ""),
                    scheme,
                    entry.started_at,
                    entry.lease_pid,
                    entry.lease_started,
                    entry.state,
                ),
            )
        if entry.state == DONE:
            self._sweep()

    def list(self, path: str | None = None) -> tuple[PendingErase, ...]:
        """As Pending."""
        with self._connect() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM pending_erase")  # noqa: S608 - a constant
        found = [_entry(row) for row in rows]
        unfinished = {entry.store_path for entry in found if entry.state != DONE}
        if path is None and len(unfinished) != len(self._files.marked()):
            self._sweep()
        if path is not None:
            found = [entry for entry in found if entry.store_path == path]
        entries = [*found, *self._files.beside_ledger(path)]
        return tuple(sorted(entries, key=lambda entry: entry.started_at))

    def remove(self, id: str) -> None:  # noqa: A002 - the field's own name
        """As Pending."""
        self._files.remove(id)
        with self._connect() as connection, connection.writing():
            connection.execute("DELETE FROM pending_erase WHERE id = ?", (id,))
        self._sweep()

    def _sweep(self) -> None:
        """Take away the markers of what is finished or gone; a kill may have left some."""
        with self._connect() as connection, connection.writing():
            rows = connection.execute(
                "SELECT store_path FROM pending_erase WHERE state <> ?", (DONE,)
            )
            self._files.unmark(self._files.marked() - {name_of(_path(path)) for (path,) in rows})


def _make_room(connection: Connection, entry: PendingErase, beside: Sequence[PendingErase]) -> None:
    """Move those that an earlier version left at the store's own place to places of their own.

    Raises:
        UserError: ``pending.other``: one of them is not finished.
    """
    others = connection.execute(
        "SELECT id, state FROM pending_erase WHERE store_path = ? AND id <> ?",
        (stored(entry.store_path), entry.id),
    )
    if any(state not in ASIDE for state in _states(others, beside)):
        raise UserError("pending.other", path=entry.store_path)
    for other, _ in others:
        connection.execute(
            "UPDATE pending_erase SET store_path = ? WHERE id = ?",
            (_place(entry.store_path, str(other)), other),
        )


def _states(rows: Sequence[tuple[Any, ...]], beside: Sequence[PendingErase]) -> list[str]:
    return [*(str(state) for _, state in rows), *(entry.state for entry in beside)]


def _place(store_path: str, id_: str) -> bytes:
    place = stored(store_path)
    return place + b"\0" + id_.encode() if id_ else place


def _path(place: bytes) -> str:
    return shown(place.partition(b"\0")[0])


def _entry(row: tuple[Any, ...]) -> PendingErase:
    id_, store_path, scheme, started_at, lease_pid, lease_started, state = row
    return PendingErase(
        id_, _path(store_path), json.loads(scheme), started_at, lease_pid, lease_started, state
    )
