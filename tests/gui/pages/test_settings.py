# SPDX-License-Identifier: MIT
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from memory_gui.domain.errors import UserError
from memory_gui.ui.pages.settings import SettingsPage


def test_each_change_is_saved_at_once_and_the_window_is_told(fake, shown, settled):
    page = shown(SettingsPage)
    told = []
    page.go.connect(lambda name, argument: told.append(name))
    assert page.language.currentData() == "en"
    page.language.setFocus()
    QTest.keyClick(page.language, Qt.Key.Key_Down)
    settled()
    assert fake.settings.values.language == "zh_CN"
    page.auto_lock.setCurrentIndex(page.auto_lock.findData(0))
    page.auto_lock.activated.emit(page.auto_lock.currentIndex())
    settled()
    assert fake.settings.values.auto_lock_minutes == 0
    page.remember.click()
    settled()
    assert fake.settings.values.remember_stores is False
    assert told == ["settings_changed"] * 3


def test_a_change_that_cannot_be_saved_goes_back_and_says_why(fake, shown, settled):
    page = shown(SettingsPage)
    fake.fail_next["change"] = UserError("store.missing", path="/no/folder")
    page.remember.click()
    settled()
    assert page.remember.isChecked()
    assert "/no/folder" in page.frame.banner.text


def test_minutes_from_elsewhere_are_shown(fake, shown, settled):
    fake.settings.change(auto_lock_minutes=7)
    page = shown(SettingsPage)
    assert page.auto_lock.currentData() == 7
    assert "7" in page.auto_lock.currentText()
