# SPDX-License-Identifier: MIT
import dataclasses
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel

from memory_gui.domain.errors import UserError
from memory_gui.services.own.settings import CHOICES, REMEMBERED, SettingValues
from memory_gui.ui.pages.settings import SettingsPage
from memory_gui.ui.pages.settings_table import NO_CAPTURE, TABLE, Kind

ROOT = Path(__file__).parents[3]


def test_the_table_has_every_setting_once_and_no_other():
    names = [what.name for what in TABLE]
    known = {field.name for field in dataclasses.fields(SettingValues)}
    assert sorted(names) == sorted(known - REMEMBERED)
    assert known > REMEMBERED


@pytest.mark.parametrize("what", TABLE, ids=[what.name for what in TABLE])
def test_what_the_table_offers_can_be_set_and_holds_the_default(what, tmp_path):
    default = getattr(SettingValues(), what.name)
    kinds = {bool: Kind.CHECK, tuple: Kind.FOLDERS}
    assert what.kind is kinds.get(type(default), Kind.CHOICE)
    if what.kind is Kind.CHOICE:
        assert default in what.values
        assert set(what.values) >= set(CHOICES.get(what.name, ()))


def test_every_field_has_a_name_of_its_own(shown):
    page = shown(SettingsPage)
    fields = [*page.findChildren(QAbstractButton), *page.findChildren(QComboBox)]
    names = [f.accessibleName() or f.text() for f in fields if f.objectName() != "banner.close"]
    names = [name for name in names if name]
    assert len(names) >= len(TABLE)
    assert len(names) == len(set(names))


def test_each_change_is_saved_at_once_and_the_window_is_told(fake, shown, settled):
    page = shown(SettingsPage)
    told = []
    page.go.connect(lambda name, argument: told.append(name))
    language = page.rows["language"].box
    assert language.currentData() == "en"
    language.setFocus()
    QTest.keyClick(language, Qt.Key.Key_Down)
    settled()
    assert fake.settings.values.language == "zh_CN"
    lock = page.rows["auto_lock_minutes"].box
    lock.setCurrentIndex(lock.findData(0))
    lock.activated.emit(lock.currentIndex())
    settled()
    assert fake.settings.values.auto_lock_minutes == 0
    page.rows["remember_stores"].box.click()
    settled()
    assert fake.settings.values.remember_stores is False
    assert told == ["settings_changed"] * 3


def test_a_change_that_cannot_be_saved_goes_back_and_says_why(fake, shown, settled):
    page = shown(SettingsPage)
    fake.fail_next["change"] = UserError("store.missing", path="/no/folder")
    box = page.rows["remember_stores"].box
    box.click()
    settled()
    assert box.isChecked()
    assert "/no/folder" in page.frame.banner.text


def test_minutes_from_elsewhere_are_shown(fake, shown, settled):
    fake.settings.change(auto_lock_minutes=7)
    page = shown(SettingsPage)
    lock = page.rows["auto_lock_minutes"].box
    assert lock.currentData() == 7
    assert "7" in lock.currentText()


def test_folders_are_added_and_taken_off(fake, shown, settled):
    page = shown(SettingsPage)
    row = page.rows["look_in"]
    row.add_folder("/home/ann/projects")
    settled()
    row.add_folder("/srv/\u202ex")
    settled()
    assert fake.settings.values.look_in == ("/home/ann/projects", "/srv/\u202ex")
    said = [label.text() for label in row.findChildren(QLabel)]
    assert "/srv/⟦U+202E⟧x" in said
    off = page.findChild(QAbstractButton, "settings.folder0.off")
    assert off.accessibleName() == "Take /home/ann/projects off the list"
    off.click()
    settled()
    assert fake.settings.values.look_in == ("/srv/\u202ex",)


def test_where_windows_cannot_be_kept_out_of_captures_it_says_so(fake, shown, context):
    assert not context.privacy.capture.possible
    page = shown(SettingsPage)
    row = page.rows["block_capture"]
    assert not row.isEnabled()
    assert not row.box.isChecked()
    assert row.help.text() == NO_CAPTURE
    assert row.box.accessibleDescription() == NO_CAPTURE
