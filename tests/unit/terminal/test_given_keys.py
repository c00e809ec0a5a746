# SPDX-License-Identifier: MIT
"""``erase`` with keys that the caller keeps: nothing is said to be destroyed that is not."""

from __future__ import annotations

import json

import pytest

from memory_gui.domain.keys import RawKey

KEY = RawKey(bytes(range(32)))
NEW = RawKey(bytes(range(100, 132)))
NOT_OURS = "new-old-not-ours"


@pytest.fixture
def encrypted(make):
    return make(KEY)


def erase(terminal, behind, *more):
    new = ("--new-key-fd", str(behind(NEW.hex())))
    command = ("erase", str(terminal.store), "00000000", "--no-keychain")
    return terminal(*command, *terminal.with_key(), *new, *more)


def test_the_old_key_is_not_said_to_be_destroyed(encrypted, behind, tmp_path):
    planned = erase(encrypted, behind, "--dry-run", "--json").json
    assert planned["key"] == NOT_OURS
    assert "limit.old_key_given" in [one["code"] for one in planned["not_covered"]]
    receipt = tmp_path / "receipt.json"
    done = erase(encrypted, behind, "--yes", "--receipt", str(receipt))
    assert done.status == 0, done.err
    assert "old one is destroyed" not in done.out
    assert "old one was destroyed" not in done.out
    assert "was not destroyed: whoever has it can still read" in done.out
    kept = json.loads(receipt.read_text())
    assert kept["key"] == NOT_OURS
    assert "limit.old_key_given" in [one["code"] for one in kept["not_covered"]]
    again = erase(encrypted, behind, "--yes", "--json")  # the same command, which was killed
    assert (again.status, again.json["key"]) == (0, NOT_OURS)
