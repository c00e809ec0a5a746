# SPDX-License-Identifier: MIT
"""``add``, ``edit``, ``trash``, ``restore``, ``delete``, ``tag``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from memory_gui.domain.changes import Capability, Edit, NewRecord, StoreInfo, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import kind_for, main_kinds
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.services import BulkResult, OpenedStore
from memory_gui.services.agent.view import Reach, reach_of
from memory_gui.services.shapes import record_data
from memory_gui.terminal.bulk import (
    chosen,
    report,
    stopped_acts,
    with_resume,
    with_take_back,
)
from memory_gui.terminal.forgetting import forget_old
from memory_gui.terminal.looking import print_record
from memory_gui.terminal.parser import Parser, Verb, with_refs, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.setting import values_of, with_set
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.agentview import how_much_is_read


def with_despite(parser: Parser, words: Words) -> None:
    """``--despite a,b``."""
    parser.add_argument(
        "--despite",
        metavar="GUARD",
        default="",
        help=words.say(
            "insist past these guards, with commas: secret, personal, hidden, conflict, "
            "foreign, subject"
        ),
    )


def despite(session: Session) -> frozenset[str]:
    """The guards that the person insists past."""
    named = {part.strip() for part in session.args.despite.split(",") if part.strip()}
    if not named <= {"secret", "personal", "hidden", "conflict", "foreign", "subject"}:
        raise UserError("usage.despite")
    return frozenset(named)


# ---- add and edit


def _add_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    with_set(parser, words, required=True)
    with_despite(parser, words)


def add(session: Session) -> Exit:
    """Add a record the way its agent does."""
    store = session.open(write=True)
    insist = despite(session)
    if "foreign" in insist:
        session.services.library.allow_writing(store.id, despite_foreign=True)
    given = {pair.partition("=")[0] for pair in session.args.set}
    kind = kind_for(store.info.declared, given) or store.info.kinds[0]
    offered = [name for one in store.info.declared if "add" in one.acts for name in one.fields]
    fields = _given(session, "add", store.info, _more_fields(store.info, kind), offered)
    new = NewRecord(kind, fields, despite=insist)
    result = session.services.editing.add(store.id, new)
    return _print_changed(session, result, new.kind)


def _more_fields(info: StoreInfo, kind: str) -> tuple[str, ...]:
    """What else a person may give a record of this kind, as its format declares."""
    return next((one.fields for one in info.declared if one.name == kind), ())


def _given(
    session: Session, act: str, info: StoreInfo, also: Sequence[str], offered: Sequence[str]
) -> dict[str, str | tuple[str, ...]]:
    """The fields of ``--set``. Where the act is not possible at all, no field is asked for.

    Raises:
        UserError: as ``setting.values_of``; ``store.cannot``.
    """
    try:
        return values_of(session, also, offered)
    except UserError as error:
        if error.code != "usage.set" or Capability[act.upper()] in info.capabilities:
            raise
        why = info.reasons.get(act, "")
        raise UserError("store.cannot", act=act, format=info.format, why=why) from error


def _edit_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument("ref", metavar="REF", help=words.say("the record: kind:key, or the key"))
    with_set(parser, words, required=True)
    parser.add_argument(
        "--if-match", metavar="ETAG", help=words.say("only when the record is still this one")
    )
    with_despite(parser, words)
    parser.add_argument(
        "--forget-old",
        action="store_true",
        help=words.say("also erase the old text for good; this cannot be undone"),
    )
    parser.add_argument(
        "--yes", action="store_true", help=words.say("with --forget-old: do not ask")
    )
    parser.add_argument("--receipt", metavar="FILE", help=words.say("where to write the receipt"))


def edit(session: Session) -> Exit:
    """Change fields of one record."""
    if session.args.receipt is not None and not session.args.forget_old:
        raise UserError("usage.receipt")
    store = session.open(write=True)
    insist = despite(session)
    if "foreign" in insist:
        session.services.library.allow_writing(store.id, despite_foreign=True)
    ref = session.ref(store, session.args.ref)
    target = Target(ref, session.args.if_match)
    own = _more_fields(store.info, ref.kind)
    wanted = Edit(target, _given(session, "edit", store.info, own, own), insist)
    if session.args.forget_old:
        return forget_old(session, wanted, despite_foreign="foreign" in insist)
    result = session.services.editing.edit(wanted)
    if not result.changes.refs:
        return _print_changed(session, result, ref.kind, ref)
    return _print_changed(session, result, ref.kind)


def _print_changed(
    session: Session, result: BulkResult, kind: str, unchanged: Ref | None = None
) -> Exit:
    """The record as it is now."""
    kept = (*result.changes.added, *result.changes.changed)
    ref = unchanged or next(ref for ref in kept if ref.kind == kind)
    record = session.services.library.record(ref)
    if record is None:
        raise UserError("record.gone", ref=ref.text)
    read = agent_reads(session, ref.store, record.text)
    session.out.document({"store": str(ref.store), **record_data(record), **read})
    print_record(session, record)
    tell_read(session, ref.store, record.text)
    return Exit.DONE


def _reach(session: Session, store: StoreId) -> Reach | None:
    opened = {one.id: one.info.format for one in session.services.library.stores()}
    return reach_of(opened.get(store, ""))


def agent_reads(session: Session, store: StoreId, text: str) -> dict[str, Any]:
    """``agent_reads``: how much of a text the store's agent reads; empty where unknown."""
    reach, chars = _reach(session, store), len(text.strip())
    if reach is None:
        return {}
    most = {"always": reach.always, "searched": reach.searched, "recalled": reach.recalled}
    told = {"chars": chars, **{name: min(chars, limit) for name, limit in most.items()}}
    return {"agent_reads": told}


