# SPDX-License-Identifier: MIT
"""Marks of what was erased, so that a file that brings it back is noticed. Keyed; no content."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from memory_gui.engine.connection import Connection

_LABEL: Final = b"memory-gui erased records"
_MANY: Final = 500
"""Marks in one statement."""


@dataclass(frozen=True, slots=True)
class ErasedMark:
    """One erased record. Each mark is an HMAC-SHA256, 32 bytes.

    ``mark`` is of its format, kind and key; ``made`` of those and of when it was made (or its text,
    where that is not known), and empty where nothing of it was known; ``store`` of its store's
    name. ``act`` is the erase it belongs to, ``at`` when (ISO 8601, UTC).
    """

    mark: bytes
    made: bytes
    store: bytes
    act: str
    at: str


class EraseMarker:
    """Makes the marks; without the ledger's secret nobody can make or guess them."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, _LABEL, "sha256")

    def record(self, format_: str, kind: str, key: Sequence[str]) -> bytes:
        """Of a record, wherever its store lies."""
        return self._of("record", format_, kind, *key)

    def made(self, mark: bytes, made: str) -> bytes:
        """Of the same record and when it was made, or what it said."""
        return self._of("made", mark.hex(), made)

    def store(self, name: str) -> bytes:
        """Of a store by its salt in hex, else its path."""
        return self._of("store", name)

    def subject(self, form: str, name: str) -> bytes:
        """Of a person's name, whatever way it was written in; ``form`` is what kind it is."""
        return self._of("subject", form, name)

    def _of(self, *parts: str) -> bytes:
        texts = [part.encode("utf-8", "surrogatepass") for part in parts]
        message = b"".join(len(text).to_bytes(8, "big") + text for text in texts)
        return hmac.digest(self._key, message, "sha256")


class ErasedRows:
    """Reads and writes the table ``erased_record`` of the ledger. Any thread.

    Marks are put before an erase begins, and count only once its rows are gone (``settle``).
    """

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, marks: Iterable[ErasedMark]) -> None:
        """Write them down for an erase that is about to begin."""
        with self._connect() as connection, connection.writing():
            for one in marks:
                connection.execute(
                    "INSERT INTO erased_record (mark, made, store, act, at, gone)"
                    " VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (mark, store) DO UPDATE"
                    " SET made = excluded.made, act = excluded.act, at = excluded.at",
                    (one.mark, one.made, one.store, one.act, one.at),
                )

    def settle(self, act: str, marks: Sequence[bytes] = ()) -> None:
        """The rows of an erase are gone; ``marks`` are more of its records, of an earlier begin."""
        with self._connect() as connection, connection.writing():
            if act:
                connection.change("UPDATE erased_record SET gone = 1 WHERE act = ?", (act,))
            for start in range(0, len(marks), _MANY):
                some = marks[start : start + _MANY]
                holes = ", ".join("?" * len(some))
                connection.change(
                    f"UPDATE erased_record SET gone = 1 WHERE mark IN ({holes})",  # noqa: S608 - holes
                    tuple(some),
                )

    def drop(self, act: str) -> None:
        """Nothing came of an erase: what had been erased before stays marked."""
        with self._connect() as connection, connection.writing():
            connection.change("DELETE FROM erased_record WHERE act = ? AND gone = 0", (act,))

    def of_act(self, act: str) -> tuple[ErasedMark, ...]:
        """The marks of one erase, whether its rows are gone or not."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT mark, made, store, act, at FROM erased_record WHERE act = ?", (act,)
            )
        return tuple(ErasedMark(*row) for row in rows)

    def gone(self) -> tuple[ErasedMark, ...]:
        """All marks that count."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT mark, made, store, act, at FROM erased_record WHERE gone = 1"
            )
        return tuple(ErasedMark(*row) for row in rows)

    def remove(self, marks: Iterable[bytes]) -> int:
        """A person lets these stay; how many there were."""
        with self._connect() as connection, connection.writing():
            return sum(
                connection.change("DELETE FROM erased_record WHERE mark = ?", (mark,))
                for mark in marks
            )
