# SPDX-License-Identifier: MIT
"""``filters``: searches that are kept under a name; ``list STORE --saved NAME`` uses one."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.ledger.filters import SavedFilter
from memory_gui.terminal.parser import Parser, Verb, with_query
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words


def _arguments(parser: Parser, words: Words) -> None:
    say = words.say
    parser.add_argument(
        "act",
        choices=("list", "save", "remove"),
        help=say("name those that are saved, save a search, or forget one"),
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help=say("with save and remove"))
    with_query(parser, words)
    parser.add_argument("--sort", metavar="F", default="", help=say("the order of its list"))
    parser.add_argument(
        "--replace", action="store_true", help=say("in the place of one of that name")
    )


def filters(session: Session) -> Exit:
    """List, save or remove."""
    args, saved = session.args, session.services.filters
    if args.act == "list":
        found = saved.list()
        session.out.document({"filters": [as_json(one) for one in found]})
        for one in found:
            session.out.line(f"{one.name}  {_meaning(one)}")
        if not found:
            session.out.line(session.words.say("No search is saved."))
        return Exit.DONE
    if args.name is None:
        raise UserError("usage.filter_name")
    if args.act == "save":
        text = session.query_text() or ""
        one = saved.save(args.name, text, sort=args.sort, replace=args.replace)
        session.out.document(as_json(one))
        session.out.line(session.words.say("Saved as “{name}”.", name=one.name))
        return Exit.DONE
    saved.remove(args.name)
    session.out.document({"removed": args.name})
    session.out.line(session.words.say("“{name}” is no longer saved.", name=args.name))
    return Exit.DONE


def as_json(one: SavedFilter) -> dict[str, object]:
    """One in the documents of ``filters``."""
    facets = {name: sorted(values) for name, values in one.facets.items()}
    return {"name": one.name, "query": one.text, "facets": facets, "sort": one.sort or None}


def _meaning(one: SavedFilter) -> str:
    chosen = [f"{name}:{value}" for name, values in one.facets.items() for value in sorted(values)]
    return " ".join(filter(None, (one.text, *chosen)))


VERBS = (Verb("filters", N_("searches that are kept under a name"), _arguments),)
RUN = {"filters": filters}
