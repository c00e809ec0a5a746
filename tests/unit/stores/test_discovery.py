# SPDX-License-Identifier: MIT
"""Which stores are found below a folder, and that nothing else is touched."""

import itertools
from pathlib import Path

import pytest

from memory_gui.stores import discovery
from memory_gui.stores.discovery import stores_below

PLACE = (".agentao", "memory.db")


def make(folder: Path) -> Path:
    file = folder.joinpath(*PLACE)
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    return file


def test_in_the_folder_itself_and_some_way_below(tmp_path):
    deep = "a/b/c/d"
    near = [make(tmp_path / name) for name in (".", "a", deep)]
    make(tmp_path / deep / "too_deep")
    assert stores_below([tmp_path], PLACE) == tuple(sorted(near))


def test_never_through_links_hidden_folders_or_what_tools_made(tmp_path):
    outside = tmp_path / "outside"
    make(outside / "x")
    inside = tmp_path / "inside"
    kept = make(inside / "project")
    (inside / "link").symlink_to(outside)
    for name in (".cache", "node_modules", "project/venv"):
        make(inside / name / "x")
    assert stores_below([inside], PLACE) == (kept,)


def test_what_cannot_be_read_or_is_not_there_is_passed_over(tmp_path, monkeypatch):
    kept = make(tmp_path / "good")
    (tmp_path / "bad").mkdir()
    real = discovery.os.scandir

    def scandir(path):
        if Path(path).name == "bad":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(discovery.os, "scandir", scandir)
    assert stores_below([tmp_path / "gone", tmp_path], PLACE) == (kept,)


def test_two_named_folders_one_in_the_other(tmp_path):
    file = make(tmp_path / "a" / "b")
    assert stores_below([tmp_path, tmp_path / "a"], PLACE) == (file,)


@pytest.mark.parametrize("limit", ["folders", "time"])
def test_it_ends(tmp_path, monkeypatch, limit):
    for number in range(30):
        make(tmp_path / f"{number:02}")
    if limit == "folders":
        monkeypatch.setattr(discovery, "MOST_FOLDERS", 6)
        found = stores_below([tmp_path], PLACE)
    else:
        ticks = itertools.count(0.0, discovery.PATIENCE_S / 6)
        found = stores_below([tmp_path], PLACE, clock=lambda: next(ticks))
    assert len(found) == 5
