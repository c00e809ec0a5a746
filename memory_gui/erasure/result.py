# SPDX-License-Identifier: MIT
"""What an erase did, over all its stores: frozen values, no content in any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.erasing import MayHold
from memory_gui.erasure.limits import OUT_OF_REACH, Limit
from memory_gui.erasure.proof import Find, KeptIn, Proof, add_proofs


class EraseState(StrEnum):
    """The states of rule 11. Their words are in ``words/erasure.py`` (STATES)."""

    PLANNED = "planned"
    PROVED = "proved"
    NOT_FINISHED = "not-finished"
    NOT_PROVED = "not-proved"


OTHER_STORE: Final = "erase.other_store"
"""``StoreResult.reason`` where another database lies at the path: it was left as it is."""

NONE: Final = "none"
KEPT: Final = "kept"
NEW_KEY: Final = "new"
NEW_GIVEN: Final = "new-old-not-ours"
OLD_FOR_FILES: Final = "new-old-kept-for-files"
OLD_FOR_RECOVERY: Final = "new-old-kept-until-recovery"
OLD_STAYS: Final = "new-old-not-removed"
"""``StoreResult.key``: what became of an encrypted database's key. Their words: KEYS."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the recipe: its code (STEPS), what it answered, and how long it took.

    ``statements``: what SQLite was told, without values, and its answers.
    """

    name: str
    result: str
    ms: float
    statements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """Rows of one table: that the plan names, that were taken out, that are still there."""

    found: int = 0
    erased: int = 0
    kept: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.found + other.found, self.erased + other.erased, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class StoreResult:
    """What happened to one database.

    ``reason`` is the code of what stopped it (``store.locked``, ``erase.in_use``, ...), with
    ``reason_params``; ``open_by`` names who has it open. ``accepted`` finds stand under "not
    covered"; ``unsearched`` side files could not be looked into, because the texts are gone.
    """

    path: str
    state: EraseState
    counts: Mapping[str, Count] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    proof: Proof | None = None
    open_by: tuple[OpenBy, ...] = ()
    reason: str | None = None
    reason_params: Mapping[str, object] = field(default_factory=dict)
    accepted: bool = False
    unsearched: int = 0
    key: str = NONE
    cleaned: tuple[Find, ...] = ()
    """Side files in which text was overwritten (``count`` places), or why it was not."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Its name, the case it is for, and its steps (``erasure/recipe.py``)."""


