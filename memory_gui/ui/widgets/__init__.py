# SPDX-License-Identifier: MIT
"""The window's own small widgets, all drawn from tokens.

What is named here is loaded when it is first asked for: few of them are painted at the start.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
    from memory_gui.ui.widgets.labels import (
        Caption,
        Panel,
        Rule,
        SectionLabel,
        TextLabel,
        TitleLabel,
    )

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

_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Banner": "banner",
        "Busy": "busy",
        "Button": "buttons",
        "Caption": "labels",
        "CheckBox": "checkbox",
        "Choice": "choice",
        "DangerButton": "buttons",
        "EmptyState": "empty",
        "EraseButton": "buttons",
        "IconButton": "buttons",
        "MenuButton": "buttons",
        "Panel": "labels",
        "PrimaryButton": "buttons",
        "QuietButton": "buttons",
        "Rule": "labels",
        "SectionLabel": "labels",
        "TextLabel": "labels",
        "TitleLabel": "labels",
    }
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The module that has it is loaded now (PEP 562)."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
