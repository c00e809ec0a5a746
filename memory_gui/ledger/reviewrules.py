# SPDX-License-Identifier: MIT
"""Rules of review, what they decided, and the items that a person took out of their hands."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

BEGUN: Final = "begun"
DONE: Final = "done"
TAKEN_BACK: Final = "taken back"
KEPT: Final = 5_000
"""So many decisions of rules are kept in the list, the last ones."""
_RULE: Final = "id, store, verdict, least, pattern, running, made_at"
_ACT: Final = "number, at, store, rule, verdict, kind, item, memory, state"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a store. ``verdict`` is approve (``least`` times seen) or reject (``pattern``).

    ``running`` False: it is kept, and decides nothing.
    """

    id: str
    store: str
    verdict: str
    least: int = 0
    pattern: str = field(repr=False, default="")
    running: bool = True
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class ByRule:
    """One decision of a rule. ``item`` and ``memory`` are the agent's opaque ids.

    ``memory`` is that of the memory which approving added; empty when none was. ``state`` is
    BEGUN (a stop came before it was known to be done), DONE or TAKEN_BACK.
    """

    number: int
    at: str
    store: str
    rule: str
    verdict: str
    kind: str
    item: str
    memory: str
    state: str


class RuleRows:
    """Reads and writes the tables ``review_…`` of the ledger. Any thread, any process."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    # ---- rules

    def add(self, store: str, verdict: str, least: int, pattern: str) -> Rule:
        """Keep a rule; it runs from now on. The same one again is the one that is there."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connect() as connection, connection.writing():
            same = connection.execute(
                f"SELECT {_RULE} FROM review_rule WHERE store = ? AND verdict = ? AND least = ?"  # noqa: S608 - a constant
                " AND pattern = ?",
                (stored(store), verdict, least, pattern),
            )
            if same:
                return _rule(same[0])
            made = Rule(secrets.token_hex(4), store, verdict, least, pattern, True, now)
            connection.execute(
                f"INSERT INTO review_rule ({_RULE}) VALUES (?, ?, ?, ?, ?, 1, ?)",  # noqa: S608 - a constant
                (made.id, stored(store), verdict, least, pattern, now),
            )
        return made

    def list(self, store: str) -> tuple[Rule, ...]:
        """Those of a store, the oldest first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_RULE} FROM review_rule WHERE store = ? ORDER BY made_at, id",  # noqa: S608 - a constant
                (stored(store),),
            )
        return tuple(map(_rule, rows))

    def set_running(self, ident: str, *, running: bool) -> bool:
        """Let one decide, or not; False when it is gone."""
        with self._connect() as connection, connection.writing():
            sql = "UPDATE review_rule SET running = ? WHERE id = ?"
            return connection.change(sql, (int(running), ident)) > 0

    def remove(self, ident: str) -> bool:
        """Take one out; what it decided stays listed."""
        with self._connect() as connection, connection.writing():
            return connection.change("DELETE FROM review_rule WHERE id = ?", (ident,)) > 0

    # ---- what they decided

    def begin(self, rule: Rule, kind: str, item: str) -> int:
        """Write a decision down before it is done; its number."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connect() as connection, connection.writing():
            connection.change(
                "INSERT INTO review_by_rule (at, store, rule, verdict, kind, item, memory, state)"
                " VALUES (?, ?, ?, ?, ?, ?, '', ?)",
                (now, stored(rule.store), rule.id, rule.verdict, kind, item, BEGUN),
            )
            number = connection.last_rowid()
            connection.change("DELETE FROM review_by_rule WHERE number <= ?", (number - KEPT,))
        return number

    def settle(self, number: int, state: str, memory: str | None = None) -> None:
        """What became of one; ``memory`` None leaves what is known of it."""
        with self._connect() as connection, connection.writing():
            sql = "UPDATE review_by_rule SET state = ?, memory = coalesce(?, memory)"
            connection.change(f"{sql} WHERE number = ?", (state, memory, number))

    def drop(self, *numbers: int) -> None:
        """They were not done after all."""
        with self._connect() as connection, connection.writing():
            for number in numbers:
                connection.change("DELETE FROM review_by_rule WHERE number = ?", (number,))

    def decided(self, store: str) -> tuple[ByRule, ...]:
        """What the rules of a store decided, the last one first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_ACT} FROM review_by_rule WHERE store = ? ORDER BY number DESC",  # noqa: S608 - a constant
                (stored(store),),
            )
        return tuple(ByRule(n, at, shown(path), *rest) for n, at, path, *rest in rows)

    # ---- what they leave alone

    def take_out(self, store: str, items: Iterable[tuple[str, str]]) -> None:
        """A person opened these (kind, item) again: no rule decides on them any more."""
        with self._connect() as connection, connection.writing():
            for kind, item in items:
                connection.change(
                    "INSERT OR IGNORE INTO review_hands_off (store, kind, item) VALUES (?, ?, ?)",
                    (stored(store), kind, item),
                )

    def taken_out(self, store: str) -> frozenset[tuple[str, str]]:
        """(kind, item) of those."""
        with self._connect() as connection:
            sql = "SELECT kind, item FROM review_hands_off WHERE store = ?"
            return frozenset((str(k), str(i)) for k, i in connection.execute(sql, (stored(store),)))


def _rule(row: tuple[Any, ...]) -> Rule:
    ident, store, verdict, least, pattern, running, made_at = row
    return Rule(ident, shown(store), verdict, int(least), pattern, bool(running), made_at)
