# SPDX-License-Identifier: MIT
"""The acts of the store page: what is looked at before, asked, done and told. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from memory_gui.domain import ciphers
from memory_gui.domain.changes import Capability, OpenBy
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.services import KeyPlace, OpenedStore, Services
from memory_gui.services.keys.protect import ProtectPlan
from memory_gui.services.keys.rotating import KeyDone, KeyPlan
from memory_gui.stores.format import Access
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.merging import brought, clashing
from memory_gui.words.migrating import say_migrated, will_migrate
from memory_gui.words.rotation import (
    OLD_KEY,
    given_up,
    opens_copy,
    opens_encrypted,
    opens_readable,
    opens_rotated,
)


class Act(Enum):
    """What a person can have done with the key or the encryption of a store."""

    ENCRYPT = "encrypt"
    READABLE = "readable"
    COPY = "copy"
    ROTATE = "rotate"
    GIVE_UP = "give-up"
    MIGRATE = "migrate"


BUSY: Final = {
    Act.ENCRYPT: N_("Encrypting…"),
    Act.READABLE: N_("Making it readable…"),
    Act.COPY: N_("Writing the copy…"),
    Act.ROTATE: N_("Changing the key…"),
    Act.GIVE_UP: N_("Destroying the old key…"),
    Act.MIGRATE: N_("Writing the copy…"),
}
"""What is said while an act goes on."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked at before an act. Nothing was written."""

    act: Act
    plan: ProtectPlan
    keys: KeyPlan | None
    keeps: bool
    """Whether the keychain keeps the key, or will."""
    paper: str = ""
    """The date of the recovery sheet for which an old key is kept."""

    @property
    def open_by(self) -> tuple[OpenBy, ...]:
        """The other programs that have the store open now."""
        return self.plan.open_by if self.act in {Act.ENCRYPT, Act.READABLE, Act.ROTATE} else ()


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person adds to a yes."""

    out: Path | None = None
    drop_old: bool = False
    give_up_paper: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """How an act ended, in one sentence or two, with its way back."""

    store: OpenedStore
    text: str
    tone: str = "ok"
    copy: Path | None = None
    """A copy that can be opened with the store's key."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What the page says before anything is asked."""

    plan: ProtectPlan | None
    waiting: str | None
    """The date of the recovery sheet for which an old key is kept; None where none is."""
    stray: tuple[str, ...] | None
    """Places of the encrypted store that lay here; None where this one is no stray."""


def may_be_encrypted(store: OpenedStore) -> bool:
    """Whether a store is one whose encryption and key can be changed here."""
    return Capability.ENCRYPT in store.info.capabilities


def is_older(store: OpenedStore) -> bool:
    """Whether a copy in today's format would be another one."""
    return store.info.encrypted and ciphers.is_older(store.info.cipher)


def overview(services: Services, store: StoreId) -> Overview:
    """Any thread. Looks at notes and holders, opens nothing."""
    opened = services.library.store(store)
    plan = services.protect.plan(store) if may_be_encrypted(opened) else None
    notes = services.rotating.waiting(opened.info.path)
    strays = [one for one in services.protect.strays() if one.path == opened.info.path]
    return Overview(
        plan, notes[0].paper if notes else None, strays[0].encrypted if strays else None
    )


def look(services: Services, store: StoreId, act: Act) -> Looked:
    """Who can open the store now and after an act. Any thread.

    Raises:
        UserError: as ``Protect.plan`` and ``Rotating.plan``.
    """
    opened = services.library.store(store)
    if act is Act.MIGRATE:  # the store is only read, whoever has it open
        info = opened.info
        plan = ProtectPlan(info.path, info.agent, info.encrypted, Access.NOBODY)
        return Looked(act, plan, None, opened.key_place is KeyPlace.KEYCHAIN)
    plan = services.protect.plan(store)
    keys = services.rotating.plan(store) if act is Act.ROTATE else None
    notes = services.rotating.waiting(opened.info.path) if act is Act.GIVE_UP else ()
    keeps = act in {Act.ENCRYPT, Act.ROTATE} or opened.key_place is KeyPlace.KEYCHAIN
    return Looked(act, plan, keys, keeps, notes[0].paper if notes else "")


