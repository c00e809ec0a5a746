# SPDX-License-Identifier: MIT
"""Pickles are read, and nothing that they ask for is done; every one ends, and soon."""

from __future__ import annotations

import pickle
import pickletools
import struct
import time
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_gui.stores.pickles import MOST_BYTES, Made, PickleError, plain, read_pickle

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 39), 1 << 39) | st.floats(allow_nan=False)
    | st.text() | st.binary(max_size=40),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=30,
)  # fmt: skip


class Bomb:
    """Would run a command when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (Path.touch, (self._path,))


@settings(max_examples=60, deadline=None)
@given(VALUES, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_values_come_out_as_they_went_in(value: object, protocol: int) -> None:
    raw = pickle.dumps(value, protocol)
    found = read_pickle(raw)
    if protocol >= 3 or "bytes" not in repr(type(value)):
        assert plain(found) == plain(pickle.loads(raw)) or protocol < 3


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        plain(read_pickle(raw))
    except PickleError:
        return


@settings(max_examples=80, deadline=None)
@given(VALUES, st.data())
def test_broken_pickles_are_read_or_refused(value: object, data: st.DataObject) -> None:
    raw = bytearray(pickle.dumps(value))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        plain(read_pickle(bytes(raw)))
    except PickleError:
        return


def test_nothing_is_called(tmp_path: Path) -> None:
    target = tmp_path / "made"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found = read_pickle(pickle.dumps([Bomb(target), "text"], protocol))
        assert isinstance(found[0], Made)
        assert found[1] == "text"
    assert not target.exists()
    assert read_pickle(b"cos\nsystem\n(S'touch made'\ntR.").name == "os.system"
    assert read_pickle(b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R.").name == "os.system"
    assert read_pickle(b"(S'x'\nios\nsystem\n.").name == "os.system"


def test_objects_are_named_with_what_they_hold() -> None:
    found = read_pickle(pickle.dumps(datetime(2026, 11, 30, tzinfo=UTC)))
    assert (type(found), found.name) == (Made, "datetime.datetime")
    ordered = read_pickle(pickle.dumps(OrderedDict(a=1)))
    assert plain(ordered) == {"collections.OrderedDict": [[[]], ["a", 1]]}


def test_a_vector_is_read_in_one_go() -> None:
    point = {"vector": [0.25] * 4096, "payload": {"data": "text"}}
    assert read_pickle(pickle.dumps(point)) == point


LAUGHS = b"\x80\x04]\x94" + b"".join(
    b"]\x94(" + b"h" + bytes([level]) + b"h" + bytes([level]) + b"e" for level in range(60)
) + b"."  # fmt: skip
LOOP = b"\x80\x04]\x94h\x00a."


def COLLIDING(number: int) -> bytes:
    """A key of which all have one hash."""
    return b"\x8a\x0a" + (number * ((1 << 61) - 1)).to_bytes(10, "little") + b"N"


BOMBS = {
    "marks": b"(" * (MOST_BYTES - 1) + b".",
    "a million empty lists": b"]" * (MOST_BYTES - 1) + b".",
    "nested": b"]" + b"]a" * 50_000 + b".",
    "deep tuples as a key": b"}" + b"N" + b"\x85" * 500_000 + b"Ns.",
    "tuples": b"N" + b"\x85" * 900_000 + b".",
    "laughs": LAUGHS,
    "a list in itself": LOOP,
    "long number": b"\x8b" + struct.pack("<i", 900_000) + b"\x7f" * 900_000 + b".",
    "digits": b"L" + b"9" * 900_000 + b"L\n.",
    "memo": b"N" + b"".join(b"r" + struct.pack("<I", n) for n in range(100_000)) + b".",
    "says it is longer": b"\x8e" + struct.pack("<Q", 1 << 62) + b"x.",
    "popped too often": b"0" * 100_000,
    "copies": b"(" + b"2" * 500_000 + b"l.",
    "keys that collide": b"}(" + b"".join(map(COLLIDING, range(60_000))) + b"u.",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_bombs_end_soon(name: str) -> None:
    begun = time.process_time()
    try:
        shown = plain(read_pickle(BOMBS[name]))
    except PickleError:
        shown = ""
    assert len(repr(shown)) < 10_000_000
    assert time.process_time() - begun < 2.5


def test_what_is_larger_than_a_row_is_refused() -> None:
    raw = pickle.dumps("x" * MOST_BYTES)
    with pytest.raises(PickleError):
        read_pickle(raw)
    assert len(read_pickle(raw, 2 * MOST_BYTES)) == MOST_BYTES


def test_every_opcode_is_known_or_refused() -> None:
    for opcode in pickletools.opcodes:
        try:
            read_pickle(opcode.code.encode("latin-1") + b"\0" * 16 + b".")
        except PickleError:
            continue
