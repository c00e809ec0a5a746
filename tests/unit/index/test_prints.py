# SPDX-License-Identifier: MIT
"""Candidates for likeness: what shares much is found, what changed is followed."""

from dataclasses import replace
from hashlib import sha256

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index.content import Content
from memory_gui.index.prints import Prints

STORE = StoreId("/s")


def memory(key: str, text: str, state: State = State.LIVE, kind: str = "memory") -> Record:
    etag = sha256(f"{key}{text}{state}".encode()).hexdigest()[:16]
    return Record(Ref(STORE, kind, (key,)), etag, state, key, text)


def content(*records: Record) -> Content:
    made = Content(STORE)
    made.begin()
    made.take(records)
    made.end()
    return made


def found(prints: Prints, inside: Content, text: str) -> list[str]:
    refs = [inside.ref(n) for n in prints.alike(text, "memory", 5)]
    return [ref.key[0] for ref in refs if ref is not None]


def test_best_first_and_only_live_memories() -> None:
    inside = content(
        memory("far", "每周五部署到生产环境"),
        memory("near", "concise answers, with the command first"),
        memory("same", "Concise answers with the command first"),
        memory("gone", "concise answers with the command first", State.TRASH),
        memory("item", "concise answers with the command first", State.PENDING, "review"),
    )
    assert found(Prints(inside), inside, "concise answers with the command first") == [
        "same",
        "near",
    ]


def test_an_edit_an_addition_and_a_removal_are_followed() -> None:
    first = memory("one", "用户喜欢深色主题和紧凑布局")
    inside = content(first)
    prints = Prints(inside)
    assert found(prints, inside, "用户喜欢深色主题") == ["one"]
    inside.put([memory("one", "完全不同的一句话在这里")])
    assert found(prints, inside, "用户喜欢深色主题") == []
    inside.put([memory("two", "用户喜欢深色主题")])
    assert found(prints, inside, "用户喜欢深色主题") == ["two"]
    inside.drop([Ref(STORE, "memory", ("two",))])
    assert found(prints, inside, "用户喜欢深色主题") == []
    inside.put([replace(first, etag="0" * 16, state=State.TRASH)])
    assert found(prints, inside, "用户喜欢深色主题和紧凑布局") == []


def test_what_is_forgotten_or_replaced_is_overwritten() -> None:
    inside = content(memory("one", "用户喜欢深色主题和紧凑布局"))
    prints = Prints(inside)
    assert found(prints, inside, "用户喜欢深色主题") == ["one"]
    first = prints._columns
    assert first.any()
    inside.put([memory("two", "用户喜欢深色主题")])
    assert found(prints, inside, "用户喜欢深色主题") == ["two", "one"]
    second = prints._columns
    assert second.any()
    prints.clear()
    assert not first.any()
    assert not second.any()
    inside.drop([Ref(STORE, "memory", ("two",))])  # which is told to prints that were forgotten
    assert found(prints, inside, "用户喜欢深色主题") == ["one"]


def test_an_empty_store_and_an_empty_text() -> None:
    empty = Content(STORE)
    assert Prints(empty).alike("anything at all", "memory", 5) == []
    inside = content(memory("one", "some text that is long enough"))
    assert Prints(inside).alike("", "memory", 5) == []
    assert Prints(inside).alike("abc", "memory", 5) == []
