# SPDX-License-Identifier: MIT
"""Uses of the terminal without a person: kept first in a file, then in the ledger; no content."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from memory_gui.ledger import Ledger
from memory_gui.ledger.uses import FILE, KEPT, Use, UseFile
from memory_gui.services.activity.uses import Uses
from memory_gui.services.own.known import LedgerKeeper


def use(number: int, verb: str = "list") -> Use:
    return Use(f"2026-11-29T10:{number // 60:02}:{number % 60:02}+00:00", verb, "claude", number, 0)


@pytest.fixture
def file(tmp_path: Path) -> UseFile:
    return UseFile(tmp_path / "data")


@pytest.fixture
def keeper(tmp_path: Path, keychain) -> LedgerKeeper:
    data = tmp_path / "data"
    return LedgerKeeper(lambda: Ledger.open(data, keychain), kept=lambda: True)


def test_the_file_is_private_and_newest_first(file: UseFile, tmp_path: Path):
    for number in range(3):
        file.put(use(number))
    assert [one.records for one in file.list()] == [2, 1, 0]
    path = tmp_path / "data" / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    file.clear()
    assert file.list() == ()


def test_lines_that_are_none_of_ours_are_passed_over(file: UseFile, tmp_path: Path):
    file.put(use(1))
    path = tmp_path / "data" / FILE
    with path.open("ab") as stream:
        stream.write(b"\xff\xfe\n{}\n[]\n17\n" + json.dumps({"at": 1}).encode() + b"\n")
    file.put(use(2))
    assert [one.records for one in file.list()] == [2, 1]


def test_a_link_in_its_place_is_not_followed(file: UseFile, tmp_path: Path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / FILE).symlink_to(victim)
    file.put(use(1))
    assert victim.read_text() == "mine"
    assert file.list() == ()


def test_a_file_that_nobody_reads_does_not_grow_for_ever(file: UseFile, tmp_path: Path):
    file.put(use(1))
    path = tmp_path / "data" / FILE
    with path.open("ab") as stream:
        stream.write(b"x" * (600 * 1024))
    file.put(use(2))
    assert [one.records for one in file.list()] == [2]
    assert path.stat().st_size < 200


def test_where_it_cannot_be_written_nothing_fails(tmp_path: Path):
    (tmp_path / "file").write_text("")
    broken = UseFile(tmp_path / "file")
    broken.put(use(1))
    assert broken.list() == ()


class TestUses:
    def test_recording_opens_no_ledger(self, keeper, keychain, tmp_path):
        keychain.find_in = None  # asking it would fail
        uses = Uses(keeper, tmp_path / "data")
        uses.record("show", "agentao", 1, 0)
        assert not keeper.is_open
        (one,) = uses.list()
        assert (one.verb, one.by, one.records, one.status) == ("show", "agentao", 1, 0)
        assert one.at.endswith("+00:00")

    def test_it_goes_into_the_ledger_when_that_opens(self, keeper, tmp_path):
        uses = Uses(keeper, tmp_path / "data")
        for number in range(3):
            uses.record("list", "", number, 0)
        keeper.ledger()
        assert not (tmp_path / "data" / FILE).exists()
        assert [one.records for one in keeper.ledger().uses.list()] == [2, 1, 0]
        uses.record("erase", "codex", 7, 4)
        assert [one.verb for one in uses.list(2)] == ["erase", "list"]
        uses.clear()
        assert uses.list() == ()

    def test_the_ledger_keeps_the_last_ones(self, keeper):
        rows = keeper.ledger().uses
        rows.put(use(number) for number in range(KEPT))
        rows.put([use(KEPT), use(KEPT + 1)])
        kept = rows.list()
        assert len(kept) == KEPT
        assert (kept[0].records, kept[-1].records) == (KEPT + 1, 2)

    def test_without_a_ledger_the_file_stays(self, keychain, tmp_path):
        keychain.answer = None
        data = tmp_path / "data"
        data.mkdir(mode=0o700)
        (data / "memory-gui.db").write_bytes(b"\x01" * 4096)
        keeper = LedgerKeeper(lambda: Ledger.open(data, keychain), kept=lambda: True)
        uses = Uses(keeper, data)
        uses.record("list", "", 1, 0)
        assert keeper.ledger().state.code != "open"
        assert len(uses.list()) == 1
