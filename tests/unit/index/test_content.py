# SPDX-License-Identifier: MIT
"""What is in memory, and what is no longer there."""

import gc
import random

import numpy as np
import pytest

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index import arena as arenas
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole

STORE = StoreId("a")


def record(number, text="some text", *, etag=None, title="title", state=State.LIVE, **more):
    ref = Ref(STORE, "memory", (f"{number:08x}",))
    return Record(ref, etag or f"{number:016x}", state, title, text, **more)


def found(content, text):
    ids = Whole().search([Shelved(0, content)], query := Query(text), query.parsed(), "created")
    return [content.ref(number).key[0] for number in ids]


def memory_of(content):
    """Every byte of text that it has."""
    return b"".join(bytes(segment.data) for segment in content.arena._segments)


class TestErasing:
    def test_a_dropped_text_and_key_are_overwritten(self):
        content = Content(STORE)
        content.put([record(1, "kept words"), record(2, "canary words", tags=("secret-tag",))])
        content.drop([record(2).ref])
        assert b"canary" not in memory_of(content)
        assert b"kept" in memory_of(content)
        assert b"00000002" not in bytes(content.refs._text)
        assert "secret-tag" not in content.tags.names.texts()
        assert found(content, "canary") == []
        assert found(content, "words") == ["00000001"]

    def test_a_changed_text_is_overwritten_too(self):
        content = Content(STORE)
        content.put([record(1, "canary")])
        content.put([record(1, "new", etag="f" * 16)])
        assert b"canary" not in memory_of(content)
        assert found(content, "new") == ["00000001"]

    def test_clear_overwrites_everything(self):
        content = Content(STORE)
        content.put([record(1, "canary", tags=("t",), type="x", source="s")])
        content.keep(0, record(1, "canary"))
        segments, keys = content.arena._segments[:], content.refs._text
        content.clear()
        assert not any(np.any(segment.data) for segment in segments)
        assert not any(keys)
        assert content.kept(0) is None
        assert content.counts() == {}
        assert content.tags.names.texts() == content.names["type"].texts() == [""]

    def test_an_overwritten_text_is_not_found_as_zeros(self):
        content = Content(STORE)
        content.put([record(1, "\x00\x00"), record(2, "xx")])
        content.drop([record(2).ref])
        assert found(content, "\x00\x00") == ["00000001"]

    def test_a_kept_record_goes_with_its_change(self):
        content = Content(STORE)
        content.put([record(1)])
        content.keep(0, record(1))
        assert content.kept(0) == record(1)
        content.put([record(1, "new", etag="f" * 16)])
        assert content.kept(0) is None
        content.keep(0, record(1))  # fetched before the change came
        assert content.kept(0) is None

    def test_memory_is_laid_anew_when_most_of_it_is_empty(self, monkeypatch):
        monkeypatch.setattr("memory_gui.index.content._WASTE", 1_000)
        content = Content(STORE)
        content.put(record(n, f"text {n} " * 20) for n in range(50))
        for turn in range(30):
            content.put([record(7, f"turn {turn} " * 20, etag=f"{turn:016x}")])
        assert content.arena.used < 20_000
        content.drop(record(n).ref for n in range(5, 50))
        assert content.arena.used < 4_000
        assert found(content, '"text 3 "') == ["00000003"]
        assert found(content, "turn") == []


class TestReading:
    def test_what_it_does_not_meet_is_gone(self):
        content = Content(STORE)
        content.put([record(1), record(2)])
        content.begin()
        assert content.take([record(1)]) is False
        assert content.end() is True
        assert content.counts() == {"memory": {State.LIVE: 1}}
        assert content.ref(1) is None

    def test_what_was_put_beside_it_is_newer(self):
        content = Content(STORE)
        content.put([record(1, "old")])
        content.begin()
        content.put([record(1, "new", etag="f" * 16), record(2, "added")])
        assert content.take([record(1, "old")]) is False
        content.end()
        assert found(content, "new") == ["00000001"]
        assert found(content, "added") == ["00000002"]
        content.begin()
        content.take([record(1, "newest", etag="e" * 16)])
        assert content.end() is True
        assert found(content, "newest") == ["00000001"]
        assert found(content, "added") == []

    def test_what_was_dropped_beside_it_does_not_come_back(self):
        content = Content(STORE)
        content.put([record(1)])
        content.begin()
        content.drop([record(1).ref, record(2).ref])
        content.take([record(1), record(2)])
        content.end()
        assert content.counts() == {}

    def test_an_ordinal_is_never_given_to_another(self):
        content = Content(STORE)
        content.put([record(1)])
        content.drop([record(1).ref])
        content.put([record(1)])
        assert content.ordinal(record(1).ref) == 1
        assert content.ref(0) is None

    def test_an_etag_of_another_kind_is_kept_as_it_is(self):
        content = Content(STORE)
        content.put([record(1, etag="W/7"), record(2, etag="00000000000000AB"), record(3)])
        etags = [content.etag(record(n).ref) for n in (1, 2, 3)]
        assert etags == ["W/7", "00000000000000AB", f"{3:016x}"]
        assert content.put([record(1, "other text", etag="W/7")]) is False


