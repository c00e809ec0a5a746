# SPDX-License-Identifier: MIT
"""Sentences of the review page, from records and previews. Knows no Qt."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.changes import Outcome, ReviewPreview
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain

EVIDENCE: Final = "evidence"
SESSION: Final = "source_session"
SEEN: Final = "occurrences"
CONFIDENCE: Final = "confidence"

_CONFIDENCE: Final = {
    "explicit_user": N_("you said it"),
    "inferred": N_("the agent inferred it, more than once"),
    "auto_summary": N_("the agent inferred it"),
}
_OUTCOMES: Final = {
    Outcome.NEW: (N_("Adds a new memory"), "ok"),
    Outcome.IDENTICAL: (N_("Changes nothing: the same memory is saved already"), "muted"),
    Outcome.REPLACES: (N_("Replaces a memory"), "warn"),
    Outcome.REFUSED: (N_("Cannot be saved like this"), "warn"),
}
_WARNINGS: Final[dict[str, str]] = {
    "secret": N_("This looks like a password or a key. Saved, the agent would repeat it."),
    "hidden": N_("Characters that do not show are in its title, key or tags."),
    "conflict": N_("The text of another memory would be lost."),
}


def outcome(words: Words, preview: ReviewPreview) -> tuple[str, str]:
    """What approving would do, in one line, and the tone it is said in."""
    text, tone = _OUTCOMES[preview.outcome]
    return words.say(text), tone


def warning(words: Words, code: str) -> str:
    """What is odd about a proposal; an unknown code stands for itself."""
    text = _WARNINGS.get(code)
    return words.say(text) if text else code


def warnings(words: Words, preview: ReviewPreview, hidden: int) -> str:
    """All of them in one text, most serious first; empty when there are none."""
    first = [code for code in _WARNINGS if code in preview.warnings]
    known = [*first, *(code for code in preview.warnings if code not in first)]
    lines = [
        words.many(
            "{n} character that does not show is in this proposal. It is drawn like ⟦U+200B⟧.",
            "{n} characters that do not show are in this proposal. They are drawn like ⟦U+200B⟧.",
            hidden,
        )
        if code == "hidden" and hidden
        else warning(words, code)
        for code in known
    ]
    return "\n".join(lines)


def origin(words: Words, item: Record) -> list[tuple[str, str]]:
    """Session, dates, how often seen, how sure, as names and values; absent ones left out."""
    extra = item.extra
    rows: list[tuple[str, str]] = []
    if session := extra.get(SESSION):
        rows.append((words.say("Session"), session))
    if item.created_at:
        rows.append((words.say("First seen"), item.created_at.replace("T", " ")))
    if item.updated_at and item.updated_at != item.created_at:
        rows.append((words.say("Last seen"), item.updated_at.replace("T", " ")))
    if (seen := extra.get(SEEN)) and seen.isdecimal():
        rows.append((words.say("How often"), words.many("{n} time", "{n} times", int(seen))))
    if sure := extra.get(CONFIDENCE):
        known = _CONFIDENCE.get(sure)
        rows.append((words.say("How sure"), words.say(known) if known else sure))
    return rows


def scope(words: Words, value: str | None) -> str:
    """Where a memory counts."""
    known = {"user": N_("user: in every project"), "project": N_("project: only here")}
    text = known.get(value or "")
    return words.say(text) if text else (value or "")


def proposed_key(preview: ReviewPreview) -> str:
    """A key under which nothing would be lost; empty when none is proposed."""
    key = preview.fields.get("proposed_key")
    return key if isinstance(key, str) else ""


def refusal(words: Words, preview: ReviewPreview) -> str:
    """Why approving would be refused."""
    if not preview.refusal:
        return ""
    key = preview.fields.get("key")
    params = {"key": key, "proposed": proposed_key(preview)}
    return explain(words, UserError(preview.refusal, **params)).text
