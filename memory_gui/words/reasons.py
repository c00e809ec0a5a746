# SPDX-License-Identifier: MIT
"""Why something stays although it was asked for, by code: with a hold, or without one."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.keptfiles import HOLD, KeptFile
from memory_gui.domain.keptrecords import KeptRecords
from memory_gui.words.catalogue import N_, Words

HOLD_REASONS: Final[dict[str, str]] = {
    "hold.expression": N_("freedom of expression and information (GDPR 17(3)(a))"),
    "hold.obligation": N_("a legal obligation or public task (GDPR 17(3)(b))"),
    "hold.health": N_("public health (GDPR 17(3)(c))"),
    "hold.archive": N_("archives, research or statistics (GDPR 17(3)(d))"),
    "hold.claims": N_("legal claims (GDPR 17(3)(e))"),
    "hold.period": N_("a period that a law sets still runs (PIPL 47)"),
    "hold.dispute": N_("a dispute about it is not settled"),
    "hold.other": N_("another reason"),
}
KEEP_REASONS: Final[dict[str, str]] = {
    "keep.not_theirs": N_("it is about somebody else after all"),
    "keep.not_asked": N_("the request is not about it"),
    "keep.cannot": N_("nothing can take it out of where it is and leave the rest whole"),
    **HOLD_REASONS,
}
NO_REASON: Final = N_("none was given")


def reason(words: Words, code: str) -> str:
    """One of them; an unknown code stands for itself."""
    return words.say(KEEP_REASONS.get(code, code)) if code else words.say(NO_REASON)


def kept_records_line(words: Words, kept: KeptRecords) -> str:
    """That records go which a case decided to keep."""
    return words.many(
        "{n} record that is erased or changed here was to be kept by case {case}: {reason}.",
        "{n} records that are erased or changed here were to be kept by case {case}: {reason}.",
        kept.count,
        case=str(kept.case),
        reason=reason(words, kept.reason),
    )


def kept_line(words: Words, file: KeptFile, count: int = 0) -> str:
    """That a file stays, or what is kept in it, and why; ``count`` passages name the person.

    ``count`` is 0 where that is not said.
    """
    told = reason(words, file.reason)
    if file.part and file.what == HOLD:
        line = words.say(
            "{path}: what is on hold in it in case {case} stays, the other passages go. The "
            "reason: {reason}.",
            path=file.path,
            case=str(file.case),
            reason=told,
        )
    elif file.part:
        line = words.say(
            "{path}: what is kept in it stays, the other passages go. The reason: {reason}.",
            path=file.path,
            reason=told,
        )
    elif file.what == HOLD:
        line = words.say(
            "{path} stays as it is: on hold in case {case}. The reason: {reason}.",
            path=file.path,
            case=str(file.case),
            reason=told,
        )
    else:
        line = words.say(
            "{path} stays as it is: kept. The reason: {reason}.", path=file.path, reason=told
        )
    if not count:
        return line
    more = words.many(
        "{n} passage of it names the person.", "{n} passages of it name the person.", count
    )
    return words.say("{read} {more}", read=line, more=more)
