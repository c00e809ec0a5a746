# SPDX-License-Identifier: MIT
"""The one catalogue: English is the source text, other languages are gettext ``.po`` files.

``resources/words/<language>/<area>.po`` are read together, one file per area of the program so
that they stay readable. Texts are found by ``say``, ``many``, ``N_`` and ``NN_`` (a test extracts
them with Babel and compares: none missing, none unused, same placeholders).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memory_gui import lazy
from memory_gui.resources import resource_files
from memory_gui.words.po import messages_of

if TYPE_CHECKING:
    from babel import Locale

LANGUAGES: Final = ("en", "zh_CN")
_BEFORE_HAN: Final = re.compile(r"(\d)(?=[\u4e00-\u9fff])")


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for "translate later"
    """Mark a text of a table for translation; ``Words.say`` translates it when it is shown."""
    return text


def NN_(one: str, other: str) -> tuple[str, str]:  # noqa: N802 - as N_
    """Mark a text of a table that counts; ``Words.many`` translates it when it is shown."""
    return one, other


class Words:
    """Says things in one language. Made at the front door and passed by constructor.

    The language can be changed while the app runs (``use``); texts already on screen must be said
    again. Safe to read from any thread.
    """

    def __init__(self, language: str = "en", *, typed: bool = False) -> None:
        self.typed = typed
        """Whether somebody at a terminal reads them, who has verbs and options, and no buttons."""
        self._language = "en"
        self._messages: Mapping[str, str] = {}
        self.use(language)

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, *, typed: bool = False
    ) -> Words:
        """The language that LANGUAGE, LC_ALL, LC_MESSAGES or LANG asks for, else English."""
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            for wanted in environment.get(name, "").split(":"):
                if wanted.lower().startswith("zh"):
                    return cls("zh_CN", typed=typed)
                if wanted.lower().startswith("en"):
                    return cls("en", typed=typed)
        return cls("en", typed=typed)

    @property
    def language(self) -> str:
        """``en`` or ``zh_CN``."""
        return self._language

    def use(self, language: str) -> None:
        """Change the language; an unknown one means English."""
        self._language = language if language in LANGUAGES else "en"
        self._messages = {} if self._language == "en" else _read(self._language)
        self.__dict__.pop("locale", None)

    @cached_property
    def locale(self) -> Locale:
        """Babel's rules for numbers, dates and plurals."""
        parsed: Locale = lazy.babel().Locale.parse(self._language)
        return parsed

    def say(self, text: str, /, **values: object) -> str:
        """The text in this language, its ``{placeholders}`` filled; numbers by the locale."""
        return self._fill(self._messages.get(text, text), values)

    def many(self, one: str, other: str, n: int, /, **values: object) -> str:
        """The form that the number wants; ``{n}`` is the number itself."""
        chosen = self._messages.get(one)  # Chinese has one form
        if chosen is None:
            chosen = one if n == 1 else other
        return self._fill(chosen, {**values, "n": n})

    def number(self, value: float) -> str:
        """``1,204``."""
        return str(lazy.babel_numbers().format_decimal(value, locale=self.locale))

    def moment(self, when: datetime, style: str = "medium") -> str:
        """Date and time by the locale, in the zone that ``when`` has."""
        return str(lazy.babel_dates().format_datetime(when, style, locale=self.locale))

    def month(self, year: int, month: int) -> str:
        """``Nov 2026``."""
        first = date(year, month, 1)
        return str(lazy.babel_dates().format_skeleton("yMMM", first, locale=self.locale))

    def row(self, items: Iterable[str]) -> str:
        """Several after each other: ``a, b``; in Chinese ``a、b``."""
        return self.say(", ").join(items)

    def ago(self, when: datetime, now: datetime) -> str:
        """``2 hours ago``."""
        dates = lazy.babel_dates()
        text: str = dates.format_timedelta(when - now, add_direction=True, locale=self.locale)
        text = text.replace("秒钟", "秒")
        # As everywhere in our Chinese: a space between a number and a Han character.
        return _BEFORE_HAN.sub(r"\1 ", text)

    def _fill(self, template: str, values: Mapping[str, object]) -> str:
        if not values:
            return template
        shown = {
            name: self.number(value)
            if isinstance(value, (int, float)) and not isinstance(value, bool)
            else value
            for name, value in values.items()
        }
        return template.format_map(shown)


def _read(language: str) -> dict[str, str]:
    files = resource_files(f"words/{language}", ".po")
    return {
        source: said
        for file in files
        for source, said in messages_of(file.read_text(encoding="utf-8"))
    }
