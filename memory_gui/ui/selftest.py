# SPDX-License-Identifier: MIT
"""``memory-gui --selftest``: is everything there that this copy needs? For wheels and bundles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QByteArray
from PySide6.QtSvg import QSvgRenderer

from memory_gui.domain.errors import MemoryGuiError
from memory_gui.engine.floor import require_floor
from memory_gui.resources import resource, resource_files
from memory_gui.ui.fonts import SHIPPED_HAN, SHIPPED_LATIN, load_fonts
from memory_gui.ui.icons import Icon, svg_text
from memory_gui.words import LANGUAGES, Words

_KNOWN_TEXT: Final = "Memories"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``problem`` is empty when it is in order."""

    what: str
    problem: str = ""


def selftest() -> tuple[Finding, ...]:
    """Look at resources, fonts, icons, catalogues and the engine. Needs a QApplication."""
    checks: tuple[tuple[str, Callable[[], Iterator[str]]], ...] = (
        ("icons", _icons),
        ("fonts", _fonts),
        ("style", _style),
        ("words", _words),
        ("sample", _sample),
        ("engine", _engine),
    )
    return tuple(Finding(what, "; ".join(check())) for what, check in checks)


def _icons() -> Iterator[str]:
    for name in Icon:
        try:
            text = svg_text(name)
        except OSError:
            yield f"{name} is missing"
            continue
        if not QSvgRenderer(QByteArray(text.encode())).isValid():
            yield f"{name} cannot be drawn"
    if not resource("icons/LICENSE").is_file():
        yield "the icons' licence is missing"


def _fonts() -> Iterator[str]:
    families = load_fonts()
    for wanted in (SHIPPED_LATIN, SHIPPED_HAN):
        if wanted not in families:
            yield f"{wanted} is missing"


def _style() -> Iterator[str]:
    if not resource("style.qss").is_file():
        yield "style.qss is missing"


def _words() -> Iterator[str]:
    for language in LANGUAGES:
        if language != "en" and Words(language).say(_KNOWN_TEXT) == _KNOWN_TEXT:
            yield f"{language} has no words"


def _sample() -> Iterator[str]:
    if not resource_files("sample", ".toml"):
        yield "its texts are missing"


def _engine() -> Iterator[str]:
    try:
        require_floor()
    except MemoryGuiError as error:
        yield str(error)
