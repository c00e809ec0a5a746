# SPDX-License-Identifier: MIT
"""The index of a store that we and others change, against SQL and Python over the store itself.

The oracle is SQL in a process of its own: the standard library's SQLite over a readable store,
SQLCipher over an encrypted one. It also is the other program that writes, and that erases: deletes
and compacts, after which rows have other numbers. It knows nothing of our records, folding, blocks
or query language.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.language import literal
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.index import arena, blocks
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.registry import Registry, formats

ORDERS = {"title": "fold(title)", "type": "type", "updated": "updated_at"}
"""By what the index is asked to sort, and how SQL says that."""

ORACLE = (
    f"ORDERS = {list(ORDERS.values())}"
    + """
import importlib, json, sys, unicodedata

sqlite = importlib.import_module(sys.argv[1])

def fold(text):
    return unicodedata.normalize("NFKC", text).casefold()

def texts(row):
    for name in row.keys():
        if name in ("tags_json", "keywords_json"):
            yield from json.loads(row[name])
        elif name not in ("id", "created_at", "updated_at") and row[name] is not None:
            yield row[name]

for line in sys.stdin:
    path, statements, wanted = json.loads(line)
    connection = sqlite.connect(path)
    for pragma in (*sys.argv[2:], "synchronous = OFF", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.create_function("fold", 1, fold)
    connection.row_factory = sqlite.Row
    for sql, params in statements:
        if sql == "VACUUM":
            connection.commit()
        connection.execute(sql, params)
    connection.commit()
    answers = []
    for where, params, needles in wanted:
        rows = connection.execute(f"SELECT * FROM memories WHERE {where}", params)
        answers.append(sorted(row["id"] for row in rows if all(
            any(fold(needle) in fold(text) for text in texts(row)) is not negated
            for needle, negated in needles)))
    orders = {key: [list(row) for row in connection.execute(
        f"SELECT id, {key} FROM memories ORDER BY {key}")] for key in ORDERS}
    connection.close()
    print(json.dumps([answers, orders]), flush=True)
"""
)


class Place:
    """A store of ours, and a process that asks and changes it in SQL."""

    def __init__(self, folder: Path, secret: bytes | None) -> None:
        key = secret and RawKey(secret)
        self.path = folder / ".agentao" / "memory.db"
        self.path.parent.mkdir(parents=True)
        create_store(self.path, key)
        self.store = Registry(formats(None)).open(Location((self.path,)), key, Mode.CHANGE)
        said = ["sqlcipher3.dbapi2", f"key = \"x'{secret.hex()}'\""] if secret else ["sqlite3"]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", ORACLE, *said],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, statements: Any, wanted: Any) -> tuple[list[list[str]], Any]:
        """Does the statements; tells ids for each wanted, and for each of ORDERS all in it."""
        process = self._process
        process.stdin.write(json.dumps([str(self.path), statements, wanted]) + "\n")  # type: ignore[union-attr]  # a pipe
        process.stdin.flush()  # type: ignore[union-attr]  # a pipe
        answers, orders = json.loads(process.stdout.readline())  # type: ignore[union-attr]  # a pipe
        return answers, orders

    def close(self) -> None:
        self.store.close()
        self._process.stdin.close()  # type: ignore[union-attr]  # a pipe
        self._process.wait(60)
        self._process.stdout.close()  # type: ignore[union-attr]  # a pipe


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Place]]:
    """A readable and an encrypted store. What is in them is taken out before each example."""
    made = [Place(tmp_path_factory.mktemp("p"), key) for key in (None, bytes(range(32)))]
    yield made
    for place in made:
        place.close()


PIECES = (
    "deploy", "Deploy", "ﬁne", "FINE", "straße", "STRASSE", "İstanbul", "Ａ①", "a1", "한글", "的",
    "数据库", "a\x1eb", "nul\x00in", "\x00", "x\x1fy", "100 %", "it's", "C++", "-x", '"',
    "e\u0301", "é",
)  # fmt: skip
CONTROLS = set("\x00\x1e\x1f")
TYPES = st.sampled_from(["note", "decision", "workflow"])
NUMBERS = st.integers(0, 11)


def acts_with(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """What others and we do, one after another."""
    whole = (NUMBERS, texts, texts, TYPES)
    foreign = st.one_of(
        st.tuples(st.sampled_from(["insert", "insert", "update"]), *whole),
        st.tuples(st.sampled_from(["delete", "trash", "erase"]), NUMBERS),
    )
    own = st.one_of(
        st.tuples(st.sampled_from(["add", "edit"]), *whole),
        st.tuples(st.sampled_from(["trash", "restore", "delete"]), NUMBERS),
    )
    act = st.tuples(st.just("foreign"), st.lists(foreign, min_size=1, max_size=8)) | st.tuples(
        st.just("own"), own
    )
    return st.lists(act, min_size=1, max_size=6)


def joined(pieces: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(pieces, min_size=1, max_size=9).map(" ".join)


PLAIN = [one for one in PIECES if not CONTROLS & set(one)]
ACTS = st.one_of(
    # Texts without control characters are read in a faster way; with them among all others never.
    acts_with(joined(st.sampled_from(PLAIN))),
    # Of these letters all but one look as if nothing were to be folded but A to Z.
    acts_with(joined(st.sampled_from(["Deploy", "数据库", "straße"]))),
    acts_with(joined(st.sampled_from(PIECES) | st.text(max_size=5))),
)
NEEDLES = st.one_of(
    st.sampled_from(PIECES),
    st.sampled_from([one for one in PIECES if CONTROLS & set(one)]),
    st.text(min_size=1, max_size=3),
)
QUESTION = st.tuples(
    st.lists(st.tuples(NEEDLES, st.booleans()), min_size=1, max_size=2),
    st.none() | TYPES,
    st.booleans(),
)


def statements_of(act: Any) -> list[tuple[str, list[str]]]:
    """What another program does to a row."""
    name, number, *rest = act
    key = f"{number:08x}"
    if name == "insert":
        title, text, type_ = rest
        sql = (
            "INSERT OR IGNORE INTO memories VALUES (?, 'project', ?, ?, ?, ?, ?, '[]', 'auto',"
            " 'inferred', 'normal', '2026-01-02T03:04:05', '2026-01-02T03:04:05', NULL)"
        )
        tags = json.dumps([title[:9], "数"])
        return [(sql, [key, type_, f"k_{number}", title, text, tags])]
    if name == "update":
        title, text, type_ = rest
        sql = "UPDATE memories SET title = ?, content = ?, type = ? WHERE id = ?"
        return [(sql, [title, text, type_, key])]
    if name == "trash":
        return [("UPDATE memories SET deleted_at = '2026-05-05' WHERE id = ?", [key])]
    gone = [("DELETE FROM memories WHERE id = ?", [key])]
    return [*gone, ("VACUUM", [])] if name == "erase" else gone


def do_own(store: Store, content: Content, act: Any) -> None:
    """What a person does in the window; the index is told of it as ``Reading.absorb`` does."""
    name, number, *rest = act
    fields = dict(zip(("title", "text", "type"), rest, strict=False))
    records = [record for batch in store.scan(["memory"]) for record in batch]
    try:
        if name == "add":
            insist = frozenset({"secret"})
            refs = store.add(NewRecord("memory", {**fields, "tags": ("数",)}, despite=insist)).refs
        elif not records:
            return
        else:
            record = records[number % len(records)]
            target = Target(record.ref, record.etag)
            if name == "edit":
                refs = store.apply(Edit(target, fields, frozenset({"secret"}))).refs
            else:
                refs = getattr(store, name)(target).refs
    except UserError:
        return
    found = dict(zip(refs, store.fetch(list(refs)), strict=True))
    content.put(record for record in found.values() if record is not None)
    content.drop(ref for ref, record in found.items() if record is None)


def ours(content: Content, question: Any) -> list[str]:
    needles, type_, live = question
    words = [f"{'-' * negated}{literal(needle)}" for needle, negated in needles]
    text = " ".join([*words, *([f"type:{type_}"] if type_ else [])])
    states = frozenset({State.LIVE}) if live else frozenset()
    query = Query(text, kinds=frozenset({"memory"}), states=states)
    ids = Whole().search([Shelved(0, content)], query, query.parsed(), "title")
    refs = [content.ref(number) for number in ids]
    return sorted(ref.key[0] for ref in refs if isinstance(ref, Ref))


def ordered_alike(whole: Whole, content: Content, orders: Any, start: int) -> bool:
    """Whether all are listed in the order of SQL, one after another, beginning with the given one.

    Which of two with the same value comes first SQL does not say.
    """
    query, names = Query(kinds=frozenset({"memory"})), [*ORDERS] * 2
    for name in names[start : start + len(ORDERS)]:
        rows = orders[ORDERS[name]]
        values, stores = dict(rows), [Shelved(0, content)]
        for sort in (name, f"-{name}"):
            ids = whole.search(stores, query, query.parsed(), sort)
            keys = [ref.key[0] for ref in map(content.ref, ids) if ref is not None]
            expected = [value for _, value in rows]
            if sort.startswith("-"):
                expected.reverse()
            if set(keys) != set(values) or [values[key] for key in keys] != expected:
                return False
    return True


def asked(question: Any) -> tuple[str, list[str], Any]:
    needles, type_, live = question
    where = ["deleted_at IS NULL"] * live + ["type = ?"] * (type_ is not None)
    return " AND ".join(where) or "1", [type_] if type_ else [], needles


def memory_of(content: Content) -> bytes:
    return b"\xff".join(bytes(segment.data) for segment in content.arena._segments)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    acts=ACTS, questions=st.lists(QUESTION, min_size=3, max_size=6),
    size=st.sampled_from([8, 60, 300]), which=st.integers(0, 1),
)  # fmt: skip
def test_the_index_follows_us_and_others(places, acts, questions, size, which):
    place = places[which]
    store, wanted = place.store, [asked(one) for one in questions]
    place.ask([("DELETE FROM memories", [])], [])
    segments = patch.object(arena, "LARGEST", 2_000)
    with patch.multiple(blocks, BLOCK=size, FEW=0), segments:
        content, whole = Content(store.id), Whole()
        read_all(content, store)
        for number, (name, act) in enumerate(acts):
            if name == "foreign":
                answers, orders = place.ask([s for one in act for s in statements_of(one)], wanted)
                read_all(content, store)
            else:
                do_own(store, content, act)
                answers, orders = place.ask([], wanted)
            assert ordered_alike(whole, content, orders, number % len(ORDERS))
            assert [ours(content, one) for one in questions] == answers
        # Everything goes: no text, and no sign of one, is left in memory.
        place.ask([("DELETE FROM memories", []), ("VACUUM", [])], [])
        read_all(content, store)
        kept = {ref for ref in map(content.ref, range(len(content.refs))) if ref is not None}
        assert not {ref for ref in kept if ref.kind == "memory"}
        done = [one for name, act in acts for one in (act if name == "foreign" else [act])]
        for text in {text for one in done for text in one[2:4]}:
            folded = unicodedata.normalize("NFKC", text).casefold().encode()
            assert len(folded) < 12 or folded not in memory_of(content)
