# SPDX-License-Identifier: MIT
"""``encrypt``, ``decrypt``, ``export``."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.services import KeyPlace
from memory_gui.services.exporting import FORMATS
from memory_gui.services.keys.protect import ProtectPlan
from memory_gui.terminal import names
from memory_gui.terminal.links import tell_link
from memory_gui.terminal.looking import ALL, kind_query
from memory_gui.terminal.parser import Parser, Verb, with_query, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.merging import brought
from memory_gui.words.rotation import opens_encrypted, opens_readable

LATER_FORMAT = "encrypted"


def _encrypt_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--agents-lose-access",
        action="store_true",
        help=words.say("encrypt although the agent cannot open the store any more"),
    )
    parser.add_argument(
        "--into",
        metavar="ENCRYPTED",
        help=words.say("bring the records into this encrypted store, and encrypt nothing"),
    )


def encrypt(session: Session) -> Exit:
    """Encrypt in place; the key goes to the keychain first, or is the one given by --key-fd."""
    if session.args.into is not None:
        return merge(session)
    key = session.key()
    if key is not None and not isinstance(key, RawKey):
        raise UserError("usage.raw_key_needed")
    store = session.open(pair=False, write=True)
    if store.info.encrypted:
        raise UserError("protect.encrypted", path=store.info.path)
    protect, words = session.services.protect, session.words
    plan = protect.plan(store.id)
    tell_link(session, plan.path)
    session.out.line(words.say("Who can open it afterwards:"))
    for line in opens_encrypted(words, protect.who(plan, keeps=key is None)):
        session.out.line(words.say("- {line}", line=line))
    for line in plan.connect:
        session.out.line(words.say("To connect {agent}: {line}", agent=plan.agent, line=line))
    if plan.access.value != "agent" and not session.args.agents_lose_access:
        if not session.attended:
            raise UserError("protect.agent_loses", agent=store.info.agent)
        session.args.yes = False
        session.confirm(words.say("Encrypt, although {agent} loses access?", agent=plan.agent))
    if key is None:
        session.check_it_may_keep()
    with session.progress() as tick:
        done = protect.encrypt(store.id, key=key, tick=tick)
    session.out.document(
        {
            "store": done.info.path,
            "encrypted": True,
            "key_place": done.key_place.value,
            **_plan_data(plan),
        }
    )
    session.out.line(
        words.say("Encrypted. The key: {place}.", place=names.key_place(words, done.key_place))
    )
    session.out.line(words.say("The way back: memory-cli decrypt STORE --in-place"))
    return Exit.DONE


def merge(session: Session) -> Exit:
    """Bring what a readable store has into the encrypted one; ends 6 when something clashes."""
    words, out = session.words, session.out
    key = session.key()
    (stray,) = session.services.library.open(session.path(), pair=False)
    (into,) = session.services.library.open(session.args.into, key=key, pair=False)
    with session.progress() as tick:
        done = session.services.merging.merge(stray.id, into.id, tick=tick, cancel=session.cancel)
    out.document(
        {
            "store": stray.info.path,
            "into": into.info.path,
            "added": done.added,
            "same": done.same,
            "clashes": len(done.clashes),
            "failed": len(done.failed),
            "left": dict(done.left),
            "brought": dict(done.brought),
        }
    )
    out.line(words.say("Into {path}:", path=into.info.path))
    for line in brought(words, done.brought, done.same, done.left):
        out.line(line)
    for title in done.clashes:
        out.line(
            words.say("- {title}: another one has its key or id there; left as it is", title=title)
        )
    for title, error in done.failed:
        reason = explain(words, error).text
        out.line(words.say("- {title}: {reason}", title=title, reason=reason))
    out.line(
        words.say(
            "The readable store is as it was. When nothing is missing: erase it with “memory-cli "
            "erase STORE --everything”, and put the encrypted one in its place."
        )
    )
    return Exit.DONE if done.whole else Exit.REFUSED


def _plan_data(plan: ProtectPlan) -> dict[str, object]:
    """Who lost access, and how the agent is connected again."""
    return {
        "access": plan.access.value,
        "loses": list(plan.loses),
        "connect": list(plan.connect),
        "readable_beside": list(plan.readable),
        "unseen": plan.unseen,
    }


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
    protect, words = session.services.protect, session.words
    plan = protect.plan(store.id)
    tell_link(session, plan.path)
    if out is None:
        kept = store.key_place is KeyPlace.KEYCHAIN
        session.out.line(words.say("Who can read it afterwards:"))
        for line in opens_readable(words, protect.who(plan, keeps=kept)):
            session.out.line(words.say("- {line}", line=line))
        session.confirm(words.say("Make the store readable for everybody who gets the file?"))
    target = None if out is None else Path(out)
    with session.progress() as tick:
        protect.decrypt(store.id, target, tick=tick)
    session.out.document(
        {
            "store": store.info.path,
            "out": out,
            "encrypted": store.info.encrypted and out is not None,
        }
    )
    if out is None:
        session.out.line(words.say("The store is readable now."))
        session.out.line(words.say("The way back: memory-cli encrypt STORE"))
    else:
        session.out.line(words.say("A readable copy is at {path}.", path=out))
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
    session.tell_hints(query)
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
