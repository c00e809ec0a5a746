# SPDX-License-Identifier: MIT
"""``key rotate``: another key for an encrypted store."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.services import OpenedStore
from memory_gui.services.keys.rotating import KeyDone, KeyPlan
from memory_gui.terminal.links import tell_link
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.recovery import day
from memory_gui.words.rotation import OLD_KEY, given_up

HELP: Final = N_("give the store another key; the old one is destroyed when the new one works")


def rotate_arguments(parser: object, words: Words) -> None:
    """The options of ``key rotate``."""
    add = parser.add_argument  # type: ignore[attr-defined]  # an argparse parser or group of one
    add(
        "--new-key-fd",
        metavar="N",
        type=int,
        help=words.say("take this key: 64 hex digits from descriptor N"),
    )
    add(
        "--drop-old-key",
        action="store_true",
        help=words.say("destroy the old key although other files need it"),
    )
    add(
        "--give-up-paper",
        action="store_true",
        help=words.say(
            "no new recovery key is wanted: do not keep the old key for it, or no longer"
        ),
    )
    add("--yes", action="store_true", help=words.say("do not ask"))


def rotate(session: Session) -> Exit:
    """Change the key, having said what stops working."""
    args = session.args
    new = session.new_key()
    if new is None and args.no_keychain:
        raise UserError("usage.new_key_needed")
    store = session.open(pair=False, write=True)
    rotating = session.services.rotating
    if args.give_up_paper and rotating.waiting(store.info.path):
        return _give_up(session, store)
    plan = rotating.plan(store.id)
    tell_link(session, plan.path)
    _tell_plan(session, plan)
    if plan.paper or (plan.others and args.drop_old_key):
        session.confirm(session.words.say("Change the key?"))
    with session.progress() as tick:
        done = rotating.rotate(
            store.id,
            new_key=new,
            give_up_paper=args.give_up_paper,
            drop_old=args.drop_old_key,
            tick=tick,
        )
    _tell(session, done)
    return Exit.DONE


def _give_up(session: Session, store: OpenedStore) -> Exit:
    """An old key that waits for a new recovery key is destroyed; the key stays as it is."""
    words, rotating = session.words, session.services.rotating
    (note, *_) = rotating.waiting(store.info.path)
    for line in given_up(words, note.paper):
        session.out.line(line)
    session.confirm(words.say("Destroy the old key?"))
    settled = rotating.recovery_given_up(store.info.path)
    old = settled.old if settled is not None else "retired"
    session.out.document({"store": store.info.path, "old_key": old})
    session.out.line(words.say(OLD_KEY[old]))
    return Exit.DONE


def _tell_plan(session: Session, plan: KeyPlan) -> None:
    out, words = session.out, session.words
    if plan.paper:
        out.line(words.say("The paper of {date} stops working.", date=day(words, plan.paper)))
    for path in plan.others:
        out.line(words.say("{path} opens with the same key.", path=path))
    if plan.unseen:
        out.line(
            words.say(
                "Programs of other users cannot be looked at; one that has the store open without "
                "using it is not seen."
            )
        )


def _tell(session: Session, done: KeyDone) -> None:
    out, words = session.out, session.words
    out.document(
        {
            "store": done.store.info.path,
            "key_place": done.store.key_place.value,
            "old_key": done.old,
            "others": list(done.others),
            "paper": done.paper or None,
            "unseen": done.unseen,
        }
    )
    out.line(words.say("The store has a new key; a fresh connection opened it with that one only."))
    out.line(words.say(OLD_KEY[done.old]))
    if done.problem is not None:
        out.line(explain(words, done.problem).text)
