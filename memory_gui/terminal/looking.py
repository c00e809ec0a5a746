# SPDX-License-Identifier: MIT
"""``info``, ``list``, ``show``."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import main_kinds, usual_sort
from memory_gui.domain.queries import Choices, Query
from memory_gui.domain.records import PRESENT, Record, State
from memory_gui.engine.holders import family, open_by
from memory_gui.findings.covering import cover as cover_all
from memory_gui.findings.secrets import mask
from memory_gui.services import Listing, OpenedStore
from memory_gui.services.shapes import capability_names, counts_data, record_data
from memory_gui.terminal import names
from memory_gui.terminal.filters import about_saved, save, with_saved
from memory_gui.terminal.output import fit, width
from memory_gui.terminal.parser import Parser, Verb, with_query, with_store
from memory_gui.terminal.reviewstory import (
    QUEUES,
    as_drawn,
    own_item,
    preview_data,
    story_data,
    story_of,
    tell_preview,
    tell_story,
)
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words, formats
from memory_gui.words.errors import explain

LIMIT: Final = 200
ALL: Final = "all"
_MOST_KINDS: Final = 40


def _info_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)


def info(session: Session) -> Exit:
    """What the store is, without reading its records."""
    store = session.open()
    stopped = session.services.editing.stopped(store.id)
    acts = [
        {"act": one.act, "done": one.done, "total": one.total, "started_at": one.started_at}
        for one in stopped
    ]
    document = {**info_data(store), "stopped": acts}
    document["returned"] = [ref.text for ref in session.returned]
    session.out.document(document)
    lines = _info_lines(session.words, store, document)
    wide = max(width(label) for label, _ in lines)
    for label, value in lines:
        session.out.line(f"{fit(label, wide)}  {value}")
    return Exit.DONE


def info_data(store: OpenedStore) -> dict[str, Any]:
    """The ``info`` document."""
    info = store.info
    holders = open_by([Path(info.path)], excluding=family())
    problem = store.partner_problem
    return {
        "path": info.path,
        "name": store.name,
        "format": info.format,
        "agent": info.agent,
        "agent_version": info.agent_version,
        "role": info.role,
        "encrypted": info.encrypted,
        "cipher": dict(info.cipher),
        "key_place": store.key_place.value,
        "journal_mode": info.journal_mode,
        "writable": info.writable,
        "kinds": list(info.kinds),
        "counts": counts_data(info),
        "capabilities": capability_names(info.capabilities),
        "reasons": dict(info.reasons),
        "told": [{"code": one.code, **one.values} for one in info.told],
        "notes": list(info.notes),
        "foreign_sql": list(info.foreign_sql),
        "partner": store.partner,
        "partner_problem": None if problem is None else problem.code,
        "open_by": [{"pid": holder.pid, "name": holder.name} for holder in holders],
    }


def _info_lines(
    words: Words, store: OpenedStore, document: Mapping[str, Any]
) -> list[tuple[str, str]]:
    info = store.info
    lines = [
        (words.say("Store:"), info.path),
        (
            words.say("Agent:"),
            words.say("{agent} {version}", agent=info.agent, version=info.agent_version).strip(),
        ),
        (words.say("Format:"), formats.format_name(words, info.format)),
        (words.say("Role:"), names.role(words, info.role)),
        (words.say("Encrypted:"), words.say("yes") if info.encrypted else words.say("no")),
        (words.say("Key:"), names.key_place(words, store.key_place)),
        *([(words.say("Journal:"), info.journal_mode)] if info.journal_mode else []),
        (words.say("Records:"), count_line(words, info)),
    ]
    if store.partner is not None:
        lines.append((words.say("Goes with:"), store.partner))
    if store.partner_problem is not None:
        lines.append((words.say("Other half:"), explain(words, store.partner_problem).text))
    lines += [(words.say("Note:"), names.note(words, code)) for code in info.notes]
    lines += [(words.say("Note:"), formats.told(words, one.code, one.values)) for one in info.told]
    if info.foreign_sql:
        lines.append((words.say("Not the agent's:"), "; ".join(info.foreign_sql)))
    holders = document["open_by"]
    if holders:
        shown = words.row(f"{holder['name']} ({holder['pid']})" for holder in holders)
        lines.append((words.say("Open in:"), shown))
    return lines


def count_line(words: Words, info: StoreInfo) -> str:
    """``memory: 12 live, 3 in the trash · review: 2 pending``."""
    parts = []
    filled = [(kind, states) for kind, states in info.counts.items() if states]
    counts = list(info.counts.items()) if len(info.counts) <= _MOST_KINDS else filled
    for kind, states in counts[:_MOST_KINDS]:
        each = [
            words.say("{n} {state}", n=number, state=names.state(words, state))
            for state, number in states.items()
        ]
        shown = words.row(each) or words.number(0)
        parts.append(words.say("{kind}: {counts}", kind=names.kind(words, kind), counts=shown))
    line = " · ".join(parts)
    more = len(counts) - _MOST_KINDS
    return words.say("{kinds} and {n} more", kinds=line, n=more) if more > 0 else line


# ---- list


def _list_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--kind", metavar="K", help=words.say("a kind of that format, or all, or trash")
    )
    with_query(parser, words)
    with_saved(parser, words)
    parser.add_argument(
        "--sort",
        metavar="F",
        help=words.say(
            "updated, created, title, kind, state, type, scope; - before it turns it round"
        ),
    )
    parser.add_argument(
        "--limit", metavar="N", type=int, default=LIMIT, help=words.say("how many at most")
    )
    parser.add_argument(
        "--after", metavar="CURSOR", help=words.say("go on after an earlier answer's “next”")
    )


def list_records(session: Session) -> Exit:
    """The records that match, a page of them."""
    if session.args.limit < 1:
        raise UserError("usage.limit")
    done = about_saved(session)
    if done is not None:
        return done
    store = session.open(pair=False)
    library = session.services.library
    query = kind_query(session, store, session.args.kind)
    save(session, query.text)
    query, order = _saved(session, query)
    kinds = [one for one in store.info.declared if not query.kinds or one.name in query.kinds]
    order = order or usual_sort(kinds)
    listing = session.found(query, order)
    start = _start(session, listing)
    end = min(start + session.args.limit, listing.total)
    page = [r for r in library.window(listing.ids[start:end]) if r is not None]
    following = _cursor(end, page[-1]) if page and end < listing.total else None
    session.out.document(
        {
            "store": store.info.path,
            "total": listing.total,
            "next": following,
            "returned": [ref.text for ref in session.returned],
            "records": [record_data(record) for record in page],
        }
    )
    if not session.out.as_json:
        for code in store.info.notes:
            session.out.note(names.note(session.words, code))
    _print_table(session, page)
    session.out.line(
        session.words.many("{n} record.", "{n} records.", listing.total)
        if following is None and start == 0
        else session.words.say(
            "{first}–{last} of {total}.", first=start + 1, last=end, total=listing.total
        )
    )
    if following is not None:
        session.out.line(session.words.say("More: --after {cursor}", cursor=following))
    return Exit.DONE


def _saved(session: Session, query: Query) -> tuple[Query, str]:
    """With the words, values and order of ``--saved``; the words beside it narrow it further."""
    name, sort = session.args.saved, session.args.sort
    if name is None:
        return query, sort
    one = session.services.filters.get(name)
    text = " ".join(filter(None, (one.text, query.text)))
    return replace(query, text=text, facets=Choices(one.facets)), sort or one.sort


def kind_query(session: Session, store: OpenedStore, kind: str | None) -> Query:
    """The query for ``--kind``: without it live records of what the store is there for."""
    kinds = store.info.kinds
    stores = frozenset({store.id})
    text = session.query_text() or ""
    if kind is None:
        main = main_kinds(kinds, store.info.declared)
        return Query(text, stores, main, PRESENT)
    if kind == ALL:
        return Query(text, stores)
    if kind == State.TRASH.value and kind not in kinds:
        return Query(text, stores, states=frozenset({State.TRASH}))
    if kind not in kinds:
        known = (*kinds[:_MOST_KINDS], ALL, State.TRASH.value)
        raise UserError("usage.kind", kinds=", ".join(known))
    return Query(text, stores, frozenset({kind}))


def _cursor(position: int, last: Record) -> str:
    text = f"{position}:{last.ref.text}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _start(session: Session, listing: Listing) -> int:
    """Where to go on: after the cursor's record, or at its place when that one is gone."""
    cursor: str | None = session.args.after
    if cursor is None:
        return 0
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        position, _, ref = text.partition(":")
        place = int(position)
    except (binascii.Error, ValueError) as error:
        raise UserError("usage.cursor") from error
    library = session.services.library
    ids = listing.ids
    for at in _nearby(place - 1, len(ids)):
        found = library.window(ids[at : at + 1])[0]
        if found is not None and found.ref.text == ref:
            return at + 1
    return max(0, min(place, len(ids)))


