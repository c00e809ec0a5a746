# SPDX-License-Identifier: MIT
"""The eraser's part for stores that are text files.

``files-open``: nobody else has them open, they are as planned, and the new ones lie beside them;
nothing is changed. ``files-clean``: what the agent's other files repeat is overwritten, as long as
the store itself still tells a later run what that was. ``files-erase``: each is put in its place in
one step, and the old bytes are overwritten where they lie before their name goes. Killed in
between, the name of the other half tells the next run how far it came, and by the new file's
number, noted before, whether the swap was made.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.filecuts import FileCut, without
from memory_gui.engine.filelocks import FileLocks
from memory_gui.engine.holders import open_by
from memory_gui.engine.plainfile import Content, read_file, seen_of
from memory_gui.engine.replacing import Part, remove_file, sweep
from memory_gui.erasure.filecuts import cut_from, paths_of, seen_from
from memory_gui.erasure.look import search_side_files
from memory_gui.erasure.messages import Message, side_file_from
from memory_gui.erasure.proof import Find
from memory_gui.erasure.sideclean import clean_side_files

Reply = Callable[[Message], None]


class FilesEraser:
    """The files of one store, from the look at them to the last overwritten byte."""

    def __init__(self) -> None:
        self._files: tuple[FileCut, ...] = ()
        self._parts: dict[str, Part] = {}
        self._before: dict[str, Content] = {}
        self._done: set[str] = set()
        self._expected: dict[str, str] = {}
        self._texts: tuple[str, ...] = ()
        self._side_files: tuple[SideFile, ...] = ()
        self._steps: list[list[Any]] = []
        self._changed = False
        self._locks = FileLocks()

    def handle(self, message: Message, reply: Reply) -> Message:
        """Answer one message: ``files-open``, ``-clean``, ``-erase`` or ``-stop``."""
        if message["do"] == "files-open":
            return self._open(message)
        if message["do"] == "files-clean":
            return self._clean(reply)
        if message["do"] == "files-erase":
            return self._erase(reply)
        self.close()
        return {"stopped": True}

    def close(self) -> None:
        """Let go; a new file that was not put in its place is overwritten and removed."""
        self._locks.close()
        parts, self._parts = self._parts, {}
        for part in parts.values():
            with contextlib.suppress(MemoryGuiError, OSError):
                part.close()

    # ---- the messages

    def _open(self, message: Mapping[str, Any]) -> Message:
        self._files = tuple(cut_from(entry) for entry in message["files"])
        self._texts = tuple(message.get("texts", ()))
        self._side_files = tuple(side_file_from(one) for one in message.get("side_files", ()))
        new = message.get("new", {})
        writing = [file for file in self._files if file.is_written]
        holders = open_by(paths_of(writing))
        locked = None if holders else self._locks.take(message.get("locks", ()))
        if locked is not None:
            holders = open_by([Path(locked)])
        if holders or locked is not None:
            told = [[who.pid, who.name] for who in holders]
            return {"blocked": "erase.in_use", "open_by": told, "steps": []}
        try:
            for file in writing:
                self._make_ready(file, int(new.get(file.path, 0)))
        except BaseException:
            self.close()
            raise
        # A program of another user that has a file open cannot be seen.
        unseen = hasattr(os, "geteuid") and os.geteuid() != 0
        return {
            "opened": True,
            "new": {path: part.inode for path, part in self._parts.items()},
            "unseen": unseen,
        }

    def _make_ready(self, file: FileCut, noted: int) -> None:
        path = Path(file.path)
        now = seen_of(path)
        if now != seen_from(file):
            # What a run that was stopped did already; its other half may still lie there.
            if (now is None and file.whole) or (now is not None and now.inode == noted):
                sweep(path)
                self._done.add(file.path)
                return
            raise UserError("erase.file_changed", path=file.path)
        content = read_file(path)
        if content.seen != seen_from(file):
            raise UserError("erase.file_changed", path=file.path)
        self._before[file.path] = content
        if not file.whole:
            after = without(content.data, file.cuts, file.puts)
            self._expected[file.path] = sha256(after).hexdigest()
            self._parts[file.path] = Part.write(path, content, after)

    def _erase(self, reply: Reply) -> Message:
        try:
            self._step("files-swap", self._swap, reply)
            self._step("files-wipe", self._wipe, reply)
        except (MemoryGuiError, OSError) as error:
            return self._failed(error)
        finally:
            self.close()
        return {
            "erased": True,
            "steps": self._steps,
            "expected": self._expected,
            "done": sorted(self._done),
        }

    # ---- the steps

    def _swap(self) -> str:
        for path, part in self._parts.items():
            try:
                part.swap()
            except UserError as error:
                if error.code == "file.changed":
                    raise UserError("erase.file_changed", path=path) from error
                raise
            self._changed = True
        return f"{len(self._parts)} files"

    def _wipe(self) -> str:
        count = sum(part.wipe() for part in self._parts.values())
        for file in self._files:
            if file.whole and file.path not in self._done:
                before = self._before[file.path]
                remove_file(Path(file.path), before)
                self._changed = True
                count += len(before.data)
        return f"{count} bytes"

    def _clean(self, reply: Reply) -> Message:
        """Overwrite, and look into what is not overwritten: what a later run could not find."""
        gone = {file.path for file in self._files if file.whole}
        files: Sequence[SideFile] = [one for one in self._side_files if one.path not in gone]
        found: list[Find] = []

        def clean() -> str:
            found.extend(clean_side_files(self._texts, files, lambda _done, _total: None))
            places = sum(find.count for find in found)
            self._changed = bool(places)
            return f"{places} places in {sum(1 for find in found if find.count)} files"

        try:
            if self._texts and any(file.cleanable for file in files):
                self._step("side-files", clean, reply)
            failed = {find.where for find in found if find.error}
            left = [one for one in files if not one.cleanable or one.path in failed]
            finds = search_side_files(self._texts, left, lambda *_: None)
        except (MemoryGuiError, OSError) as error:
            self.close()
            return self._failed(error)
        return {"cleaned": [asdict(find) for find in found], "finds": [asdict(f) for f in finds]}

    def _step(self, name: str, act: Callable[[], str], reply: Reply) -> None:
        reply({"tick": [name, len(self._steps), 3]})
        begun = time.perf_counter()
        result = act()
        took = (time.perf_counter() - begun) * 1000
        self._steps.append([name, result, took, []])

    def _failed(self, error: Exception) -> Message:
        known = isinstance(error, UserError)
        params = dict(error.params) if isinstance(error, UserError) else {}
        path = self._files[0].path if self._files else ""
        return {
            "failed": error.code if isinstance(error, UserError) else "erase.failed",
            "params": {n: str(v) for n, v in params.items()} if known else {"path": path},
            "committed": self._changed,
            "steps": self._steps,
            "open_by": [],
        }
