# SPDX-License-Identifier: MIT
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from memory_gui.ui.pages.locked import LockedPage


def test_it_tells_a_number_and_no_name(fake, shown):
    page = shown(LockedPage, ("atlas", "secret-project"))
    said = " ".join(label.text() for label in page.findChildren(QLabel))
    assert "2 stores were closed." in said
    assert "atlas" not in said
    assert "secret" not in said


def test_it_is_painted_without_asking_a_service(fake, shown):
    shown(LockedPage, ("atlas",))
    assert fake.calls == []


def test_return_trip_by_keyboard(shown):
    page = shown(LockedPage, ("atlas",))
    asked = []
    page.go.connect(lambda name, argument: asked.append((name, argument)))
    assert page.unlock.hasFocus()
    QTest.keyClick(page.unlock, Qt.Key.Key_Space)
    assert asked == [("unlock", None)]
    assert not page.unlock.isEnabled()
    page.show_for(("atlas",))
    assert page.unlock.isEnabled()
