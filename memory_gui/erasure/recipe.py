# SPDX-License-Identifier: MIT
"""Which steps an erase takes, for each kind of database: data, told in the receipt.

ERASURE 4 (b), and with a new key 4 (a): the wipe is the same, the rekey follows its VACUUM. What a
database has not (a rollback journal, full-text indexes, samples of index keys) needs no step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIPE: Final = "in-place-wipe"
WIPE_AND_REKEY: Final = "in-place-wipe-and-rekey"

FLUSH: Final = ("zero-tail", "checkpoint", "zero-log")
"""Repeated after each change: what was moved into the file is zeroed in the log where it lies."""
_SETTINGS: Final = ("settings", "secure-delete", "no-auto-checkpoint")


@dataclass(frozen=True, slots=True)
class Case:
    """What a database is.

    ``mode`` is the journal mode that it is to have afterwards, ``now`` the one that it has where
    that is another.

    ``full_text`` are the contents of its indexes (``own``, ``external``, ``none``),
    ``auto_vacuum`` is 0, 1 (full) or 2 (incremental), ``samples``: it has ``sqlite_stat4``.
    """

    mode: str
    full_text: tuple[str, ...] = ()
    samples: bool = False
    auto_vacuum: int = 0
    encrypted: bool = False
    new_key: bool = False
    side_files: bool = False
    """Whether text is to be overwritten in the agent's other files, too."""
    now: str = ""

    def as_json(self) -> dict[str, object]:
        """For the receipt."""
        return {
            "journal_mode": self.mode,
            "full_text": list(self.full_text),
            "samples": self.samples,
            "auto_vacuum": ("none", "full", "incremental")[self.auto_vacuum],
            "encrypted": self.encrypted,
        }


@dataclass(frozen=True, slots=True)
class Recipe:
    """The names of the steps, in order.

    ``prepare`` changes no row, ``inside`` is one transaction, ``after`` follows its commit and
    ``close`` the closing of the connection.
    """

    name: str
    prepare: tuple[str, ...]
    inside: tuple[str, ...]
    after: tuple[str, ...]
    close: tuple[str, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.prepare, *self.inside, *self.after, *self.close)


def recipe_for(case: Case) -> Recipe:
    """The recipe for a database.

    In every mode but WAL the journal is kept as a file, zeroed, and a log takes its place: a
    journal of the DELETE would hold all of the rows once more. auto_vacuum moves pages at each
    commit; the VACUUM of the recipe writes the file anew and keeps the setting. Other files are
    cleaned inside of the transaction: after a kill the rows, and so the texts, are there again.
    """
    rollback = (case.now or case.mode) != "wal"
    back = rollback or case.mode != "wal"
    again = any(content != "none" for content in case.full_text)
    prepare = [*_SETTINGS]
    prepare += ["keep-journal", "lock", "log-mode"] if rollback else ["lock"]
    inside = ["delete"]
    inside += ["side-files"] if case.side_files else []
    inside += ["full-text"] if case.full_text else []
    inside += ["statistics"] if case.samples else []
    after = [*FLUSH, "vacuum", *FLUSH]
    after += ["full-text-again", *FLUSH] if again else []
    after += ["new-key"] if case.new_key else []
    after += ["truncate-log"]
    after += ["journal-mode"] if back else []
    after += ["settings-again", "sync"]
    return Recipe(
        WIPE_AND_REKEY if case.new_key else WIPE,
        (*prepare, *FLUSH),
        tuple(inside),
        tuple(after),
        ("check", "check-key") if case.new_key else ("check",),
    )
