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

_DOTS: Final = "[·•・‧\u2219.]"
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
    hint: str = ""
    """What stands in every text that has it, letter by letter: it is looked for first."""
    digits: str = ""
    """What stands there when ``closed`` has drawn the text together, where there is no ``hint``."""


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
        whole = r"\s*".join(map(re.escape, tokens))
        yield Way(whole, Form.NAME, tells=True, hint=letters[0])
        yield Way(r"\s?".join(map(re.escape, letters)), Form.NAME, "spaced", hint=letters[0])
    elif not has_spaces(name[0]):
        yield Way(_spelled(name), Form.NAME, tells=True, hint=name[0])
    elif len(tokens) == 1:
        yield Way(_spelled(name), Form.NAME, "one_word", hint=_plain(name))
    else:
        yield from _of_several(tokens)


def _of_several(tokens: list[str]) -> Iterator[Way]:
    spelled = [_spelled(token) for token in tokens]
    first, last = spelled[0], spelled[-1]
    hint = _plain(tokens[-1])

    def way(pattern: str, why: str = "", *, tells: bool = False, alone: bool = True) -> Way:
        return Way(pattern, Form.NAME, why, tells, alone, hint)

    yield way(r"\s+".join(spelled), tells=True)
    yield way(rf"{last}\s*,\s*" + r"\s+".join(spelled[:-1]), tells=True)
    yield way(rf"{last}\s+" + r"\s+".join(spelled[:-1]), "turned")
    yield way(r"[._+\-]?".join(spelled), "joined")
    if len(spelled) > 2:  # without those in the middle
        yield way(rf"{first}\s+{last}", "initial")
    if len(tokens[0]) > 1:
        yield way(rf"{re.escape(tokens[0][0])}\.?\s*{last}", "initial", alone=False)


def _plain(token: str) -> str:
    """The longest piece of it that is always written in the same way."""
    return max(re.split(r"['’ʼ·•・‧\u2219.]", token), key=len)


def _spelled(token: str) -> str:
    """As it is; middle dots in any of their forms, apostrophes straight or not."""
    spelled = re.sub(r"\\?[·•・‧\u2219]", _DOTS, re.escape(token))
    return re.sub(r"['’ʼ]", "['’ʼ]", spelled)


# ---- e-mail

_AT: Final = r"(?:@|%40|&#64;|\s?[\[({<]\s?(?:at|@|ät)\s?[\])}>]\s?|\s(?:at|ät)\s)"
_DOT: Final = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|点)\s?[\])}]\s?|\sdot\s)"


def _email(address: str) -> Iterator[Way]:
    local, _, domain = address.rpartition("@")
    spelled = _DOT.join(map(re.escape, local.split(".")))
    there = _DOT.join(map(re.escape, domain.split(".")))
    end = r"(?![\w\-]|\.\w)"
    hint = max(domain.split("."), key=len)

    def way(box: str, why: str = "") -> Way:
        return Way(rf"(?<![\w.+\-]){box}{_AT}{there}{end}", Form.EMAIL, why, hint=hint)

    yield way(spelled)
    bare = re.escape(local.partition("+")[0])
    yield way(rf"{bare}\+[\w.\-]{{1,64}}", "plus_address")
    if "+" in local:
        yield way(bare, "plus_address")


# ---- telephone

_GAPS: Final = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029()./·-"
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
)
_GAP: Final = r"[\s().·/\-\u2010-\u2015\u2212]{0,3}"


def closed(text: str) -> str:
    """A text without what people write between the digits of a number."""
    for letter in _GAPS:
        if letter in text:
            text = text.replace(letter, "")
    return text


def _phone(number: str) -> Iterator[Way]:
    code, digits = national(number)
    inner = _GAP.join(digits)
    country = _GAP.join(code) if code else r"\d{1,3}"
    before = rf"(?:(?:\(?\+|\(?00)?{_GAP}{country}{_GAP})?(?:\(?0\)?{_GAP})?"
    why = "" if len(digits) >= _LEAST_PHONE else "short_number"
    yield Way(rf"(?<![\d]){before}{inner}(?!\d)", Form.PHONE, why, digits=digits)


# ---- ids


def _id(text: str) -> Iterator[Way]:
    why = "" if len(text) >= _LEAST_ID else "short_number"
    yield Way(rf"(?<![\w]){re.escape(text)}(?![\w])", Form.ID, why, hint=text)
