# SPDX-License-Identifier: MIT
"""Killed at any of its calls, a text file is the old one or the new one; what is left is finished.

A forked process ends itself with SIGKILL at its first, second, … call that changes a disk, until it
comes to its end. Nothing is simulated on the file system.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.filecuts import FileCut
from memory_gui.engine import replacing
from memory_gui.engine.plainfile import read_file, seen_of
from memory_gui.engine.replacing import part_of, remove_file, replace_file, sweep_beside
from memory_gui.erasure import fileeraser
from memory_gui.erasure.filecuts import cut_message
from memory_gui.erasure.fileeraser import FilesEraser
from memory_gui.erasure.messages import side_files_message

OLD = b"kept before\n\nzq-killed-text-of-more-than-thirty-two-letters\n\nkept after\n"
NEW = b"kept before\n\nkept after\n"
CUT = (OLD.index(b"zq-"), OLD.index(b"kept after"))
CALLS = ("open", "write", "pwrite", "fsync", "unlink", "link", "fchmod", "close", "setxattr")
MOST = 200


def killed_at(number: int, act: Callable[[], object]) -> bool:
    """Whether ``act``, in a process of its own, came to its end before that call."""
    child = os.fork()
    if child == 0:
        seen = 0

        def counted(call: Callable[..., object]) -> Callable[..., object]:
            def run(*arguments: object, **more: object) -> object:
                nonlocal seen
                seen += 1
                if seen == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments, **more)

            return run

        for name in CALLS:
            setattr(os, name, counted(getattr(os, name)))
        replacing._change_places = counted(replacing._change_places)
        try:
            act()
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), "it failed by itself"
    return status == 0


@pytest.fixture(params=["exchange", "two names"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "two names":
        monkeypatch.setattr(replacing, "_exchange", lambda _one, _other: False)
    return tmp_path / "project.md"


def every_call(path: Path, act: Callable[[], object], check: Callable[[int], None]) -> int:
    """At each call anew: the old file, the act until it is killed, what is left."""
    for number in range(1, MOST):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(OLD)
        held = os.open(path, os.O_RDONLY)
        try:
            ended = killed_at(number, act)
            check(held)
        finally:
            os.close(held)
        if ended:
            return number
    raise AssertionError("it never came to its end")


def test_a_change_is_made_or_not(path: Path) -> None:
    seen = set()

    def check(held: int) -> None:
        data = path.read_bytes()
        assert data in (OLD, NEW)
        seen.add(data)
        sweep_beside(path.parent)
        assert path.read_bytes() == data
        assert os.listdir(path.parent) == [path.name]
        if data == NEW:
            assert not os.pread(held, 1000, 0).strip(b"\0")

    calls = every_call(path, lambda: replace_file(path, read_file(path), NEW), check)
    assert calls > 8
    assert seen == {OLD, NEW}


def test_a_removal_leaves_the_file_or_zeros_or_nothing(path: Path) -> None:
    def check(held: int) -> None:
        if path.exists() and path.read_bytes() != OLD:
            assert not path.read_bytes().strip(b"\0")
        if not path.exists():
            assert not os.pread(held, 1000, 0).strip(b"\0")

    assert every_call(path, lambda: remove_file(path, read_file(path)), check) > 3


def test_an_erase_is_finished_by_the_next_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first run noted before it changed anything is all that the second one knows.

    Only the store itself still tells the text: as long as it does, or what repeats it is clean.
    """
    monkeypatch.setattr(fileeraser, "open_by", lambda _paths: ())  # this test has it open
    note, side = (tmp_path.parent / f"{tmp_path.name}.{one}" for one in ("note", "log"))
    beside = SideFile(str(side), "log", cleanable=True)

    def opening(new: dict[str, int], **more: object) -> dict[str, object]:
        files = json.loads(note.read_text())["files"]
        return {"do": "files-open", "files": files, "new": new, **more}

    def first() -> None:
        seen = seen_of(path)
        assert seen is not None
        place = (seen.device, seen.inode, seen.size, seen.changed)
        message = {"files": [cut_message(FileCut(str(path), place, (CUT,)))]}
        note.write_text(json.dumps(message))
        side.write_bytes(OLD)
        eraser = FilesEraser()
        texts = {"texts": [OLD[slice(*CUT)].decode().strip()]}
        more = {**texts, "side_files": side_files_message([beside])}
        answer = eraser.handle(opening({}, **more), lambda _: None)
        note.write_text(json.dumps({**message, "new": answer["new"]}))
        eraser.handle({"do": "files-clean"}, lambda _: None)
        eraser.handle({"do": "files-erase"}, lambda _: None)

    def check(held: int) -> None:
        assert path.read_bytes() in (OLD, NEW)
        assert path.read_bytes() == OLD or b"zq-killed" not in side.read_bytes()
        if not note.exists() or "files" not in note.read_text():
            return
        noted = json.loads(note.read_text())
        eraser = FilesEraser()
        assert eraser.handle(opening(noted.get("new", {})), lambda _: None).get("opened")
        assert eraser.handle({"do": "files-erase"}, lambda _: None).get("erased")
        assert path.read_bytes() == NEW
        assert not part_of(path).exists()
        assert not os.pread(held, 1000, 0).strip(b"\0")
        note.unlink()

    assert every_call(path, first, check) > 8
