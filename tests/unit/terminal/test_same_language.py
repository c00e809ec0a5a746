# SPDX-License-Identifier: MIT
"""What is typed into the search box finds the same after ``--query``, and gets the same hints."""

from __future__ import annotations

import pytest

from memory_gui.domain.queries import Query
from memory_gui.domain.records import PRESENT
from memory_gui.engine.connection import open_database
from memory_gui.services import build_services
from memory_gui.ui.records.bulk.chosen import Chosen
from memory_gui.ui.records.listing.finding import find
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words
from memory_gui.words.hints import say_hint

INSERT = (
    "INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,"
    " keywords_json, source, confidence, sensitivity, created_at, updated_at)"
    " VALUES (?1, 'project', ?3, ?1, ?1, ?2, ?4, '[]', ?5, 'inferred', 'normal', ?6, ?7)"
)
OLD, NEW = "2026-01-02T03:04:05", "2026-06-15T03:04:05"
RECORDS = (
    ("percent", "100 % sure, a_b*c", "note", '["ops"]', "auto", OLD, OLD),
    ("plus", "it's C++ at 3 GB/s", "note", '["ops", "zh cn"]', "explicit", OLD, NEW),
    ("near", "NEAR(x) OR pre-edit", "decision", "[]", "auto", NEW, NEW),
    ("quoted", 'he said "stop" twice', "decision", "[]", "auto", OLD, OLD),
    ("han", "数据库每晚重建", "note", "[]", "auto", OLD, OLD),
    ("folded", "ﬁne straße İzmir ＡＢＣ ①", "note", "[]", "auto", OLD, OLD),
    ("control", "nul\x00in and a\x1eb", "note", "[]", "auto", OLD, OLD),
)
FRUIT = {"apple", "banana", "cherry"}
EVERY = FRUIT | {name for name, *_ in RECORDS}
FOUND = {
    "%": {"percent"},
    "_": {"percent"} | FRUIT,  # explicit_user
    "*": {"percent"},
    "C++": {"plus"},
    "GB/s": {"plus"},
    "it's": {"plus"},
    "NEAR(": {"near"},
    "e-e": {"near"},
    '") OR pre"': {"near"},
    '"said ""stop"""': {"quoted"},
    '"': {"quoted"},
    "据": {"han"},
    "FINE STRASSE": {"folded"},
    "i̇zmir abc 1": {"folded"},
    "nul in": {"control"},
    "a\x1eb": {"control"},
    "a fruit -banana": {"apple", "cherry"},
    '"is a"': FRUIT,
    "type:DECISION": {"near", "quoted"},
    "tag:ops -it's": {"percent"},
    'tag:"zh cn"': {"plus"},
    "source:explicit kind:memory state:live scope:project agent:agentao": {"plus"} | FRUIT,
    'subject:"" 数': {"han"},
    "before:2026-01-02": {"apple"},
    "after:2026-06": {"near"},
    "changed:2026-06-15": {"plus", "near"},
    "": EVERY,
    "type:wrokflow": set(),
    "changed:yesterday": set(),
    'tag:"open': set(),
    "tags:x": set(),
    "state:gone": set(),
    "has:finding": set(),
}
TOLD = {"type:wrokflow", "changed:yesterday", 'tag:"open', '"', "tags:x", "state:gone",
        "has:finding"}  # fmt: skip
"""Those with a hint: whatever finds nothing says why."""


@pytest.fixture
def filled(terminal):
    with open_database(terminal.store, None, write=True) as connection, connection.writing():
        for row in RECORDS:
            connection.execute(INSERT, row)
        connection.change("UPDATE memories SET source = 'explicit' WHERE id LIKE '0000000_'", ())
    return terminal


def test_window_and_terminal_read_a_query_alike(filled, tmp_path):
    services = build_services(
        words=Words(), home=filled.home, data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    library = services.library
    library.open(filled.store, pair=False)
    library.search(Query())
    wrong = {}
    for text, titles in FOUND.items():
        done = filled.verb("list", "--query", text, "--json")
        there = {one["title"] for one in done.json["records"]}
        query = Query(text, kinds=frozenset({"memory"}), states=PRESENT)
        seen = find(library, query, "title", blocks=(), anchors=(), chosen=Chosen())
        here = {one.title for one in library.window(seen.listing.ids) if one is not None}
        hints = [say_hint(services.words, one.code, one.params) for one in seen.hints]
        said = all(hint in done.err for hint in hints) and bool(hints) is (text in TOLD)
        if not (here == there == titles and said):
            wrong[text] = here, there, hints, done.err
    services.close()
    assert not wrong