@dataclass(frozen=True, slots=True)
class EraseResult:
    """What one act of erasing did, over all its stores."""

    state: EraseState
    stores: tuple[StoreResult, ...]
    not_covered: tuple[Limit, ...] = ()
    receipt: str | None = None
    id: str = ""
    started_at: str = ""
    finished_at: str = ""
    found: tuple[Find, ...] = ()
    """Of a plan: side files that hold the text now."""
    may_hold: tuple[MayHold, ...] = ()
    """Who was told it, and is not reached from here."""
    kept_found: tuple[KeptIn, ...] = ()
    """Of a plan: files that hold the text now, and stay as they are."""

    @property
    def counts(self) -> Mapping[str, Count]:
        """Table -> rows, over all stores."""
        counts: dict[str, Count] = {}
        for store in self.stores:
            for table, count in store.counts.items():
                counts[table] = counts.get(table, Count()) + count
        return counts

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, store after store."""
        return tuple(step for store in self.stores for step in store.steps)

    @property
    def open_by(self) -> tuple[OpenBy, ...]:
        """Who has one of the stores open."""
        return tuple(dict.fromkeys(who for store in self.stores for who in store.open_by))

    @property
    def finds(self) -> tuple[Find, ...]:
        """Where erased text still is, outside the databases' own records."""
        proved = (find for store in self.stores if store.proof for find in store.proof.still_in)
        return tuple(dict.fromkeys((*self.found, *proved)))

    @property
    def kept_in(self) -> tuple[KeptIn, ...]:
        """Files that stay by a person's decision, and hold some of the erased text."""
        proved = (one for store in self.stores if store.proof for one in store.proof.kept_in)
        return tuple({one.file.path: one for one in (*self.kept_found, *proved)}.values())

    @property
    def cleaned(self) -> tuple[Find, ...]:
        """Side files in which erased text was overwritten."""
        return tuple(find for store in self.stores for find in store.cleaned if find.count)

    @property
    def proof(self) -> Proof | None:
        """The proofs of all stores added up; None when none was made."""
        return add_proofs([store.proof for store in self.stores if store.proof])

    @property
    def key(self) -> str:
        """What became of the keys; of several databases what leaves most behind."""
        order = (KEPT, NEW_GIVEN, OLD_STAYS, OLD_FOR_FILES, OLD_FOR_RECOVERY, NEW_KEY)
        keys = {store.key for store in self.stores}
        return next((key for key in order if key in keys), NONE)

    @property
    def accepted(self) -> bool:
        """Whether it is proved except for what a person accepted or keeps: never "proved gone"."""
        return self.keeps or self.has_accepted

    @property
    def has_accepted(self) -> bool:
        """Whether it is proved except for finds that a person accepted."""
        return self.state is EraseState.PROVED and any(store.accepted for store in self.stores)

    @property
    def keeps(self) -> bool:
        """Whether it is proved except for files that stay by a person's decision, and no more."""
        proved = self.state is EraseState.PROVED and not self.has_accepted
        return proved and bool(self.kept_in)

    @property
    def other_store(self) -> bool:
        """Whether nothing was done because other databases lie at the paths by now."""
        return bool(self.stores) and all(one.reason == OTHER_STORE for one in self.stores)

    @property
    def out_of_reach(self) -> bool:
        """Whether old blocks stay where overwriting in place does not reach them.

        Then the best word is "gone from the files", never the plain "proved gone".
        """
        return any(limit.code in OUT_OF_REACH for limit in self.not_covered)

    @property
    def exit_code(self) -> int:
        """By CLI.md: 0 proved (or planned), 4 not finished, 7 not proved."""
        if self.state is EraseState.NOT_PROVED:
            return 7
        return 4 if self.state is EraseState.NOT_FINISHED else 0

    def as_json(self) -> dict[str, Any]:
        """The ``erase`` document of CLI.md."""
        proof = self.proof
        return {
            "state": str(self.state),
            "counts": {
                table: {"found": count.found, "erased": count.erased, "kept": count.kept}
                for table, count in self.counts.items()
            },
            "steps": [step_json(step) for step in self.steps],
            "proof": proof.as_json() if proof else None,
            "side_files": [find.as_json() for find in self.finds],
            "side_files_erased": [f.as_json() for f in self.cleaned],
            "kept_files": [one.as_json() for one in self.kept_in],
            "not_covered": [limit.as_json() for limit in self.not_covered],
            "may_still_hold": [one.as_json() for one in self.may_hold],
            "key": self.key,
            "out_of_reach": self.out_of_reach,
            "accepted": self.has_accepted,
            "receipt": self.receipt,
            "open_by": [{"pid": who.pid, "name": who.name} for who in self.open_by],
            "stores": [_store_json(store) for store in self.stores],
        }


def worst(states: Sequence[EraseState]) -> EraseState:
    """The state that speaks for several: not proved, not finished, planned, proved."""
    order = (EraseState.NOT_PROVED, EraseState.NOT_FINISHED, EraseState.PLANNED)
    return next((state for state in order if state in states), EraseState.PROVED)


def step_json(step: Step) -> dict[str, Any]:
    """As it stands in documents and receipts."""
    shown: dict[str, Any] = {"name": step.name, "result": step.result, "ms": round(step.ms, 1)}
    if step.statements:
        shown["statements"] = [{"sql": sql, "answer": answer} for sql, answer in step.statements]
    return shown


def _store_json(store: StoreResult) -> dict[str, Any]:
    return {
        "path": store.path,
        "state": str(store.state),
        "reason": store.reason,
        "key": store.key,
        "open_by": [{"pid": who.pid, "name": who.name} for who in store.open_by],
        "steps": [step_json(step) for step in store.steps],
    }
