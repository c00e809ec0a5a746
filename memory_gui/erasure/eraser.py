# SPDX-License-Identifier: MIT
"""The eraser: a process of its own that runs the in-place wipe (ERASURE, section 4 (b)).

It answers messages in turn, so that the parent can write down what it learned in between:
``open`` (the file is ours alone; nothing changed), ``prepare`` (old log and tail are zeroed),
``erase`` (from the commit on there is no way back, and it goes on although the parent dies) and
``close``. ``erase`` with a ``new_key`` also changes the key, and without rows it does only that.
Between the last two the file stays locked: what the prover reads meanwhile is what the
eraser left, and no agent has written to it. ``stop`` before ``erase`` puts everything back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memory_gui.domain.erasing import CellCut, EraseRows, SideFile
from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.engine.alone import check_fresh
from memory_gui.engine.evidence import inspect
from memory_gui.engine.filelocks import FileLocks
from memory_gui.engine.holders import open_by
from memory_gui.engine.leftjournal import kept_mode, left_journal
from memory_gui.engine.rekeying import check_changed
from memory_gui.engine.wipe import Wipe
from memory_gui.erasure.cells import cell_of
from memory_gui.erasure.deletion import Deletion
from memory_gui.erasure.fileeraser import FilesEraser
from memory_gui.erasure.messages import Message, key_from, side_file_from
from memory_gui.erasure.plan import rows_of
from memory_gui.erasure.proof import Find
from memory_gui.erasure.recipe import FLUSH, Case, recipe_for
from memory_gui.erasure.samefile import inode_of, is_same
from memory_gui.erasure.sideclean import clean_side_files
from memory_gui.process.worker import serve

Reply = Callable[[Message], None]


class Eraser:
    """One database, from opening to the check by a fresh connection."""

    def __init__(self) -> None:
        self._wipe: Wipe | None = None
        self._path = Path()
        self._key: Key | None = None
        self._old_key: Key | None = None
        self._rows: tuple[EraseRows, ...] = ()
        self._cells: tuple[CellCut, ...] = ()
        self._locks = FileLocks()
        self._mode = ""
        self._wanted = ""
        self._steps: list[list[Any]] = []
        self._committed = False
        self._changed = False
        self._foreign = False
        self._anyway = False
        self._texts: tuple[str, ...] = ()
        self._side_files: tuple[SideFile, ...] = ()
        self._cleaned: list[Find] = []
        self._reply: Reply = _nowhere
        self._recipe = recipe_for(Case("wal"))
        self._new_key: RawKey | None = None
        self._files = FilesEraser()

    def handle(self, message: Message, reply: Reply) -> Message:
        """Answer one message."""
        self._reply = reply
        if str(message["do"]).startswith("files-"):
            return self._files.handle(message, reply)
        acts = {
            "open": self._open,
            "prepare": self._prepare,
            "erase": self._erase,
            "close": self._close,
            "destroy": self._destroy,
            "stop": self._stop,
        }
        return acts[message["do"]](message)

    # ---- the messages

    def _open(self, message: Mapping[str, Any]) -> Message:
        self._path = Path(message["path"]).resolve()
        self._key = key_from(message["key"])
        self._rows = tuple(rows_of(entry) for entry in message["rows"])
        self._cells = tuple(cell_of(entry) for entry in message.get("cells", ()))
        self._foreign = bool(message.get("foreign"))
        self._anyway = bool(message.get("anyway"))
        self._texts = tuple(message.get("texts", ()))
        self._side_files = tuple(side_file_from(one) for one in message.get("side_files", ()))
        if open_by([self._path]):
            return self._blocked("erase.in_use")
        locked = self._locks.take(message.get("locks", ()))
        if locked is not None:
            return self._blocked("erase.in_use", Path(locked))
        try:
            salt = inspect(self._path).salt.hex()  # before SQLite has it: closing lets locks go
            left = left_journal(self._path)
            same = "file" not in message or is_same(message["file"], self._path, salt)
            self._wipe = Wipe.open(self._path, self._key)
            numbered = 0 if same else self._only_named(self._wipe)
            if not same and not any(map(self._wipe.count, self._rows)):
                self._let_go()
                return {"other": True}
            self._mode = (same and message.get("mode")) or kept_mode(self._wipe.journal_mode, left)
            self._wanted = (same and message.get("wanted")) or self._mode
            self._wipe.refuse_rows(self._rows)
            if message.get("new_key"):
                self._wipe.may_rekey()
            case = self._case(self._wipe, new_key=bool(message.get("new_key")))
            copied = self._copied_to(self._wipe, message) if self._foreign else []
        except UserError as error:
            self._let_go()
            if error.code == "store.locked":
                return self._blocked(error.code)
            raise
        # In a rollback mode only programs that we may look at can be seen while they are idle.
        unseen = self._mode != "wal" and hasattr(os, "geteuid") and os.geteuid() != 0
        self._recipe = recipe_for(case)
        told = {"name": self._recipe.name, "case": case.as_json(), "steps": self._recipe.steps}
        file = {"inode": inode_of(self._path), "salt": salt if self._key is not None else ""}
        answer = {"opened": True, "mode": self._mode, "unseen": unseen, "recipe": told}
        return {**answer, "file": file, "numbered": numbered, "copied_to": copied}

    def _copied_to(self, wipe: Wipe, message: Mapping[str, Any]) -> list[str]:
        """Where triggers that are not the agent's would write what goes."""
        changed = {cell.table for cell in self._cells}
        if self._anyway:  # a record got another text, before
            changed |= set(message.get("tables", ()))
        deleted = {rows.table for rows in self._rows}
        return wipe.copied_to(message.get("foreign_sql", ()), deleted=deleted, changed=changed)

    def _only_named(self, wipe: Wipe) -> int:
        """In a file that may be another: leave rows that are known by a number; how many."""
        numbered = sum(wipe.count(rows) for rows in self._rows if not rows.is_named)
        self._rows = tuple(rows for rows in self._rows if rows.is_named)
        return numbered

    def _prepare(self, _: Mapping[str, Any]) -> Message:
        try:
            self._take(self._recipe.prepare, {})
        except (UserError, OSError) as error:
            code, params = self._told(error)
            # What could not be put back is done by the next run, which knows what it was; also
            # where this cannot be written down.
            self._changed = not self._is_put_back()
            if self._changed or code in ("store.locked", "store.disk_full"):
                return self._blocked(code)
            raise UserError(code, **params) from error
        return {"prepared": True, "steps": self._steps}

    def _erase(self, message: Mapping[str, Any]) -> Message:
        wipe = self._open_wipe()
        new_key = key_from(message.get("new_key"))
        self._new_key = new_key if isinstance(new_key, RawKey) else None
        if self._new_key is not None and "new-key" not in self._recipe.after:
            self._recipe = recipe_for(self._case(wipe, new_key=True))
        done = len(self._steps)
        counts: dict[str, list[int]] = {}
        try:
            with wipe.transaction():
                self._take(self._recipe.inside, counts)
                # Set before the commit: whether it came through is not known until the next run.
                self._committed = bool(self._rows) or bool(self._cells) or self._anyway
            self._take(self._recipe.after, counts)
        except (MemoryGuiError, OSError) as error:
            self._give_up()
            return self._failed(error, counts, done)
        rekeyed = self._old_key is not None
        done_so_far = {"erased": True, "steps": self._steps, "counts": counts, "rekeyed": rekeyed}
        return {**done_so_far, "cleaned": [asdict(find) for find in self._cleaned]}

    def _close(self, _: Mapping[str, Any]) -> Message:
        """Let go, then look at the database through a fresh connection."""
        done = len(self._steps)
        try:
            # Proved was what lies at the path: that must be what was erased, still.
            self._open_wipe().check_same_file()
            erased = inode_of(self._path)
            self._let_go()
            self._step("check", lambda: check_fresh(self._path, self._key))
            if (old := self._old_key) is not None:
                self._step("check-key", lambda: check_changed(self._path, old))
            if inode_of(self._path) != erased:  # what was looked at was another file
                raise UserError("store.replaced", path=str(self._path))
        except (MemoryGuiError, OSError) as error:
            return self._failed(error, {}, done)
        return {"closed": True, "steps": self._steps}

    def _destroy(self, _: Mapping[str, Any]) -> Message:
        """Instead of ``erase``: nothing of the database is left, not even its name."""
        self._committed = True
        try:
            self._step("destroy", self._open_wipe().destroy)
        except (MemoryGuiError, OSError) as error:
            with contextlib.suppress(MemoryGuiError, OSError):
                self._let_go()
            return self._failed(error, {}, 0)
        with contextlib.suppress(MemoryGuiError, OSError):
            self._let_go()  # SQLite complains: it has no database any more
        return {"destroyed": True, "steps": self._steps}

    def _stop(self, _: Mapping[str, Any]) -> Message:
        self._changed = self._changed or not self._is_put_back()
        if self._changed:
            raise UserError("erase.failed", path=str(self._path))
        return {"stopped": True}

    # ---- the steps

    def _taking(self, wipe: Wipe) -> Deletion:
        return Deletion(wipe, self._rows, self._cells, agreed=self._foreign)

    def _case(self, wipe: Wipe, *, new_key: bool) -> Case:
        return Case(
            self._wanted,
            now=self._mode,
            full_text=tuple(index.content for index in wipe.full_text),
            samples=wipe.samples,
            auto_vacuum=wipe.auto_vacuum,
            encrypted=self._key is not None,
            new_key=new_key,
            side_files=bool(self._texts) and any(file.cleanable for file in self._side_files),
        )

    def _take(self, names: Sequence[str], counts: dict[str, list[int]]) -> None:
        """Carry out some steps of the recipe."""
        wipe = self._open_wipe()
        acts: Mapping[str, Callable[[], str]] = {
            "settings": wipe.settings,
            "secure-delete": wipe.secure_delete,
            "no-auto-checkpoint": wipe.no_checkpoint_by_itself,
            "keep-journal": wipe.keep_journal,
            "lock": wipe.lock,
            "log-mode": wipe.to_log,
            "zero-tail": wipe.zero_tail,
            "checkpoint": wipe.checkpoint,
            "zero-log": wipe.zero_log,
            "delete": lambda: self._taking(wipe).take(counts),
            "side-files": self._clean_side_files,
            "full-text": wipe.renew_full_text,
            "statistics": wipe.renew_statistics,
            "vacuum": wipe.vacuum,
            "full-text-again": self._renew_again,
            "new-key": lambda: self._rekey(wipe),
            "truncate-log": wipe.truncate_log,
            "journal-mode": lambda: wipe.back_to(self._wanted),
            "settings-again": wipe.settings_again,
            "sync": wipe.sync,
        }
        for name in names:
            self._step(name, acts[name])

    def _rekey(self, wipe: Wipe) -> str:
        """After VACUUM: before it, stale free space would be written anew under this key."""
        new_key = self._new_key
        if new_key is None:
            raise UserError("erase.step", step="new-key", answer="none")
        self._committed = True
        answer = wipe.rekey(new_key)
        self._old_key, self._key = self._key, new_key
        return answer

    def _clean_side_files(self) -> str:
        def tick(done: int, total: int) -> None:
            self._reply({"tick": ["side-files", done, total]})

        self._cleaned = clean_side_files(self._texts, self._side_files, tick)
        files = sum(1 for find in self._cleaned if find.count)
        return f"{sum(find.count for find in self._cleaned)} places in {files} files"

    def _renew_again(self) -> str:
        wipe = self._open_wipe()
        with wipe.transaction():
            return wipe.renew_full_text(external_only=True)

    def _step(self, name: str, act: Callable[[], str]) -> None:
        self._reply({"tick": [name, len(self._steps), len(self._recipe.steps)]})
        begun = time.perf_counter()
        try:
            result = act()
        except UserError as error:
            self._keep(name, error.code, begun)
            raise
        self._keep(name, result, begun)

    def _keep(self, name: str, result: str, begun: float) -> None:
        said = [] if self._wipe is None else self._wipe.said()
        self._steps.append([name, result, (time.perf_counter() - begun) * 1000, said])

    # ---- ends

    def _open_wipe(self) -> Wipe:
        if self._wipe is None:
            raise UserError("erase.step", step="open", answer="closed")
        return self._wipe

    def _is_put_back(self) -> bool:
        """Whether the database is surely as it was found; nothing was deleted.

        A switch to the log that failed may have reached the file all the same.
        """
        sure = not self._steps or self._steps[-1][0] != "log-mode"
        try:
            self._put_back()
        except (MemoryGuiError, OSError):
            return False
        return sure

    def _put_back(self) -> None:
        """Leave the database as it was found, as far as it lets us; nothing was deleted."""
        if self._wipe is None or self._committed:
            return
        try:
            if self._wipe.journal_mode == "wal" and self._mode != "wal":
                self._wipe.truncate_log()
                self._wipe.back_to(self._mode)
        finally:
            self._let_go()

    def _give_up(self) -> None:
        """Close after a failure. SQLite unlinks the log on closing, so it is zeroed before."""
        if not self._committed:
            self._changed = not self._is_put_back()
            return
        with contextlib.suppress(MemoryGuiError, OSError):
            self._take(FLUSH, {})
        with contextlib.suppress(MemoryGuiError, OSError):
            self._let_go()

    def _let_go(self) -> None:
        try:
            if self._wipe is not None:
                wipe, self._wipe = self._wipe, None
                wipe.close()
        finally:
            self._locks.close()

    def _blocked(self, code: str, file: Path | None = None) -> Message:
        return {
            "blocked": code,
            "open_by": [[who.pid, who.name] for who in open_by([file or self._path])],
            "steps": self._steps,
        }

    def _failed(self, error: Exception, counts: dict[str, list[int]], done: int) -> Message:
        code, params = self._told(error)
        return {
            "failed": code,
            "params": params,
            "committed": self._committed,
            "changed": self._committed or self._changed,
            "steps": self._steps,
            "counts": counts if len(self._steps) > done else {},
            "open_by": [[who.pid, who.name] for who in open_by([self._path])],
        }

    def _told(self, error: Exception) -> tuple[str, dict[str, str]]:
        """The code and the parameters by which an error is told."""
        if isinstance(error, UserError):
            return error.code, {name: str(value) for name, value in error.params.items()}
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        return "store.disk_full" if full else "erase.failed", {"path": str(self._path)}

    def close(self) -> None:
        """The parent is gone."""
        self._files.close()
        self._put_back()
        self._let_go()


def _nowhere(_: Message) -> None:
    return None


def main() -> None:
    """Be the eraser."""
    eraser = Eraser()
    try:
        serve(eraser.handle)
    finally:
        eraser.close()


if __name__ == "__main__":
    main()
