# SPDX-License-Identifier: MIT
"""The ways in which a name, an e-mail address, a telephone number or an id is written.

Patterns are for folded text (NFKC, small letters). Where a way may mean somebody else it has a code
of why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memory_gui.cases.names import Form, Named, national
from memory_gui.cases.script import has_spaces, is_han
from memory_gui.domain.folding import fold

_DOTS: Final = "[·•・‧∙.]"
_LEAST_ID: Final = 4
_LEAST_PHONE: Final = 7


@dataclass(frozen=True, slots=True)
class Way:
    """One way of writing. ``tells``: it is a full name, of which a longer word may be a form."""

    pattern: str
    form: Form
    why: str = ""
    tells: bool = False
    sure_alone: bool = True
    """Whether a field that holds nothing else surely means the person."""


def ways_of(named: Named) -> Iterator[Way]:
    """The longest and surest first: the first one that fits at a place counts."""
    match named.form:
        case Form.EMAIL:
            yield from _email(fold(named.text).strip())
        case Form.PHONE:
            yield from _phone(named.text)
        case Form.ID:
            yield from _id(fold(named.text).strip())
        case Form.NAME:
            yield from _name(" ".join(fold(named.text).split()))


# ---- names


def _name(name: str) -> Iterator[Way]:
    tokens = re.split(r"[ ]+", name)
    if is_han(name.replace(" ", "")) and all(map(is_han, tokens)):
        letters = name.replace(" ", "")
        yield Way(r"\s*".join(map(re.escape, tokens)), Form.NAME, tells=True)
        yield Way(r"\s?".join(map(re.escape, letters)), Form.NAME, "spaced")
    elif not has_spaces(name[0]):
        yield Way(_spelled(name), Form.NAME, tells=True)
    elif len(tokens) == 1:
        yield Way(_spelled(name), Form.NAME, "one_word")
    else:
        yield from _of_several(tokens)


def _of_several(tokens: list[str]) -> Iterator[Way]:
    spelled = [_spelled(token) for token in tokens]
    first, last = spelled[0], spelled[-1]
    yield Way(r"\s+".join(spelled), Form.NAME, tells=True)
    yield Way(rf"{last}\s*,\s*" + r"\s+".join(spelled[:-1]), Form.NAME, tells=True)
    yield Way(rf"{last}\s+" + r"\s+".join(spelled[:-1]), Form.NAME, "turned")
    yield Way(r"[._+\-]?".join(spelled), Form.NAME, "joined")
    if len(spelled) > 2:  # without those in the middle
        yield Way(rf"{first}\s+{last}", Form.NAME, "initial")
    if len(tokens[0]) > 1:
        yield Way(rf"{re.escape(tokens[0][0])}\.?\s*{last}", Form.NAME, "initial", sure_alone=False)


def _spelled(token: str) -> str:
    """As it is; middle dots in any of their forms, apostrophes straight or not."""
    spelled = re.sub(r"\\?[·•・‧∙]", _DOTS, re.escape(token))
    return re.sub(r"['’ʼ]", "['’ʼ]", spelled)


# ---- e-mail

_AT: Final = r"(?:@|%40|&#64;|\s?[\[({<]\s?(?:at|@|ät)\s?[\])}>]\s?|\s(?:at|ät)\s)"
_DOT: Final = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|点)\s?[\])}]\s?|\sdot\s)"


def _email(address: str) -> Iterator[Way]:
    local, _, domain = address.rpartition("@")
    spelled = _DOT.join(map(re.escape, local.split(".")))
    there = _DOT.join(map(re.escape, domain.split(".")))
    end = r"(?![\w\-]|\.\w)"
    yield Way(rf"(?<![\w.+\-]){spelled}{_AT}{there}{end}", Form.EMAIL)
    bare = re.escape(local.partition("+")[0])
    yield Way(rf"(?<![\w.+\-]){bare}\+[\w.\-]{{1,64}}{_AT}{there}{end}", Form.EMAIL, "plus_address")
    if "+" in local:
        yield Way(rf"(?<![\w.+\-]){bare}{_AT}{there}{end}", Form.EMAIL, "plus_address")


# ---- telephone

_GAP: Final = r"[\s().·/\-\u2010-\u2015\u2212]{0,3}"


def _phone(number: str) -> Iterator[Way]:
    code, digits = national(number)
    inner = _GAP.join(digits)
    country = _GAP.join(code) if code else r"\d{1,3}"
    before = rf"(?:(?:\(?\+|\(?00)?{_GAP}{country}{_GAP})?(?:\(?0\)?{_GAP})?"
    why = "" if len(digits) >= _LEAST_PHONE else "short_number"
    yield Way(rf"(?<![\d]){before}{inner}(?!\d)", Form.PHONE, why)


# ---- ids


def _id(text: str) -> Iterator[Way]:
    why = "" if len(text) >= _LEAST_ID else "short_number"
    yield Way(rf"(?<![\w]){re.escape(text)}(?![\w])", Form.ID, why)
