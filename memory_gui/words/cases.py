# SPDX-License-Identifier: MIT
"""The words of requests to be forgotten, for window, terminal, letters and receipts alike.

Codes come from ``cases/`` and ``services/cases``; a test holds these tables against them. What is
said of a law is a short name of its article, and no advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Protocol

from babel.dates import format_date

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Denied, KeyResult, Locked, Unavailable
from memory_gui.words import reasons
from memory_gui.words.catalogue import N_, Words
from memory_gui.words.erasure import PLACES, TABLES
from memory_gui.words.errors import explain
from memory_gui.words.keys import LEDGER, explain_key

RIGHTS: Final[dict[str, str]] = {
    "access": N_("a copy of what is held (Art. 15)"),
    "rectify": N_("correction (Art. 16)"),
    "erase": N_("to be forgotten (Art. 17)"),
    "restrict": N_("restriction: kept and not used (Art. 18)"),
    "portability": N_("a copy for a machine (Art. 20)"),
}
GROUNDS: Final[dict[str, str]] = {
    "gdpr.no_need": N_("no longer needed for its purpose (GDPR 17(1)(a))"),
    "gdpr.consent": N_("consent was withdrawn (GDPR 17(1)(b))"),
    "gdpr.objection": N_("the person objects (GDPR 17(1)(c))"),
    "gdpr.unlawful": N_("it was processed unlawfully (GDPR 17(1)(d))"),
    "gdpr.obligation": N_("a law demands the erasure (GDPR 17(1)(e))"),
    "gdpr.child": N_("collected from a child by an online service (GDPR 17(1)(f))"),
    "gdpr.copy": N_("wants to know what is held (GDPR 15)"),
    "gdpr.wrong": N_("it is wrong or incomplete (GDPR 16)"),
    "gdpr.contested": N_("its accuracy is contested (GDPR 18(1)(a))"),
    "gdpr.unlawful_kept": N_("unlawful, but the person wants it kept (GDPR 18(1)(b))"),
    "gdpr.claims": N_("the person needs it for legal claims (GDPR 18(1)(c))"),
    "gdpr.objected": N_("an objection is being looked at (GDPR 18(1)(d))"),
    "gdpr.move": N_("wants to take the data elsewhere (GDPR 20)"),
    "ccpa.know": N_("right to know (CCPA 1798.110)"),
    "ccpa.delete": N_("right to delete (CCPA 1798.105)"),
    "ccpa.correct": N_("right to correct (CCPA 1798.106)"),
    "pipl.copy": N_("look into it or have a copy (PIPL 45)"),
    "pipl.correct": N_("correct or complete it (PIPL 46)"),
    "pipl.purpose": N_("the purpose is met, or cannot be met (PIPL 47(1))"),
    "pipl.stopped": N_("the service has ended, or the period is over (PIPL 47(2))"),
    "pipl.consent": N_("consent was withdrawn (PIPL 47(3))"),
    "pipl.unlawful": N_("against the law or an agreement (PIPL 47(4))"),
    "pipl.other_law": N_("another law or rule says so (PIPL 47(5))"),
    "other": N_("another ground"),
}
REFUSALS: Final[dict[str, str]] = {
    "refuse.identity": N_("it could not be shown who asks"),
    "refuse.unfounded": N_("the request is manifestly unfounded"),
    "refuse.excessive": N_("the request is excessive"),
    "refuse.exception": N_("an exception of the law applies to all of it"),
    "refuse.other": N_("another reason"),
}
METHODS: Final[dict[str, str]] = {
    "identity.known": N_("known in person"),
    "identity.account": N_("from within their own account"),
    "identity.reply": N_("by a reply from an address that was known before"),
    "identity.call": N_("by calling a number that was known before"),
    "identity.document": N_("a document was shown; it was not kept"),
    "identity.agent": N_("somebody with their written authority"),
    "identity.other": N_("in another way"),
}
RESULTS: Final[dict[str, str]] = {
    "pending": N_("not checked yet"),
    "confirmed": N_("confirmed"),
    "failed": N_("could not be confirmed"),
}
STATES: Final[dict[str, str]] = {
    "open": N_("open"),
    "identity": N_("waits for proof of identity"),
    "running": N_("begun, not finished"),
    "asking": N_("begun; decisions are missing"),
    "done": N_("done; the answer is due"),
    "closed": N_("answered"),
    "refused": N_("refused"),
    "withdrawn": N_("withdrawn"),
}
HEAPS: Final[dict[str, str]] = {
    "sure": N_("surely about the person"),
    "mentions": N_("mentions, unsure"),
    "shared": N_("shared with others"),
}
DECISIONS: Final[dict[str, str]] = {
    "undecided": N_("undecided"),
    "erase": N_("erase"),
    "keep": N_("keep"),
    "hold": N_("hold"),
    "redact": N_("take the name out"),
    "restrict": N_("restrict"),
}
TERMS: Final[dict[str, str]] = {
    "month": N_("one month"),
    "30-days": N_("30 days"),
    "45-days": N_("45 days"),
}
FORMS: Final[dict[str, str]] = {
    "name": N_("name"),
    "email": N_("e-mail"),
    "phone": N_("telephone"),
    "id": N_("id"),
    "letters": N_("name"),
    "words": N_("name"),
}
WHYS: Final[dict[str, str]] = {
    "inside_name": N_("it may be a part of a longer name"),
    "one_word": N_("one word may be anybody's name, or no name"),
    "next_word": N_("another name stands beside it"),
    "other_person": N_("it is a part of somebody else's name"),
    "agent_name": N_("only its agent is called so"),
    "joined": N_("written as an account's name"),
    "initial": N_("only a part of the name"),
    "turned": N_("the names in another order"),
    "spaced": N_("the letters stand apart"),
    "plus_address": N_("another address of the same mailbox"),
    "short_number": N_("a short number or id"),
    "in_word": N_("letters touch the number"),
    "other_subject": N_("its store files it under somebody else"),
    "other_contact": N_("somebody else's e-mail or telephone is in it"),
    "other_named": N_("somebody else is named in it"),
    "other_near": N_("a name that is like it is in it too"),
    "by_hand": N_("a person wrote this file"),
    "no_recipe": N_("this program has no safe way to erase from this store: it can only be kept"),
    "by_agent": N_("its agent keeps this for itself: it can only be kept"),
    "in_git": N_("git keeps older versions of this file: it can only be kept"),
}
CHECKS: Final[dict[str, str]] = {
    "check.agent": N_("{name} is running and may hold a copy in its prompt: end it."),
    "check.vendor": N_("Makers of models that were told it: ask them to delete it."),
    "check.backups": N_("Backups and snapshots: they still hold it until they are overwritten."),
    "check.exports": N_("Exports and copies that were handed out before."),
    "check.copies": N_("Other computers and devices on which the same agents run."),
    "check.sync": N_("{kind} copies {path} to other computers and keeps old versions there."),
}
WAYS: Final[dict[str, str]] = {
    "Basic Memory": N_("take it out of the Markdown note; Basic Memory then writes its index anew"),
    "claude-mem": N_(
        "stop claude-mem and delete its folder (it has no way to delete single entries), or keep "
        "this with a reason"
    ),
    "Hermes Agent": N_("delete the session in Hermes in which it stands"),
    "Letta": N_("change or delete the agent, user, file or job in Letta in which it stands"),
    "mcp-memory-service": N_(
        "delete the memory with its own tool; it takes the text out of the file only when it purges"
    ),
    "Open WebUI": N_(
        "delete it in Open WebUI: Settings, Personalization, Memory, Manage; a chat in the list of "
        "chats"
    ),
}
"""Agent -> how a person takes out what this program can only keep."""
NOT_LOOKED: Final[dict[str, str]] = {
    "case.no_adapter": N_("no format of this program reads it"),
    "case.stopped": N_("the search was stopped before it"),
    "case.not_text": N_("there are files in it that are no text"),
    "case.more_files": N_("it has so many files that not all were read"),
}
FILES: Final[dict[str, str]] = {
    "session": N_("session file"),
    "replay": N_("replay"),
    "log": N_("log"),
    "tool_output": N_("output of a tool"),
    "background_tasks": N_("background tasks"),
    "skill_draft": N_("draft of a skill"),
    "goal": N_("goal"),
    "plan": N_("plan"),
    "skill": N_("skill"),
    "instructions": N_("instructions"),
    "memory_file": N_("memory file"),
    "old_memory": N_("older memory file"),
    "history": N_("history of what was typed"),
    "proposal": N_("proposal kept by this program"),
}
"""What the agents' other files are."""


