# SPDX-License-Identifier: MIT
"""The query language: what a person may type into the search box and after ``--query``.

Words are parts of texts and must all be there. ``"a phrase"`` is one part with its spaces (a quote
inside it is written twice). ``-`` before either, or before a field, means "not". ``field:value``
for the fields of ``FIELDS`` means "is exactly this", whatever the case. ``before:``, ``after:``
and ``changed:`` take a day, a month, a year or an age. All else stands for itself. A mistake
finds nothing and is told by a hint; it never raises, and never finds more than was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Final

from memory_gui.domain.folding import fold
from memory_gui.domain.records import State
from memory_gui.domain.times import micros_of

FIELDS: Final = ("type", "scope", "kind", "state", "tag", "subject", "source", "agent")
"""What ``field:value`` may name."""
TIMES: Final = ("before", "after", "changed")
"""``before`` and ``after`` (that day counts) look at when a record was made, ``changed`` at when
it was last changed."""

_STATES: Final = tuple(state.value for state in State)
_COLONS: Final = ":："
_QUOTE: Final = '"'
_NO_SPACE: Final = "\x1c\x1d\x1e\x1f\x85"
"""Python counts them among the spaces, but nobody types them between two words."""
_NAME: Final = re.compile(r"[^\W\d_]{2,12}")
_FINDINGS: Final = ("has:finding", "has:findings")
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGE: Final = re.compile(r"(\d{1,4})([hdwmy])")
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24}
_MONTHS: Final = {"m": 1, "y": 12}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text that is in a field of the record, or with ``negated`` in none.

    ``needle`` is folded, ``shown`` is as it was typed.
    """

    needle: str
    shown: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Has:
    """A field is exactly this (folded) value, or with ``negated`` it is not."""

    field: str
    value: str
    shown: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class When:
    """A time (``created`` or ``updated``) from ``since`` on and before ``until``.

    Microseconds since 1970 in UTC; None is open. A record without that time never matches.
    """

    field: str
    since: int | None
    until: int | None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """A mistake: no record matches."""


Term = Part | Has | When | Nothing


