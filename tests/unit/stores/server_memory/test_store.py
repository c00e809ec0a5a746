# SPDX-License-Identifier: MIT
"""A memory graph: as the server keeps it, and what the server would lose is kept."""

import json
from hashlib import blake2b

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import without
from memory_gui.domain.records import Ref, RefText
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.server_memory.format import GraphFormat
from memory_gui.stores.registry import Registry, formats

LIN = '{"type":"entity","name":"Lin","entityType":"person","observations":["tea","cats \\u732b"]}'
GINKGO = (
    '{"type": "entity", "name": "Ginkgo", "entityType": "project", "observations": [ ] , "x": 1}'
)
WORKS = '{"type":"relation","from":"Lin","to":"Ginkgo","relationType":"works on"}'
LOOSE = '{"type":"relation","from":"Ginkgo","to":"nobody","relationType":"mentions"}'
EVENT = '{"type":"event","what":"kept"}'


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join([LIN, GINKGO, EVENT, WORKS, LOOSE]))
    return file


@pytest.fixture
def opened():
    stores = []
    format_ = GraphFormat()

    def run(path, mode=Mode.CHANGE):
        stores.append(format_.open(Location((path.resolve(),)), None, mode))
        return stores[-1]

    yield run
    for store in stores:
        store.close()


def code(act):
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


def label(text):
    """What a text is called: the same in every process."""
    return blake2b(text.encode(), digest_size=3).hexdigest()


def ref(store, kind, *key):
    return Ref(store.id, kind, key)


def told(store):
    return {one.code.rpartition(".")[2]: dict(one.values) for one in store.info().told}


def lines(path):
    return path.read_text().split("\n")


class TestReading:
    def test_every_line_is_a_record(self, path, opened):
        store = opened(path, Mode.LOOK)
        counts = {k: sum(v.values()) for k, v in store.info().counts.items()}
        assert counts == {"entity": 2, "observation": 2, "relation": 2, "line": 1}
        assert told(store) == {"dropped": {"n": 2}, "loose": {"n": 1}}
        found = store.fetch([ref(store, "relation", "Ginkgo", "mentions", "nobody")])[0]
        assert (found.title, found.extra["missing"]) == ("Ginkgo – mentions → nobody", "nobody")

    def test_half_lines_a_mark_and_duplicates_are_named(self, path, opened):
        path.write_bytes(
            b"\xef\xbb\xbf" + "\n".join([LIN, LIN, "", WORKS, '{"type":"ent']).encode()
        )
        store = opened(path, Mode.LOOK)
        assert told(store)["broken"] == {"n": 1, "lines": "5"}
        assert told(store)["twice"] == {"n": 3}
        assert "bom" in told(store)
        assert store.resolve(RefText("entity", ("Lin", "2"))) is not None

    @pytest.mark.parametrize(
        "line",
        [
            "null",
            '{"type":"entity","name":"x"}',
            '{"type":"entity","name":1,"entityType":"a","observations":[]}',
            '{"type":"entity","name":"x","entityType":"a","observations":[1]}',
            '{"type":"relation","from":"x","to":"y"}',
            "{'type':'entity'}",
            '{"a":NaN}',
            "[" * 100_000,
        ],
    )
    def test_what_makes_the_server_fail_is_a_broken_line(self, path, opened, line):
        path.write_text(f"{LIN}\n{line}\n")
        assert told(opened(path, Mode.LOOK))["broken"]["lines"] == "2"

    def test_one_json_document_is_told_and_only_looked_at(self, path, opened):
        path.write_text(json.dumps({"entities": [], "relations": []}, indent=2))
        store = opened(path)
        assert "one_document" in told(store)
        add = NewRecord("entity", {"title": "x", "type": "y"})
        assert code(lambda: store.add(add)) == "file.whole"

    def test_the_last_of_equal_names_counts(self, path, opened):
        path.write_text(
            '{"type":"entity","name":"old","name":"Lin","entityType":"p",'
            '"observations":["hidden"],"observations":["shown"]}'
        )
        store = opened(path)
        assert store.fetch([ref(store, "observation", "Lin", label("shown"))])[0]
        store.apply(Edit(Target(ref(store, "observation", "Lin", label("shown"))), {"text": "new"}))
        (line,) = lines(path)
        assert "hidden" not in line
        assert json.loads(line)["observations"] == ["new"]

    def test_it_is_found_by_its_lines_under_any_name(self, path):
        registry = Registry(formats(None))
        other = path.rename(path.with_name("graph.txt"))
        assert registry.probe(registry.locate(other))[0].name == "mcp-server-memory"
        long = other.with_name("one long line.jsonl")
        long.write_text('{"type":"entity","name":"A","observations":["' + "x" * 70_000 + '"]}')
        assert registry.probe(registry.locate(long))[0].name == "mcp-server-memory"
        empty = path.with_name("memory.jsonl")
        empty.write_bytes(b"")
        assert registry.probe(registry.locate(empty))[0].name == "mcp-server-memory"


