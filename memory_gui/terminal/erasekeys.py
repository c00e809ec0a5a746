# SPDX-License-Identifier: MIT
"""What becomes of a store's key in ``erase``: asked for, refused, said before it runs."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import KEEP, NEW, ErasePlan
from memory_gui.services import OpenedStore
from memory_gui.terminal.session import Session
from memory_gui.words.erasure import new_key_lines


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
        if store.gets_new_key:
            for line in new_key_lines(
                words, store.path, store.paper, store.others, given=store.given
            ):
                out.line(line)
    if session.args.new_key_fd is None and any(store.gets_new_key for store in plan.stores):
        out.line(words.say("With --keep-key it keeps the key that it has."))
