# SPDX-License-Identifier: MIT
"""MessagePack, read generically: the specification's forms, cut and hostile data.

The known bytes were written by ormsgpack 1.13.1, with which LangGraph writes.
"""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.stores.msgpack import DEEPEST, Ext, Reader

KNOWN = {
    "c0": None,
    "c3": True,
    "c2": False,
    "00": 0,
    "7f": 127,
    "cc80": 128,
    "ccff": 255,
    "cd0100": 256,
    "ce00010000": 65536,
    "cf0000000100000000": 2**32,
    "cfffffffffffffffff": 2**64 - 1,
    "ff": -1,
    "e0": -32,
    "d0df": -33,
    "d1ff7f": -129,
    "d2ffff7fff": -32769,
    "d3ffffffff7fffffff": -(2**31) - 1,
    "cb3ff8000000000000": 1.5,
    "ca3fc00000": 1.5,
    "a0": "",
    "a161": "a",
    "d920" + "c3a9" * 16: "é" * 16,
    "da012c" + "78" * 300: "x" * 300,
    "c4026162": b"ab",
    "c5012c" + "7a" * 300: b"z" * 300,
    "90": [],
    "92019202" + "9103": [1, [2, [3]]],
    "dc0014" + "".join(f"{n:02x}" for n in range(20)): list(range(20)),
    "80": {},
    "82a16101a16281a16391c0": {"a": 1, "b": {"c": [None]}},
    "d40071": Ext(0, b"q", 1),
    "d60571717171": Ext(5, b"qqqq", 1),
    "d806" + "71" * 16: Ext(6, b"q" * 16, 1),
    "c705057171717171": Ext(5, b"qqqqq", 1),
    "c8012c03" + "71" * 300: Ext(3, b"q" * 300, 1),
    "c701ff71": Ext(-1, b"q", 1),
}


@pytest.mark.parametrize("raw", KNOWN)
def test_every_form_is_read(raw: str) -> None:
    reader = Reader()
    assert reader.read(bytes.fromhex(raw)) == KNOWN[raw]
    assert reader.fault == ""


@pytest.mark.parametrize(
    ("raw", "value", "fault"),
    [
        (b"", None, "short"),
        (b"\x93\x01\xa2ab", [1, "ab"], "short"),
        (b"\x82\xa1a\x01\xa1b", {"a": 1}, "short"),
        (b"\xdb\xff\xff\xff\xffab", None, "short"),
        (b"\xdd\xff\xff\xff\xff\x01", [1], "short"),
        (b"\xc9\xff\xff\xff\xff\x05ab", None, "short"),
        (b"\x01\x02", 1, "more"),
        (b"\x92\x01\xc1", [1], "unknown"),
        (b"\xa2\xff\xfe", "\\xff\\xfe", ""),
        (b"\x83\x01\xa1a\xc0\xa1b\x91\x01\xa1c", {"1": "a", "None": "b", "?": "c"}, ""),
        (b"\x82\xa1a\x01\xa1a\x02", {"a": 1, "a'": 2}, ""),
    ],
)
def test_of_odd_data_is_read_what_can_be(raw: bytes, value: object, fault: str) -> None:
    reader = Reader()
    assert reader.read(raw) == value
    assert reader.fault == fault


@pytest.mark.parametrize(
    ("bomb", "fault"),
    [
        (b"\x91" * 1_000_000, "deep"),
        (b"\x81\xa1a" * 1_000_000, "deep"),
        (b"\xdd\xff\xff\xff\xff" * 1_000_000, "deep"),
        (b"\xdd\xff\xff\xff\xff" + b"\xc0" * 3_000_000, "many"),
    ],
)
def test_time_and_memory_are_bounded(bomb: bytes, fault: str) -> None:
    tracemalloc.start()
    began = time.process_time()
    reader = Reader(most=200_000)
    reader.read(bomb)
    spent, (_, most) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reader.fault == fault
    assert spent < 5
    assert most < 20 << 20


def test_extensions_count_as_depth_and_as_values() -> None:
    inner = b"\xc0"
    for _ in range(DEEPEST + 50):
        inner = b"\xc9" + len(inner).to_bytes(4, "big") + b"\x05" + b"\x91" + inner
        inner = inner[:1] + (len(inner) - 6).to_bytes(4, "big") + inner[5:]
    reader = Reader()
    value, steps = reader.read(inner), 0
    while value and not reader.fault:
        value = reader.inside(value if isinstance(value, Ext) else value[0])
        steps += 1
    assert reader.fault == "deep"
    assert steps < DEEPEST


@given(st.binary(max_size=200))
def test_any_bytes_are_read_to_an_end(raw: bytes) -> None:
    reader = Reader()
    reader.read(raw)
    assert reader.fault in {"", "short", "more", "deep", "many", "unknown"}
