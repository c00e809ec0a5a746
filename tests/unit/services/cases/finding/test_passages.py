# SPDX-License-Identifier: MIT
"""Passages of files: what is cut out of JSON leaves JSON, and everybody else's words."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.cases.finds import Decision, Heap
from memory_gui.cases.matching import Matcher
from memory_gui.cases.names import Subject
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.filecuts import without
from memory_gui.services.cases.finding.candidates import StoreFacts
from memory_gui.services.cases.finding.passages import cut_of, laid, passages_in, read_passages

MATCHER = Matcher(Subject.of("Li Lei"))
FACTS = StoreFacts.bare("/store", "agentao", "Agentao")
LINES = st.sampled_from(
    ["Li Lei was here", "nobody", "", "a \\ b", 'say "Li Lei"', "\t", "李雷", "\\n", "x\\"]
)
TEXTS = st.lists(LINES, max_size=4).map("\n".join)
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)


def lines(value):
    match value:
        case str():
            return value.split("\n")
        case list():
            return [line for one in value for line in lines(one)]
        case dict():
            return [line for one in value.values() for line in lines(one)]
    return []


def read(path: Path, data: bytes, encoding: str):
    path.write_bytes(data)
    file = SideFile(str(path), "session", encoding, cleanable=True)
    return read_passages(file, FACTS, [MATCHER], lambda: None)


@given(VALUES, st.booleans())
def test_json_stays_json_and_keeps_all_other_lines(tmp_path_factory, value, ascii_only):
    data = json.dumps([value], ensure_ascii=ascii_only, indent=1).encode()
    found = read(tmp_path_factory.mktemp("p") / "f.json", data, "json")
    cut, count = cut_of(found, {Heap.SURE: Decision.ERASE}, MATCHER, frozenset())
    mine = [line for line in lines(value) if "Li Lei" in line]
    assert count == len(mine)
    left = lines(json.loads(without(data, cut.cuts if cut else ())))
    assert [line for line in left if line] == [
        line for line in lines(value) if line and "Li Lei" not in line
    ]


@pytest.mark.parametrize("encoding", ["json", "text"])
def test_only_the_name_goes_where_it_is_redacted(tmp_path, encoding):
    data = json.dumps({"m": "Dear Li Lei, 你好\nbye Li Lei"}).encode()
    found = read(tmp_path / "f", data, encoding)
    cut, _ = cut_of(found, {Heap.SURE: Decision.REDACT}, MATCHER, frozenset())
    assert json.loads(without(data, cut.cuts)) == {"m": "Dear , 你好\nbye "}


def test_escaped_twice_and_half_letters(tmp_path):
    inner = json.dumps({"q": "李雷 Li Lei"})  # a tool's answer inside of a message
    data = json.dumps({"m": inner}).encode()
    assert Matcher(Subject.of("李雷")).find(laid(data)[0])
    found = read(tmp_path / "f.json", data, "json")
    cut, count = cut_of(found, {Heap.SURE: Decision.REDACT}, MATCHER, frozenset())
    assert count == 1
    assert json.loads(json.loads(without(data, cut.cuts))["m"]) == {"q": "李雷 "}
    assert laid(b"\xff\xfe\\")[0]  # torn bytes are read as what they are


def test_a_rare_letter_of_a_name_in_escapes(tmp_path):
    matcher = Matcher(Subject.of("\U00020bb7野家"))
    (tmp_path / "f.json").write_text(json.dumps({"m": "von \U00020bb7野家"}))
    file = SideFile(str(tmp_path / "f.json"), "session", "json", cleanable=True)
    found = read_passages(file, FACTS, [matcher], lambda: None)
    assert cut_of(found, {Heap.SURE: Decision.ERASE}, matcher, frozenset())[1] == 1


def test_lines_of_a_text(tmp_path):
    data = b"a\r\nLi Lei\r\n\nlast Li Lei"
    assert [data[a:b] for a, b in passages_in(data, as_json=False)] == [
        b"a\r\n", b"Li Lei\r\n", b"\n", b"last Li Lei",
    ]  # fmt: skip
    found = read(tmp_path / "f.log", data, "text")
    cut, _ = cut_of(found, {Heap.SURE: Decision.ERASE}, MATCHER, frozenset())
    assert without(data, cut.cuts) == b"a\r\n\n"


def test_what_claims_to_be_json_and_is_not(tmp_path):
    found = read(tmp_path / "f.json", b"Li Lei, plain\n", "json")
    assert cut_of(found, {Heap.SURE: Decision.ERASE}, MATCHER, frozenset())[1] == 1
