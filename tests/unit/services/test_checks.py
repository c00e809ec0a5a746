# SPDX-License-Identifier: MIT
"""Health of stores that are no ordinary databases."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.services import Services

DATA = Path(__file__).parents[2] / "data"
Services_in = Callable[[Path], Services]


def test_a_store_that_is_no_database_is_checked_as_a_file(
    tmp_path: Path, services_in: Services_in
) -> None:
    path = shutil.copy(DATA / "agentao-0.2.5" / ".agentao" / "memory.json", tmp_path)
    Path(path).chmod(0o600)
    lines = {line.code: line.ok for line in services_in(tmp_path).checks.check(path)}
    assert lines == {
        "check.readable": None,
        "check.owner": True,
        "check.writable": True,
        "check.private": True,
        "check.open_by": True,
    }


def test_only_a_store_with_proposals_is_told_what_they_keep(
    tmp_path: Path, services_in: Services_in
) -> None:
    path = shutil.copy(DATA / "agentao-0.5.12" / "project" / ".agentao" / "memory.db", tmp_path)
    lines = {line.code: line.ok for line in services_in(tmp_path).checks.check(path)}
    assert "check.evidence" in lines


@pytest.mark.parametrize("cut", [1000, 8192])
def test_a_file_that_was_cut_off_is_told_as_damaged(
    tmp_path: Path, services_in: Services_in, cut: int
) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes((DATA / "agentao-0.5.12" / "project" / ".agentao" / "memory.db").read_bytes())
    with path.open("r+b") as stream:
        stream.truncate(path.stat().st_size - cut)
    Path(f"{path}-shm").write_bytes(bytes(32768))  # what a program leaves is no log
    services = services_in(tmp_path)
    with pytest.raises(UserError, match=r"store\.cut_off"):
        services.library.open(path)
    lines = {line.code: line.ok for line in services.checks.check(path)}
    assert lines["check.structure"] is False
    assert lines["check.owner"] is True


def test_noise_without_a_whole_page_asks_for_no_key(
    tmp_path: Path, services_in: Services_in
) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(bytes(range(256)) * 32)
    services = services_in(tmp_path)
    with pytest.raises(UserError, match=r"key\.needed"):
        services.library.open(path)
    path.write_bytes(bytes(range(256)) * 32 + b"x")
    with pytest.raises(UserError, match=r"store\.cut_off"):
        services.library.open(path)
