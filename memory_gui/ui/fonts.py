# SPDX-License-Identifier: MIT
"""The fonts: the system's own where it has a proper one, else the ones we ship."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from memory_gui.resources import resource_files
from memory_gui.ui.tokens import BODY_PT, SMALL_PT

SHIPPED_LATIN: Final = "Inter"
SHIPPED_HAN: Final = "Noto Sans SC"
_LAST_RESORT: Final = ("dejavu sans", "bitstream vera sans", "sans serif", "sans", "")
"""What a bare system answers with; ours reads better."""


def load_fonts() -> tuple[str, ...]:
    """Register the fonts in ``resources/fonts``; returns their families. Call once, GUI thread."""
    families: list[str] = []
    for suffix in (".ttf", ".otf"):
        for file in resource_files("fonts", suffix):
            number = QFontDatabase.addApplicationFont(str(file))
            families.extend(QFontDatabase.applicationFontFamilies(number) if number >= 0 else [])
    return tuple(dict.fromkeys(families))


def base_font(*, shipped: bool = False) -> QFont:
    """The body font. ``shipped`` pins our own, so that pictures look alike everywhere."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    families = [SHIPPED_LATIN, SHIPPED_HAN, "Noto Sans CJK SC"]
    if not shipped and system.family().lower() not in _LAST_RESORT:
        families = [*system.families(), "Noto Sans CJK SC", SHIPPED_HAN]
    font = QFont(system)
    font.setFamilies(families)
    font.setPointSizeF(BODY_PT if shipped else max(system.pointSizeF(), BODY_PT))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def scaled(font: QFont, size: float, *, bold: bool = False) -> QFont:
    """The font in another of the three sizes, in proportion to the body size a person chose."""
    other = QFont(font)
    other.setPointSizeF(font.pointSizeF() * size / BODY_PT)
    other.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return other


def grown(pixels: int) -> int:
    """A height or width that letters need, at the size of letters that a person chose.

    ``pixels`` are those at the body size of the shipped font.
    """
    return max(1, round(pixels * QGuiApplication.font().pointSizeF() / BODY_PT))


def small_font(font: QFont) -> QFont:
    """For captions and section labels."""
    return scaled(font, SMALL_PT)


def digits(font: QFont) -> QFont:
    """With digits of one width, for columns of numbers."""
    other = QFont(font)
    other.setFeature(QFont.Tag("tnum"), 1)
    return other
