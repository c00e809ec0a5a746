# SPDX-License-Identifier: MIT
"""The in-memory index against plain Python over the records themselves.

The oracle normalises by itself and judges terms as they were made, not as our parser reads them.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_gui.domain.language import literal
from memory_gui.domain.queries import FACETS, SORTS, Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index import arena, blocks, filters, orders, ready, whole
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole

STORE = StoreId("a")
AGENT = "Agentao"
TYPES = ("note", "Decision", "类型", "")
TAGS = ("a", "A", "style", "数据库", "ﬁ", "")
WORDS = st.text(
    st.sampled_from("aAbBeE xyz_-%*\"'019:主题数据ßẞİıﬁＡ①ﬀ한글é\u0301\uffff\n ")
    | st.sampled_from("\u0000\u001e\u001f")
    | st.characters(codec="utf-8"),
    max_size=12,
)
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def folded(text: str) -> str:
    """The oracle's own normalisation."""
    return unicodedata.normalize("NFKC", text).casefold()


@st.composite
def records(draw: st.DrawFn) -> Record:
    kind = draw(st.sampled_from(["memory", "review", "event"]))
    key = str(draw(st.integers(0, 9)))
    days = draw(st.integers(0, 400) | st.none())
    when = None if days is None else (NOW - timedelta(days=days)).isoformat()
    confidence = draw(st.sampled_from([None, "sure", "guess"]))
    return Record(
        Ref(STORE, kind, (key, draw(WORDS)) if draw(st.booleans()) else (key,)),
        f"{draw(st.integers(0, 2**64 - 1)):016x}" if draw(st.booleans()) else draw(WORDS),
        draw(st.sampled_from(list(State))),
        draw(WORDS),
        draw(WORDS),
        subject=draw(st.none() | WORDS),
        scope=draw(st.sampled_from([None, "project", "user"])),
        type=draw(st.sampled_from(TYPES)) or None,
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=3))),
        source=draw(st.sampled_from([None, "explicit", "auto"])),
        created_at=when,
        created_at_utc=when,
        updated_at=when if draw(st.booleans()) else None,
        updated_at_utc=when,
        extra={"key": draw(WORDS), **({"confidence": confidence} if confidence else {})},
    )


@dataclass(frozen=True)
class Term:
    """A term as a person writes it, and what it means."""

    text: str
    name: str
    value: str
    negated: bool

    def holds(self, record: Record) -> bool:
        if self.name == "text":
            found = any(folded(self.value) in folded(text) for text in record.searchable())
        elif self.name == "tag":
            found = folded(self.value) in ([folded(tag) for tag in record.tags] or [""])
        elif self.name == "agent":
            found = folded(self.value) == folded(AGENT)
        else:
            found = folded(self.value) == folded(getattr(record, self.name) or "")
        return found is not self.negated


@st.composite
def terms(draw: st.DrawFn) -> Term:
    name = draw(
        st.sampled_from(["text", "text", "text", "type", "tag", "scope", "kind", "state", "agent"])
    )
    values = {
        "text": WORDS.filter(bool),
        "type": st.sampled_from(TYPES),
        "tag": st.sampled_from([*TAGS, "nobody"]),
        "scope": st.sampled_from(["project", "USER"]),
        "kind": st.sampled_from(["memory", "event", "other"]),
        "state": st.sampled_from(list(State)),
        "agent": st.sampled_from(["agentao", "Other"]),
    }
    value = str(draw(values[name]))
    negated = draw(st.booleans())
    said = literal(value) or '""'
    return Term(
        ("-" * negated) + (said if name == "text" else f"{name}:{said}"), name, value, negated
    )


ACTS = st.lists(
    st.tuples(st.sampled_from(["put", "drop", "read"]), st.lists(records(), max_size=8)),
    max_size=6,
)


BLOCKS = st.sampled_from([4, 30, 200, blocks.BLOCK])
"""Bytes of a block of the arena: small ones, so that there are several."""


@contextmanager
def small(block: int) -> Iterator[None]:
    """Blocks of so many bytes, segments of a few of them, and all of their signs looked at."""
    segments = patch.object(arena, "LARGEST", min(4_000, 20 * block))
    with patch.multiple(blocks, BLOCK=block, FEW=0), segments:
        yield


