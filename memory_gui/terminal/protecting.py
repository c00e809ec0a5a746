# SPDX-License-Identifier: MIT
"""``encrypt``, ``decrypt``, ``export``."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.services.exporting import FORMATS
from memory_gui.terminal import names
from memory_gui.terminal.looking import ALL, kind_query
from memory_gui.terminal.parser import Parser, Verb, with_query, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words

LATER_FORMAT = "encrypted"


def _encrypt_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--agents-lose-access",
        action="store_true",
        help=words.say("encrypt although the agent cannot open the store any more"),
    )


def encrypt(session: Session) -> Exit:
    """Encrypt in place; the key goes to the keychain first, or is the one given by --key-fd."""
    key = session.key()
    if key is not None and not isinstance(key, RawKey):
        raise UserError("usage.raw_key_needed")
    store = session.open(pair=False, write=True)
    if store.info.encrypted:
        raise UserError("protect.encrypted", path=store.info.path)
    if not session.args.agents_lose_access:
        raise UserError("protect.agent_loses", agent=store.info.agent)
    done = session.services.protect.encrypt(store.id, key=key)
    session.out.document(
        {"store": done.info.path, "encrypted": True, "key_place": done.key_place.value}
    )
    session.out.line(
        session.words.say(
            "Encrypted. The key: {place}.", place=names.key_place(session.words, done.key_place)
        )
    )
    return Exit.DONE


def _decrypt_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument("out", metavar="OUT", nargs="?", help=words.say("the new readable file"))
    parser.add_argument(
        "--in-place", action="store_true", help=words.say("make the store itself readable")
    )
    parser.add_argument("--yes", action="store_true", help=words.say("do not ask"))


def decrypt(session: Session) -> Exit:
    """Write a readable copy, or make the store itself readable."""
    out = session.args.out
    if (out is None) is not session.args.in_place:
        raise UserError("usage.out_or_in_place")
    store = session.open(pair=False, write=True)
    if out is None:
        session.confirm(
            session.words.say("Make the store readable for everybody who gets the file?")
        )
    target = None if out is None else Path(out)
    session.services.protect.decrypt(store.id, target)
    session.out.document(
        {
            "store": store.info.path,
            "out": out,
            "encrypted": store.info.encrypted and out is not None,
        }
    )
    if out is None:
        session.out.line(session.words.say("The store is readable now."))
    else:
        session.out.line(session.words.say("A readable copy is at {path}.", path=out))
    return Exit.DONE


def _export_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument("out", metavar="OUT", help=words.say("the new file"))
    parser.add_argument(
        "--kind",
        metavar="K",
        default=ALL,
        help=words.say("a kind of that format, or all, or trash"),
    )
    with_query(parser, words)
    parser.add_argument(
        "--format",
        choices=(*FORMATS, LATER_FORMAT),
        metavar="FORMAT",
        help=words.say("json, jsonl, csv or md; else by the name of the file"),
    )


def export(session: Session) -> Exit:
    """Write records with every field to a new file that only its owner can read."""
    out = Path(session.args.out)
    file_format = session.args.format or out.suffix.removeprefix(".") or "json"
    if file_format == LATER_FORMAT:
        raise UserError("usage.later", what="export --format encrypted")
    store = session.open(pair=False)
    query: Query = kind_query(session, store, session.args.kind)
    with session.progress() as tick:
        number = session.services.exporting.export(
            query, out, file_format, tick=tick, cancel=session.cancel
        )
    session.out.document(
        {"store": store.info.path, "out": str(out), "format": file_format, "records": number}
    )
    session.out.line(
        session.words.many(
            "{n} record written to {path}. The file is not encrypted.",
            "{n} records written to {path}. The file is not encrypted.",
            number,
            path=str(out),
        )
    )
    return Exit.DONE


VERBS = (
    Verb("encrypt", N_("encrypt a store in place"), _encrypt_arguments),
    Verb("decrypt", N_("write a readable copy, or make the store readable"), _decrypt_arguments),
    Verb("export", N_("write records to a file"), _export_arguments),
)
RUN = {"encrypt": encrypt, "decrypt": decrypt, "export": export}
