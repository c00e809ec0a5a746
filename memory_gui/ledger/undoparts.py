# SPDX-License-Identifier: MIT
"""What is too much to keep in memory for an undo: sealed pieces that only one run of the app opens.

The keys are in that run's memory and nowhere else: when it locks or ends, what is still here is
noise, and the next run removes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.lease import Lease

_AT_ONCE: Final = 8
"""So many pieces go in one transaction: the journal keeps what was on their pages until its end."""


class UndoPartRows:
    """Reads and writes the table ``undo_part`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, run: str, sealed: bytes) -> int:
        """Keep a piece for this process's ``run``; its number."""
        mine = Lease.mine()
        with self._connect() as connection, connection.writing():
            connection.change(
                "INSERT INTO undo_part (run, lease_pid, lease_started, sealed) VALUES (?, ?, ?, ?)",
                (run, mine.pid, mine.started, sealed),
            )
            return connection.last_rowid()

    def get(self, number: int) -> bytes | None:
        """A piece; None when it is not there."""
        with self._connect() as connection:
            rows = connection.execute("SELECT sealed FROM undo_part WHERE number = ?", (number,))
        return bytes(rows[0][0]) if rows else None

    def remove(self, numbers: Collection[int]) -> None:
        """Take some out; their pages are overwritten. One that is not there is no error."""
        waiting = sorted(numbers)
        for start in range(0, len(waiting), _AT_ONCE):
            with self._connect() as connection, connection.writing():
                for number in waiting[start : start + _AT_ONCE]:
                    connection.change("DELETE FROM undo_part WHERE number = ?", (number,))

    def left(self, run: str) -> tuple[int, ...]:
        """Those that nobody opens any more: of runs that ended, and of this process before."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT number, run, lease_pid, lease_started FROM undo_part ORDER BY number"
            )
        if not rows:
            return ()
        mine = Lease.mine()
        leases = {Lease(pid, started) for _, name, pid, started in rows if name != run}
        going = {one for one in leases if one == mine or not one.is_held()}
        return tuple(
            number
            for number, name, pid, started in rows
            if name != run and Lease(pid, started) in going
        )

    def free(self) -> int:
        """Bytes of the whole file that hold nothing now."""
        with self._connect() as connection:
            ((pages,),) = connection.execute("PRAGMA freelist_count")
            ((size,),) = connection.execute("PRAGMA page_size")
        return int(pages) * int(size)
