# SPDX-License-Identifier: MIT
"""The recovery key as text: there and back, and every slip named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.vault.recovery import read_recovery_text, recovery_groups, recovery_text

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
keys = st.binary(min_size=32, max_size=32).map(RawKey)
places = st.tuples(st.integers(0, 13), st.integers(0, 4))


def slip(text: str) -> tuple[str, dict[str, object]]:
    with pytest.raises(UserError) as caught:
        read_recovery_text(text)
    return caught.value.code, dict(caught.value.params)


def test_a_key_that_was_worked_out_by_hand():
    # 32 zero bytes: all data characters are 0, so the checks are the powers x^5 … x^17 of GF(32)
    # with x^5 = x^2 + 1, which are 5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19.
    checks = "".join(ALPHABET[v] for v in (5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19))
    assert [g[:4] for g in recovery_groups(RawKey(bytes(32)))[:13]] == ["0000"] * 13
    assert "".join(g[4] for g in recovery_groups(RawKey(bytes(32)))[:13]) == checks


@given(keys)
def test_there_and_back(key: RawKey):
    text = recovery_text(key)
    assert len(text.split()) == 14
    assert {len(group) for group in text.split()} == {5}
    assert read_recovery_text(text) == key


@given(keys)
def test_written_otherwise_it_is_the_same(key: RawKey):
    text = recovery_text(key)
    wide = "".join(chr(ord(c) + 0xFEE0) if c != " " else "\u3000" for c in text)
    for written in (
        text.lower().replace(" ", "-"),
        text.replace(" ", ""),
        "\n".join(text.split()),
        wide,
        text.replace("0", "O").replace("1", "l"),
        key.hex(),
        key.hex().upper(),
    ):
        assert read_recovery_text(written) == key


@given(keys, places, st.sampled_from(ALPHABET))
def test_one_wrong_character_names_its_group(key: RawKey, place: tuple[int, int], letter: str):
    groups = list(recovery_groups(key))
    group, at = place
    if groups[group][at] == letter:
        return
    groups[group] = groups[group][:at] + letter + groups[group][at + 1 :]
    assert slip(" ".join(groups)) == ("recovery.group", {"group": group + 1})


@given(keys, st.integers(0, 13), st.permutations(range(5)).filter(lambda p: sorted(p) != p))
def test_two_swapped_characters_name_their_group(key: RawKey, group: int, order: list[int]):
    groups = list(recovery_groups(key))
    if sum(a != b for a, b in zip(order, sorted(order), strict=True)) != 2:
        return
    swapped = "".join(groups[group][i] for i in order)
    if swapped == groups[group]:
        return
    groups[group] = swapped
    assert slip(" ".join(groups)) == ("recovery.group", {"group": group + 1})


@given(keys, st.integers(0, 13), st.integers(0, 13))
def test_two_swapped_groups_are_both_noticed(key: RawKey, one: int, other: int):
    if one == other:
        return
    groups = list(recovery_groups(key))
    groups[one], groups[other] = groups[other], groups[one]
    assert slip(" ".join(groups)) == (
        "recovery.groups",
        {"group": min(one, other) + 1, "count": 2},
    )


@given(keys, keys, st.integers(1, 13))
def test_the_groups_of_two_keys_do_not_mix(one: RawKey, other: RawKey, at: int):
    mixed = recovery_groups(one)[:at] + recovery_groups(other)[at:]
    if mixed in (recovery_groups(one), recovery_groups(other)):
        return
    with pytest.raises(UserError) as caught:
        read_recovery_text(" ".join(mixed))
    assert caught.value.code in ("recovery.sum", "recovery.version")


def test_what_is_missing_or_too_much_is_said():
    groups = list(recovery_groups(RawKey(bytes(range(32)))))
    assert slip("  \n") == ("recovery.empty", {})
    assert slip(" ".join(groups[:13])) == ("recovery.length", {"count": 65})
    assert slip(" ".join([*groups, groups[0]])) == ("recovery.length", {"count": 75})
    assert slip("".join(groups)[:-1]) == (
        "recovery.group_length",
        {"group": 14, "count": 4},
    )
    short = [*groups[:6], groups[6][:4], *groups[7:]]
    assert slip(" ".join(short)) == ("recovery.group_length", {"group": 7, "count": 4})


def test_a_character_that_cannot_be_there_is_named_by_its_place():
    groups = list(recovery_groups(RawKey(bytes(range(32)))))
    groups[2] = groups[2][:3] + "U" + groups[2][4:]
    assert slip(" ".join(groups)) == ("recovery.letter", {"group": 3, "place": 4})
    assert slip("这不是密钥") == ("recovery.letter", {"group": 1, "place": 1})


def test_63_hex_digits_are_not_taken_for_a_key():
    assert slip("a" * 63)[0] == "recovery.group_length" or slip("a" * 63)[0] == "recovery.length"


def test_a_newer_version_says_so(monkeypatch):
    monkeypatch.setattr("memory_gui.vault.recovery._VERSION", 1)
    text = recovery_text(RawKey(bytes(32)))
    monkeypatch.undo()
    assert slip(text) == ("recovery.version", {})


@given(st.text(max_size=120))
def test_any_text_is_a_key_or_a_known_error(text: str):
    try:
        result = read_recovery_text(text)
    except UserError as error:
        result = error
    assert isinstance(result, RawKey) or result.code.startswith("recovery.")
