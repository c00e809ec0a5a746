# SPDX-License-Identifier: MIT
"""Searching against an oracle that reads the store by itself: the standard library's SQLite, in
another process, and Python's own normalisation over every text cell.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.language import literal
from memory_gui.domain.queries import Query, select
from memory_gui.domain.records import Record, State
from memory_gui.index.content import Content
from memory_gui.index.filters import Filter
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import make_sample

ORACLE = """
import json, sqlite3, sys, unicodedata

def fold(text):
    return unicodedata.normalize("NFKC", text).casefold()

def texts(name, cell):
    # A list is what it lists: its brackets, quotes and escapes are no text of the record.
    if name in ("tags_json", "keywords_json"):
        yield from json.loads(cell)
    elif cell is not None:
        yield str(cell)

for line in sys.stdin:
    path, needle = json.loads(line)
    found = []
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    for row in connection.execute("SELECT * FROM memories"):
        # The id is the record's name, and times are no texts.
        beside = ("id", "created_at", "updated_at")
        cells = [(n, row[n]) for n in row.keys() if n not in beside]
        if not needle or any(fold(needle) in fold(t) for c in cells for t in texts(*c)):
            found.append(row["id"])
    connection.close()
    print(json.dumps(sorted(found)), flush=True)
"""


@pytest.fixture(scope="module")
def oracle() -> Iterator[Any]:
    """``oracle(path, needle)``: ids of the memories that hold the needle."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", ORACLE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(path: Path, needle: str) -> list[str]:
        process.stdin.write(json.dumps([str(path), needle]) + "\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        answer: list[str] = json.loads(process.stdout.readline())  # type: ignore[union-attr]
        return answer

    yield ask
    process.stdin.close()
    process.wait(60)
    process.stdout.close()


class Sample:
    """A store's path and its records. Says little of itself: hypothesis prints what it is given."""

    def __init__(self, path: Path, records: list[Record]) -> None:
        self.path = path
        self.records = records


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    """A store with the hostile texts of REPORTS R8 and R9 beside the sample's, and its records."""
    location = make_sample(tmp_path_factory.mktemp("search"), None)
    store = Registry(formats(None)).open(location, None, Mode.CHANGE)
    for number, text in enumerate(HOSTILE):
        tags = (text[:20], '语言 "quoted"', "back\\\\slash")[: number % 4]
        store.add(NewRecord("memory", {"title": f"hostile {number}", "text": text, "tags": tags}))
    records = [r for batch in store.scan(["memory"]) for r in batch]
    yield Sample(location.main, records)
    store.close()


HOSTILE = (
    "用户的身份证号码和手机号 prefers vim, C++ and GB/s",
    "重跑gen-itgc后",
    'it\'s a "quote" and a ‘curly’ one',
    "a AND b OR NOT NEAR(c, d) * -x pre-edit",
    "100 % sure, under_score, back\\slash",
    "STRASSE straße ﬁne Ⅷ １２３ Ｆｕｌｌ",
    "İstanbul ıspanak Iğdır",
    "e\u0301 is é",
    "zero\u200bwidth and \u202ebidi",
    "nul\x00inside",
    "emoji 👩🏽‍💻 and 🇨🇳",
)
QUERIES = [
    "身份", "号", "手机", "vi", "GB/s", "C++", "itgc", "pre-edit", "it's", '"', "a AND", "NEAR(",
    "*", "-x", "%", "_", "", "\\", "strasse", "FINE", "viii", "123", "full", "é", "\u200b", "\x00",
    "👩🏽‍💻", "null", "[", '["', "]", '", "', "\\u", "u8bed", "语言",
    "explicit", "project_fact", "2026", " ",
]  # fmt: skip


def ours(records: list[Record], needle: str) -> list[str]:
    """Our answer; the index's is the same."""
    query = Query(text=literal(needle))
    found = sorted(r.ref.key[0] for r in select(query, records))
    content = Content(records[0].ref.store)
    content.put(records)
    mask = Filter(content, query, query.parsed()).mask()
    refs = [content.ref(ordinal) for ordinal, shown in enumerate(mask) if shown]
    assert sorted(ref.key[0] for ref in refs if ref is not None) == found
    return found


@pytest.mark.parametrize("needle", QUERIES)
def test_known_queries(oracle: Any, sample: Sample, needle: str) -> None:
    path, records = sample.path, sample.records
    assert ours(records, needle) == oracle(path, needle)


def test_operators_are_plain_text(sample: Sample) -> None:
    records = sample.records
    percent = [r for r in records if "%" in "".join(r.searchable())]
    assert select(Query(text="%"), records) == percent
    assert 0 < len(percent) < len(records)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_piece_of_any_text_is_found(oracle: Any, sample: Sample, data: st.DataObject) -> None:
    path, records = sample.path, sample.records
    record = records[data.draw(st.integers(0, len(records) - 1))]
    text = data.draw(st.sampled_from([record.title, record.text, *record.tags]))
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    needle = text[start : start + data.draw(st.integers(1, 12))]
    needle = data.draw(st.sampled_from([needle, needle.upper(), needle.lower()]))
    assert ours(records, needle) == oracle(path, needle)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(needle=st.text(max_size=3))
def test_any_short_text(oracle: Any, sample: Sample, needle: str) -> None:
    path, records = sample.path, sample.records
    assert ours(records, needle) == oracle(path, needle)


# ---- edit and undo


WORDS = st.text(
    st.sampled_from("abc xyz_019.-/\n主题ß🙂\x00\u200b'\"%") | st.characters(codec="utf-8"),
    max_size=40,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "title": WORDS,
        "key": WORDS,
        "text": WORDS,
        "tags": st.lists(WORDS, max_size=3).map(tuple),
        "type": st.sampled_from(["note", "decision", "", "unknown"]),
        "scope": st.sampled_from(["project", "user", ""]),
    },
)
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["add", "edit", "trash", "restore", "delete"]), st.integers(0, 9), FIELDS
    ),
    max_size=8,
)


