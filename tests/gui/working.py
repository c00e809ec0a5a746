# SPDX-License-Identifier: MIT
"""Working in a window over real stores, as a person does: each act is waited for."""

from looking import child
from PySide6.QtWidgets import QAbstractButton, QLabel
from waiting import settle

from memory_gui.ui.views import MEMORIES


def opened(window, path):
    """The window with a store's memories on screen."""
    window.open_paths([str(path)])
    settle(window.bridge, 30)
    window.choose_view(MEMORIES)
    settle(window.bridge)
    return window


def press(window, name):
    """Press a button and wait for what it does."""
    child(window, QAbstractButton, name).click()
    settle(window.bridge, 30)


def choose(window, query):
    """The first record that a search finds, chosen."""
    window.memories.set_text(query)
    settle(window.bridge)
    window.memories.go_to(0)
    settle(window.bridge)
    return window.memories.model.record(0)


def erase(window, refs):
    """Erase records by the erase page; the texts that it shows at the end."""
    window.go("erase", tuple(refs))
    settle(window.bridge, 30)
    press(window, "erase.run")
    settle(window.bridge, 60)
    labels = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    press(window, "erase.done")
    return labels