class TestChanging:
    def test_an_edit_touches_one_value_of_one_line(self, path, opened):
        store = opened(path)
        before = lines(path)
        store.apply(
            Edit(Target(ref(store, "observation", "Lin", label("tea"))), {"text": 'say "茶"'})
        )
        after = lines(path)
        assert after[0] == LIN.replace('"tea"', '"say \\"茶\\""')
        assert after[1:] == before[1:]

    def test_a_new_name_goes_to_the_relations_too(self, path, opened):
        store = opened(path)
        changes = store.apply(Edit(Target(ref(store, "entity", "Ginkgo")), {"title": "银杏"}))
        assert changes.added[0] == ref(store, "entity", "银杏")
        assert changes.removed[0] == ref(store, "entity", "Ginkgo")
        assert lines(path)[1] == GINKGO.replace("Ginkgo", "银杏")
        assert json.loads(lines(path)[3])["to"] == json.loads(lines(path)[4])["from"] == "银杏"
        taken = Edit(Target(ref(store, "entity", "银杏")), {"title": "Lin"})
        assert code(lambda: store.apply(taken)) == "record.key_taken"

    def test_entities_come_before_what_is_none(self, path, opened):
        store = opened(path)
        store.add(NewRecord("entity", {"title": "Bremen", "type": "city"}))
        new = {"type": "entity", "name": "Bremen", "entityType": "city", "observations": []}
        assert json.loads(lines(path)[2]) == new
        store.add(NewRecord("relation", {"from": "Lin", "type": "lives in", "to": "Bremen"}))
        assert json.loads(lines(path)[-1])["relationType"] == "lives in"
        assert lines(path)[3] == EVENT

    def test_no_final_newline_comes_or_goes(self, path, opened):
        for end in ("", "\n"):
            path.write_text("\n".join([LIN, WORKS]) + end)
            store = opened(path)
            store.add(NewRecord("entity", {"title": f"new{end!r}", "type": "t"}))
            store.delete(Target(ref(store, "relation", "Lin", "works on", "Ginkgo")))
            assert path.read_text().endswith("\n") is bool(end)
            assert all(map(json.loads, filter(None, lines(path))))

    def test_deleting_an_entity_takes_what_names_it(self, path, opened):
        store = opened(path)
        target = ref(store, "entity", "Ginkgo")
        saved, before = store.snapshot([target]), path.read_bytes()
        changes = store.delete(Target(target))
        assert {r.kind for r in changes.removed} == {"entity", "relation"}
        assert lines(path) == [LIN, EVENT]
        assert set(store.reinstate(saved).added) == set(changes.removed)
        assert path.read_bytes() == before

    def test_a_broken_line_is_mended_or_taken_out(self, path, opened):
        path.write_text(f"{LIN}\n{GINKGO[:-9]}\nnull")
        store = opened(path)
        half = ref(store, "line", label(GINKGO[:-9]))
        assert code(lambda: store.apply(Edit(Target(half), {"text": "{"}))) == "record.not_a_line"
        store.apply(Edit(Target(half), {"text": GINKGO}))
        store.delete(Target(ref(store, "line", label("null"))))
        assert lines(path) == [LIN, GINKGO]
        assert "broken" not in told(store)

    def test_a_byte_order_mark_is_taken_away_and_put_back(self, path, opened):
        plain = path.read_bytes()
        path.write_bytes(b"\xef\xbb\xbf" + plain)
        store = opened(path)
        mark = ref(store, "line", "bom")
        saved = store.snapshot([mark])
        store.delete(Target(mark))
        assert path.read_bytes() == plain
        store.reinstate(saved)
        assert path.read_bytes() == b"\xef\xbb\xbf" + plain

    @pytest.mark.parametrize(
        ("kind", "fields", "expected"),
        [
            ("entity", {"title": "", "type": "t"}, "record.title_empty"),
            ("entity", {"title": "x", "type": ""}, "record.field_empty"),
            ("entity", {"title": "Lin", "type": "t"}, "record.key_taken"),
            ("observation", {"subject": "nobody", "text": "x"}, "record.no_entity"),
            ("observation", {"subject": "Lin", "text": ""}, "record.text_empty"),
            ("observation", {"subject": "Lin", "text": "tea"}, "record.key_taken"),
            ("observation", {"subject": "Lin", "text": "half \ud800"}, "record.not_unicode"),
            ("relation", {"from": "Lin", "type": "x", "to": "nobody"}, "record.no_entity"),
            ("relation", {"from": "Lin", "type": "works on", "to": "Ginkgo"}, "record.key_taken"),
            ("line", {"text": "{}"}, "store.cannot"),
        ],
    )
    def test_what_is_refused(self, path, opened, kind, fields, expected):
        store, before = opened(path), path.read_bytes()
        assert code(lambda: store.add(NewRecord(kind, fields))) == expected
        assert path.read_bytes() == before


