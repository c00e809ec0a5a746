# SPDX-License-Identifier: MIT
"""Our own light and dark palettes over Fusion, and who decides which one is worn.

``QStyleHints.setColorScheme`` does nothing on bare X11 and offscreen (colorScheme() stays Unknown),
so the palette is set by us; with a high-contrast system the system's palette is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from memory_gui.resources import resource
from memory_gui.ui.tokens import DARK, LIGHT, Tokens

_ROLE: Final = QPalette.ColorRole
_GROUP: Final = QPalette.ColorGroup

_ROLES: Final = (
    (_ROLE.Window, "raised"),
    (_ROLE.WindowText, "text"),
    (_ROLE.Base, "surface"),
    (_ROLE.AlternateBase, "raised"),
    (_ROLE.Text, "text"),
    (_ROLE.PlaceholderText, "muted"),
    (_ROLE.Button, "control"),
    (_ROLE.ButtonText, "text"),
    (_ROLE.BrightText, "danger"),
    (_ROLE.Highlight, "selected"),
    (_ROLE.HighlightedText, "text"),
    (_ROLE.Accent, "accent"),
    (_ROLE.Link, "accent"),
    (_ROLE.LinkVisited, "accent"),
    (_ROLE.ToolTipBase, "surface"),
    (_ROLE.ToolTipText, "text"),
    (_ROLE.Light, "hover"),
    (_ROLE.Midlight, "line"),
    (_ROLE.Mid, "line"),
    (_ROLE.Dark, "edge"),
    (_ROLE.Shadow, "edge"),
)
STYLE: Final = "Fusion"
STYLED: Final = "styled"
"""Set on an application that was made with that style."""
_HOVER: Final = 0.12
_SELECTED: Final = 0.25
"""How much of the text's colour is in what lies behind a chosen row: seen, and still readable."""
_FADED: Final = (_ROLE.WindowText, _ROLE.Text, _ROLE.ButtonText, _ROLE.HighlightedText)


def make_palette(tokens: Tokens) -> QPalette:
    """The palette of a set of tokens, all groups."""
    palette = QPalette()
    for role, name in _ROLES:
        palette.setColor(role, QColor(getattr(tokens, name)))
    for role in _FADED:
        palette.setColor(_GROUP.Disabled, role, QColor(tokens.muted))
    return palette


def tokens_of(palette: QPalette) -> Tokens:
    """The tokens a palette was made from; of a foreign palette the nearest ones that fit it."""
    window = palette.color(_ROLE.Window).name()
    for tokens in (LIGHT, DARK):
        if window == tokens.raised and palette.color(_ROLE.Base).name() == tokens.surface:
            return tokens
    return _of_system(palette)


def _of_system(palette: QPalette) -> Tokens:
    def colour(role: QPalette.ColorRole) -> str:
        return palette.color(role).name()

    base = DARK if palette.color(_ROLE.Window).lightness() < 128 else LIGHT
    text = colour(_ROLE.Text)
    own = {
        "surface": colour(_ROLE.Base),
        "control": colour(_ROLE.Button),
        "raised": colour(_ROLE.Window),
        "text": text,
        "muted": text,
        "edge": text,
        "line": text,
        "accent": text,
        "focus": text,
        "hover": blend(colour(_ROLE.Base), text, _HOVER),
        "selected": blend(colour(_ROLE.Base), text, _SELECTED),
        "accent_soft": blend(colour(_ROLE.Base), text, _HOVER),
        "on_accent": colour(_ROLE.Base),
    }
    return Tokens(
        **{**{name: getattr(base, name) for name in Tokens.__slots__}, **own, "name": "system"}
    )


def blend(below: str, above: str, share: float) -> str:
    """A colour between two; ``share`` of the second one."""
    one, other = QColor(below), QColor(above)
    parts = [
        round(a + (b - a) * share)
        for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]  # a tuple of four
    ]
    return QColor(*parts).name()


def colour(palette: QPalette, name: str) -> QColor:
    """One token as a colour, by the palette that is worn now."""
    return QColor(getattr(tokens_of(palette), name))


@runtime_checkable
class HasLetters(Protocol):
    """A widget whose font or rows follow the size of letters that a person chose."""

    def letters_changed(self) -> None:
        """The application's font is another one."""


class Theme(QObject):
    """Wears ``light``, ``dark`` or what the system wants. One per application, GUI thread."""

    changed = Signal()

    def __init__(self, app: QApplication, mode: str = "system", text_scale: int = 100) -> None:
        """``text_scale`` is in percent of the font that the application has now."""
        super().__init__(app)
        self._app = app
        self._mode = mode
        self._scale = text_scale
        self._system = QPalette(app.palette())
        self._font = QFont(app.font())
        if not app.property(STYLED):  # the call loads QStyle, which takes a while
            app.setStyle(STYLE)
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_system_changed)
        self._wear()

    @property
    def mode(self) -> str:
        """``system``, ``light`` or ``dark``."""
        return self._mode

    @property
    def dark(self) -> bool:
        """Whether dark is worn now."""
        return tokens_of(self._app.palette()).dark

    def use(self, mode: str) -> None:
        """Change the mode; an unknown one means ``system``."""
        self._mode = mode if mode in ("light", "dark") else "system"
        self._wear()
        self.changed.emit()

    def use_text_scale(self, percent: int) -> None:
        """Another size of all letters, at once."""
        if percent != self._scale:
            self._scale = percent
            self._app.setFont(self._scaled_font())
            # A style sheet keeps the fonts of the time when it was set: only labels would grow.
            self._wear_colours()
            for widget in self._app.allWidgets():
                if isinstance(widget, HasLetters):
                    widget.letters_changed()

    def _scaled_font(self) -> QFont:
        font = QFont(self._font)
        font.setPointSizeF(font.pointSizeF() * self._scale / 100)
        return font

    def _on_system_changed(self) -> None:
        self._wear()
        self.changed.emit()

    def _wear(self) -> None:
        self._wear_colours()
        # A style asks the desktop for fonts of its own for labels, lists and menus.
        self._app.setFont(self._scaled_font())

    def _wear_colours(self) -> None:
        hints = self._app.styleHints()
        contrast = hints.accessibility().contrastPreference()
        if contrast == Qt.ContrastPreference.HighContrast:
            self._app.setPalette(self._system)
            return
        scheme = hints.colorScheme()
        dark = self._mode == "dark" or (self._mode == "system" and scheme == Qt.ColorScheme.Dark)
        self._app.setPalette(make_palette(DARK if dark else LIGHT))
        # palette(...) in a style sheet is resolved when the sheet is set, not when it is painted.
        self._app.setStyleSheet("")
        self._app.setStyleSheet(resource("style.qss").read_text(encoding="utf-8"))

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Without the style sheet while a window is made.

        Qt asks the sheet anew for a widget and all in it each time that it gets a parent: two
        thirds of the time that a window takes. Put on at the end it is asked once for each.
        """
        sheet = self._app.styleSheet()
        self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._app.setStyleSheet(sheet)
