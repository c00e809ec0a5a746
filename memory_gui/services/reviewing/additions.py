# SPDX-License-Identifier: MIT
"""What saving a proposal of our own queue would do in its store, by that store's own checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.domain.changes import Addition, Fields, NewRecord, Outcome, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, StoreId
from memory_gui.services.editing.acts import Acts
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.stores.contract import Store

_REPLACED: Final = ("text", "type", "tags")
"""What a proposal gives to a record that has its key."""
_TRIES: Final = 30
_TITLE: Final = 60
"""Characters of a text that stand for a title where none is given."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What would become of it in ``store``: ``given`` added, or ``existing`` so ``changed``.

    ``refusal`` is what a person may insist past.
    """

    store: StoreId
    given: Fields = field(repr=False)
    addition: Addition
    outcome: Outcome
    existing: Record | None = field(default=None, repr=False)
    changed: Fields = field(default_factory=dict, repr=False)
    refusal: UserError | None = None


class Additions:
    """Any thread."""

    def __init__(self, library: Library, acts: Acts) -> None:
        self._library = library
        self._acts = acts

    def of(
        self, store: StoreId, given: Fields, despite: frozenset[str] = frozenset(), name: str = ""
    ) -> Planned:
        """What saving these values would do. ``name`` is for records that may be named by chance.

        Raises:
            UserError: what adding the record, or changing the one that has its key, would refuse
                however much a person insists; a secret where they do not is in ``refusal``.
        """
        shelf = self._home(store, given)
        insisting = despite | {"secret"}

        def look(opened: Store) -> tuple[Fields, Addition, UserError | None]:
            kind = opened.kind_of(given)
            full = _titled(given, _declared(opened, kind), name)
            found = opened.may_add(NewRecord(kind, full, "crystallized", insisting))
            try:
                opened.may_add(NewRecord(kind, full, "crystallized", despite))
            except UserError as error:
                return full, found, error
            return full, found, None

        full, addition, refusal = shelf.screen(look)
        if addition.holder is None:
            return Planned(shelf.id, full, addition, Outcome.NEW, refusal=refusal)
        return self._over(shelf, full, addition, refusal)

    def _over(
        self, shelf: Shelf, given: Fields, addition: Addition, refusal: UserError | None
    ) -> Planned:
        """A record has its key: that one would be changed, where it differs."""
        holder = addition.holder
        existing = None if holder is None else self._library.record(holder)
        if existing is None:
            raise UserError("record.changed", ref="" if holder is None else holder.text)
        now = self._acts.values(existing)
        wanted = {n: addition.fields[n] for n in _REPLACED if n in addition.fields and given.get(n)}
        changed = {name: value for name, value in wanted.items() if now.get(name) != value}
        if changed and not addition.free and given.get("title"):
            addition = replace(addition, free=self._free_title(shelf, addition.kind, given))
        if not changed:
            return Planned(shelf.id, given, addition, Outcome.IDENTICAL, existing)
        try:
            target = Target(existing.ref, existing.etag)
            shelf.screen(lambda opened: opened.may("edit", target, changed))
        except UserError as error:
            if error.code != "record.secret":
                raise
        return Planned(shelf.id, given, addition, Outcome.REPLACES, existing, changed, refusal)

    def _free_title(self, shelf: Shelf, kind: str, given: Fields) -> str:
        """A title near the one given, under which it can stand beside; empty: none was found."""

        def look(opened: Store) -> str:
            for number in range(2, _TRIES):
                title = f"{given['title']}_{number}"
                new = NewRecord(kind, {**given, "title": title}, despite=frozenset({"secret"}))
                if opened.may_add(new).holder is None:
                    return title
            return ""

        try:
            return shelf.screen(look)
        except UserError:
            return ""

    def _home(self, store: StoreId, given: Fields) -> Shelf:
        """The database that the values belong to. Raises UserError ``pair.needed``."""
        shelf = self._library.shelf(store)
        try:
            scope = shelf.screen(lambda opened: opened.classify(given)).get("scope")
        except UserError:
            scope = given.get("scope")  # what speaks against the values is told by the store there
        return self._acts.home_of(shelf, scope if isinstance(scope, str) else None)


def given_of(*sets: Fields) -> dict[str, str | tuple[str, ...]]:
    """The values that are given, later ones first; an empty one takes an earlier one away."""
    given: dict[str, str | tuple[str, ...]] = {}
    for one in sets:
        given.update(one)
    return {name: value for name, value in given.items() if value}


def _declared(store: Store, name: str) -> Kind:
    return next((kind for kind in store.declared if kind.name == name), Kind(name))


def _titled(given: Fields, kind: Kind, name: str) -> Mapping[str, str | tuple[str, ...]]:
    """With a title, where such a record has one and none is given."""
    if "title" not in kind.fields or given.get("title") or given.get("key"):
        return given
    if "title" in kind.optional:
        return {**given, "title": name} if name else given
    text = given.get("text", "")
    first = " ".join(text.split()) if isinstance(text, str) else ""
    return {**given, "title": first[:_TITLE]}
