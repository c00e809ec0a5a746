# SPDX-License-Identifier: MIT
"""The rows of the timeline: a heading for each day, then what happened on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from memory_gui.domain.records import StoreId
from memory_gui.services.activity.activity import Happening
from memory_gui.ui.activity import phrases
from memory_gui.words import Words

ROW_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class DayRow:
    """A heading."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One happening in words."""

    happening: Happening
    head: str
    about: str
    clock: str
    store: str


class TimelineModel(QAbstractListModel):
    """Holds values only. GUI thread."""

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._happenings: tuple[Happening, ...] = ()
        self._names: Mapping[StoreId, str] = {}
        self._rows: list[DayRow | Row] = []
        self.hidden = False

    def show(self, happenings: tuple[Happening, ...], names: Mapping[StoreId, str]) -> None:
        """Replace all rows; ``names`` are those of the open stores."""
        self._happenings, self._names = happenings, names
        self.say()

    def say(self) -> None:
        """Make the rows' words again."""
        self.beginResetModel()
        self._rows = list(self._make(datetime.now().astimezone().date()))
        self.endResetModel()

    def clear(self) -> None:
        """Forget everything."""
        self.show((), {})

    def row(self, number: int) -> DayRow | Row | None:
        """What stands in a row."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def find(self, wanted: Callable[[Happening], bool]) -> int | None:
        """The first row of which this is true."""
        rows = enumerate(self._rows)
        return next((n for n, r in rows if isinstance(r, Row) and wanted(r.happening)), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _spoken(self._words, row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.row(index.row()), Row):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def _make(self, today: date) -> list[DayRow | Row]:
        rows: list[DayRow | Row] = []
        last: object = self
        words = self._words
        for one in self._happenings:
            moment = one.at.astimezone() if one.at else None
            day = moment.date() if moment else None
            if day != last:
                rows.append(DayRow(phrases.day_of(words, day, today)))
                last = day
            rows.append(
                Row(
                    one,
                    phrases.sentence(words, one),
                    phrases.about(words, one, hidden=self.hidden),
                    phrases.clock(words, moment),
                    self._names.get(one.store, "") if one.store else "",
                )
            )
        return rows


def _spoken(words: Words, row: DayRow | Row) -> str:
    if isinstance(row, DayRow):
        return row.text
    return words.row(part for part in (row.clock, row.head, row.about, row.store) if part)
