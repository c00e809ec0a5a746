# SPDX-License-Identifier: MIT
"""What becomes of a store's key in ``erase``: asked for, refused, said before it runs."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import KEEP, NEW, ErasePlan
from memory_gui.services import OpenedStore
from memory_gui.terminal.session import Session


def key_policy(session: Session) -> str | None:
    """What the options say; None where they leave it to the store.

    Raises:
        UserError: ``usage.keep_and_new``; as ``Session.new_key``.
    """
    if session.args.keep_key and session.args.new_key_fd is not None:
        raise UserError("usage.keep_and_new")
    if session.new_key() is not None:
        return NEW
    return KEEP if session.args.keep_key else None


def refuse_lost_key(session: Session, store: OpenedStore) -> None:
    """Without a keychain a person must say what becomes of an encrypted store's key.

    Raises:
        UserError: ``usage.keep_key``.
    """
    args = session.args
    decided = args.keep_key or args.new_key_fd is not None
    if store.info.encrypted and args.no_keychain and not decided:
        raise UserError("usage.keep_key")


def tell_keys(session: Session, plan: ErasePlan) -> None:
    """First of all: which stores get a new key, and what stops working with the old one."""
    out, words = session.out, session.words
    for store in plan.stores:
        if not store.gets_new_key:
            continue
        out.line(
            words.say(
                "{path} gets a new key, and the old one is destroyed: what lies on this disk under "
                "it cannot be read any more. With --keep-key it stays as it is.",
                path=store.path,
            )
        )
        if store.paper:
            out.line(
                words.say(
                    "The paper of {date} stops working. The old key is kept until a new recovery "
                    "key is confirmed, or given up.",
                    date=store.paper,
                )
            )
        for path in store.others:
            out.line(words.say("The old key is kept, because {path} needs it.", path=path))