_MOST_LINES: Final = 10


def said(words: Words, table: Mapping[str, str], code: str) -> str:
    """The words of a code; one without words as it is."""
    found = table.get(code)
    return code if found is None else words.say(found)


class Other(Protocol):
    """What another case has decided about a find (``cases.finds.OtherCase``)."""

    @property
    def number(self) -> int:
        """Of that case."""
        ...

    @property
    def decision(self) -> str:
        """``hold``, ``restrict`` or ``keep``."""
        ...

    @property
    def reason(self) -> str:
        """A code of ``reasons``, or empty."""
        ...

    @property
    def until(self) -> date | None:
        """The last day of a hold that ends."""
        ...


def held_by(words: Words, decision: str, case: int) -> str:
    """Which other case keeps a find from what was chosen for it, in a few words."""
    if decision == "restrict":
        return words.say("restricted by case {case}", case=str(case))
    return words.say("held by case {case}", case=str(case))


def other_case(words: Words, other: Other) -> str:
    """What another case has decided about a find, and why."""
    if other.decision == "restrict":
        return held_by(words, other.decision, other.number)
    case, why = str(other.number), reasons.reason(words, other.reason)
    if other.decision == "keep":
        return words.say("kept in case {case}: {reason}", case=case, reason=why)
    if other.until is None:
        return words.say("held by case {case}: {reason}", case=case, reason=why)
    return words.say(
        "held by case {case} until {date}: {reason}",
        case=case,
        date=day(words, other.until),
        reason=why,
    )


