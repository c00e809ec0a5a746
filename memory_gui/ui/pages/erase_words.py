# SPDX-License-Identifier: MIT
"""Sentences of the erase pages, from plans and results. Knows no Qt."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.erasing import MayHold
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.erasure.cells import cell_name
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.proof import Find, KeptIn, Proof
from memory_gui.erasure.result import NONE, OLD_FOR_RECOVERY, EraseResult, EraseState
from memory_gui.ui.phrases import moment_of
from memory_gui.ui.visible import visible
from memory_gui.words import N_, Words, formats
from memory_gui.words.erasure import (
    KEYS,
    PLACES,
    STEPS,
    TABLES,
    counted,
    kept_key_line,
    listed,
    looked_at,
    new_key_lines,
    short_name,
    where,
)
from memory_gui.words.erasure import holding as holding_words
from memory_gui.words.erasure import limit as limit_words
from memory_gui.words.errors import explain
from memory_gui.words.reasons import kept_line

TYPED_ABOVE: Final = 20
"""More records than this are erased only after their number was typed."""

MOST_KEPT: Final = 8
"""So many kept records that share a text are named in a result; the receipt names all."""

OTHER_STORE: Final = N_("Not proved: another database lies at this path now")

ACCEPTED: Final = N_("Gone, except for what you accepted")
KEPT: Final = N_("Gone, except in files that are kept")

HEADINGS: Final = {
    EraseState.PROVED: (N_("Proved gone"), "ok"),
    EraseState.NOT_FINISHED: (N_("Not finished"), "warn"),
    EraseState.NOT_PROVED: (N_("Not proved"), "warn"),
    EraseState.PLANNED: (N_("Nothing erased yet"), "muted"),
}


_INDEX: Final = "store_index"


def place(path: str) -> str:
    """A store's file as a person knows it: its last two folders and its name."""
    parts = PurePath(path).parts[-3:]
    return visible("/".join(parts))


def going(words: Words, plan: ErasePlan) -> list[tuple[str, str]]:
    """What goes: one row per store and kind, as (where, how many of what)."""
    rows: list[tuple[str, str]] = []
    for store in plan.stores:
        where = place(store.path)
        copies = Counter(cell_name(cell) for cell in store.cells)
        for name, number in (*_by_kind(store), *copies.items()):
            rows.append((where, counted(words, name, number)))
            where = ""  # said once for each store
    return rows


def searched(words: Words, plan: ErasePlan, *, cleanable: bool) -> list[str]:
    """Side files that are searched: those in which text is overwritten, or the others.

    The files of an index, whose names tell nobody anything, by their folder.
    """
    stays = {one.path for one in plan.kept}
    mine = dict.fromkeys(
        file for file in plan.side_files if file.cleanable == cleanable and file.path not in stays
    )
    folders = Counter(str(PurePath(file.path).parent) for file in mine if file.what == _INDEX)
    lines = [visible(file.path) for file in mine if file.what != _INDEX]
    return list(dict.fromkeys(lines)) + [
        words.many("{folder}: {n} file", "{folder}: {n} files", n, folder=visible(folder))
        for folder, n in folders.items()
    ]


def kept_files(words: Words, plan: ErasePlan) -> list[str]:
    """Files of which a case keeps passages: they stay byte for byte."""
    return [kept_line(words, replace(one, path=visible(one.path))) for one in plan.kept]


def still_in(plan: ErasePlan, kind: str) -> tuple[Ref, ...]:
    """Records of a kind that carry the text and stay."""
    return tuple(ref for store in plan.stores for ref in store.still_in if ref.kind == kind)


def kept(plan: ErasePlan) -> tuple[Ref, ...]:
    """Records that carry some of the text and stay, for others say it too; summaries are apart."""
    return tuple(ref for store in plan.stores for ref in store.still_in if ref.kind != "summary")


def chosen(refs: Iterable[Ref]) -> Mapping[str, int]:
    """How many records were chosen, by kind."""
    return Counter(ref.kind for ref in refs)


def rows_of(plan: ErasePlan) -> Mapping[str, int]:
    """How many rows go, by kind."""
    numbers: Counter[str] = Counter()
    for store in plan.stores:
        numbers.update(dict(_by_kind(store)))
    return numbers


def keys(words: Words, plan: ErasePlan) -> list[str]:
    """What becomes of the encrypted databases' keys."""
    lines: list[str] = []
    for store in plan.stores:
        if store.gets_new_key:
            lines += new_key_lines(words, store.path, store.paper, store.others, given=store.given)
        elif store.rows and store.encrypted:
            lines.append(kept_key_line(words, store.path))
    return list(dict.fromkeys(lines))


def holder(words: Words, who: OpenBy) -> str:
    """``agentao (pid 4121)``; one that may not be seen is said as such."""
    if not who.pid:
        return words.say("a program of another user")
    return words.say("{name} (pid {pid})", name=visible(who.name), pid=str(who.pid))


