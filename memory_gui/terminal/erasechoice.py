# SPDX-License-Identifier: MIT
"""Which records ``erase`` is to take."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.ledger import PendingErase
from memory_gui.services import OpenedStore
from memory_gui.terminal.erasebegun import named_in
from memory_gui.terminal.looking import kind_query
from memory_gui.terminal.session import Session


def chosen(
    session: Session, store: OpenedStore, begun: tuple[PendingErase, ...]
) -> tuple[list[Ref], list[str]]:
    """The records to erase, and the names that mean none. Named by an unfinished erase counts."""
    args = session.args
    library = session.services.library
    by_kind = bool(args.all and args.kind)
    text = session.query_text()
    ways = (bool(args.refs), text is not None, by_kind, args.everything)
    if sum(ways) != 1 or (args.all and not args.kind):
        raise UserError("usage.nothing_chosen")
    if not args.refs:
        query = (
            kind_query(session, store, args.kind)
            if by_kind
            else Query(text or "", frozenset({store.id}))
        )
        if args.kind and not by_kind:
            query = kind_query(session, store, args.kind)
        found = library.window(library.search(query, "created", session.cancel).ids)
        chosen, left = session.services.erasing.plans.erasable(
            [record.ref for record in found if record is not None]
        )
        if left:
            session.out.note(
                session.words.many(
                    "{n} row is the agent's own bookkeeping, cannot be erased and is left out.",
                    "{n} rows are the agent's own bookkeeping, cannot be erased and are left out.",
                    len(left),
                )
            )
        return chosen, []
    refs: list[Ref] = []
    missing: list[str] = []
    named = named_in(begun)
    for name in dict.fromkeys(args.refs):
        ref = library.resolve(store.id, name)
        if ref is not None:
            refs.append(ref)
        elif name not in named:
            missing.append(name)
    return refs, missing
