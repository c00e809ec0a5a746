# SPDX-License-Identifier: MIT
"""The window's own small widgets, all drawn from tokens."""

from memory_gui.ui.widgets.banner import Banner
from memory_gui.ui.widgets.busy import Busy
from memory_gui.ui.widgets.buttons import (
    Button,
    DangerButton,
    EraseButton,
    IconButton,
    MenuButton,
    PrimaryButton,
    QuietButton,
)
from memory_gui.ui.widgets.checkbox import CheckBox
from memory_gui.ui.widgets.choice import Choice
from memory_gui.ui.widgets.empty import EmptyState
from memory_gui.ui.widgets.labels import Caption, Panel, Rule, SectionLabel, TextLabel, TitleLabel

__all__ = [
    "Banner",
    "Busy",
    "Button",
    "Caption",
    "CheckBox",
    "Choice",
    "DangerButton",
    "EmptyState",
    "EraseButton",
    "IconButton",
    "MenuButton",
    "Panel",
    "PrimaryButton",
    "QuietButton",
    "Rule",
    "SectionLabel",
    "TextLabel",
    "TitleLabel",
]
