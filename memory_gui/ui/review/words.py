# SPDX-License-Identifier: MIT
"""Sentences of the review page, from records and previews. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

from memory_gui.domain.changes import Alike, Outcome, ReviewPreview, Verdict, Why
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, State
from memory_gui.findings.personal import personal_in
from memory_gui.services import BulkResult
from memory_gui.services.agent.outlook import Outlook
from memory_gui.services.reviewing.bulk import BulkCounts, Looked, same_as
from memory_gui.services.reviewing.story import Story
from memory_gui.ui.phrases import SCOPES, TYPES, full_time, phrase
from memory_gui.ui.privacy.masking import kinds_in
from memory_gui.ui.records.editing.morefields import label
from memory_gui.ui.visible import one_line, visible
from memory_gui.words import N_, Words
from memory_gui.words.agentview import sight_text
from memory_gui.words.errors import ERRORS, explain
from memory_gui.words.review import become, not_remembered
from memory_gui.words.unseen import unseen_lines, unseen_short

EVIDENCE: Final = "evidence"
SESSION: Final = "source_session"
SEEN: Final = "occurrences"
CONFIDENCE: Final = "confidence"

_CONFIDENCE: Final = {
    "explicit_user": N_("you said it"),
    "inferred": N_("the agent inferred it, more than once"),
    "auto_summary": N_("the agent inferred it"),
}
CONFLICT: Final = "conflict"
OPPOSITE: Final = "opposite"
_BESIDE: Final = frozenset({CONFLICT, OPPOSITE})
"""Warnings that are told beside the saved memory that they are about."""
_CLASH: Final = "review.key_clash"
_INSISTED: Final = frozenset({"review.hidden", "record.secret"})
"""Refusals that a person may insist past; the warning above the proposal says why."""
_GUARDED: Final = frozenset({"hidden", "secret", "personal"})
"""Warnings that approving stops at, also where the store itself refuses nothing."""
_OUTCOMES: Final = {
    Outcome.NEW: (N_("Adds a new memory"), "ok"),
    Outcome.IDENTICAL: (N_("Changes nothing: the same memory is saved already"), "muted"),
    Outcome.REPLACES: (N_("Replaces a memory"), "warn"),
    Outcome.REFUSED: (N_("Cannot be saved like this"), "warn"),
}
_WARNINGS: Final[dict[str, str]] = {
    "secret": N_("This looks like a password or a key. Saved, the agent would repeat it."),
    "hidden": N_("Something in it is not to be seen as it is, beyond what is shown here."),
    "personal": N_("Personal data is in it."),
}


def outcome(words: Words, preview: ReviewPreview) -> tuple[str, str]:
    """What approving would do, in one line, and the tone it is said in."""
    if preview.item.state is State.APPROVED:
        return words.say("You approved it"), "ok"
    if preview.item.state is State.REJECTED:
        return words.say("You rejected it"), "muted"
    if preview.outcome is Outcome.REFUSED and preview.refusal in _INSISTED:
        return words.say("Saved only if you insist"), "warn"
    if preview.outcome is Outcome.NEW and _GUARDED & set(preview.warnings):
        return words.say("Saved only if you insist"), "warn"
    if preview.outcome is Outcome.NEW and same_as(preview) is not None:
        return words.say("Adds a memory whose text is saved already, under another key"), "warn"
    text, tone = _OUTCOMES[preview.outcome]
    return words.say(text), tone


def warning(words: Words, code: str) -> str:
    """What is odd about a proposal; an unknown code stands for itself."""
    text = _WARNINGS.get(code)
    return words.say(text) if text else code


def warnings(
    words: Words, preview: ReviewPreview, unseen: Mapping[str, int], texts: Sequence[str] = ()
) -> str:
    """All of them in one text, most serious first; empty when there are none.

    ``unseen`` is what is hidden from view, by kind; ``texts`` are those of the proposal.
    """
    first = [code for code in _WARNINGS if code in preview.warnings]
    others = [code for code in preview.warnings if code not in first and code not in _BESIDE]
    known = [*first, *others]
    lines = [
        "\n".join(unseen_lines(words, unseen))
        if code == "hidden" and any(unseen.values())
        else personal(words, texts)
        if code == "personal"
        else warning(words, code)
        for code in known
    ]
    return "\n".join(lines)


def outlook(words: Words, seen: Outlook | None) -> str:
    """What the agent will see of it; empty where that is not known."""
    if seen is None:
        return ""
    return sight_text(words, seen.sight.value, seen.why, will=True)


def rejected_before(words: Words, preview: ReviewPreview | None) -> str:
    """That the same was rejected before, and when; empty when it was not."""
    if preview is None or not preview.rejected_at:
        return ""
    when = full_time(words, preview.rejected_at, preview.rejected_at)
    return words.say("Rejected before, on {date}. The agent proposes it again.", date=when)


_BECOMES: Final = {
    "new": N_("adds a memory"),
    "alike": N_("adds a memory that is much like a saved one"),
    "same": N_("adds a memory whose text is saved under another key"),
    "identical": N_("is saved already"),
    "replaces": N_("replaces a memory"),
}
_LEFT: Final = {
    "review.conflict": N_("left: it would replace a memory"),
    "review.opposite": N_("left: a saved memory says the contrary"),
    "review.hidden": N_("left: something in it is hidden from view"),
    "record.secret": N_("left: it looks like a password or a key"),
    "review.personal": N_("left: personal data is in it"),
    "review.key_clash": N_("left: another text would be lost"),
}
_LEFT_OTHER: Final = N_("left: it cannot be saved as it is")


def looked(words: Words, one: Looked, title: str) -> str:
    """A proposal in the list of several: its title, and what approving would do."""
    if one.cause is None:
        becomes = words.say(_BECOMES[one.outcome])
    elif one.unseen:
        becomes = words.say("left: {what}", what=unseen_short(words, one.unseen))
    else:
        becomes = words.say(_LEFT.get(one.cause.code, _LEFT_OTHER))
    if one.again:
        becomes = words.say("{text}; {warning}", text=becomes, warning=words.say("rejected before"))
    return words.say("{title} — {what}", title=title, what=becomes)


def planned(words: Words, counts: BulkCounts, *, none: str = "") -> str:
    """What approving would do, by outcome and by cause: one count a line.

    ``none`` is what is said where the filter found nothing.
    """
    if none:
        return none
    if not counts.total:
        return words.say("None of them is meant.")
    told = become(words, counts.outcomes)
    if counts.left:
        told.append(
            words.many(
                "{n} is left for you to look at, one by one",
                "{n} are left for you to look at, one by one",
                counts.left,
            )
        )
    for code, number in counts.causes.items():
        what = words.say(_LEFT.get(code, _LEFT_OTHER))
        told.append(words.say("· {what}: {n}", what=what, n=number))
    return "\n".join(told)


def ended(words: Words, act: str, wanted: int, result: BulkResult) -> str:
    """How a bulk act on so many ended."""
    many, n = words.many, result.done
    done = {
        Verdict.APPROVE.value: many("{n} proposal approved.", "{n} proposals approved.", n),
        Verdict.REJECT.value: many("{n} proposal rejected.", "{n} proposals rejected.", n),
    }
    parts = [done.get(act) or many("{n} proposal waits again.", "{n} proposals wait again.", n)]
    if not result.remembered:
        parts.append(not_remembered(words))
    rest = wanted - result.done - len(result.failed)
    if result.stopped and rest:
        parts.append(
            many(
                "You stopped it: {n} proposal is as it was.",
                "You stopped it: {n} proposals are as they were.",
                rest,
            )
        )
    if result.failed:
        parts.append(
            many(
                "{n} proposal was not decided and still waits.",
                "{n} proposals were not decided and still wait.",
                len(result.failed),
            )
        )
    text = parts[0]
    for part in parts[1:]:
        text = words.say("{what} {note}", what=text, note=part)
    return text


def personal(words: Words, texts: Sequence[str]) -> str:
    """How much personal data is in some texts, each piece once, and of which kinds."""
    pieces = {text[one.start : one.end] for text in texts for one in personal_in(text)}
    return words.many(
        "{n} piece of personal data is in it: {what}. It is covered until you ask for it.",
        "{n} pieces of personal data are in it: {what}. They are covered until you ask for them.",
        len(pieces),
        what=kinds_in(words, texts, personal_in),
    )


def saved_as(words: Words, item: Record, story: Story) -> str:
    """What an approved one was saved as; empty where nobody knows."""
    memory = story.memory
    if memory is None:
        gone = words.say("The memory that it was saved as is not there any more.")
        return gone if story.gone else ""
    same = (memory.text, memory.scope, memory.type) == (item.text, item.scope, item.type)
    text = (
        words.say("Saved as it was proposed.")
        if same
        else words.say(
            "Saved with changes, as {type}, {scope}, under “{title}”.",
            type=kind_of(words, memory.type),
            scope=scope(words, memory.scope),
            title=visible(one_line(memory.title, 80)),
        )
    )
    if memory.state is not State.TRASH:
        return text
    note = words.say("The memory is in the trash now.")
    return words.say("{what} {note}", what=text, note=note)


def origin(words: Words, item: Record, story: Story | None = None) -> list[tuple[str, str]]:
    """Session, dates, how often seen, how sure, as names and values; absent ones left out.

    ``story`` knows when the agent saw it last; the time beside a decided one is the decision's.
    """
    extra = item.extra
    rows: list[tuple[str, str]] = []
    if session := extra.get(SESSION):
        rows.append((words.say("Session"), session))
    if item.created_at:
        first = full_time(words, item.created_at_utc, item.created_at)
        rows.append((words.say("First seen"), first))
    if story is None and item.state is State.PENDING:
        story = Story(item.updated_at_utc or item.updated_at)
    if story is not None:
        rows += _times(words, item, story)
    if (seen := extra.get(SEEN)) and seen.isdecimal():
        rows.append((words.say("How often"), words.many("{n} time", "{n} times", int(seen))))
    if sure := extra.get(CONFIDENCE):
        known = _CONFIDENCE.get(sure)
        rows.append((words.say("How sure"), words.say(known) if known else sure))
    return rows


def _times(words: Words, item: Record, story: Story) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if story.last_seen and story.last_seen not in {item.created_at_utc, item.created_at}:
        last = full_time(words, story.last_seen, story.last_seen)
        if story.in_session:
            last = words.say("in the session of {when}", when=last)
        rows.append((words.say("Last seen"), last))
    if story.decided:
        rows.append((words.say("Decided"), full_time(words, story.decided, story.decided)))
    return rows


def own_key(item: Record) -> str:
    """The key that it was proposed under, whether or not its agent can keep it."""
    return item.subject or item.extra.get("key_normalized") or ""


def scope(words: Words, value: str | None) -> str:
    """Where a memory counts."""
    return phrase(words, SCOPES, value)


def kind_of(words: Words, value: str | None) -> str:
    """What sort of memory it is."""
    return phrase(words, TYPES, value)


def reason(words: Words, touched: Alike | None) -> str:
    """Why a saved memory is shown beside a proposal; None: it has the same key."""
    if touched is None:
        return words.say("Has the same key, so approving replaces it")
    if touched.why is Why.OPPOSITE:
        return words.say("Says the contrary")
    if touched.why is Why.SAME:
        return words.say("Says the same under another key")
    percent = round(touched.likeness * 100)
    return words.say("Much like it ({percent} % of the letters)", percent=percent)


def proposed_key(preview: ReviewPreview) -> str:
    """A key under which nothing would be lost; empty when none is proposed."""
    key = preview.fields.get("proposed_key")
    return key if isinstance(key, str) else ""


def apart(preview: ReviewPreview) -> dict[str, str | tuple[str, ...]]:
    """The correction by which it stands beside the record with its key; empty: none is known."""
    title = preview.fields.get("proposed_title")
    if key := proposed_key(preview):
        return {"key": key}
    return {"title": title} if isinstance(title, str) and title else {}


def refusal(words: Words, preview: ReviewPreview, kind: Kind | None = None) -> str:
    """Why approving would be refused; a value that only the refusal itself knows is left open.

    A field is named as the agent's ``kind`` of record calls it.
    """
    code = preview.refusal
    if not code or code in _INSISTED or preview.item.state is not State.PENDING:
        return ""
    if preview.cause is not None and preview.cause.params:
        return explain(words, in_words(words, preview.cause, kind)).text
    entry = ERRORS.get(code)
    wanted = (
        {name for _, name, _, _ in Formatter().parse(f"{entry.title} {entry.next}") if name}
        if entry
        else set()
    )
    known: dict[str, object] = {
        "key": preview.fields.get("key"),
        "proposed": proposed_key(preview),
        "scope": scope(words, str(preview.fields.get("scope") or preview.item.scope or "")),
        "ref": preview.item.ref.text,
    }
    params = {name: known.get(name, "…") for name in wanted}
    return explain(words, UserError(code, **params)).text


def insists(preview: ReviewPreview) -> frozenset[str]:
    """What a second key is needed for: what is odd, or would be lost, in this proposal."""
    odd = frozenset(preview.warnings) - _BESIDE
    clash = preview.outcome is Outcome.REFUSED and CONFLICT in preview.warnings
    against = OPPOSITE in preview.warnings
    return odd | {CONFLICT} if clash or against else odd


def replaces_another(before: ReviewPreview | None, now: ReviewPreview) -> bool:
    """Whether a text would be lost now that ``before`` did not tell of."""
    old = now.existing
    if old is None or old.text == now.fields.get("text"):
        return False
    known = None if before is None else before.existing
    return known is None or (known.ref, known.etag) != (old.ref, old.etag)


def impossible(preview: ReviewPreview | None) -> bool:
    """Whether approving cannot succeed, not even by insisting."""
    if preview is None or preview.outcome is not Outcome.REFUSED or not preview.refusal:
        return False
    return preview.refusal not in _INSISTED | {_CLASH}


def in_words(words: Words, error: UserError, kind: Kind | None = None) -> UserError:
    """The same error with its scope, and the field it is about, named as the page names them."""
    told, value, name = dict(error.params), *(error.params.get(n) for n in ("scope", "field"))
    if isinstance(value, str):
        told["scope"] = scope(words, value)
    if isinstance(name, str) and kind is not None and name in kind.fields:
        told["field"] = label(words, kind, name)
    return UserError(error.code, **told)