def build(acts: list[tuple[str, list[Record]]]) -> tuple[Content, dict[Ref, Record]]:
    """An index after some acts, and what must be in it."""
    content, model = Content(STORE), {}
    content.agent = AGENT
    for name, some in acts:
        named = {record.ref: record for record in some}
        if name == "put":
            known = {
                ref for ref, old in model.items() if ref in named and old.etag == named[ref].etag
            }
            content.put(named.values())
            model.update({ref: one for ref, one in named.items() if ref not in known})
        elif name == "drop":
            content.drop(named)
            for ref in named:
                model.pop(ref, None)
        else:
            content.begin()
            content.take(list(named.values()))
            content.end()
            model = {
                ref: model[ref] if ref in model and model[ref].etag == one.etag else one
                for ref, one in named.items()
            }
    return content, model


def found(content: Content, query: Query, sort: str = "-updated") -> list[Ref]:
    ids = Whole().search([Shelved(1 << 32, content)], query, query.parsed(NOW), sort)
    refs = [content.ref(number & 0xFFFFFFFF) for number in ids]
    assert None not in refs
    return refs  # type: ignore[return-value]


@settings(max_examples=50, deadline=None)
@given(
    acts=ACTS, wanted=st.lists(terms(), max_size=3), states=st.sets(st.sampled_from(list(State))),
    size=BLOCKS,
)  # fmt: skip
def test_whatever_happened_the_same_is_found(acts, wanted, states, size):
    with small(size):
        content, model = build(acts)
    query = Query(" ".join(term.text for term in wanted), states=frozenset(states))
    expected = {
        ref
        for ref, record in model.items()
        if all(term.holds(record) for term in wanted) and (not states or record.state in states)
    }
    assert set(found(content, query)) == expected
    assert {ref for ref, one in model.items() if query.matches(one, agent=AGENT)} == expected
    counts = Counter((one.kind, one.state) for one in model.values())
    told = {(k, s): n for k, states_ in content.counts().items() for s, n in states_.items()}
    assert told == dict(counts)


@settings(max_examples=50, deadline=None)
@given(acts=ACTS, data=st.data(), size=BLOCKS, crowded=st.sampled_from([0, 1 / 40, 1]))
def test_any_piece_of_any_text_is_found(acts, data, size, crowded):
    """However its places are looked for: one by one, or, where they are dense, byte by byte."""
    with small(size):
        content, model = build(acts)
    texts = [(ref, text) for ref, one in model.items() for text in one.searchable() if text]
    if not texts:
        return
    for ref, text in texts:  # those at the edges of a block among them
        for edge in {folded(text)[:3], folded(text)[-3:], folded(text)[-4:]}:
            holding = content.arena.holding(edge.encode("utf-8", "surrogatepass"))
            assert any(content.ordinal(ref) in some for some in holding)
    ref, text = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : start + data.draw(st.integers(1, 8))]
    with patch.multiple(arena, _LOOK=1, _CROWDED=crowded, _PIECE=50):
        refs = set(found(content, Query(literal(piece))))
    assert ref in refs or folded(piece) not in folded(text)
    assert refs == {
        ref
        for ref, one in model.items()
        if any(folded(piece) in folded(field) for field in one.searchable())
    }


def sort_key(record: Record, name: str):
    if name in {"updated", "created"}:
        text = record.created_at if name == "created" else record.updated_at or record.created_at
        utc = record.created_at_utc if name == "created" else record.updated_at_utc
        moment = datetime.fromisoformat(utc) if utc and text else None
        return datetime.min.replace(tzinfo=UTC) if moment is None else moment
    if name == "title":
        return folded(record.title)
    if name == "subject":
        return folded(record.subject or "")
    return str(getattr(record, name) or "")