def stays_line(words: Words, count: int, told: str) -> str:
    """How many finds another case keeps from what was chosen; ``told`` as ``other_case`` says."""
    return words.many("{n} find stays: {what}", "{n} finds stay: {what}", count, what=told)


def way_out(words: Words, agent: str) -> str:
    """What a person can do about a find that this program can only keep."""
    way = WAYS.get(agent)
    if way is None:
        told = words.say("take it out with {agent} itself, or keep it with a reason", agent=agent)
    else:
        told = words.say(way)
    return words.say(
        "What you can do: {way}. Then look again: what is gone asks no more. That its bytes are "
        "gone from the file too is not proved by that.",
        way=told,
    )


def check(words: Words, code: str, params: Mapping[str, Any]) -> str:
    """An item of the checklist."""
    found = CHECKS.get(code)
    return code if found is None else words.say(found, **params)


def not_looked(words: Words, code: str, params: Mapping[str, Any]) -> str:
    """Why a store was not looked into, in a few words."""
    if code in NOT_LOOKED:
        return words.say(NOT_LOOKED[code])
    return kept_code(words, code, **params)


def kept_code(words: Words, code: str, **params: Any) -> str:
    """What went wrong, by its code; of what is long past not every value of it is kept."""
    try:
        return explain(words, UserError(code, **params)).title
    except KeyError:
        return words.say("it could not be done ({code})", code=code)


def place_kind(words: Words, what: str, where: str) -> str:
    """What a place is in which text was found again: a kind of file or of records, or a table."""
    if what in TABLES:
        return words.say("a table of its database")
    if where in PLACES:
        return words.say(PLACES[where])
    return said(words, FILES, what) if what in FILES else words.say("another file")


def due(words: Words, ends: date, left: int) -> str:
    """Until when, and how long that is."""
    shown = day(words, ends)
    if left < 0:
        return words.many("{date}, {n} day over", "{date}, {n} days over", -left, date=shown)
    if left == 0:
        return words.say("{date}, today", date=shown)
    return words.many("{date}, {n} day left", "{date}, {n} days left", left, date=shown)


def day(words: Words, when: date) -> str:
    """A day by the language's rules."""
    return format_date(when, format="medium", locale=words.locale)


def unread(words: Words, code: str, result: KeyResult | None = None) -> str:
    """That cases cannot be read, and why. ``code``: why our own records cannot be opened."""
    told = isinstance(result, Locked | Denied) or (
        code == "key" and isinstance(result, Unavailable)
    )
    why = explain_key(words, result).title if result and told else words.say(LEDGER[code].title)
    rest = words.say("Cases that may be due cannot be read.")
    return words.say("{read} {more}", read=why, more=rest)


def nothing_erased(words: Words, *, restricted: bool) -> str:
    """How a store ended in which nothing was to be erased; what was chosen may be on hold."""
    if restricted:
        return words.say("restricted; nothing was erased")
    return words.say("nothing was erased")


def wrong_lines(words: Words, wrong: Sequence[tuple[int, UserError]]) -> str:
    """What is wrong with lines of a list of people: of many the first."""
    lines = words.row(
        words.say("line {n}: {why}", n=str(line), why=explain(words, error).title.rstrip(".。"))
        for line, error in wrong[:_MOST_LINES]
    )
    more = len(wrong) - _MOST_LINES
    if more <= 0:
        return lines
    return words.many("{lines} and {n} more line", "{lines} and {n} more lines", more, lines=lines)


def unproved(words: Words, count: int) -> str:
    """What a run took out, and could not prove."""
    return words.many(
        "{n} find was erased and is not there any more, but that is not proved yet: run the case "
        "again.",
        "{n} finds were erased and are not there any more, but that is not proved yet: run the "
        "case again.",
        count,
    )


def left_undecided(words: Words, count: int) -> str:
    """What a person chose who closed a case all the same."""
    return words.many(
        "It was closed although {n} find surely about the person was undecided.",
        "It was closed although {n} finds surely about the person were undecided.",
        count,
    )


def left_out(words: Words, outcome: Mapping[str, Any]) -> list[str]:
    """What a run's result does not speak of: nobody may take it for the whole."""
    undecided, unseen = int(outcome.get("undecided", 0)), len(outcome.get("not_looked", ()))
    lines = []
    if undecided:
        lines.append(
            words.many(
                "That is without {n} find that nobody decided on: it is still there.",
                "That is without {n} finds that nobody decided on: they are still there.",
                undecided,
            )
        )
    if unseen:
        lines.append(
            words.many(
                "That is without {n} place that was not looked into.",
                "That is without {n} places that were not looked into.",
                unseen,
            )
        )
    return lines
