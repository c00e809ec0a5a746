# SPDX-License-Identifier: MIT
"""A key is Present only when it opens the file; every other answer passes as it is."""

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    Absent,
    Denied,
    Locked,
    Mismatch,
    Present,
    RawKey,
    Unavailable,
)
from memory_gui.vault.keychain import NoKeychain
from memory_gui.vault.lookup import key_for

SALT = bytes(range(16))
ONE, OTHER = RawKey(b"1" * 32), RawKey(b"2" * 32)
BOTH = [Present(ONE, "a", "K"), Present(OTHER, "b", "K")]


class Answers(NoKeychain):
    def __init__(self, answer) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def find_in(self, service: str):
        self.asked.append(service)
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [Absent("K"), Locked("K"), Denied("K", "no"), Unavailable(("silent",)), Mismatch("K", ("a",))],
)
def test_what_is_not_a_key_is_never_tried(answer):
    def proves(_key: RawKey) -> bool:
        raise AssertionError

    keychain = Answers(answer)
    assert key_for(keychain, SALT, proves) == answer
    assert keychain.asked == ["memory-gui/000102030405060708090a0b0c0d0e0f"]


@pytest.mark.parametrize(("right", "slot"), [(ONE, "a"), (OTHER, "b")])
def test_the_slot_that_opens_it(right: RawKey, slot: str):
    result = key_for(Answers(BOTH), SALT, lambda key: key == right)
    assert isinstance(result, Present)
    assert (result.key, result.slot) == (right, slot)


def test_none_opens_it():
    assert key_for(Answers(BOTH), SALT, lambda _: False) == Mismatch("K", ("a", "b"))


def test_a_damaged_file_is_not_a_wrong_key():
    def proves(_key: RawKey) -> bool:
        raise UserError("store.damaged", path="x")

    with pytest.raises(UserError, match=r"store\.damaged"):
        key_for(Answers(BOTH), SALT, proves)


@pytest.mark.parametrize("salt", [b"", b"short", b"SQLite format 3\0", bytes(17)])
def test_a_readable_file_has_no_slots(salt: bytes):
    with pytest.raises(ValueError, match="salt"):
        key_for(Answers([]), salt, lambda _: True)


def test_without_a_keychain_it_is_unavailable():
    assert key_for(NoKeychain(), SALT, lambda _: True) == Unavailable(("off",))
