# SPDX-License-Identifier: MIT
"""Who a case is about: the name on it, and by what else that person may be called."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold

LEAST: Final = 2
"""Letters of a name: one letter would be found everywhere."""
MOST: Final = 200
"""Letters of one name, and names of one person."""


class Form(StrEnum):
    """What kind of a name it is; each is looked for in the ways in which it is written."""

    NAME = "name"
    EMAIL = "email"
    PHONE = "phone"
    ID = "id"


@dataclass(frozen=True, slots=True)
class Named:
    """One of the names, as it was given."""

    form: Form
    text: str

    @property
    def plain(self) -> str:
        """The same whatever way it is written in: for comparing, and for a keyed mark."""
        if self.form is Form.PHONE:
            return national(self.text)[1]
        return " ".join(fold(self.text).split())


@dataclass(frozen=True, slots=True)
class Subject:
    """A person. ``named[0]`` is the name on the case; ``others`` are to be kept apart from them."""

    named: tuple[Named, ...]
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, also: Iterable[str] = (), others: Iterable[str] = ()) -> Subject:
        """From texts; what form each has is seen by its letters, or said before a colon.

        Raises:
            UserError: ``case.no_name``, ``case.short_name``, ``case.long_name``,
                ``case.many_names``.
        """
        if not name.strip():
            raise UserError("case.no_name")
        named = dict.fromkeys(named_of(text) for text in (name, *also) if text.strip())
        apart = dict.fromkeys(" ".join(text.split()) for text in others if text.strip())
        if len(named) + len(apart) > MOST:
            raise UserError("case.many_names", most=MOST)
        return cls(tuple(named), tuple(apart))

    @property
    def title(self) -> str:
        """What it is called by."""
        return self.named[0].text

    @property
    def also(self) -> tuple[str, ...]:
        """The other names, so that ``of`` reads them back."""
        return tuple(f"{one.form}:{one.text}" for one in self.named[1:])

    def as_json(self) -> dict[str, Any]:
        """For our own encrypted file only."""
        named = [[str(one.form), one.text] for one in self.named]
        return {"named": named, "others": list(self.others)}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Subject:
        """The other way."""
        named = tuple(Named(Form(form), str(text)) for form, text in found["named"])
        return cls(named, tuple(map(str, found["others"])))


_EMAIL: Final = re.compile(r"[^\s@,;:<>()]+@[^\s@,;:<>()]+\.[^\s@,;:<>()]+")
_PHONE: Final = re.compile(r"\(?\+?[\d\s().\-/]{7,30}")
_ID: Final = re.compile(r"(?=.*\d)[\w.\-]+|\w+:[\w.:\-]+")
_DIGITS: Final = re.compile(r"\D+")
_PHONE_DIGITS: Final = range(7, 16)
_UNSEEN: Final = frozenset("CZ")
"""Unicode categories of what is no letter to be seen: controls, joiners, blanks."""


def named_of(text: str) -> Named:
    """A name with its form. ``name:``, ``email:``, ``phone:`` or ``id:`` before it says that.

    Raises:
        UserError: ``case.short_name``, ``case.long_name``.
    """
    shown = " ".join(text.split())
    head, colon, tail = shown.partition(":")
    told = head.strip().lower() if colon else ""
    if told in set(Form) and tail.strip():
        return _checked(Form(told), tail.strip())
    return _checked(form_of(shown), shown)


def form_of(text: str) -> Form:
    """By its letters alone."""
    plain = fold(text).strip()
    if _EMAIL.fullmatch(plain):
        return Form.EMAIL
    digits = _DIGITS.sub("", plain)
    if _PHONE.fullmatch(plain) and len(digits) in _PHONE_DIGITS:
        return Form.PHONE
    return Form.ID if _ID.fullmatch(plain) else Form.NAME


def _checked(form: Form, text: str) -> Named:
    if sum(unicodedata.category(one)[0] not in _UNSEEN for one in fold(text)) < LEAST:
        raise UserError("case.short_name", least=LEAST)
    if len(text) > MOST:
        raise UserError("case.long_name", most=MOST)
    if form is Form.PHONE and len(_DIGITS.sub("", fold(text))) < _PHONE_DIGITS[0]:
        form = Form.ID
    if form is Form.EMAIL and not _EMAIL.fullmatch(fold(text)):
        form = Form.ID
    return Named(form, text)


# ---- telephone numbers

_TWO_DIGITS: Final = (
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64"
    " 65 66 81 82 84 86 90 91 92 93 94 95 98"
)
_TWO: Final = frozenset(_TWO_DIGITS.split())
"""Country codes of two digits; 1 and 7 have one, all others three (ITU-T E.164: no code begins
another one)."""


def national(text: str) -> tuple[str, str]:
    """(country code or empty, the digits behind it without the 0 that is dialled inside)."""
    plain = fold(text)
    digits = _DIGITS.sub("", plain)
    told = plain.lstrip(" (").startswith("+")
    if not told and digits.startswith("00"):
        digits, told = digits[2:], True
    code = ""
    if told:
        size = 1 if digits[:1] in {"1", "7"} else 2 if digits[:2] in _TWO else 3
        code, digits = digits[:size], digits[size:]
    return code, digits.lstrip("0") or digits
