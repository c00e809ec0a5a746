# SPDX-License-Identifier: MIT
"""What the pages of a case say of a request and of finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Final

from babel.dates import format_date

from memory_gui.cases.case import Case
from memory_gui.cases.clock import Term
from memory_gui.cases.finds import (
    RESTRICTED,
    STAYING,
    CaseFind,
    Decision,
    Finds,
    Heap,
    NotLooked,
    Place,
)
from memory_gui.cases.rights import Right
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.book.lifting import Lifted
from memory_gui.services.cases.running.plans import CasePlan
from memory_gui.ui.home.phrases import short_path
from memory_gui.ui.pages.marking import Mark, Piece, drawn
from memory_gui.words import N_, Words, formats, reasons
from memory_gui.words import cases as said
from memory_gui.words.copies import FIELDS

ACTS: Final[Mapping[Decision, str]] = MappingProxyType(
    {
        Decision.ERASE: N_("Erase"),
        Decision.REDACT: N_("Take the name out"),
        Decision.RESTRICT: N_("Restrict"),
        Decision.HOLD: N_("Hold…"),
        Decision.KEEP: N_("Keep"),
        Decision.NONE: N_("Undecided"),
    }
)
HINTS: Final[Mapping[Heap, str]] = MappingProxyType(
    {
        Heap.SURE: N_("About this person and nobody else, as far as can be seen."),
        Heap.SHARED: N_(
            "About this person and about others. Take only the name out, or decide for the whole."
        ),
        Heap.MENTIONS: N_(
            "The name stands in it, but may be somebody else’s. Nothing here is chosen by itself."
        ),
    }
)
RIGHTS: Final = (
    Right.ERASE,
    Right.ACCESS,
    Right.PORTABILITY,
    Right.RECTIFY,
    Right.RESTRICT,
)
TERMS: Final = (
    (Term.MONTH, N_("one month")),
    (Term.DAYS_30, N_("30 days")),
    (Term.DAYS_45, N_("45 days")),
)
_AROUND: Final = "\n"


def asked_of(words: Words, text: str, case: Case) -> Callable[[], str]:
    """What a person asked for about a ``{case}``, in words as they are when it is told."""
    return partial(words.say, text, case=str(case.number))


def act(words: Words, decision: Decision) -> str:
    """What the button says."""
    return words.say(ACTS[decision])


def cannot(words: Words, count: int, chosen: int) -> str:
    """Why an act was not done with those that are chosen."""
    return words.many(
        "{n} of {chosen} chosen finds cannot be decided so: its store, or its kind, has no way "
        "for that. Nothing was changed.",
        "{n} of {chosen} chosen finds cannot be decided so: their store, or their kind, has no way "
        "for that. Nothing was changed.",
        count,
        chosen=chosen,
    )


def heap_hint(words: Words, heap: Heap) -> str:
    """What a heap means."""
    return words.say(HINTS[heap])


def nothing_found(words: Words) -> str:
    """Where no heap has anything."""
    return words.say(
        "Nothing was found about this person. Another spelling, an e-mail address or a telephone "
        "number may find more: change the request and look again. Or answer that nothing is held."
    )


def heap_count(words: Words, heap: Heap, count: int) -> str:
    """A heap by its name, and how much lies in it."""
    name = said.said(words, said.HEAPS, heap)
    return words.say("{heap} ({n})", heap=name[:1].upper() + name[1:], n=count)


def day(words: Words, when: date) -> str:
    """A day in full."""
    return str(format_date(when, "long", locale=words.locale))


def excerpts(words: Words, find: CaseFind) -> Iterator[Piece]:
    """Every place of a find with what stands around it, the match marked."""
    for number, piece in enumerate(find.pieces):
        if number:
            yield Piece(_AROUND, Mark.PLAIN, 0)
        if piece.field and (len(find.pieces) > 1 or piece.field not in ("text", "content")):
            yield Piece(words.say("{field}: ", field=_field(words, piece.field)), Mark.PLAIN, 0)
        yield Piece("…" if piece.before else "", Mark.PLAIN, 0)
        at = 0
        for start, end, _sure in piece.marks:
            yield from drawn(piece.text[at:start])
            yield from drawn(piece.text[start:end], Mark.FOUND)
            at = end
        yield from drawn(piece.text[at:] + ("…" if piece.after else ""))


def _field(words: Words, name: str) -> str:
    return words.say(FIELDS[name].title) if name in FIELDS else formats.field(words, name)


def stays_here(words: Words, find: CaseFind) -> list[str]:
    """Of a file that nothing of the find goes from it; of a record its decision says so."""
    stays = find.place is Place.FILE and find.decision in STAYING
    return [words.say("what it says here stays as it is")] if stays else []


def field_line(words: Words, find: CaseFind) -> str:
    """Where a find lies, who else is in it, and why it is held."""
    parts = [short_path(find.path)]
    if find.others:
        parts.append(words.say("also in it: {names}", names=words.row(find.others)))
    parts += stays_here(words, find)
    if find.decision is Decision.HOLD and find.reason:
        parts.append(words.say("held: {reason}", reason=reasons.reason(words, find.reason)))
    elif find.reason == RESTRICTED:
        parts.append(words.say("restricted: in the trash until that is lifted (Undecided)"))
    elif find.decision is Decision.KEEP and find.reason:
        parts.append(words.say("kept: {reason}", reason=reasons.reason(words, find.reason)))
    if find.until is not None:
        parts.append(words.say("until {date}", date=day(words, find.until)))
    return " · ".join(parts)


def way_out(words: Words, find: CaseFind) -> str:
    """What a person can do with a find that nothing here can erase; empty where that can be."""
    if Decision.ERASE in find.can and not find.only_kept:
        return ""
    return said.way_out(words, find.agent)


def unseen_line(words: Words, one: NotLooked) -> str:
    """What was not looked into, and why."""
    why = said.not_looked(words, one.code, one.params)
    where = short_path(one.path)
    return words.say("{where}: {what}", where=where, what=why) if one.path else why


def due_text(words: Words, case: Case, today: date) -> str:
    """Until when, and how long that is; the day on which the clock was stopped."""
    left = case.clock.days_left(today)
    if left is not None:
        return said.due(words, case.clock.ends, left)
    stopped = case.clock.stopped_on
    if stopped is None:
        return ""
    return words.say("closed on {date}", date=said.day(words, stopped))


# ---- the request


def request_rows(words: Words, case: Case) -> list[tuple[str, str]]:
    """What is known of a request."""
    say, clock = words.say, case.clock
    rows = []
    if case.number:
        rows.append((say("Case"), str(case.number)))
    if case.subject is not None:
        names = [
            say("{form}: {text}", form=said.said(words, said.FORMS, str(one.form)), text=one.text)
            for one in case.subject.named
        ]
        rows.append((say("Looked for as"), words.row(names)))
        if case.subject.others:
            rows.append((say("Kept apart"), words.row(case.subject.others)))
    else:
        rows.append((say("Name"), say("None is kept any more.")))
    ground = said.said(words, said.GROUNDS, case.ground) if case.ground else say("none named")
    if case.ground_text:
        ground = say("{ground}: {text}", ground=ground, text=case.ground_text)
    rows += [
        (say("Right"), said.said(words, said.RIGHTS, case.right)),
        (say("Ground"), ground),
        (say("Received on"), day(words, clock.received)),
        (say("Due on"), day(words, clock.ends)),
        (say("State"), said.said(words, said.STATES, case.state)),
        (say("Identity"), _identity(words, case)),
    ]
    if clock.extended_until is not None:
        rows.append((say("Extended because"), clock.extension_reason))
    if case.keep_until is not None:
        rows.append((say("Name kept until"), day(words, case.keep_until)))
    if case.notes:
        rows.append((say("Notes"), case.notes))
    return rows


_RESULTS: Final = {
    "pending": N_("not confirmed yet"),
    "confirmed": N_("confirmed"),
    "failed": N_("could not be confirmed"),
}


def _identity(words: Words, case: Case) -> str:
    identity = case.identity
    result = words.say(_RESULTS.get(identity.result, identity.result))
    if not identity.method:
        return result
    how = words.say(
        "{result}, {method}", result=result, method=said.said(words, said.METHODS, identity.method)
    )
    return words.say("{how} ({who})", how=how, who=identity.by) if identity.by else how


def earlier(words: Words, cases: Sequence[Case]) -> str:
    """Other cases of the same person."""
    numbers = words.row([str(one.number) for one in cases])
    return words.say("There are earlier cases about this person: {cases}", cases=numbers)


# ---- finds


def looked(words: Words, finds: Finds) -> str:
    """How much was read."""
    stores = words.many("{n} store", "{n} stores", len(finds.looked))
    return words.many(
        "{n} record in {stores} was read.",
        "{n} records in {stores} were read.",
        finds.records,
        stores=stores,
    )


def not_looked_lines(words: Words, finds: Finds | CasePlan) -> list[str]:
    """Where nobody could look."""
    return [unseen_line(words, one) for one in finds.not_looked]


def hold_line(words: Words, hold: HoldLine) -> str:
    """How many records stay, why, and until when."""
    count = words.many("{n} record", "{n} records", hold.count)
    if hold.what == Decision.RESTRICT:
        return words.say("{count}: restricted, in the trash", count=count)
    reason = reasons.reason(words, hold.reason)
    if hold.until is None:
        return words.say("{count}: {reason}", count=count, reason=reason)
    until = day(words, hold.until)
    return words.say("{count}, until {until}: {reason}", count=count, until=until, reason=reason)


def lifted(words: Words, done: Lifted) -> str:
    """What became of what had to stay."""
    parts = [
        words.many(
            "{n} record need not stay any more",
            "{n} records need not stay any more",
            done.lifted,
        )
    ]
    if done.restored:
        parts.append(
            words.many("{n} is seen by its agent again", "{n} are seen again", done.restored)
        )
    if done.missing:
        parts.append(
            words.many(
                "{n} was found nowhere, and stays marked",
                "{n} were found nowhere, and stay marked",
                done.missing,
            )
        )
    return words.row(parts)
