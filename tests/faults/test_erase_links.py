# SPDX-License-Identifier: MIT
"""Links in a log's place: the eraser writes to no other file than the database's own."""

import os
from pathlib import Path

import pytest
import workload

VICTIM = b"years of work\n" * 4000


@pytest.fixture
def victim(tmp_path):
    file = tmp_path / "thesis.tex"
    file.write_bytes(VICTIM)
    return file


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "real"
    folder.mkdir()
    return workload.build(folder / "mem.db", journal="delete")


@pytest.mark.parametrize("role", ["-wal", "-journal", "-shm"])
def test_a_link_in_a_logs_place_is_refused(built, victim, tmp_path, erase_one, role):
    os.symlink(victim, f"{built.path}{role}")
    before = built.path.read_bytes()
    answer = erase_one(built.path, tmp_path / "data")
    assert "store.odd_log" in answer["error"] or "raw.link" in answer["error"]
    assert victim.read_bytes() == VICTIM
    assert built.path.read_bytes() == before


@pytest.mark.parametrize("role", ["-wal", "-journal"])
def test_a_hard_link_in_a_logs_place_is_refused(built, victim, tmp_path, erase_one, role):
    os.link(victim, f"{built.path}{role}")
    answer = erase_one(built.path, tmp_path / "data")
    assert "raw.hard_links" in answer["error"]
    assert victim.read_bytes() == VICTIM


def test_through_a_linked_database_the_right_log_is_wiped(victim, tmp_path, erase_one):
    folder = tmp_path / "real"
    folder.mkdir()
    built = workload.build(folder / "mem.db", die=True)
    trap = tmp_path / "repository"
    trap.mkdir()
    (trap / "mem.db").symlink_to(built.path)
    (trap / "mem.db-wal").symlink_to(victim)
    answer = erase_one(trap / "mem.db", tmp_path / "data")
    assert answer["state"] == "proved"
    assert victim.read_bytes() == VICTIM
    assert not Path(f"{built.path}-wal").exists()
    assert workload.verify(built.path)["targets"] == 0


def test_an_index_that_a_killed_program_left_goes(built, tmp_path, erase_one):
    """On a raw disk such a file was once seen to hold a piece of what had been erased."""
    index = Path(f"{built.path}-shm")
    index.write_bytes(workload.MARK.encode() * 1000)
    answer = erase_one(built.path, tmp_path / "data")
    assert answer["state"] == "proved", answer
    assert not index.exists()
    done = {step["name"]: step["result"] for store in answer["stores"] for step in store["steps"]}
    assert done["sync"].startswith(f"ok, {len(workload.MARK) * 1000} bytes")