def _nearby(place: int, total: int) -> list[int]:
    """All places, nearest first."""
    return sorted(range(total), key=lambda at: abs(at - place))


def _print_table(session: Session, page: list[Record]) -> None:
    words = session.words
    if not page:
        return
    heads = [words.say("REF"), words.say("STATE"), words.say("TITLE"), words.say("UPDATED")]
    rows = [
        [
            record.ref.text,
            names.state(words, record.state),
            mask(record.title or record.text),
            names.changed(record),
        ]
        for record in page
    ]
    # What has no times has no column of them; the texts have its room.
    shown = slice(None) if any(row[-1] for row in rows) else slice(-1)
    session.out.table(heads[shown], [row[shown] for row in rows], wide=2)
    for record in page:
        for code in filter(formats.is_alarm, record.told):
            note = formats.told(words, code, {})
            session.out.line(words.say("{ref}: {reason}", ref=record.ref.text, reason=note))
    if any(row[2] != (one.title or one.text) for row, one in zip(rows, page, strict=True)):
        say_covered(session)


def say_covered(session: Session) -> None:
    """Tell a person why there are dots, and where the text is."""
    session.out.line(
        session.words.say("A secret or personal data is covered here. With --json it is shown.")
    )


# ---- show


def _show_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument("ref", metavar="REF", help=words.say("the record: kind:key, or the key"))


