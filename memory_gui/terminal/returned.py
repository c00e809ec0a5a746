# SPDX-License-Identifier: MIT
"""Erased records that are back in a store: told by every verb that opens it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.services import OpenedStore
from memory_gui.terminal.status import Exit
from memory_gui.words import Words
from memory_gui.words.erasure import returned_text

if TYPE_CHECKING:
    from memory_gui.terminal.session import Session

_LOOKED: Final = 20_000
"""A store of so many records at most is read for that each time it is opened."""
_NAMED: Final = 5
"""So many are named; ``erase STORE --returned --dry-run`` names all."""


def look(session: Session, store: OpenedStore) -> tuple[Ref, ...]:
    """Those of a store that was just opened and of its other half; said on standard error."""
    found: tuple[Ref, ...] = ()
    for one in (store.id, store.partner):
        if one is not None:
            found += session.services.returned.look(one, session.cancel)
    if found and not getattr(session.args, "returned", False):
        session.out.note(_line(session.words, found))
    _say_back(session, store)
    return found


def _say_back(session: Session, store: OpenedStore) -> None:
    """Somebody who was forgotten is named again; a large store is looked through by a case only."""
    cases = session.services.cases
    total = sum(n for states in store.info.counts.values() for n in states.values())
    if not cases.any_yet or total > _LOOKED:
        return
    with suppress(UserError):  # our own file says where it is needed that it cannot be read
        for number in sorted({one.case for one in cases.back(store.id, session.cancel)}):
            session.out.note(
                session.words.say(
                    "Somebody who was forgotten in case {number} is named in this store again. "
                    "To look: memory-cli forget NAME --dry-run",
                    number=str(number),
                )
            )


def let_stay(session: Session, refs: tuple[Ref, ...]) -> Exit:
    """``erase STORE --returned --let-stay``: they are wanted, and not named again.

    The same answers ``--returned`` where nothing is back.

    Raises:
        UserError: ``returned.no_ledger``: nobody wrote down what was erased, so it is not known.
    """
    words = session.words
    if not refs and session.services.keeper.ledger().erased is None:
        raise UserError("returned.no_ledger")
    session.out.document({"returned": [ref.text for ref in refs]})
    if not refs:
        session.out.line(words.say("No record that was erased is back in this store."))
        return Exit.DONE
    session.services.returned.let_stay(refs)
    session.out.line(
        words.many(
            "{n} record stays, and is not named as erased any more.",
            "{n} records stay, and are not named as erased any more.",
            len(refs),
        )
    )
    return Exit.DONE


def require_alone(session: Session) -> None:
    """``--let-stay`` goes with ``--returned`` only.

    Raises:
        UserError: ``usage.let_stay``.
    """
    if session.args.let_stay and not session.args.returned:
        raise UserError("usage.let_stay")


def _line(words: Words, refs: tuple[Ref, ...]) -> str:
    named = " ".join(ref.text for ref in refs[:_NAMED])
    more = len(refs) - _NAMED
    if more > 0:
        named = words.say("{refs} and {n} more", refs=named, n=more)
    return words.say(
        "{what}: {refs}. Erase again: memory-cli erase STORE --returned; keep: add --let-stay",
        what=returned_text(words, len(refs)),
        refs=named,
    )
