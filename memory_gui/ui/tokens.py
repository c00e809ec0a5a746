# SPDX-License-Identifier: MIT
"""The only place with colours, distances and type sizes. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

SPACE_XS: Final = 4
SPACE_S: Final = 8
SPACE_M: Final = 12
SPACE_L: Final = 16
SPACE_XL: Final = 24
SPACES: Final = (SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL)

RADIUS: Final = 6
FOCUS_WIDTH: Final = 2
ICON: Final = 16
ICON_LARGE: Final = 20
ICON_HUGE: Final = 40
CONTROL_HEIGHT: Final = 30
SIDEBAR_ROW: Final = 32
SIDEBAR_WIDTH: Final = 212
DETAIL_WIDTH: Final = 400
PAGE_WIDTH: Final = 640
"""How wide the text of a page grows, so that lines stay readable."""

TITLE_PT: Final = 14.0
BODY_PT: Final = 10.0
SMALL_PT: Final = 9.0


@dataclass(frozen=True, slots=True)
class Tokens:
    """One palette. Each ``soft`` colour is a background for ``text`` and for its own loud twin."""

    name: str
    surface: str
    raised: str
    control: str
    """What a plain button is made of."""
    line: str
    edge: str
    """The outline of an input or button: at least 3:1 against what it lies on."""
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    on_danger: str
    danger_soft: str
    warn: str
    warn_soft: str
    ok: str
    ok_soft: str
    focus: str
    hover: str
    selected: str

    @property
    def dark(self) -> bool:
        """Whether the text is lighter than what it stands on."""
        return luminance(self.text) > luminance(self.surface)


LIGHT: Final = Tokens(
    name="light",
    surface="#ffffff",
    raised="#f5f6f8",
    control="#ffffff",
    line="#e1e4e9",
    edge="#878f9b",
    text="#1b1f26",
    muted="#586170",
    accent="#2f55c8",
    on_accent="#ffffff",
    accent_soft="#e7edfc",
    danger="#b3221b",
    on_danger="#ffffff",
    danger_soft="#fceae8",
    warn="#855000",
    warn_soft="#fdf3dc",
    ok="#1a6a3c",
    ok_soft="#e5f4ea",
    focus="#2f55c8",
    hover="#eef1f5",
    selected="#e2e9fb",
)

DARK: Final = Tokens(
    name="dark",
    surface="#1c1e22",
    raised="#25282d",
    control="#32363d",
    line="#383c44",
    edge="#7d8592",
    text="#e7e9ed",
    muted="#a9b1bd",
    accent="#93b2ff",
    on_accent="#101b36",
    accent_soft="#28324a",
    danger="#ff8f86",
    on_danger="#3a0805",
    danger_soft="#442524",
    warn="#f0c069",
    warn_soft="#3d3320",
    ok="#7fd59d",
    ok_soft="#213a2b",
    focus="#93b2ff",
    hover="#2c3037",
    selected="#2d3a5a",
)

TEXT_PAIRS: Final = (
    *((front, back) for front in ("text", "muted") for back in ("surface", "raised", "hover")),
    *(
        (front, back)
        for front in ("accent", "danger", "warn", "ok")
        for back in ("surface", "raised", "hover")
    ),
    *(("text", f"{tone}_soft") for tone in ("accent", "danger", "warn", "ok")),
    *((tone, f"{tone}_soft") for tone in ("accent", "danger", "warn", "ok")),
    ("on_accent", "accent"),
    ("on_danger", "danger"),
    ("text", "control"),
    ("muted", "control"),
    ("text", "selected"),
    ("muted", "selected"),
    ("accent", "selected"),
    ("muted", "accent_soft"),
    ("muted", "warn_soft"),
    ("muted", "danger_soft"),
    ("muted", "ok_soft"),
)
"""Every (text, background) pair that the window draws: at least 4.5:1."""

SHAPE_PAIRS: Final = (
    ("edge", "surface"),
    ("edge", "raised"),
    ("focus", "surface"),
    ("focus", "raised"),
    ("focus", "selected"),
)
"""Outlines and rings: at least 3:1."""


def colour_names() -> tuple[str, ...]:
    """The names of all colours of a palette."""
    return tuple(field.name for field in fields(Tokens) if field.name != "name")


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2.2, "relative luminance")."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)
