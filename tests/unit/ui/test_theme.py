# SPDX-License-Identifier: MIT
"""Who decides which palette is worn."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from memory_gui.ui.palette import DARK, LIGHT, Theme, make_palette, tokens_of
from memory_gui.ui.tokens import contrast


class Hints:
    """Style hints of a system that has a colour scheme and a contrast preference."""

    def __init__(self, real, scheme, contrast):
        self.colorSchemeChanged = real.colorSchemeChanged
        self.colorScheme = lambda: scheme
        accessibility = real.accessibility()
        self.accessibility = lambda: self
        self.contrastPreferenceChanged = accessibility.contrastPreferenceChanged
        self.contrastPreference = lambda: contrast


@pytest.fixture
def worn(qapp, monkeypatch):
    before = qapp.palette()
    real = qapp.styleHints()

    def wear(mode, scheme=Qt.ColorScheme.Unknown, contrast=Qt.ContrastPreference.NoPreference):
        monkeypatch.setattr(QApplication, "styleHints", lambda _self: Hints(real, scheme, contrast))
        theme = Theme(qapp, mode)
        found = tokens_of(qapp.palette())
        theme.deleteLater()
        return found

    yield wear
    qapp.setPalette(before)


@pytest.mark.parametrize(
    ("mode", "scheme", "tokens"),
    [
        ("system", Qt.ColorScheme.Unknown, LIGHT),
        ("system", Qt.ColorScheme.Light, LIGHT),
        ("system", Qt.ColorScheme.Dark, DARK),
        ("light", Qt.ColorScheme.Dark, LIGHT),
        ("dark", Qt.ColorScheme.Light, DARK),
    ],
)
def test_the_setting_wins_over_the_system(worn, mode, scheme, tokens):
    assert worn(mode, scheme) is tokens


def test_high_contrast_leaves_the_systems_palette_alone(qapp, worn):
    strange = make_palette(LIGHT)
    strange.setColor(QPalette.ColorRole.Window, QColor("black"))
    strange.setColor(QPalette.ColorRole.Base, QColor("black"))
    strange.setColor(QPalette.ColorRole.Text, QColor("yellow"))
    qapp.setPalette(strange)
    found = worn("light", contrast=Qt.ContrastPreference.HighContrast)
    assert found.name == "system"
    assert found.text == "#ffff00"
    assert found.muted == "#ffff00", "nothing is fainter than the system's own text"
    assert found.surface == "#000000"


HIGH_CONTRAST = {
    "white on black": ("black", "black", "white"),
    "black on white": ("white", "white", "black"),
    "yellow on black": ("black", "black", "yellow"),
    "green on black": ("black", "black", "#00ff00"),
}


@pytest.mark.parametrize("name", HIGH_CONTRAST)
def test_a_chosen_row_is_seen_and_read_in_a_system_palette(qapp, worn, name):
    window, base, text = HIGH_CONTRAST[name]
    palette = make_palette(LIGHT)
    for role, ink in (("Window", window), ("Base", base), ("Text", text)):
        palette.setColor(getattr(QPalette.ColorRole, role), QColor(ink))
    qapp.setPalette(palette)
    found = worn("system", contrast=Qt.ContrastPreference.HighContrast)
    assert found.name == "system"
    assert contrast(found.selected, found.surface) > 1.2
    for ground in ("surface", "hover", "selected", "accent_soft"):
        for ink in ("text", "muted", "accent", "focus"):
            assert contrast(getattr(found, ink), getattr(found, ground)) >= 4.5, (ink, ground)


def test_a_desktops_fonts_for_single_widgets_do_not_win_over_ours(qapp, worn):
    ours = qapp.font().families()
    qapp.setFont(QFont("Sans"), "QLabel")
    worn("dark")
    assert QApplication.font("QLabel").families() == ours
