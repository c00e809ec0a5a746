# SPDX-License-Identifier: MIT
"""A list whose items stay Qt's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget


class OwnRows(QListWidget):
    """Filled and read by row and role.

    With Python objects for its items, ``QListWidget.clear`` ended the program with signal 11 now
    and then (PySide 6.11.3); here there are none.
    """

    def add(self, values: Mapping[int, object]) -> None:
        """A row at the end, by role."""
        row = self.count()
        self.addItem("")
        for role, value in values.items():
            self.tell(row, role, value)

    def tell(self, row: int, role: int, value: object) -> None:
        """Change what a row holds for a role."""
        self.model().setData(self.model().index(row, 0), value, role)

    def value(self, row: int, role: int = Qt.ItemDataRole.UserRole) -> Any:
        """What a row holds for a role; None where there is no such row."""
        return self.model().index(row, 0).data(role)

    def empty(self) -> None:
        """Take all rows away."""
        self.model().removeRows(0, self.count())