@settings(max_examples=50, deadline=None)
@given(acts=ACTS, more=st.lists(records(), max_size=6), name=st.sampled_from(SORTS))
def test_the_order_is_that_of_the_values_over_both_stores(acts, more, name):
    first, model = build(acts)
    others = {(one := replace(r, ref=replace(r.ref, store=StoreId("b")))).ref: one for r in more}
    second = Content(StoreId("b"))
    second.put(others.values())
    stores = [Shelved(1 << 32, first), Shelved(2 << 32, second)]
    every_store, both = Whole(), {1: first, 2: second}
    for query in (Query(), Query(kinds=frozenset({"memory"})), Query("e")):
        ids = list(every_store.search(stores, query, query.parsed(NOW), name))
        every = {**model, **others}
        refs = [both[number >> 32].ref(number & 0xFFFFFFFF) for number in ids]
        keys = [(sort_key(every[ref], name), number) for ref, number in zip(refs, ids, strict=True)]
        assert keys == sorted(keys)
        assert list(every_store.search(stores, query, query.parsed(NOW), f"-{name}")) == ids[::-1]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "drop", "read", "make"]),
        st.integers(0, 1),
        st.lists(records(), max_size=6),
        st.sampled_from(SORTS),
    ),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(
    begun=st.lists(records(), max_size=12), steps=STEPS,
    few=st.sampled_from([0, 1_024]), little=st.sampled_from([0, 3, 256]),
)  # fmt: skip
def test_an_order_that_is_kept_follows_every_change(begun, steps, few, little):
    """Of both stores and of each: as one that is made of nothing, which the test above judges."""
    contents = Content(STORE), Content(StoreId("b"))
    contents[0].put(begun)
    both = [Shelved(1 << 32, contents[0]), Shelved(2 << 32, contents[1])]
    kept, query = Whole(), Query()
    with patch.object(orders, "_FEW_NAMES", few), patch.object(ready, "_LITTLE", little):
        for act, which, some, name in steps:
            content = contents[which]
            moved = [replace(one, ref=replace(one.ref, store=content.store)) for one in some]
            named = {one.ref: one for one in moved}
            make = kept.ready_maker(both, SORTS) if act == "make" else None
            if act in {"put", "make"}:
                content.put(named.values())
            elif act == "drop":
                content.drop(named)
            else:
                content.begin()
                content.take(list(named.values()))
                content.end()
            if make is not None:
                make()
            for stores in (both, [both[which]]):
                for sort in (name, "-title"):
                    ids = kept.search(stores, query, query.parsed(NOW), sort)
                    assert ids == Whole().search(stores, query, query.parsed(NOW), sort)


@settings(max_examples=50, deadline=None)
@given(
    acts=ACTS, more=st.lists(records(), max_size=6), wanted=st.lists(terms(), max_size=3),
    sort=st.sampled_from(SORTS), down=st.booleans(), most=st.integers(1, 5), step=st.integers(1, 4),
    often=st.sampled_from(["", "e", "-e", "o"]), size=BLOCKS,
)  # fmt: skip
def test_walking_the_order_finds_what_passing_over_all_texts_finds(
    acts, more, wanted, sort, down, most, step, often, size
):
    """``often`` is in many records or in few: with it alone a walk meets more than it is to."""
    with small(size):
        first, _ = build(acts)
        second = Content(StoreId("b"))
        second.put(replace(r, ref=replace(r.ref, store=StoreId("b"))) for r in more)
    stores = [Shelved(1 << 32, first), Shelved(2 << 32, second)]
    query = Query(often or " ".join(term.text for term in wanted))
    parsed, sort = query.parsed(NOW), "-" * down + sort
    ids = Whole().search(stores, query, parsed, sort)
    with patch.multiple(whole, _WALK=step, _RARE=0):
        begun = Whole().first(stores, query, parsed, sort, most=most)
    assert begun is None or begun == ids[:most]
    if (often or any(term.name == "text" for term in wanted)) and first.columns.count > step:
        assert begun is not None
    with patch.multiple(filters, _FEW=0, _STEP=step):  # texts of many records one by one
        first.masks.follow(-1)
        second.masks.follow(-1)
        assert Whole().search(stores, query, parsed, sort) == ids


def values(record: Record, facet: str) -> set[str]:
    if facet == "tag":
        return set(record.tags) or {""}
    if facet == "agent":
        return {AGENT}
    if facet == "confidence":
        return {record.extra.get("confidence") or ""}
    if facet == "month":
        utc = record.updated_at_utc if record.updated_at else record.created_at_utc
        return {datetime.fromisoformat(utc).astimezone().strftime("%Y-%m") if utc else ""}
    return {getattr(record, facet) or ""}


@settings(max_examples=50, deadline=None)
@given(
    acts=ACTS,
    chosen=st.dictionaries(
        st.sampled_from(FACETS),
        st.sets(st.sampled_from(["note", "类型", "a", "数据库", "explicit", "user", "", AGENT])),
        max_size=2,
    ),
)
def test_facets_count_what_is_there_without_their_own_choice(acts, chosen):
    content, model = build(acts)
    query = Query(facets={name: frozenset(some) for name, some in chosen.items()})
    told = Whole().facets([Shelved(0, content)], query, query.parsed())
    for facet in FACETS:
        counts: Counter[str] = Counter()
        for record in model.values():
            if all(
                name == facet or not some or values(record, name) & some
                for name, some in chosen.items()
            ):
                counts.update(values(record, facet))
        numbers = {one.value: one.count for one in told[facet]}
        assert set(numbers) == set(counts) | chosen.get(facet, set())
        assert all(counts[value] == number for value, number in numbers.items())
        assert [one.count for one in told[facet]] == sorted(numbers.values(), reverse=True)
    assert set(found(content, query)) == {
        ref
        for ref, record in model.items()
        if all(not some or values(record, name) & some for name, some in chosen.items())
    }