@dataclass(frozen=True, slots=True)
class Hint:
    """Something that a person should know about what they typed. ``code`` names its words."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text asks for. No term: everything."""

    terms: tuple[Term, ...]
    hints: tuple[Hint, ...] = ()

    @property
    def needles(self) -> tuple[str, ...]:
        """The folded pieces that a match has, longest first: what a list highlights."""
        found = {t.needle for t in self.terms if isinstance(t, Part) and not t.negated}
        return tuple(sorted(found, key=lambda needle: (-len(needle), needle)))


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of what was typed. ``quoted`` is the text between quotes, None where there is none.

    ``name`` is the field before the colon; ``open`` says that a quote was not closed.
    """

    plain: str
    negated: bool
    name: str = ""
    quoted: str | None = None
    open: bool = False

    @property
    def value(self) -> str:
        """What was asked for, without quotes."""
        return self.plain if self.quoted is None else self.quoted


def literal(text: str) -> str:
    """A query that finds exactly this text, whatever is in it."""
    return f'"{text.replace(_QUOTE, _QUOTE * 2)}"' if text else ""


def parse(text: str, now: datetime | None = None) -> Parsed:
    """Read a query; ages are counted from ``now`` (an aware moment; this one when None).

    Never raises.
    """
    terms: list[Term] = []
    hints: list[Hint] = []
    for token in _tokens(text):
        term, hint = _term(token, now)
        if term is not None:
            terms.append(term)
        if hint is not None:
            hints.append(hint)
    if terms and all(isinstance(term, Part) and term.negated for term in terms):
        shown = " ".join(term.shown for term in terms if isinstance(term, Part))
        hints.append(Hint("query.only_without", {"text": shown}))
    return Parsed(
        tuple(terms), tuple(hint for n, hint in enumerate(hints) if hint not in hints[:n])
    )


# ---- cutting it up


def _is_space(letter: str) -> bool:
    return letter.isspace() and letter not in _NO_SPACE


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text)
    while at < end:
        if _is_space(text[at]):
            at += 1
            continue
        token, at = _token(text, at)
        yield token


def _token(text: str, start: int) -> tuple[_Token, int]:
    """The token that begins at ``start``, and where it ends."""
    at = start
    negated = text[at] == "-" and at + 1 < len(text) and not _is_space(text[at + 1])
    at += negated
    name, value_at = _field(text, at)
    if text[value_at : value_at + 1] == _QUOTE:
        phrase, after = _phrase(text, value_at)
        if phrase is not None:
            return _Token(text[start:after], negated, name, phrase), after
    after = _word_end(text, value_at)
    is_open = text[value_at : value_at + 1] == _QUOTE
    return _Token(text[value_at:after], negated, name, open=is_open), after


def _field(text: str, start: int) -> tuple[str, int]:
    """The known field before a colon, and where its value begins; else no name, ``start``."""
    found = _NAME.match(text, start)
    if found is None or text[found.end() : found.end() + 1] not in tuple(_COLONS):
        return "", start
    name = fold(found[0])
    return (name, found.end() + 1) if name in (*FIELDS, *TIMES) else ("", start)


def _word_end(text: str, start: int) -> int:
    at = start
    while at < len(text) and not _is_space(text[at]):
        at += 1
    return at


def _phrase(text: str, start: int) -> tuple[str | None, int]:
    """What stands between the quote at ``start`` and its closing one; None when there is none."""
    pieces, at = [], start + 1
    while (close := text.find(_QUOTE, at)) >= 0:
        pieces.append(text[at:close])
        if text[close + 1 : close + 2] != _QUOTE:
            return _QUOTE.join(pieces), close + 1
        at = close + 2
    return None, start


# ---- understanding it


def _term(token: _Token, now: datetime | None) -> tuple[Term | None, Hint | None]:
    if token.open:
        hint = Hint("query.quote_open", {"text": token.plain})
        if token.name or token.negated:
            return Nothing(), hint
        return Part(fold(token.value), token.value), hint
    if token.name in TIMES:
        return _when(token, now)
    if token.name:
        return _has(token)
    if not token.value:
        return None, None  # an empty phrase asks for nothing
    return Part(fold(token.value), token.value, token.negated), _misspelt(token)


def _misspelt(token: _Token) -> Hint | None:
    """A word that looks like a field with another name, such as ``tags:x``."""
    if fold(token.value) in _FINDINGS and token.quoted is None:
        return Hint("query.findings", {"text": token.plain})
    found = _NAME.match(token.plain) if token.quoted is None else None
    if found is None or found.end() >= len(token.plain) - 1:
        return None
    if token.plain[found.end()] not in _COLONS:
        return None
    close = get_close_matches(fold(found[0]), (*FIELDS, *TIMES), n=1, cutoff=0.75)
    return Hint("query.field_unknown", {"text": token.plain, "field": close[0]}) if close else None


def _has(token: _Token) -> tuple[Term, Hint | None]:
    value = fold(token.value)
    if not value and token.quoted is None:
        return Nothing(), Hint("query.value_missing", {"field": token.name})
    if token.name == "state" and value not in _STATES:
        params = {"text": token.value, "states": ", ".join(_STATES)}
        return Nothing(), Hint("query.state_unknown", params)
    return Has(token.name, value, token.value, token.negated), None


def _when(token: _Token, now: datetime | None) -> tuple[Term, Hint | None]:
    if not token.value:
        return Nothing(), Hint("query.value_missing", {"field": token.name})
    span = _span(fold(token.value), now)
    if span is None:
        return Nothing(), Hint("query.date", {"text": token.value, "field": token.name})
    since, until = span
    match token.name:
        case "before":
            return When("created", None, since, token.negated), None
        case "after":
            return When("created", since, None, token.negated), None
        case _:
            return When("updated", since, until, token.negated), None


def _span(text: str, now: datetime | None) -> tuple[int, int | None] | None:
    """First instant of a date or age, and the one after its last (an age has none)."""
    try:
        if age := _AGE.fullmatch(text):
            return micros_of(_ago(now or datetime.now(UTC), int(age[1]), age[2])), None
        if date := _DATE.fullmatch(text):
            return _calendar(*(int(part) if part else None for part in date.groups()))
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _ago(now: datetime, number: int, unit: str) -> datetime:
    if unit in _HOURS:
        return now - timedelta(hours=number * _HOURS[unit])
    months = now.year * 12 + now.month - 1 - number * _MONTHS[unit]
    first = now.replace(year=months // 12, month=months % 12 + 1, day=1)
    following = _midnight(months + 1) - timedelta(days=1)
    return first.replace(day=min(now.day, following.day))


def _midnight(months: int, day: int = 1) -> datetime:
    """Where a month or day begins, on this machine's clock; without a zone."""
    return datetime(months // 12, months % 12 + 1, day)  # noqa: DTZ001 - the person's own midnight


def _calendar(
    year: int | None, month: int | None = None, day: int | None = None
) -> tuple[int, int | None]:
    months = (year or 0) * 12 + (month or 1) - 1
    if month is not None and not 1 <= month <= 12:
        raise ValueError(month)
    first = _midnight(months, day or 1)
    if day is not None:
        after = first + timedelta(days=1)
    else:
        after = _midnight(months + (12 if month is None else 1))
    return micros_of(first.astimezone(UTC)), micros_of(after.astimezone(UTC))
