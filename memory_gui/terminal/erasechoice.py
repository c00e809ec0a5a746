# SPDX-License-Identifier: MIT
"""Which records ``erase`` is to take."""

from __future__ import annotations

from dataclasses import replace

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Choices, Query
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
    ways = (
        bool(args.refs),
        text is not None,
        by_kind,
        args.subject is not None,
        args.everything,
        args.returned,
        args.evidence,
    )
    if sum(ways) != 1 or (args.all and not args.kind):
        raise UserError("usage.nothing_chosen")
    if (args.pair or args.scope) and not args.everything:
        raise UserError("usage.part_of_everything")
    if args.returned:
        return list(session.returned), []
    if args.evidence:
        return _evidence(session, store), []
    if args.everything:
        refs = session.services.everything.refs(
            store.id, pair=args.pair, scope=args.scope, cancel=session.cancel
        )
        _tell_left(session, _left_out(session, store))
        return list(refs), []
    if not args.refs:
        whole = Query(text or "", frozenset({store.id}))
        query = kind_query(session, store, args.kind) if args.kind else whole
        if args.subject is not None:
            query = replace(query, facets=Choices({"subject": {args.subject}}))
        found = library.window(session.found(query).ids)
        chosen, left = session.services.erasing.plans.erasable(
            [record.ref for record in found if record is not None]
        )
        _tell_left(session, len(left))
        return chosen, []
    return _named(session, store, begun)


def _named(
    session: Session, store: OpenedStore, begun: tuple[PendingErase, ...]
) -> tuple[list[Ref], list[str]]:
    library = session.services.library
    refs: list[Ref] = []
    missing: list[str] = []
    named = named_in(begun)
    for name in dict.fromkeys(session.args.refs):
        ref = library.resolve(store.id, name)
        if ref is not None:
            refs.append(ref)
        elif name not in named:
            missing.append(name)
    return refs, missing


def _evidence(session: Session, store: OpenedStore) -> list[Ref]:
    """Decided proposals of the agent's queue that keep words of a talk."""
    found = session.services.review.with_evidence(store.id)
    return [ref for ref in found if ref.kind == "review"]


def own_evidence(session: Session, store: OpenedStore) -> list[Ref]:
    """The same of our own queue, which no eraser works on; none without the option."""
    if not session.args.evidence:
        return []
    found = session.services.review.with_evidence(store.id)
    return [ref for ref in found if ref.kind != "review"]


def _left_out(session: Session, store: OpenedStore) -> int:
    """Rows of a store that are the agent's own bookkeeping."""
    library = session.services.library
    found = library.refs(library.search(Query("", frozenset({store.id})), "created").ids)
    return len(session.services.erasing.plans.erasable(found)[1])


def _tell_left(session: Session, left: int) -> None:
    if left:
        session.out.note(
            session.words.many(
                "{n} row is the agent's own bookkeeping, cannot be erased and is left out.",
                "{n} rows are the agent's own bookkeeping, cannot be erased and are left out.",
                left,
            )
        )