def holders(words: Words, open_by: Iterable[OpenBy]) -> str:
    """All of them."""
    return listed(words, [holder(words, who) for who in open_by])


GONE_FROM_FILES: Final = N_("Gone from the files; old blocks cannot be reached here")


def heading(words: Words, result: EraseResult) -> str:
    """``Not finished: agentao (pid 4121) has it open`` and the like."""
    text = words.say(HEADINGS[result.state][0])
    if result.state is EraseState.NOT_FINISHED and result.open_by:
        who = holders(words, result.open_by)
        return words.say("Not finished: {who} has it open", who=who)
    if result.state is EraseState.NOT_PROVED and (result.finds or result.other_store):
        return still_where(words, result.finds) if result.finds else words.say(OTHER_STORE)
    if result.accepted:
        return words.say(KEPT if result.keeps else ACCEPTED)
    if result.state is EraseState.PROVED and result.key == OLD_FOR_RECOVERY:
        return words.say(KEYS[OLD_FOR_RECOVERY])
    if result.state is EraseState.PROVED and result.out_of_reach:
        return words.say(GONE_FROM_FILES)
    return text


def still_where(words: Words, finds: Sequence[Find]) -> str:
    """``Not proved: still in agentao.log``."""
    names = list(dict.fromkeys(find_name(words, find) for find in finds))
    if all(find.error for find in finds):
        return words.say("Not proved: may still be in {where}", where=listed(words, names[:3]))
    return words.say("Not proved: still in {where}", where=listed(words, names[:3]))


def not_proved(words: Words, scheme: Mapping[str, Any]) -> str:
    """Of an erase that is written down: ``Not proved: still in agentao.log``."""
    if scheme.get("other"):
        return words.say(OTHER_STORE)
    finds = [
        Find(str(found["path"]), str(found["what"]), int(found["count"]), found.get("error"))
        for found in scheme.get("finds", ())
    ]
    return still_where(words, finds) if finds else words.say(HEADINGS[EraseState.NOT_PROVED][0])


def tone(result: EraseResult) -> str:
    """The colour of the heading: green only where nothing at all was found."""
    return "muted" if result.accepted else HEADINGS[result.state][1]


def find_name(words: Words, find: Find) -> str:
    """A side file by its name, or the kind of records it is in."""
    if find.what in TABLES:
        return words.say("the table {table}", table=visible(find.where))
    return where(words, find.where) if find.where in PLACES else visible(short_name(find.where))


def lead(words: Words, result: EraseResult) -> str:
    """The sentence under the heading."""
    if result.accepted:
        return _accepted(words, keeps=result.keeps)
    if result.state is EraseState.PROVED:
        return _proved(words, result.proof)
    if result.state is EraseState.NOT_FINISHED:
        cause = _reason(words, result)
        return cause or words.say(
            "Nothing is claimed. Close the other program, then try again; it is written down and "
            "will not be forgotten."
        )
    if result.other_store or (result.proof and result.proof.clean and not result.finds):
        return _reason(words, result)
    if result.finds and (result.proof is None or result.proof.clean):
        return _still_in(words, result.finds)
    return words.say("The rows are gone, but bytes are left where none should be. Try again.")


def _accepted(words: Words, *, keeps: bool) -> str:
    if keeps:
        return words.say(
            "The records are gone, and that is proved. Files that a case keeps were left as they "
            "are, and hold some of the same text: they are named below and in the receipt."
        )
    return words.say(
        "The records are gone from the databases. What still repeats them was found and left "
        "as it is, because you accepted that; it is named below and in the receipt."
    )


def _proved(words: Words, proof: Proof | None) -> str:
    if proof is not None and proof.by == "structure":
        return words.say(
            "Another process read the files as they lie on the disk: no byte is left "
            "where none should be. No text was known that could be searched for."
        )
    return words.say(
        "Another process read the files as they lie on the disk and found nothing of it."
    )


def _still_in(words: Words, finds: Sequence[Find]) -> str:
    """What to do about records and files that still repeat it."""
    if any(find.what in TABLES for find in finds):
        return words.say(
            "The chosen records are gone, but tables that are named below may still hold copies "
            "of them, and nothing is taken from those here. Take the copies out there, and what "
            "makes them, or accept that they stay."
        )
    records = [find.where in PLACES for find in finds]
    if all(records):
        return words.say(
            "The chosen records are gone. Other records of this store still repeat them: "
            "erase those too, or accept that they stay."
        )
    if any(records):
        return words.say(
            "The chosen records are gone. Other records of this store and files of the agent "
            "still repeat them. Erase those records too, delete or clean the files and try "
            "again; or accept what stays."
        )
    return words.say(
        "It is gone from the databases. These files of the agent still repeat it; they are "
        "not changed. Delete or clean them and try again, or accept that they are not covered."
    )


