# SPDX-License-Identifier: MIT
"""Texts of a batch are folded as each is by itself, and laid one after another."""

import os
import time
import unicodedata
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory_gui.domain.times import micros_of, month_of
from memory_gui.index import laid
from memory_gui.index.arena import GAP

FIELDS = ("Title", "TEXT one", "数据库 ABC", "Größe ﬁ İ", "", "Ａ①", "한글", "，Full", "x\x00Y")


def folded(text):
    return unicodedata.normalize("NFKC", text).casefold()


@pytest.mark.parametrize("among", [FIELDS, FIELDS[:3], ("", "Q")])
def test_each_is_folded_as_it_is_alone(among):
    texts = [(first, second) for first in among for second in among]
    joined, lengths, titles = laid._folded("".join(f"{a}\x1f{b}\x1e" for a, b in texts).encode())
    at = 0
    for pair, length, title in zip(texts, lengths, titles, strict=True):
        one = joined[at : at + length]
        assert one == GAP.join(folded(field).encode() for field in pair)
        assert title == len(folded(pair[0]).encode())
        assert joined[at + length : at + length + 1] == GAP
        at += length + 1
    assert at == len(joined)


def test_what_is_lowered_as_bytes_is_what_folding_changes_in_ascii_alone():
    plain = [chr(n) for n in range(0x10000) if not 0xD800 <= n < 0xE000
             and laid._is_caseless(np.frombuffer(chr(n).encode(), np.uint8))]  # fmt: skip
    assert len(plain) == 0x80 + 0xA000 - 0x4000
    beyond = np.frombuffer("\U00010000\U00014123\U0010ffff".encode(), np.uint8)
    assert not any(laid._is_caseless(beyond[at : at + 4]) for at in (0, 4, 8))
    assert all(folded(one) == one.encode().lower().decode() for one in plain)
    assert folded("".join(plain)) == "".join(plain).encode().lower().decode()


def test_a_batch_of_nothing():
    joined, lengths, titles = laid._folded(b"")
    assert (bytes(joined), len(lengths), len(titles)) == (b"", 0, 0)


ENDS = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC))


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("days", [0, 1, 2, 31, 62, 365, 400, 800])
def test_months_at_both_ends_of_the_calendar(end, days):
    moment = end + timedelta(days) if end.year == 1 else end - timedelta(days)
    times = [micros_of(moment), laid.NO_TIME, micros_of(moment.replace(day=15))]
    wanted = [0 if time == laid.NO_TIME else month_of(time) or 0 for time in times]
    assert laid._months(np.array(times, np.int64)).tolist() == wanted


@pytest.fixture(params=["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def zone(request, monkeypatch):
    monkeypatch.setitem(os.environ, "TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