def tell_read(session: Session, store: StoreId, text: str) -> None:
    """The same for a person, where the agent does not read all of it."""
    reach, chars = _reach(session, store), len(text.strip())
    if reach is not None and chars > reach.recalled:
        session.out.line(how_much_is_read(session.words, chars, reach))


# ---- several


def _refs_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    with_refs(parser, words)
    parser.add_argument(
        "--dry-run", action="store_true", help=words.say("say what would be done and write nothing")
    )
    parser.add_argument("--yes", action="store_true", help=words.say("do not ask"))
    with_resume(parser, words)


def _trash_arguments(parser: Parser, words: Words) -> None:
    _refs_arguments(parser, words)
    with_take_back(parser, words)


def _tag_arguments(parser: Parser, words: Words) -> None:
    _refs_arguments(parser, words)
    parser.add_argument("--add", metavar="TAG", action="append", help=words.say("a tag to add"))
    parser.add_argument(
        "--remove", metavar="TAG", action="append", help=words.say("a tag to remove")
    )


def trash(session: Session) -> Exit:
    """Out of the agent's sight; the text stays in the file."""
    return _several(session, "trash", "trashed", State.LIVE)


def restore(session: Session) -> Exit:
    """Back into the agent's sight."""
    return _several(session, "restore", "restored", State.TRASH)


def delete(session: Session) -> Exit:
    """Take rows out; from the terminal this cannot be undone."""
    store = session.open(write=not session.args.dry_run)
    trashed = Capability.TRASH in store.info.capabilities
    states = frozenset({State.TRASH}) if trashed else frozenset()
    kinds = main_kinds(store.info.kinds, store.info.declared)
    refs = chosen(session, store, "delete", Query(kinds=kinds, states=states))
    if session.args.dry_run:
        result = session.services.editing.would("delete", refs, cancel=session.cancel)
        return report(session, refs, result, "deleted", dry=True)
    session.confirm(
        session.words.many(
            "Take {n} record out? Its bytes may remain in the file; erase removes them.",
            "Take {n} records out? Their bytes may remain in the file; erase removes them.",
            len(refs),
        )
    )
    with session.progress() as tick:
        result = session.services.editing.delete(refs, tick=tick, cancel=session.cancel)
    return report(session, refs, result, "deleted")


def tag(session: Session) -> Exit:
    """Add and remove tags."""
    add_tags, remove = session.args.add or (), session.args.remove or ()
    if not add_tags and not remove:
        raise UserError("usage.no_tags")

    return _several(session, "tag", "tagged", None, add=add_tags, remove=remove)


def _several(
    session: Session, act: str, outcome: str, state: State | None, **tags: Collection[str]
) -> Exit:
    store = session.open(write=not session.args.dry_run)
    if getattr(session.args, "take_back", False):
        return _take_back(session, store, act)
    editing = session.services.editing
    states = frozenset() if state is None else frozenset({state})
    kinds = main_kinds(store.info.kinds, store.info.declared)
    refs = chosen(session, store, act, Query(kinds=kinds, states=states))
    if session.args.dry_run:
        result = editing.would(act, refs, cancel=session.cancel, **tags)
        return report(session, refs, result, outcome, dry=True)
    run = {"trash": editing.trash, "restore": editing.restore, "tag": editing.tag}[act]
    with session.progress() as tick:
        result = run(refs, tick=tick, cancel=session.cancel, **tags)
    return report(session, refs, result, outcome)


def _take_back(session: Session, store: OpenedStore, act: str) -> Exit:
    """Undo what a stopped act has done: what it put into the trash comes back, or goes there."""
    found, editing = stopped_acts(session, store, act), session.services.editing
    refs = list(dict.fromkeys(ref for one in found for ref in one.reached))
    back, outcome = {"trash": ("restore", "restored"), "restore": ("trash", "trashed")}[act]
    if session.args.dry_run:
        result = editing.would(back, refs, cancel=session.cancel)
        return report(session, refs, result, outcome, dry=True)
    for one in found:
        editing.forget_stopped(store.id, one)
    with session.progress() as tick:
        run = editing.restore if back == "restore" else editing.trash
        result = run(refs, tick=tick, cancel=session.cancel)
    return report(session, refs, result, outcome)


VERBS = (
    Verb("add", N_("add a record the way its agent does"), _add_arguments),
    Verb("edit", N_("change fields of a record"), _edit_arguments),
    Verb(
        "trash",
        N_("put records out of the agent's sight; the text stays in the file"),
        _trash_arguments,
    ),
    Verb("restore", N_("take records out of the trash"), _trash_arguments),
    Verb("delete", N_("take rows out of the store; bytes may remain in the file"), _refs_arguments),
    Verb("tag", N_("add and remove tags"), _tag_arguments),
)
RUN = {
    "add": add,
    "edit": edit,
    "trash": trash,
    "restore": restore,
    "delete": delete,
    "tag": tag,
}