def show(session: Session) -> Exit:
    """One record, every field."""
    given = str(session.args.ref)
    # What an item of the queue was saved as may lie in the agent's other database.
    store = session.open(pair=given.partition(":")[0] in QUEUES)
    record = own_item(session, store, given)
    if record is None:
        ref = session.ref(store, given)
        record = session.services.library.record(ref)
        if record is None:
            raise UserError("record.gone", ref=ref.text)
    found = story_of(session, record)
    more = {}
    if found is not None:
        more = {"preview": preview_data(found[0]), "story": story_data(found[1])}
    session.out.document({"store": store.info.path, **record_data(record), **more})
    print_record(session, as_drawn(record))
    if found is not None:
        tell_story(session, record, found[1])
        if record.state is State.PENDING:
            tell_preview(session, found[0])
    return Exit.DONE


def _plain_fields(record: Record) -> list[tuple[str, Any]]:
    """What stands on a line of its own: no zone where there are no times."""
    elsewhere = {"title", "text", "extra", "told"}
    if not (record.created_at or record.updated_at):
        elsewhere.add("zone")
    fields = record_data(record).items()
    return [(n, v) for n, v in fields if n not in elsewhere and v not in (None, "", [])]


_SAID: Final = frozenset({"evidence", "key_normalized", "subject"})
"""Fields beside title, text and tags that hold words of a person, and no numbers of a program."""


_TOLD: Final = frozenset({"confidence"})
"""Fields beside them whose values have words."""


def print_record(session: Session, record: Record) -> None:
    """Title, text, then every other field that has a value; secrets are covered."""
    out, words = session.out, session.words
    covered = False

    def cover(text: str, said: bool = False) -> str:
        nonlocal covered
        # What an agent proposes is covered as in the window: personal data in what is said, too.
        shown = cover_all(text) if said and record.kind in QUEUES else mask(text)
        covered = covered or shown != text
        return shown

    for text in filter(None, (record.title, record.text)):
        out.line(cover(text, said=True), lines=text is record.text)
        out.line()
    for name, value in _plain_fields(record):
        shown = words.row(value) if isinstance(value, list) else names.value(words, name, value)
        if name in ("created_at", "updated_at"):
            shown = names.time_of(record, name)
        label = names.field(words, name)
        out.line(
            words.say("{field}: {value}", field=label, value=cover(shown, said=name == "tags"))
        )
    for name, value in record.extra.items():
        if value is not None:
            label = names.field(words, name)
            shown = names.value(words, name, value) if name in _TOLD else str(value)
            out.line(words.say("{field}: {value}", field=label, value=cover(shown, name in _SAID)))
    for code in record.told:
        out.line(words.say("Note: {note}", note=formats.told(words, code, {})))
    if covered:
        say_covered(session)


VERBS = (
    Verb("info", N_("format, encryption, counts, who has it open"), _info_arguments),
    Verb("list", N_("records"), _list_arguments),
    Verb("show", N_("one record with every field"), _show_arguments),
)
RUN = {"info": info, "list": list_records, "show": show}
