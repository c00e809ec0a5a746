# SPDX-License-Identifier: MIT
"""``convert``: a store of a format that its agent gave up, made into one that it reads."""

from __future__ import annotations

from pathlib import Path

from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words


def _arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "out",
        metavar="OUT",
        nargs="?",
        help=words.say("the new file; left out: where the agent looks for it"),
    )


def convert(session: Session) -> Exit:
    """Make it, read it back and compare; the store stays until it is erased."""
    store = session.open(pair=False)
    out = None if session.args.out is None else Path(session.args.out)
    made = session.services.converting.run(store.id, out)
    session.out.document(
        {
            "store": store.info.path,
            "out": made.path,
            "records": made.records,
            "lost": list(made.lost),
        }
    )
    words = session.words
    session.out.line(
        words.many(
            "{n} record is in {path} now: read back and compared.",
            "{n} records are in {path} now: read back and compared.",
            made.records,
            path=made.path,
        )
    )
    if made.lost:
        names = ", ".join(made.lost)
        session.out.line(words.say("It has no place for these values: {names}", names=names))
    session.out.line(
        words.say(
            "The old file stays as it is: {path}. Destroy it when you need it no more.",
            path=store.info.path,
        )
    )
    return Exit.DONE


VERBS = (
    Verb("convert", N_("make a store that the present agent reads of an old one"), _arguments),
)
RUN = {"convert": convert}
