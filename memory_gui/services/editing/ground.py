# SPDX-License-Identifier: MIT
"""What every act on a record stands on: the record as it is, who refuses, where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.changes import ChangeSet, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.undo.steps import Step, Values

_ROLE_OF_SCOPE: Final[Mapping[str, str]] = {"project": "project", "user": "user"}


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did, and how to take it back. ``moved`` is (old ref, new ref)."""

    changes: ChangeSet
    steps: tuple[Step, ...] = ()
    moved: tuple[Ref, Ref] | None = None


class Ground:
    """The records, and what must stay as it is. Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._refuse: Callable[[str, Ref], object] = lambda _act, _ref: None

    def refuse_with(self, refuse: Callable[[str, Ref], object]) -> None:
        """Ask before an act on a record; it raises where that must stay as it is."""
        self._refuse = refuse

    def refuse(self, act: str, ref: Ref) -> None:
        """Raise where a record must stay as it is."""
        self._refuse(act, ref)

    def targets(self, wanted: Sequence[Ref | Target]) -> list[Target]:
        """Each Ref with the etag of the record as the app last read it, in their order."""
        by_store: dict[StoreId, list[Ref]] = {}
        for one in wanted:
            if isinstance(one, Ref):
                by_store.setdefault(one.store, []).append(one)
        etags: dict[Ref, str | None] = {}
        for store, refs in by_store.items():
            shelf = self._library.shelf(store)
            if shelf.reading.begun:
                etags.update(zip(refs, shelf.etags(refs), strict=True))
        return [one if isinstance(one, Target) else Target(one, etags.get(one)) for one in wanted]

    def refusal(self, act: str, ref: Ref) -> UserError | None:
        """Why a record must stay as it is."""
        try:
            self.refuse(act, ref)
        except UserError as error:
            return error
        return None

    def current(self, ref: Ref) -> Record:
        """The record now. Raises UserError ``record.gone``."""
        record = self._library.record(ref)
        if record is None:
            raise UserError("record.gone", ref=ref.text)
        return record

    def values(self, record: Record) -> Values:
        """The record's values by the names that an edit takes."""
        shelf = self._library.shelf(record.ref.store)
        return dict(shelf.screen(lambda store: store.fields_of(record)))

    def home_of(self, shelf: Shelf, scope: str | None) -> Shelf:
        """The database of the pair that a scope belongs to.

        Raises:
            UserError: ``pair.needed`` when that one is not open; never the wrong one instead.
        """
        role = _ROLE_OF_SCOPE.get(scope or "")
        if role is None or shelf.info.role in {role, "alone"}:
            return shelf
        partner = self._library.partner_of(shelf)
        if partner is None:
            problem = shelf.problem
            raise UserError(
                "pair.needed", scope=scope, reason="" if problem is None else problem.code
            )
        return partner
