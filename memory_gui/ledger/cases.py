# SPDX-License-Identifier: MIT
"""Cases of "forget me": requests, what was decided about records, what was done, who it was about.

Records and people stand here as keyed marks (``ledger.erased.EraseMarker``); names and reasons in
the case itself, until it is closed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

_DECIDED: Final = "case_number, mark, store, decision, reason, note, who, until, since"
_LASTING: Final = "decision IN ('hold', 'restrict')"

LEFT: Final = "left"
"""``Decided.decision`` of a record that named the person when a case was run, and stayed."""

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person said about one record. ``mark`` is of its format, kind and key.

    ``store`` is a mark of its store; of a file that is known by its number, that of its path.
    ``until`` is a day, ``since`` a moment (ISO 8601), or empty.
    """

    case: int
    mark: bytes
    store: bytes
    decision: str
    reason: str = ""
    note: str = field(default="", repr=False)
    who: str = field(default="", repr=False)
    until: str = ""
    since: str = ""

    @property
    def last_day(self) -> date | None:
        """Until when it stands; None where it has no end."""
        return date.fromisoformat(self.until) if self.until else None

    def is_over(self, day: str) -> bool:
        """Whether it has ended before a day (ISO 8601)."""
        return bool(self.until) and self.until < day


@dataclass(frozen=True, slots=True)
class DoneAt:
    """What a run did at one store: its result as plain values, no content."""

    number: int
    case: int
    at: str
    path: str
    state: str
    document: Document = field(repr=False)


@dataclass(frozen=True, slots=True)
class SubjectMark:
    """A name of somebody who was forgotten, as a keyed mark.

    ``form`` is how it is looked for, ``size`` how many letters or words it has.
    """

    case: int
    form: str
    size: int
    mark: bytes


