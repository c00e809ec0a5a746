# SPDX-License-Identifier: MIT
"""What the settings say is worn at once, and a damaged file is told once."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLabel, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.ui.comfort import is_compact, is_still, wear_comfort
from memory_gui.ui.widgets.busy import Spinner


def banner(window):
    return window.findChild(QWidget, "window.banner").findChild(QLabel, "banner.text").text()


def test_each_setting_of_privacy_takes_effect_at_once(window, fake, settled):
    privacy = window._context.privacy
    fake.settings.change(clipboard_seconds=10, mask_secrets=False, auto_lock_minutes=1)
    window.go("settings_changed")
    settled()
    assert privacy.clipboard.seconds == 10
    assert not privacy.masking.on
    assert window._idle._timer.interval() == 45_000
    fake.settings.change(auto_lock_minutes=0)
    window.go("settings_changed")
    settled()
    assert not window._idle._timer.isActive()


def test_a_damaged_file_is_told_once(window, fake, settled):
    fake.settings.problem = UserError("settings.damaged", path="/home/ann/settings.toml")
    window.begin()
    settled()
    assert "/home/ann/settings.toml cannot be read" in banner(window)
    window.findChild(QWidget, "window.banner").dismiss()
    window.begin()
    settled()
    assert banner(window) == ""


def test_motion_can_be_reduced(qapp, qtbot):
    spinner = Spinner()
    qtbot.addWidget(spinner)
    wear_comfort(qapp, density="compact", motion="reduced")
    assert is_still()
    assert is_compact()
    spinner.show()
    QApplication.processEvents()
    assert not spinner._timer.isActive()
    spinner.hide()
    wear_comfort(qapp, density="comfortable", motion="full")
    assert not is_still()
    spinner.show()
    assert spinner._timer.isActive()
    spinner.hide()
    wear_comfort(qapp, density="comfortable", motion="system")