def lines(words: Words, looked: Looked, services: Services, store: OpenedStore) -> list[str]:
    """Who can open, or read, it afterwards, line by line."""
    if looked.act is Act.MIGRATE:
        typed = store.key_place is KeyPlace.TYPED
        return will_migrate(words, store.info.cipher, keeps=looked.keeps, typed=typed)
    who = services.protect.who(looked.plan, keeps=looked.keeps)
    match looked.act:
        case Act.ENCRYPT:
            return opens_encrypted(words, who)
        case Act.READABLE:
            return opens_readable(words, who)
        case Act.COPY:
            return opens_copy(words, who)
        case Act.GIVE_UP:
            return given_up(words, looked.paper)
        case _:
            keys = looked.keys
            return opens_rotated(
                words, who, keys.paper if keys else "", keys.others if keys else ()
            )


def doing(words: Words, act: Act | None, done: int, total: int) -> str:
    """What is said of an act that is under way; None: records are brought over."""
    if act is None:
        return words.say("{done} of {total}", done=done, total=total)
    if act is Act.ROTATE:
        return words.say("Writing every page anew, then proving it…")
    return words.say("Copying, then proving the copy…")


def carry_out(
    services: Services,
    words: Words,
    store: StoreId,
    act: Act,
    choices: Choices,
    *,
    tick: Tick = no_tick,
) -> Done:
    """Do it. Any thread; blocks until it is done.

    Raises:
        UserError, IntegrityError: as the services say.
    """
    protect = services.protect
    match act:
        case Act.ENCRYPT:
            text = words.say(
                "Encrypted. The copy was proved before the readable file was zeroed. The way "
                "back: “Make it readable…”."
            )
            return Done(protect.encrypt(store, tick=tick), text)
        case Act.READABLE:
            text = words.say(
                "Readable again. The copy was proved before the old file was removed. The way "
                "back: “Encrypt…”."
            )
            return Done(protect.decrypt(store, tick=tick), text)
        case Act.COPY:
            say = partial(words.say, "A readable copy is at {path}.")
            return Done(protect.decrypt(store, choices.out, tick=tick), say(path=str(choices.out)))
        case Act.MIGRATE:
            return _migrated(services, words, store, choices.out, tick)
        case Act.GIVE_UP:
            opened = services.library.store(store)
            settled = services.rotating.recovery_given_up(opened.info.path)
            old = settled.old if settled is not None else "retired"
            return Done(opened, words.say(OLD_KEY[old]), _tone(old))
        case _:
            done = services.rotating.rotate(
                store,
                drop_old=choices.drop_old,
                give_up_paper=choices.give_up_paper,
                tick=tick,
            )
            return Done(done.store, _rotated(words, done), _tone(done.old))


def _migrated(
    services: Services, words: Words, store: StoreId, out: Path | None, tick: Tick
) -> Done:
    assert out is not None  # noqa: S101 - the question is not answered without it
    done = services.migrating.migrate(store, out, tick=tick)
    told = say_migrated(words, done.rows, str(out), kept=done.kept)
    told.append(words.say("The store itself is as it was."))
    return Done(services.library.store(store), "\n".join(told), copy=out)


def _rotated(words: Words, done: KeyDone) -> str:
    parts = [
        words.say("The store has a new key; a fresh connection opened it with that one only."),
        words.say(OLD_KEY[done.old]),
    ]
    if done.problem is not None:
        parts.append(explain(words, done.problem).text)
    return " ".join(parts)


def _tone(old: str) -> str:
    return "ok" if old in {"retired", "not-ours"} else "warn"


def bring_together(
    services: Services, words: Words, store: StoreId, place: str, *, tick: Tick = no_tick
) -> Done:
    """Open the encrypted store and bring into it what the readable one has. Any thread.

    Raises:
        UserError: ``key.*`` and ``store.*`` of the encrypted one; as ``Merging.merge``.
    """
    into = services.library.open(place, pair=False)[0]
    done = services.merging.merge(store, into.id, tick=tick)
    lines = brought(words, done.brought, done.same, done.left)
    if done.clashes:
        lines.append(clashing(words, done.clashes))
    if done.failed:
        lines.append(explain(words, done.failed[0][1]).text)
    return Done(services.library.store(store), "\n".join(lines), "ok" if done.whole else "warn")
