# SPDX-License-Identifier: MIT
"""Searches that are kept under a name: ``list STORE --saved NAME``, ``--save-as``, ``--unsave``."""

from __future__ import annotations

from memory_gui.ledger.filters import SavedFilter
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import Words


def with_saved(parser: Parser, words: Words) -> None:
    """The options of ``list`` about saved searches."""
    say = words.say
    parser.add_argument(
        "--saved",
        metavar="NAME",
        nargs="?",
        const="",
        help=say("a search that was saved under this name; without a name: which ones there are"),
    )
    parser.add_argument("--save-as", metavar="NAME", help=say("save this search under a name"))
    parser.add_argument(
        "--replace",
        action="store_true",
        help=say("with --save-as: in the place of one of that name"),
    )
    parser.add_argument("--unsave", metavar="NAME", help=say("forget a saved search"))


def about_saved(session: Session) -> Exit | None:
    """What needs no store: name them, forget one; None when records are to be listed."""
    args, saved = session.args, session.services.filters
    if args.unsave is not None:
        saved.remove(args.unsave)
        session.out.document({"unsaved": args.unsave})
        session.out.line(session.words.say("“{name}” is no longer saved.", name=args.unsave))
        return Exit.DONE
    if args.saved != "":
        return None
    found = saved.list()
    session.out.document({"saved": [as_json(one) for one in found]})
    for one in found:
        session.out.line(f"{one.name}  {_meaning(one)}")
    if not found:
        session.out.line(session.words.say("No search is saved."))
    return Exit.DONE


def save(session: Session, text: str) -> None:
    """``--save-as``: keep what was searched, and say so."""
    args = session.args
    if args.save_as is not None:
        sort = args.sort or ""
        one = session.services.filters.save(args.save_as, text, sort=sort, replace=args.replace)
        session.out.note(session.words.say("Saved as “{name}”.", name=one.name))


def as_json(one: SavedFilter) -> dict[str, object]:
    """One in the document of ``list STORE --saved``."""
    facets = {name: sorted(values) for name, values in one.facets.items()}
    return {"name": one.name, "query": one.text, "facets": facets, "sort": one.sort or None}


def _meaning(one: SavedFilter) -> str:
    chosen = [f"{name}:{value}" for name, values in one.facets.items() for value in sorted(values)]
    return " ".join(filter(None, (one.text, *chosen)))