class TestSize:
    def test_many_records_are_few_objects(self):
        content = Content(STORE)
        gc.collect()
        before = len(gc.get_objects())
        for start in range(0, 20_000, 2_000):
            content.put([record(n, tags=("a", "b")[: n % 3]) for n in range(start, start + 2_000)])
        gc.collect()
        assert len(gc.get_objects()) - before < 500

    def test_what_is_kept_of_a_record_beside_its_text(self):
        content = Content(STORE)
        content.put([record(n) for n in range(20_000)])
        text = sum(len(one) for one in ("title", "some text")) + 2
        assert content.nbytes / 20_000 - text < 130


@pytest.mark.parametrize("largest", [64, 300, 1 << 20])
def test_texts_lie_in_segments_of_limited_size(monkeypatch, largest):
    monkeypatch.setattr(arenas, "LARGEST", largest)
    monkeypatch.setattr(arenas, "_SLICE", 100)
    content = Content(STORE)
    content.put(record(n, f"number {n}." + "é" * (n % 7)) for n in range(200))
    content.put([record(999, "x" * 1_000)])
    sizes = [len(segment.data) for segment in content.arena._segments]
    assert max(sizes) <= max(largest, 1_100)
    assert found(content, '"number 150."') == [f"{150:08x}"]
    assert len(found(content, "number")) == 200
    assert len(found(content, "é")) == sum(n % 7 > 0 for n in range(200))
    assert found(content, "xxx") == [f"{999:08x}"]


def test_no_segment_is_larger_than_sixteen_megabytes():
    """The library that looks through one holds the interpreter's lock meanwhile."""
    arena = arenas.Arena()
    for number in range(3):
        arena.add([b"x" * (6 << 20)], np.array([number], np.uint32))
    sizes = [len(segment.data) for segment in arena._segments]
    assert len(sizes) == 2
    assert max(sizes) <= 16 << 20


class TestPlacesInATree:
    """Who asks for a place finds what lies below it as well."""

    @pytest.fixture
    def tree(self):
        content = Content(STORE)
        content.paths = {"subject": "."}
        places = (
            "memories",
            "memories.lin",
            "memories.lin.work",
            "memories.linus",
            "profile.lin",
            "",
        )
        content.put([record(number, subject=place or None) for number, place in enumerate(places)])
        return content

    def test_a_place_counts_what_is_below_it(self, tree):
        facets = Whole().facets([Shelved(0, tree)], Query(), Query().parsed())["subject"]
        assert [(one.value, one.count, one.level, one.label) for one in facets] == [
            ("", 1, 0, ""),
            ("memories", 4, 0, "memories"),
            ("memories.lin", 2, 1, "lin"),
            ("memories.lin.work", 1, 2, "work"),
            ("memories.linus", 1, 1, "linus"),
            ("profile", 1, 0, "profile"),
            ("profile.lin", 1, 1, "lin"),
        ]

    def test_a_chosen_place_shows_what_is_below_it(self, tree):
        chosen = Query(facets={"subject": frozenset({"memories.lin"})})
        ids = Whole().search([Shelved(0, tree)], chosen, chosen.parsed(), "created")
        assert [tree.ref(number).key[0] for number in ids] == ["00000001", "00000002"]

    def test_so_does_the_language(self, tree):
        assert found(tree, "subject:memories") == [f"{n:08x}" for n in range(4)]
        assert found(tree, "-subject:memories") == ["00000004", "00000005"]
        assert found(tree, "subject:memories.lin.work") == ["00000002"]

    def test_elsewhere_a_dot_is_a_letter(self):
        content = Content(STORE)
        content.put([record(1, subject="a.b")])
        assert found(content, "subject:a") == []
        facets = Whole().facets([Shelved(0, content)], Query(), Query().parsed())["subject"]
        assert [(one.value, one.level) for one in facets] == [("a.b", 0)]


class TestOrders:
    @pytest.mark.parametrize("seed", range(3))
    def test_titles_sort_by_their_bytes_however_they_begin(self, seed):
        dice = random.Random(seed)
        titles = [
            "",
            "a",
            "a\x00",
            "a\x00\x00",
            "ab" * 20,
            "ab" * 20 + "c",
            "数据库" * 9,
            "数据库" * 8,
        ]
        titles += ["".join(dice.choices("ab\x00", k=dice.randrange(30))) for _ in range(60)]
        dice.shuffle(titles)
        content = Content(STORE)
        content.put([record(n, title=title) for n, title in enumerate(titles)])
        ids = list(Whole().search([Shelved(0, content)], query := Query(), query.parsed(), "title"))
        assert ids == sorted(range(len(titles)), key=lambda n: (titles[n].encode(), n))
