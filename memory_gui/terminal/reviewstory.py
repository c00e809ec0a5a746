# SPDX-License-Identifier: MIT
"""What ``show`` tells of a proposal beside its fields: when it was seen, what it was saved as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from memory_gui.domain.changes import Outcome, ReviewPreview, Why
from memory_gui.domain.diff import words_diff
from memory_gui.domain.errors import UserError
from memory_gui.domain.hidden import drawn
from memory_gui.domain.records import Record, Ref, State
from memory_gui.findings.covering import cover
from memory_gui.services import OpenedStore
from memory_gui.services.reviewing.bulk import unseen_of
from memory_gui.services.reviewing.story import Story
from memory_gui.terminal import names
from memory_gui.terminal.session import Session
from memory_gui.words import Words
from memory_gui.words.review import why_not
from memory_gui.words.unseen import unseen_lines, unseen_short

QUEUES: Final = frozenset({"review", "proposal"})
_NAMED: Final = 3
_MOST: Final = 20_000
"""Characters of a text that are compared."""


def own_item(session: Session, store: OpenedStore, given: str) -> Record | None:
    """An item of our own queue, by its name; None where that is none."""
    if not given.startswith("proposal:"):
        return None
    items = session.services.review.proposals.items((store.id,), tuple(State))
    return next((one for one in items if one.ref.text == given), None)


def story_of(session: Session, record: Record) -> tuple[ReviewPreview, Story] | None:
    """Of an item of a queue what approving would do, and what became of it.

    None for other records, and where it cannot be found out.
    """
    if record.kind not in QUEUES:
        return None
    with suppress(UserError):
        seen = session.services.review.preview(record.ref)
        return seen, session.services.stories.of(seen)
    return None


def as_drawn(record: Record) -> Record:
    """An item of a queue with everything drawn that does not show; other records as they are."""
    if record.kind not in QUEUES:
        return record
    extra = {name: value and drawn(value) for name, value in record.extra.items()}
    return replace(record, title=drawn(record.title), text=drawn(record.text), extra=extra)


def tell_preview(session: Session, seen: ReviewPreview) -> None:
    """What a person looks at before they decide: warnings, the outcome, what it touches."""
    out, words = session.out, session.words
    if "hidden" in seen.warnings:
        beyond = words.say("Something in it is not to be seen as it is, beyond what is shown here.")
        for line in unseen_lines(words, unseen_of(seen)) or (beyond,):
            out.line(line)
    out.line(words.say("Approving would: {what}", what=would(words, seen)))
    text = seen.fields.get("text")
    new = text if isinstance(text, str) else seen.item.text
    touched = [one.record for one in seen.alike]
    if seen.existing is not None and seen.existing.text != new:
        touched.insert(0, seen.existing)
    for record in touched:
        out.line(words.say("{ref}, against it:", ref=record.ref.text))
        out.line(cover(_diff(record.text, new)), lines=True)


def _diff(old: str, new: str) -> str:
    """``[-gone-]`` and ``{+new+}``, as word diffs are written in terminals.

    Covered before they are compared: a sign in the middle of a secret would part it in two, of
    which the search knows one.
    """
    old, new = cover(old[:_MOST]), cover(new[:_MOST])
    signs = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
    return "".join(signs[one.kind].format(drawn(one.text)) for one in words_diff(old, new))


def story_data(story: Story) -> dict[str, Any]:
    """As JSON."""
    memory = story.memory
    return {
        "last_seen": story.last_seen,
        "decided_at": story.decided,
        "saved_as": None if memory is None else {"ref": memory.ref.text, "text": memory.text},
        "gone": story.gone,
    }


def tell_story(session: Session, record: Record, story: Story) -> None:
    """For a person."""
    out, words = session.out, session.words
    if story.last_seen:
        out.line(words.say("Last seen: {when}", when=names.here(story.last_seen)))
    if story.decided:
        out.line(words.say("Decided: {when}", when=names.here(story.decided)))
    memory = story.memory
    if story.gone:
        out.line(words.say("The memory that it was saved as is not there any more."))
    if memory is None or record.state is not State.APPROVED:
        return
    if memory.text == record.text:
        out.line(words.say("Saved as it was proposed: {ref}", ref=memory.ref.text))
    else:
        out.line(words.say("Saved with another text, as {ref}:", ref=memory.ref.text))
        out.line(cover(memory.text), lines=True)


# ---- what approving would do

_ODD: Final = frozenset({"review.hidden", "record.secret", "review.not_pending"})
"""Refusals that the warnings, or the state, tell of."""
_INSISTED: Final = frozenset({"hidden", "secret", "personal", "conflict", "opposite"})
"""Warnings that a person has to insist past, also where the store itself refuses nothing."""


def preview_data(preview: ReviewPreview) -> dict[str, Any]:
    """What approving would do."""
    existing = preview.existing
    return {
        "outcome": preview.outcome.value,
        "fields": {n: list(v) if isinstance(v, tuple) else v for n, v in preview.fields.items()},
        "replaces": None if existing is None else existing.ref.text,
        "replaces_etag": None if existing is None else existing.etag,
        "warnings": list(preview.warnings),
        "refusal": preview.refusal,
        "etag": preview.pin,
        "rejected_before": preview.rejected_at,
        "alike": [
            {"ref": one.record.ref.text, "why": one.why.value, "likeness": round(one.likeness, 2)}
            for one in preview.alike
        ],
    }


def would(words: Words, preview: ReviewPreview) -> str:
    """What approving would do, in one line."""
    texts = {
        Outcome.NEW: words.say("add a memory"),
        Outcome.IDENTICAL: words.say("find it saved already"),
        Outcome.REPLACES: words.say("replace a memory"),
        Outcome.REFUSED: words.say("be refused"),
    }
    warnings = {
        "hidden": unseen_short(words, unseen_of(preview)) or words.say("hidden characters"),
        "secret": words.say("looks like a secret"),
        "personal": words.say("personal data"),
        "conflict": words.say("another text would be lost"),
        "opposite": words.say("a saved memory says the contrary"),
    }
    shown = texts[preview.outcome]
    proposed = preview.fields.get("proposed_key")
    if preview.refusal == "review.key_clash" and preview.existing is not None:
        shown = words.say(
            "be refused: for the agent its key is that of {ref}; a free one is {key}",
            ref=preview.existing.ref.text,
            key=proposed,
        )
    elif preview.outcome is Outcome.REFUSED and preview.refusal not in _ODD and preview.cause:
        reason = why_not(words, preview.cause)
        shown = words.say("be refused: {reason}", reason=reason)
    for warning in preview.warnings:
        shown = words.say("{text}; {warning}", text=shown, warning=warnings.get(warning, warning))
    if preview.outcome is not Outcome.REFUSED and _INSISTED & {*preview.warnings}:
        only = words.say("only if you insist")
        shown = words.say("{text}; {warning}", text=shown, warning=only)
    if preview.rejected_at:
        when = preview.rejected_at[:10]
        shown = words.say(
            "{text}; {warning}",
            text=shown,
            warning=words.say("rejected before, on {date}", date=when),
        )
    for one in preview.alike:
        why = {
            Why.SAME: words.say("the same is saved as {ref}", ref=one.record.ref.text),
            Why.NEAR: words.say("much like {ref}", ref=one.record.ref.text),
            Why.OPPOSITE: words.say("contradicts {ref}", ref=one.record.ref.text),
        }[one.why]
        shown = words.say("{text}; {warning}", text=shown, warning=why)
    return shown


def repeated(words: Words, same: Sequence[tuple[Ref, Ref]]) -> Iterator[str]:
    """Of those whose very text is saved under another key: the first, and how many more."""
    for ref, other in same[:_NAMED]:
        yield words.say(
            "{ref}: the same text is saved under another key, as {other}.",
            ref=ref.text,
            other=other.text,
        )
    if len(same) > _NAMED:
        yield words.many("So it is with {n} more.", "So it is with {n} more.", len(same) - _NAMED)