class CaseRows:
    """Reads and writes the case tables of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    # ---- requests

    def add(self, make: Callable[[int], Document]) -> int:
        """Keep a new one; ``make`` gets its number. No number is ever given twice."""
        with self._connect() as connection, connection.writing():
            connection.execute("INSERT INTO case_file (state, due, document) VALUES ('', '', '')")
            number = int(connection.execute("SELECT last_insert_rowid()")[0][0])
            self._put(connection, number, make(number))
        return number

    def change(self, number: int, make: Callable[[Document], Document]) -> Document | None:
        """Change one as it is now; None where there is none."""
        with self._connect() as connection, connection.writing():
            rows = connection.execute("SELECT document FROM case_file WHERE number = ?", (number,))
            if not rows:
                return None
            found = make(json.loads(rows[0][0]))
            self._put(connection, number, found)
        return found

    def get(self, number: int) -> Document | None:
        """One of them."""
        with self._connect() as connection:
            rows = connection.execute("SELECT document FROM case_file WHERE number = ?", (number,))
        return json.loads(rows[0][0]) if rows else None

    def all(self) -> tuple[tuple[int, Document], ...]:
        """All, those that are due first in front."""
        with self._connect() as connection:
            rows = connection.execute("SELECT number, document FROM case_file ORDER BY due, number")
        return tuple((int(number), json.loads(text)) for number, text in rows)

    @staticmethod
    def _put(connection: Connection, number: int, found: Document) -> None:
        clock = found["clock"]
        connection.execute(
            "UPDATE case_file SET state = ?, due = ?, document = ? WHERE number = ?",
            (
                found["state"],
                clock["extended_until"] or clock["due"],
                json.dumps(found, ensure_ascii=True, sort_keys=True),
                number,
            ),
        )

    # ---- decisions

    def decide(self, decided: Iterable[Decided]) -> None:
        """Keep some; what was said of the same record in the same case before is replaced."""
        with self._connect() as connection, connection.writing():
            for one in decided:
                connection.execute(
                    f"INSERT OR REPLACE INTO case_decision ({_DECIDED})"  # noqa: S608 - a constant
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(one.case, one.mark, one.store, one.decision, one.reason, one.note),
                        *(one.who, one.until, one.since),
                    ),
                )

    def leave(self, case: int, marks: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep that some records stayed; what a person has said of one is not replaced."""
        with self._connect() as connection, connection.writing():
            for mark, store in marks:
                connection.execute(
                    f"INSERT OR IGNORE INTO case_decision ({_DECIDED})"  # noqa: S608 - a constant
                    " VALUES (?, ?, ?, ?, '', '', '', '', '')",
                    (case, mark, store, LEFT),
                )

    def decided(self, case: int) -> tuple[Decided, ...]:
        """What was said in one case."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_DECIDED} FROM case_decision WHERE case_number = ?",  # noqa: S608 - a constant
                (case,),
            )
        return tuple(Decided(*row) for row in rows)

    def lasting(self) -> tuple[Decided, ...]:
        """All that keeps a record from being erased, of every case."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_DECIDED} FROM case_decision WHERE {_LASTING}"  # noqa: S608 - constants
                " ORDER BY since, case_number"
            )
        return tuple(Decided(*row) for row in rows)

    def standing(self) -> tuple[Decided, ...]:
        """As ``lasting``, with what was kept; what says the most of a record comes last."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_DECIDED} FROM case_decision"  # noqa: S608 - constants
                f" WHERE {_LASTING} OR decision = 'keep'"
                " ORDER BY decision = 'hold', decision = 'restrict', since, case_number"
            )
        return tuple(Decided(*row) for row in rows)

    def lift(self, case: int, marks: Collection[tuple[bytes, bytes]]) -> int:
        """Forget what was said of some records (mark, store); how many there were.

        What repeats it by a file's number has its mark in the place of a store's, and goes too.
        """
        with self._connect() as connection, connection.writing():
            for mark, _ in marks:
                connection.change(
                    "DELETE FROM case_decision WHERE case_number = ? AND store = ?", (case, mark)
                )
            return sum(
                connection.change(
                    "DELETE FROM case_decision WHERE case_number = ? AND mark = ? AND store = ?",
                    (case, mark, store),
                )
                for mark, store in marks
            )

    def reduce(self, case: int) -> None:
        """Of a closed case only what lasts stays, without what was written beside it.

        What was kept, or left undecided, is known as such: nobody has learnt it anew.
        """
        with self._connect() as connection, connection.writing():
            connection.change(
                "UPDATE case_decision SET decision = ?, reason = '' WHERE case_number = ?"
                " AND decision IN ('keep', 'undecided')",
                (LEFT, case),
            )
            connection.change(
                f"DELETE FROM case_decision WHERE case_number = ? AND decision <> ?"  # noqa: S608 - a constant
                f" AND NOT ({_LASTING})",
                (case, LEFT),
            )
            connection.change(
                "UPDATE case_decision SET note = '', who = '' WHERE case_number = ?", (case,)
            )

    # ---- what was done

    def done(self, case: int, at: str, path: str, state: str, document: Document) -> None:
        """Keep what a run did at a store."""
        with self._connect() as connection, connection.writing():
            connection.execute(
                "INSERT INTO case_act (case_number, at, path, state, document)"
                " VALUES (?, ?, ?, ?, ?)",
                (case, at, stored(path), state, json.dumps(document, sort_keys=True)),
            )

    def acts(self, case: int) -> tuple[DoneAt, ...]:
        """What was done in a case, in order."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT number, case_number, at, path, state, document FROM case_act"
                " WHERE case_number = ? ORDER BY number",
                (case,),
            )
        return tuple(
            DoneAt(number, mine, at, shown(path), state, json.loads(text))
            for number, mine, at, path, state, text in rows
        )

    # ---- who was forgotten

    def mark(self, marks: Iterable[SubjectMark]) -> None:
        """Keep the names of somebody as marks."""
        with self._connect() as connection, connection.writing():
            for one in marks:
                connection.execute(
                    "INSERT OR REPLACE INTO case_subject (case_number, form, size, mark)"
                    " VALUES (?, ?, ?, ?)",
                    (one.case, one.form, one.size, one.mark),
                )

    def marked(self) -> tuple[SubjectMark, ...]:
        """All of them."""
        with self._connect() as connection:
            rows = connection.execute("SELECT case_number, form, size, mark FROM case_subject")
        return tuple(SubjectMark(*row) for row in rows)
