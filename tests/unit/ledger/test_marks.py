# SPDX-License-Identifier: MIT
"""Marks name a record without telling it."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.keys import Denied, Locked, Mismatch, RawKey, Unavailable
from memory_gui.ledger import Marks
from memory_gui.vault.keychain import NoKeychain

texts = st.tuples(st.text(), st.text(), st.text())


def test_a_known_answer():
    message = b"".join(len(p).to_bytes(8, "big") + p for p in (b"s", b"memory", "键".encode()))
    expected = hmac.new(bytes(32), message, hashlib.sha256).hexdigest()
    assert Marks(RawKey(bytes(32))).of("s", "memory", "键") == expected


@given(texts, texts)
def test_no_two_records_share_a_mark(one, other):
    marks = Marks(RawKey(b"m" * 32))
    assert (marks.of(*one) == marks.of(*other)) == (one == other)


def test_another_key_gives_other_marks():
    assert Marks(RawKey(b"m" * 32)).of("s", "k", "1") != Marks(RawKey(b"n" * 32)).of("s", "k", "1")


def test_the_key_is_made_once_and_kept(keychain):
    first = Marks.open(keychain)
    assert first.on
    assert list(keychain.keys) == [("memory-gui/marks", "a")]
    assert Marks.open(keychain).of("s", "k", "1") == first.of("s", "k", "1")


@pytest.mark.parametrize("answer", [Locked("M"), Denied("M"), Unavailable(), Mismatch("M", ("a",))])
def test_without_a_key_they_are_off_and_none_is_made(keychain, answer):
    keychain.answer = answer
    marks = Marks.open(keychain)
    assert not marks.on
    assert marks.of("s", "k", "1") is None
    assert keychain.keys == {}


def test_without_a_keychain_they_are_off():
    assert Marks.open(NoKeychain()).of("s", "k", "1") is None
