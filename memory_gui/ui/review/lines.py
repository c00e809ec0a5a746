# SPDX-License-Identifier: MIT
"""What a proposal for a store of another agent has beside its text: by that agent's own fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from memory_gui.domain.changes import Fields
from memory_gui.domain.kinds import Kind, Shelf, kind_for
from memory_gui.services import OpenedStore
from memory_gui.ui.names import named
from memory_gui.ui.records.editing.morefields import label
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Caption
from memory_gui.words import Words

USUAL: Final = ("text", "key", "scope", "type", "tags")
"""The fields of Agentao's proposals, for which the editor has places of its own."""


def kind_of(store: OpenedStore | None, ref_kind: str, fields: Fields) -> Kind | None:
    """The kind of record that a proposal of our own queue makes; None where it is Agentao's."""
    if store is None or ref_kind == Shelf.REVIEW:
        return None
    declared = store.info.declared
    name = kind_for(declared, {name for name, value in fields.items() if value})
    found = next((one for one in declared if one.name == name), None)
    return None if found is None or "tags" in found.fields else found


def rows_of(words: Words, kind: Kind, fields: Fields) -> list[tuple[str, str]]:
    """Its fields but for the text, under the agent's names for them."""
    named_ones = ((one, fields.get(one)) for one in kind.fields if one != "text")
    return [(label(words, kind, one), str(value)) for one, value in named_ones if value]


def saved_as(words: Words, kind: Kind, fields: Fields) -> str:
    """How it would be saved, in one line; empty where there is nothing beside the text."""
    rows = rows_of(words, kind, fields)
    told = (words.say("{name}: {value}", name=name, value=visible(v)) for name, v in rows)
    return words.say("Will be saved with {what}", what=words.row(told)) if rows else ""


class FieldLines:
    """A line in a form for each field that it has no place of its own for. GUI thread."""

    def __init__(
        self, words: Words, form: QFormLayout, at: int, changed: Callable[[], object]
    ) -> None:
        self._words = words
        self._form = form
        self._at = at
        self._changed = changed
        self._lines: dict[str, QLineEdit] = {}
        self._labels: dict[str, Caption] = {}
        self._shown: tuple[str, ...] = ()

    def suit(self, kind: Kind | None, own: Iterable[str]) -> None:
        """Offer the fields of a kind; ``own`` are those that the form itself has."""
        there = frozenset(own)
        self._shown = () if kind is None else tuple(n for n in kind.fields if n not in there)
        for name in self._shown:
            if name not in self._lines:
                self._add(name)
        for name, line in self._lines.items():
            self._form.setRowVisible(line, name in self._shown)
            if kind is not None and name in self._shown:
                self._labels[name].setText(label(self._words, kind, name))

    def put(self, fields: Mapping[str, str | tuple[str, ...]]) -> None:
        """Show values; those that are not given stay."""
        for name in self._shown:
            if name in fields:
                self._lines[name].setText(str(fields[name]))

    def values(self) -> dict[str, str | tuple[str, ...]]:
        """What stands in them."""
        return {name: self._lines[name].text().strip() for name in self._shown}

    def widgets(self) -> tuple[QLineEdit, ...]:
        """All of them."""
        return tuple(self._lines.values())

    def _add(self, name: str) -> None:
        line, one = named(QLineEdit(), f"review.edit.{name}"), Caption(wrap=False)
        one.setBuddy(line)
        self._form.insertRow(self._at + len(self._lines), one, line)
        line.textChanged.connect(self._changed)
        self._lines[name], self._labels[name] = line, one
        _follow(line, self._form.parentWidget())


def _follow(line: QLineEdit, parent: QWidget | None) -> None:
    """The keyboard comes to it where it stands: behind the text, before the rest."""
    text = None if parent is None else parent.findChild(QWidget, "review.edit.text")
    if text is not None:
        QWidget.setTabOrder(text, line)
