# SPDX-License-Identifier: MIT
"""What Home says of a store and of a problem, as plain texts that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.records import StoreId
from memory_gui.services.home.view import CALM, Card, Cause, Problem
from memory_gui.services.keys.recovery import MADE
from memory_gui.services.library.keyfinder import result_of
from memory_gui.ui.icons import Icon
from memory_gui.ui.phrases import moment_of
from memory_gui.ui.visible import one_line
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.keys import explain_key, explain_ledger
from memory_gui.words.recovery import day
from memory_gui.words.stopped import how_far

OPEN: Final = "open"
FORGET: Final = "forget"
LOOK: Final = "look"
PENDING: Final = "pending"
LEDGER: Final = "ledger"
RECOVERY: Final = "recovery"
PROTECT: Final = "protect"

_ACTS: Final[Mapping[Cause, tuple[str, str]]] = MappingProxyType(
    {
        Cause.GONE: (FORGET, N_("Take it off the list")),
        Cause.UNREADABLE: (LOOK, N_("Look again")),
        Cause.CANNOT_OPEN: (OPEN, N_("Try again")),
        Cause.SILENT: (LOOK, N_("Look again")),
        Cause.KEY: (OPEN, N_("Unlock it…")),
        Cause.READ_ONLY: (LOOK, N_("Look again")),
        Cause.IN_USE: (LOOK, N_("Look again")),
        Cause.LENT: (LOOK, N_("Look again")),
        Cause.PARTNER: (OPEN, N_("Try again")),
        Cause.ERASE: (PENDING, N_("Finish it…")),
        Cause.NOT_PROVED: (PENDING, N_("Look at it")),
        Cause.NO_RECOVERY: (RECOVERY, N_("Recovery key…")),
        Cause.LEDGER: (LEDGER, N_("Try again")),
        Cause.OLD_KEY: (OPEN, N_("Open the store")),
        Cause.STRAY: (OPEN, N_("Open the store")),
        Cause.STOPPED: (OPEN, N_("Open the store")),
    }
)
"""Cause -> its one act, and what the button says."""


@dataclass(frozen=True, slots=True)
class CardWords:
    """A card in a person's language."""

    path: str
    store: StoreId | None
    title: str
    agent: str
    where: str
    memories: str
    rest: str
    kept: str
    kept_tone: str
    icon: Icon
    changed: str
    in_use: str
    act: str
    spoken: str
    """The whole card in one sentence."""
    may_forget: bool


@dataclass(frozen=True, slots=True)
class ProblemWords:
    """A problem in a person's language. ``act`` is one of the constants above."""

    path: str
    store: StoreId | None
    icon: Icon
    tone: str
    text: str
    more: str
    act: str
    button: str


def short_path(path: str) -> str:
    """With ``~`` for the person's home, as they know it."""
    home = str(Path.home())
    inside = path.startswith(home + "/") and home != "/"
    return f"~{path[len(home) :]}" if inside else path


def title_of(words: Words, name: str, path: str) -> str:
    """What a store is called."""
    if name == "you":
        return words.say("You, everywhere")
    return one_line(name or Path(path).name, 60)


def card_words(words: Words, card: Card, now: datetime, *, sample: bool = False) -> CardWords:
    """Say a card."""
    title = title_of(words, card.name, card.path)
    where = short_path(card.path)
    memories, rest = _counts(words, card, now)
    kept, tone, icon = _kept(words, card)
    if sample:
        kept = words.say("sample, {state}", state=kept)
    changed = _changed(words, card, now)
    in_use = words.say("in use by {names}", names=_names(words, card.holders))
    in_use = in_use if card.holders else ""
    parts = (title, card.agent, memories, rest, kept, changed, in_use)
    return CardWords(
        path=card.path,
        store=card.store,
        title=title,
        agent=card.agent,
        where=words.say("in a temporary folder, until you quit") if sample else where,
        memories=memories,
        rest=rest,
        kept=kept,
        kept_tone=tone,
        icon=icon,
        changed=changed,
        in_use=in_use,
        act=words.say("Show") if card.store is not None else words.say("Open"),
        spoken=_listed(words, [part for part in parts if part]),
        may_forget=card.store is None,
    )


def _counts(words: Words, card: Card, now: datetime) -> tuple[str, str]:
    seen = card.seen
    if seen is None:
        return words.say("Not counted yet"), ""
    memories = words.many("{n} memory", "{n} memories", seen.memories)
    # Of none nothing is said: not every agent has a queue or a trash.
    waiting = [words.many("{n} to review", "{n} to review", n) for n in (seen.to_review,) if n]
    trashed = [words.many("{n} in the trash", "{n} in the trash", n) for n in (seen.in_trash,) if n]
    when = moment_of(seen.at)
    ago = [words.say("seen {ago}", ago=words.ago(when, now))] if when and not card.live else []
    return memories, " · ".join([*waiting, *trashed, *ago])


def _kept(words: Words, card: Card) -> tuple[str, str, Icon]:
    if card.encrypted is None:
        return words.say("cannot be read"), "warn", Icon.WARN
    if card.encrypted:
        return words.say("encrypted"), "ok", Icon.LOCK
    return words.say("readable by anyone"), "warn", Icon.READABLE


def _changed(words: Words, card: Card, now: datetime) -> str:
    at = card.glance.changed_at
    if at is None:
        return ""
    return words.say("changed {ago}", ago=words.ago(datetime.fromtimestamp(at, UTC), now))


def _names(words: Words, holders: tuple[OpenBy, ...]) -> str:
    shown = [
        words.say("{program} (process {pid})", program=one_line(one.name, 40), pid=str(one.pid))
        if one.name != "?"
        else words.say("another program")
        for one in holders[:3]
    ]
    return _listed(words, list(dict.fromkeys(shown)))


