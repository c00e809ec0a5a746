# SPDX-License-Identifier: MIT
"""The finds of one heap as rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memory_gui.cases.finds import RESTRICTED, CaseFind, Decision, Place
from memory_gui.ui.cases.words import stays_here
from memory_gui.ui.phrases import STATES, phrase
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.visible import one_line
from memory_gui.words import Words, formats
from memory_gui.words import cases as said

FIND_ROLE: Final = Qt.ItemDataRole.UserRole
_SPOKEN: Final = 200
_ROOT: Final = QModelIndex()


class FindsModel(QAbstractListModel):
    """Rows in the order of the stores. GUI thread; holds texts until ``show(())``."""

    def __init__(self, words: Words, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing
        self._finds: tuple[CaseFind, ...] = ()

    def show(self, finds: Sequence[CaseFind]) -> None:
        """Show these. The same finds with other decisions are changed in place."""
        new = tuple(finds)
        if [one.number for one in new] == [one.number for one in self._finds]:
            self._finds = new
            if new:
                self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
            return
        self.beginResetModel()
        self._finds = new
        self.endResetModel()

    def find(self, row: int) -> CaseFind | None:
        """One of them."""
        return self._finds[row] if 0 <= row < len(self._finds) else None

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._finds)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        find = self.find(index.row())
        if find is None:
            return None
        if role == FIND_ROLE:
            return find
        if role == Qt.ItemDataRole.DisplayRole:
            return self._showing.line(title_of(self._words, find))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(find)
        return None

    def _spoken(self, find: CaseFind) -> str:
        words = self._words
        excerpt = find.pieces[0].text if find.pieces else ""
        parts = (
            self._showing.line(title_of(words, find)),
            facts(words, find),
            decided(words, find) or said.said(words, said.DECISIONS, find.decision),
            self._showing.line(one_line(excerpt, _SPOKEN)),
        )
        return words.row([part for part in parts if part])


def title_of(words: Words, find: CaseFind) -> str:
    """What a find is called: its title, else its file's name, else its kind."""
    if find.title:
        return one_line(find.title, 120)
    if find.place is Place.FILE:
        return one_line(PurePath(find.path).name, 120)
    return what(words, find)


def what(words: Words, find: CaseFind) -> str:
    """Which kind of record, or what a file is."""
    if find.kind in said.FILES and find.place is not Place.RECORD:
        return words.say(said.FILES[find.kind])
    return formats.one(words, find.kind)


def facts(words: Words, find: CaseFind) -> str:
    """Where it lies and what it is, in a short line; first what another case says of it."""
    state = phrase(words, STATES, find.state) if find.state is not None else ""
    whys = [said.said(words, said.WHYS, code) for code in find.why]
    other = "" if find.other is None else said.other_case(words, find.other)
    parts = (other, find.agent, what(words, find), state, *whys, *stays_here(words, find))
    return " · ".join(part for part in parts if part)


def decided(words: Words, find: CaseFind) -> str:
    """What becomes of it; nothing is said while nobody has decided."""
    if find.bound and find.other is not None:
        return said.held_by(words, find.other.decision, find.other.number)
    if find.decision is Decision.NONE:
        return ""
    decision = Decision.RESTRICT if find.reason == RESTRICTED else find.decision
    return said.said(words, said.DECISIONS, decision)
