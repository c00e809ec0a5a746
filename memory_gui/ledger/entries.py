# SPDX-License-Identifier: MIT
"""What the app writes down for itself, as values: known stores and unfinished erasures."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from memory_gui.ledger.lease import Lease


@dataclass(frozen=True, slots=True)
class LastSeen:
    """How many records a store had when it was last open, and when that was (ISO 8601 in UTC)."""

    memories: int
    to_review: int
    in_trash: int
    at: str


@dataclass(frozen=True, slots=True)
class KnownStore:
    """A store opened before. ``path`` is resolved, ``last_opened`` ISO 8601 in UTC."""

    path: str
    name: str
    format: str
    salt: bytes = b""
    """The file's first 16 bytes where it is encrypted, else empty."""
    last_opened: str = ""
    key_backend: str = ""
    """The keychain's class that had the key; empty where none had."""
    seen: LastSeen | None = None
    """None where it was never counted. Keeping a store without it leaves what was seen."""


DONE: Final = "done"
"""State of an entry whose erase was proved. It stays, until the next erase of that database, for a
command that is given twice: its ids are gone, and that is no error."""


SETTLED: Final = frozenset({"still-in", "not-proved"})
"""States of an entry whose rows are gone and that is not proved. Such ones stay, each by itself,
until a person accepts or finishes them; they do not stand in the way of another erase."""

ASIDE: Final = SETTLED | {DONE}
"""States of an entry that is kept under its own id, so that it never stands in the way of another
erase of the database, and can be written again while that one runs: who is told late of a proved
erase takes nothing from the one that another process began meanwhile."""


@dataclass(frozen=True, slots=True)
class PendingErase:
    """An erase that was begun: enough to finish it after a kill, and no memory text.

    ``scheme`` is plain JSON: rows by table (only ids that are opaque), recipe, key policy, steps
    done. The lease says which process works on it.
    """

    id: str
    store_path: str
    scheme: Mapping[str, Any] = field(repr=False)
    started_at: str
    """ISO 8601 in UTC."""
    lease_pid: int
    lease_started: float
    """When that process started, Unix time in s."""
    state: str = "planned"
    """The erasure's own word, except DONE."""

    @classmethod
    def begin(
        cls, store_path: str, scheme: Mapping[str, Any], state: str = "planned"
    ) -> PendingErase:
        """A new entry, leased by this process."""
        lease = Lease.mine()
        return cls(
            id=secrets.token_hex(8),
            store_path=store_path,
            scheme=scheme,
            started_at=datetime.now(UTC).isoformat(timespec="seconds"),
            lease_pid=lease.pid,
            lease_started=lease.started,
            state=state,
        )

    def is_held(self) -> bool:
        """Whether the process that works on it is alive. One that ended left it to be finished."""
        return Lease(self.lease_pid, self.lease_started).is_held()


class Pending(Protocol):
    """Where unfinished erasures are written down. Any thread, any process."""

    def put(self, entry: PendingErase) -> None:
        """Write it down so that it survives a power cut; one with the same id is replaced.

        Raises:
            UserError: ``pending.other`` when another erase of that store is not finished (nor
                ASIDE), ``pending.in_ledger``, ``pending.unreadable``, ``pending.disk_full``,
                ``pending.failed``, ``ledger.folder``, ``store.*``.
        """

    def list(self, path: str | None = None) -> Sequence[PendingErase]:
        """The unfinished erasures of one store, or all, the oldest first.

        Raises:
            UserError: ``pending.unreadable``; ``pending.in_ledger`` where the ledger has a note
                of that very store and cannot be opened now.
        """
        ...

    def remove(self, id: str) -> None:  # noqa: A002 - the field's own name
        """Forget it: it is finished. One that is not there is no error."""