def _listed(words: Words, parts: list[str]) -> str:
    text = parts[0] if parts else ""
    for part in parts[1:]:
        text = words.say("{one}, {other}", one=text, other=part)
    return text


# ---- problems


def problem_words(words: Words, problem: Problem) -> ProblemWords:
    """Say a problem."""
    text, more = _SAID[problem.cause](words, problem)
    act, button = _ACTS[problem.cause]
    if problem.cause is Cause.OLD_KEY and problem.store is not None:
        act, button = _ACTS[Cause.NO_RECOVERY]
    if problem.cause is Cause.STRAY and problem.store is not None:
        act, button = PROTECT, N_("Look at it")  # its page brings both together
    calm = problem.cause in CALM
    icon, tone = (Icon.INFO, "muted") if calm else (Icon.WARN, "warn")
    return ProblemWords(problem.path, problem.store, icon, tone, text, more, act, words.say(button))


def _title(words: Words, problem: Problem) -> str:
    return title_of(words, problem.name, problem.path)


def _of_store(words: Words, problem: Problem, what: str) -> str:
    return words.say("{store}: {what}", store=_title(words, problem), what=what)


def _error(words: Words, problem: Problem) -> tuple[str, str]:
    if problem.error is None:
        return _title(words, problem), ""
    told = explain(words, problem.error)
    return told.title, told.next


def _gone(words: Words, problem: Problem) -> tuple[str, str]:
    return _of_store(words, problem, words.say("its file is gone.")), short_path(problem.path)


def _silent(words: Words, problem: Problem) -> tuple[str, str]:
    text = _of_store(words, problem, words.say("the disk it lies on does not answer."))
    return text, short_path(problem.path)


def _key(words: Words, problem: Problem) -> tuple[str, str]:
    result = result_of(problem.error) if problem.error is not None else None
    if result is None:
        return _error(words, problem)
    told = explain_key(words, result)
    return _of_store(words, problem, told.title), told.next


def _read_only(words: Words, problem: Problem) -> tuple[str, str]:
    what = words.say("its file or folder can only be read, so nothing can be changed in it.")
    return _of_store(words, problem, what), ""


def _in_use(words: Words, problem: Problem) -> tuple[str, str]:
    names = _names(words, problem.holders)
    text = _of_store(words, problem, words.say("in use by {names}", names=names))
    return text, words.say("Erasing and encrypting wait until it is closed there.")


def _lent(words: Words, problem: Problem) -> tuple[str, str]:
    if problem.error is not None and problem.error.code == "store.let_go":
        what = words.say("in use by the terminal. It comes back by itself.")
    else:
        what = words.say("in use by another window. It comes back by itself.")
    return _of_store(words, problem, what), ""


def _erase(words: Words, problem: Problem) -> tuple[str, str]:
    if problem.error is not None:
        return _error(words, problem)
    what = words.many(
        "{n} erasure is not finished: what was to go may still be in the file.",
        "{n} erasures are not finished: what was to go may still be in the files.",
        problem.count,
    )
    return _of_store(words, problem, what), ""


def _not_proved(words: Words, problem: Problem) -> tuple[str, str]:
    what = words.many(
        "{n} erasure is not proved: something still repeats what was erased.",
        "{n} erasures are not proved: something still repeats what was erased.",
        problem.count,
    )
    return _of_store(words, problem, what), ""


def _no_recovery(words: Words, problem: Problem) -> tuple[str, str]:
    if problem.code == MADE:
        what = words.say("nobody has seen its recovery key work yet.")
        return _of_store(words, problem, what), words.say("Enter it once from the paper.")
    what = words.say("its key is in the keychain and nowhere else.")
    more = words.say("If the keychain is lost, only a recovery key opens the store again.")
    return _of_store(words, problem, what), more


def _ledger(words: Words, problem: Problem) -> tuple[str, str]:
    told = explain_ledger(words, problem.code)
    return told.title, words.say("{cause} {next}", cause=told.cause, next=told.next)


def _old_key(words: Words, problem: Problem) -> tuple[str, str]:
    what = words.say("its old key is kept until the new recovery key is confirmed, or given up.")
    more = words.say("The paper of {date} opens nothing any more.", date=day(words, problem.code))
    return _of_store(words, problem, what), more


def _stray(words: Words, problem: Problem) -> tuple[str, str]:
    what = words.say(
        "it was encrypted, and a readable file lies there now: its agent has probably made it anew."
    )
    more = words.say("The encrypted one: {path}", path=short_path(problem.code))
    return _of_store(words, problem, what), more if problem.code else ""


def _stopped(words: Words, problem: Problem) -> tuple[str, str]:
    title = _title(words, problem)
    text = how_far(
        words,
        problem.code,
        store=title,
        done=problem.done,
        total=problem.count,
        at_least=True,
    )
    return text, words.say("Open it to go on with it, or to take it back.")


_SAID: Final[Mapping[Cause, Callable[[Words, Problem], tuple[str, str]]]] = MappingProxyType(
    {
        Cause.GONE: _gone,
        Cause.UNREADABLE: _error,
        Cause.CANNOT_OPEN: _error,
        Cause.SILENT: _silent,
        Cause.KEY: _key,
        Cause.READ_ONLY: _read_only,
        Cause.IN_USE: _in_use,
        Cause.LENT: _lent,
        Cause.PARTNER: _error,
        Cause.ERASE: _erase,
        Cause.NOT_PROVED: _not_proved,
        Cause.NO_RECOVERY: _no_recovery,
        Cause.LEDGER: _ledger,
        Cause.OLD_KEY: _old_key,
        Cause.STRAY: _stray,
        Cause.STOPPED: _stopped,
    }
)