class TestErasing:
    def test_an_observation_goes_and_its_entity_stays(self, path, opened):
        store = opened(path)
        scope = store.erase_scope([ref(store, "observation", "Lin", label("cats 猫"))])
        assert scope.texts == ("cats 猫",)
        (file,) = scope.files
        left = without(path.read_bytes(), file.cuts).decode().split("\n")
        assert left == [LIN.replace(',"cats \\u732b"', ""), *lines(path)[1:]]

    def test_the_server_s_unfinished_writes_are_side_files(self, path, opened):
        left = path.with_name(f"{path.name}.{'a' * 32}.tmp")
        left.write_text(LIN)
        (side,) = opened(path, Mode.LOOK).side_files()
        assert (side.path, side.encoding, side.cleanable) == (str(left), "json", True)

    def test_keys_are_content(self, path, opened):
        assert not opened(path, Mode.LOOK).opaque_ids


class TestGraph:
    def test_two_steps(self, path, opened):
        store = opened(path, Mode.LOOK)
        graph = store.graph(ref(store, "entity", "Lin"))
        assert [(n.name, n.distance, n.ref is None) for n in graph.nodes] == [
            ("Lin", 0, False),
            ("Ginkgo", 1, False),
            ("nobody", 2, True),
        ]
        assert [(one.start, one.end, one.name) for one in graph.links] == [
            (0, 1, "works on"),
            (1, 2, "mentions"),
        ]
        assert len(store.graph(ref(store, "entity", "Lin"), steps=1).nodes) == 2

    def test_no_more_than_asked_for(self, path, opened):
        names = [f"n{number}" for number in range(30)]
        rows = [{"type": "relation", "from": "Lin", "to": n, "relationType": "r"} for n in names]
        path.write_text("\n".join([LIN, *map(json.dumps, rows)]))
        store = opened(path, Mode.LOOK)
        graph = store.graph(ref(store, "entity", "Lin"), most=10)
        assert (len(graph.nodes), graph.left_out) == (10, 21)


def test_a_large_graph_is_read_and_changed(path, opened):
    rows = [
        {"type": "entity", "name": f"n{n}", "entityType": "t", "observations": ["one", "two"]}
        for n in range(2_000)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    store = opened(path)
    store.apply(Edit(Target(ref(store, "observation", "n1500", label("two"))), {"text": "three"}))
    assert json.loads(lines(path)[1500])["observations"] == ["one", "three"]
