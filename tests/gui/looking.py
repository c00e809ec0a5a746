# SPDX-License-Identifier: MIT
"""Looking at a window as a person does: what is shown, what is said, what can be pressed."""

from PySide6.QtWidgets import QComboBox, QLabel, QListWidget, QWidget

from memory_gui.ui.records.listing.table import MemoryTable


def child(window, kind, name):
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def table(window):
    return child(window, MemoryTable, "memories.list")


def titles(window):
    model = window.memories.model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def text(window, name):
    return child(window, QLabel, name).text()


def banner(window, name="memories.banner"):
    where = child(window, QWidget, name)
    return child(where, QLabel, "banner.text").text() if where.isVisible() else ""


def press(window, name):
    button = child(window, QWidget, name)
    assert button.isVisible(), name
    button.click()


def press_in_banner(window, label, name="memories.banner"):
    where = child(window, QWidget, name)
    buttons = {b.text(): b for b in where.findChildren(QWidget) if hasattr(b, "click")}
    buttons[label].click()


def row_of(window, title):
    return titles(window).index(title)


def shown(window):
    """Every text that a widget of the window holds."""
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QListWidget | QComboBox):
            rows = range(widget.count())
            yield from ((widget, str(_row_text(widget, row))) for row in rows)
        for name in ("text", "toPlainText", "currentText", "toolTip", "windowTitle"):
            method = getattr(widget, name, None)
            if callable(method):
                yield widget, str(method())


def _row_text(widget, row):
    return widget.itemText(row) if isinstance(widget, QComboBox) else widget.item(row).text()