def content(store: Store) -> dict[str, tuple[Any, ...]]:
    """What a person sees of all memories, times aside."""
    return {
        r.ref.id: (r.state, r.title, r.text, r.tags, r.type, r.scope, r.extra["key_normalized"])
        for batch in store.scan(["memory"])
        for r in batch
    }


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    """An empty project store."""
    path = tmp_path / "p" / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    create_store(path, None)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.CHANGE)
    yield store
    store.close()


def act(store: Store, name: str, number: int, fields: Any) -> Any:
    """One act; how to take it back, or None when it was refused or changed nothing."""
    insist = frozenset({"secret"})
    if name == "add":
        (ref,) = store.add(NewRecord("memory", fields, despite=insist)).added
        return lambda: store.delete(Target(ref))
    records = [r for batch in store.scan(["memory"]) for r in batch]
    if not records:
        return None
    record = records[number % len(records)]
    target = Target(record.ref, record.etag)
    if name == "edit":
        before = store.fields_of(record)
        if not store.apply(Edit(target, fields, insist)).refs:
            return None
        return lambda: store.apply(Edit(Target(record.ref), before, insist))
    if name == "delete":
        saved = store.snapshot([record.ref])
        store.delete(target)
        return lambda: store.reinstate(saved)
    if name == "trash":
        store.trash(target)
        return lambda: store.restore(Target(record.ref))
    store.restore(target)
    return lambda: store.trash(Target(record.ref))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_whatever_is_done_can_be_taken_back(empty: Store, acts: list[Any]) -> None:
    for ref in [r.ref for batch in empty.scan(["memory"]) for r in batch]:
        empty.delete(Target(ref))
    empty.add(NewRecord("memory", {"title": "first", "text": "one", "tags": ("a", "b")}))
    empty.add(NewRecord("memory", {"title": "主题", "key": "theme", "text": "two"}))
    before = content(empty)
    undo = []
    for name, number, fields in acts:
        unchanged = content(empty)
        try:
            back = act(empty, name, number, fields)
        except UserError:
            assert content(empty) == unchanged, "a refusal changes nothing"
            continue
        if back is not None:
            undo.append((unchanged, back))
    live = [c for c in content(empty).values() if c[0] is State.LIVE]
    assert len({(c[5], c[6]) for c in live}) == len(live), "live keys stay unique"
    for expected, back in reversed(undo):
        back()
        assert content(empty) == expected
    assert content(empty) == before
