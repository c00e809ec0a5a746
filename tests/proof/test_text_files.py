# SPDX-License-Identifier: MIT
"""On the raw disk: what a text file's own way of deleting leaves, and what our erase leaves."""

from __future__ import annotations

import json
import shutil
from hashlib import blake2b
from pathlib import Path

import pytest
from disk import Disk

from memory_gui.domain.records import Ref
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services, build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs"),
]

MARK = "zq-on-the-raw-disk-8842"
TEXT = f"Lives at 12 Elm Street, {MARK}, and prefers tea."


def graph(folder: Path) -> Path:
    said = ["Keeps this.", TEXT, "And this."]
    entity = {"type": "entity", "name": "Lin", "entityType": "person", "observations": said}
    path = folder / "memory.jsonl"
    path.write_text(json.dumps(entity))
    return path


def notes(folder: Path) -> Path:
    path = folder / "memory"
    path.mkdir()
    (path / "project.md").write_text(f"Keeps this.\n\n{TEXT}\n\nAnd this.\n")
    (path / "sessions").mkdir()
    (path / "sessions" / "one.json").write_text(json.dumps({"messages": [TEXT, "other"]}))
    return path


LABEL = blake2b(TEXT.encode(), digest_size=3).hexdigest()
MADE = {
    "graph": (graph, "observation", ("Lin", LABEL)),
    "notes": (notes, "note", ("project", LABEL)),
}


def services(tmp_path: Path) -> Services:
    return build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )


@pytest.fixture(params=MADE)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Disk, str]:
    """A fresh image that has the store, written back: the text is on the disk."""
    disk = Disk(tmp_path)
    with disk.mounted() as folder:
        MADE[request.param][0](folder)
    assert disk.hits(MARK.encode())
    return disk, request.param


def test_rewriting_the_file_leaves_the_old_blocks(made: tuple[Disk, str]) -> None:
    disk, _name = made
    with disk.mounted() as folder:
        for file in [path for path in folder.rglob("*.*") if path.is_file()]:
            new = file.with_name("new")
            new.write_bytes(file.read_bytes().replace(TEXT.encode(), b""))
            new.replace(file)
    assert disk.hits(MARK.encode())


@pytest.mark.parametrize("act", ["erase", "destroy"])
def test_ours_leaves_nothing(made: tuple[Disk, str], tmp_path: Path, act: str) -> None:
    disk, name = made
    _make, kind, key = MADE[name]
    with disk.mounted() as folder:
        ours = services(tmp_path)
        (store,) = ours.library.open(folder / ("memory" if name == "notes" else "memory.jsonl"))
        if act == "erase":
            result = ours.erasing.run(ours.erasing.plans.plan([Ref(store.id, kind, key)]))
            assert result.state is EraseState.PROVED
            left = b"".join(p.read_bytes() for p in folder.rglob("*.*") if p.is_file())
            assert b"Keeps this." in left
        else:
            done = ours.destroying.run(ours.destroying.plan(store.id))
            assert done.gone.state is EraseState.PROVED
        ours.close()
    assert disk.hits(MARK.encode()) == []