def facts(
    words: Words, result: EraseResult, kinds: Mapping[str, str] = MappingProxyType({})
) -> list[tuple[str, str]]:
    """Counts and proof: names and values; ``kinds`` are of the tables (table -> kind)."""
    counts = result.counts
    kept = sum(count.kept for count in counts.values())
    rows = [(words.say("Taken out"), _taken(words, result, kinds))]
    if kept:
        rows.append((words.say("Rows still there"), words.number(kept)))
    if proof := result.proof:
        gone = result.state is EraseState.PROVED and not result.accepted
        rows += _proof(words, proof, gone=gone)
    for find in result.cleaned:
        name = visible(find.where)
        if find.removed:
            rows.append((words.say("Taken away"), name))
            continue
        found = words.many("{where} ({n} place)", "{where} ({n} places)", find.count, where=name)
        rows.append((words.say("Overwritten in"), found))
    for find in result.finds:
        table = find.what in TABLES
        if find.error:
            name = find_name(words, find) if table else visible(find.where)
            what = words.say("May be in") if table else words.say("Could not be read")
            rows.append((what, name))
            continue
        name = where(words, find.where) if find.where in PLACES else visible(find.where)
        name = find_name(words, find) if table else name
        found = words.many("{where} ({n} place)", "{where} ({n} places)", find.count, where=name)
        rows.append((words.say("Still in"), found))
    rows += [_kept_in(words, one) for one in result.kept_in]
    if result.key not in (NONE, OLD_FOR_RECOVERY) and result.state is not EraseState.PLANNED:
        rows.append((words.say("The key"), words.say(KEYS[result.key])))
    return rows


def _kept_in(words: Words, one: KeptIn) -> tuple[str, str]:
    name = visible(one.file.path)
    if one.error:
        return words.say("Could not be read"), name
    found = words.many("{where} ({n} place)", "{where} ({n} places)", one.count, where=name)
    return words.say("Kept in"), found


def _taken(words: Words, result: EraseResult, kinds: Mapping[str, str]) -> str:
    numbers: dict[str, int] = {}
    for table, count in result.counts.items():
        name = kinds.get(table, table)
        numbers[name] = numbers.get(name, 0) + count.erased
    taken = [counted(words, name, number) for name, number in numbers.items() if number]
    return " · ".join(taken) if taken else words.say("nothing")


def step(words: Words, code: str) -> str:
    """What a step of the recipe does."""
    text = STEPS.get(code)
    return words.say(text) if text else code


def limit(words: Words, what: Limit) -> str:
    """Something that an erase does not reach."""
    return limit_words(words, what.code, what.params)


def holding(words: Words, one: MayHold) -> str:
    """Who may still hold it; names and paths are somebody else's."""
    shown = {name: visible(value) for name, value in one.params.items()}
    return holding_words(words, MayHold(one.code, shown))


def receipt_path(result: EraseResult) -> str:
    """A name for a receipt that does not exist yet, in the person's home folder."""
    name = result.id or uuid.uuid4().hex
    return f"~/erased-{datetime.now(UTC):%Y-%m-%d}-{name[:8]}.json"


def moment(words: Words, text: str) -> str:
    """ISO 8601 on this computer's clock; what is no time stands for itself."""
    when = moment_of(text)
    return words.moment(when.astimezone()) if when else visible(text)


def _by_kind(store: StorePlan) -> list[tuple[str, int]]:
    numbers: dict[str, int] = {}
    for rows in store.rows:
        for name, number in formats.going(rows):
            numbers[name] = numbers.get(name, 0) + number
    return list(numbers.items())


def _reason(words: Words, result: EraseResult) -> str:
    for store in result.stores:
        if store.reason and not store.open_by:
            return explain(words, UserError(store.reason, **store.reason_params)).text
    return ""


def _proof(words: Words, proof: Proof, *, gone: bool) -> list[tuple[str, str]]:
    """What was looked at. Only where all is ``gone`` does it say that it proves that."""
    by = {
        "content+structure": N_("content and structure"),
        "structure": N_("structure only: no text was known to search for"),
    }.get(proof.by)
    rows = [
        (
            words.say("Read"),
            looked_at(words, proof.pages, proof.frames, proof.files, proof.bytes),
        )
    ]
    if gone:
        rows.insert(0, (words.say("Proved by"), words.say(by) if by else proof.by))
    if gone or proof.hits:
        rows.append((words.say("Traces found"), words.number(proof.hits)))
    left = proof.structure.nonzero_bytes + proof.structure.unreadable
    if gone or left:
        rows.append((words.say("Bytes left over"), words.number(left)))
    for hit in proof.kept_hits[:MOST_KEPT]:
        text = words.many("{ref}, {n} place", "{ref}, {n} places", hit.count, ref=hit.ref)
        rows.append((words.say("Kept, and shares text"), text))
    if (more := len(proof.kept_hits) - MOST_KEPT) > 0:
        rows.append(("", words.many("and {n} more", "and {n} more", more)))
    return rows
