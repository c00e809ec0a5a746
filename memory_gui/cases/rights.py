# SPDX-License-Identifier: MIT
"""What a person can ask for, on which ground, and why a part of it may have to stay.

Codes only; their words are in ``words/cases.py``. Articles: GDPR (EU) 2016/679; CCPA, Cal. Civ.
Code 1798.100 ff.; PIPL of the People's Republic of China (2021).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Right(StrEnum):
    """Which right, by its article of the GDPR."""

    ACCESS = "access"
    """Art. 15: a copy of what is held."""
    RECTIFY = "rectify"
    """Art. 16."""
    ERASE = "erase"
    """Art. 17."""
    RESTRICT = "restrict"
    """Art. 18: kept, and not used."""
    PORTABILITY = "portability"
    """Art. 20: a copy that a machine can read."""


ARTICLES: Final[dict[Right, str]] = {
    Right.ACCESS: "15",
    Right.RECTIFY: "16",
    Right.ERASE: "17",
    Right.RESTRICT: "18",
    Right.PORTABILITY: "20",
}


@dataclass(frozen=True, slots=True)
class Ground:
    """A reason that a law names. ``law``: gdpr, ccpa, pipl or other."""

    code: str
    law: str
    article: str
    rights: frozenset[Right]


_ERASE: Final = frozenset({Right.ERASE})
_COPY: Final = frozenset({Right.ACCESS, Right.PORTABILITY})
_ALL: Final = frozenset(Right)

GROUNDS: Final[tuple[Ground, ...]] = (
    Ground("gdpr.no_need", "gdpr", "17(1)(a)", _ERASE),
    Ground("gdpr.consent", "gdpr", "17(1)(b)", _ERASE),
    Ground("gdpr.objection", "gdpr", "17(1)(c)", _ERASE),
    Ground("gdpr.unlawful", "gdpr", "17(1)(d)", _ERASE),
    Ground("gdpr.obligation", "gdpr", "17(1)(e)", _ERASE),
    Ground("gdpr.child", "gdpr", "17(1)(f)", _ERASE),
    Ground("gdpr.copy", "gdpr", "15", frozenset({Right.ACCESS})),
    Ground("gdpr.wrong", "gdpr", "16", frozenset({Right.RECTIFY})),
    Ground("gdpr.contested", "gdpr", "18(1)(a)", frozenset({Right.RESTRICT})),
    Ground("gdpr.unlawful_kept", "gdpr", "18(1)(b)", frozenset({Right.RESTRICT})),
    Ground("gdpr.claims", "gdpr", "18(1)(c)", frozenset({Right.RESTRICT})),
    Ground("gdpr.objected", "gdpr", "18(1)(d)", frozenset({Right.RESTRICT})),
    Ground("gdpr.move", "gdpr", "20", frozenset({Right.PORTABILITY})),
    Ground("ccpa.know", "ccpa", "1798.110", _COPY),
    Ground("ccpa.delete", "ccpa", "1798.105", _ERASE),
    Ground("ccpa.correct", "ccpa", "1798.106", frozenset({Right.RECTIFY})),
    Ground("pipl.copy", "pipl", "45", _COPY),
    Ground("pipl.correct", "pipl", "46", frozenset({Right.RECTIFY})),
    Ground("pipl.purpose", "pipl", "47(1)", _ERASE),
    Ground("pipl.stopped", "pipl", "47(2)", _ERASE),
    Ground("pipl.consent", "pipl", "47(3)", _ERASE),
    Ground("pipl.unlawful", "pipl", "47(4)", _ERASE),
    Ground("pipl.other_law", "pipl", "47(5)", _ERASE),
    Ground("other", "other", "", _ALL),
)
"""The pick list; a text of the person's own can stand beside each."""

HOLD_REASONS: Final[tuple[str, ...]] = (
    "hold.expression",
    "hold.obligation",
    "hold.health",
    "hold.archive",
    "hold.claims",
    "hold.period",
    "hold.dispute",
    "hold.other",
)
"""Why a record stays although it was asked for: Art. 17(3)(a) to (e), a legal period that still
runs (PIPL 47), a dispute about it, or another reason that is written beside it."""

KEEP_REASONS: Final[tuple[str, ...]] = (
    "keep.not_theirs",
    "keep.not_asked",
    "keep.cannot",
    *HOLD_REASONS,
)
"""Why something that is surely about the person stays, without a hold: it is somebody else's after
all, the request is not about it, no recipe takes it out of where it is; or as with a hold."""

OTHER: Final = "hold.other"
"""Says nothing without a text beside it."""


def is_told(reason: str, text: str, reasons: Collection[str]) -> bool:
    """Whether a reason is one of some, and is written out where it is another one."""
    return reason in reasons and (reason != OTHER or bool(text.strip()))


DECIDING: Final = frozenset({Right.ERASE, Right.RESTRICT})
"""Rights by which something has to become of all that is surely about the person."""

REFUSALS: Final[tuple[str, ...]] = (
    "refuse.identity",
    "refuse.unfounded",
    "refuse.excessive",
    "refuse.exception",
    "refuse.other",
)
"""Why a whole request is refused (Art. 12(2), 12(5), 17(3)). The person is told of the right to
complain."""

METHODS: Final[tuple[str, ...]] = (
    "identity.known",
    "identity.account",
    "identity.reply",
    "identity.call",
    "identity.document",
    "identity.agent",
    "identity.other",
)
"""How it was checked who asks. The document itself is never kept."""


def grounds_for(right: Right) -> tuple[Ground, ...]:
    """Those that fit a right."""
    return tuple(one for one in GROUNDS if right in one.rights)
