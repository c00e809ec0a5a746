# SPDX-License-Identifier: MIT
"""Copies of one store, each erased under another fault, and what must hold of each afterwards.

``Bench`` talks with ``bench.py``; a ``Case`` is a kind of store; a ``Trial`` is one copy of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import agentstore

HERE = Path(__file__).parent
LONG = int(os.environ.get("MEMORY_GUI_FAULTS", "0"))
"""How many places of each kind are tried; 0: a short sample."""
CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,link,linkat,write"
"""Write-type system calls: a stop at each of them is a stop at every state of the disk."""
WRITES = "pwrite64,write,ftruncate,fsync,fdatasync"
"""Those that a full or broken disk refuses."""
READABLE, SAME, GIVEN, OURS = "readable", "same-key", "given-key", "our-key"
KINDS = (READABLE, SAME, GIVEN, OURS)
"""What becomes of the key: there is none; kept; one is given; a new one goes to the keychain."""
Call = tuple[str, int]
"""A system call, and the how-manieth of its name it is: strace counts each name by itself."""
numbers = count()


class Bench:
    """The process that is forked for each trial, and another one that looks at what is left."""

    def __init__(self) -> None:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
        self._process, self._looking = (
            subprocess.Popen(
                [sys.executable, "-I", str(HERE / name)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd="/",
                env=environment,
            )
            for name in ("bench.py", "agentstore.py")
        )

    def ask(self, **message: Any) -> dict[str, Any]:
        process = self._process if message["do"] == "erase" else self._looking
        self._say(json.dumps(message, default=str), process)
        answer = self._hear(process)
        assert "error" not in answer, answer["error"]
        return answer

    def begin(self, **message: Any) -> dict[str, Any]:
        """With ``{"armed": pid}`` it waits for ``go``; else it has come to its end."""
        return self.ask(**message, hold=True)

    def go(self) -> dict[str, Any]:
        self._say("go", self._process)
        return self._hear(self._process)

    def close(self) -> None:
        for process in (self._process, self._looking):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.wait(120)
            process.stdout.close()

    @staticmethod
    def _say(line: str, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()

    @staticmethod
    def _hear(process: subprocess.Popen[str]) -> dict[str, Any]:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, "the bench is gone"
        answer: dict[str, Any] = json.loads(line)
        assert answer.get("status") != "silent", "it hangs"
        return answer


@dataclass(frozen=True)
class Case:
    """A kind of store, and what becomes of its key."""

    kind: str
    journal: str

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.journal}"

    @property
    def key(self) -> str | None:
        return None if self.kind == READABLE else agentstore.KEY


KEY_SAID = {READABLE: "none", SAME: "kept", GIVEN: "new-old-not-ours", OURS: "new"}
"""What became of the key, told also by a run that goes on behind the change."""

CASES = tuple(Case(kind, journal) for kind in KINDS for journal in ("wal", "delete"))


class Model:
    """One store of a case, to be copied."""

    def __init__(self, bench: Bench, case: Case, folder: Path) -> None:
        self.bench, self.case, self.folder = bench, case, folder / case.name
        self.place = self.folder / "model"
        (self.place / "store").mkdir(parents=True)
        path = self.place / "store/memory.db"
        bench.ask(do="make", path=path, key=case.key, journal=case.journal)
        self.salt = path.read_bytes()[:16].hex()
        if case.kind == OURS:
            (self.place / "chain").mkdir()
            self.slot(self.place, "a").write_text(agentstore.KEY)
        self.points: list[str] = []
        self.calls: list[Call] = []

    def slot(self, place: Path, name: str) -> Path:
        return place / "chain" / f"memory-gui-{self.salt}.{name}"

    def copy(self, onto: Path | None = None) -> Trial:
        """A fresh copy; ``onto``: the store lies in that folder instead."""
        place = self.folder / str(next(numbers))
        shutil.copytree(self.place, place)
        store = place / "store"
        if onto is not None:
            shutil.copytree(store, onto / "store", dirs_exist_ok=True)
            store = onto / "store"
        (store / "memory.db-shm").unlink(missing_ok=True)
        return Trial(self, place, store / "memory.db")

    def measured(self) -> Model:
        """With the number of points and of system calls of an erase that nothing happens to."""
        if self.points:
            return self
        trial = self.copy()
        answer = trial.traced()
        assert answer["said"]["state"] == "proved", answer
        self.points = answer["points"]
        self.calls = trial.calls()
        trial.is_gone()
        trial.remove()
        return self


class Trial:
    """One copy. ``erase`` is the command; given again it goes on with what was begun."""

    def __init__(self, model: Model, place: Path, path: Path) -> None:
        self.model, self.case, self.bench = model, model.case, model.bench
        self.place, self.path = place, path
        self.trace = place.with_name(f"{place.name}.trace")
        self.home: Path | None = None

    # ---- the command

    def message(self, **more: Any) -> dict[str, Any]:
        message: dict[str, Any] = {
            "do": "erase",
            "place": self.place,
            "path": self.path,
            "words": list(agentstore.TARGET_IDS),
            **more,
        }
        if self.home is not None:
            message["home"] = self.home
        if self.case.kind in (SAME, GIVEN):
            message["--key-fd"] = agentstore.KEY
        if self.case.kind == GIVEN:
            message["--new-key-fd"] = agentstore.NEW_KEY
        if self.case.kind == SAME:
            message["words"].append("--keep-key")
        if self.case.kind == OURS:
            message["chain"] = self.place / "chain"
        return message

    def at_home(self, folder: Path) -> None:
        """The app's own files lie there instead."""
        self.home = folder
        self.erase(words=["--pending"])

    def erase(self, **more: Any) -> dict[str, Any]:
        return self.bench.ask(**self.message(**more))

    def traced(self, *inject: str) -> dict[str, Any]:
        """The command from its first point on under strace, with those faults."""
        begun = self.bench.begin(**self.message())
        if "armed" not in begun:
            return begun
        pid = begun["armed"]
        argv = ["strace", "-f", "-qq", "-e", f"trace={CALLS}", "-o", str(self.trace)]
        for fault in inject:
            argv += ["-e", f"inject={fault}"]
        tracer = subprocess.Popen([*argv, "-p", str(pid)], stderr=subprocess.DEVNULL)
        try:
            self._wait_for_tracer(pid, tracer)
            return self.bench.go()
        finally:
            tracer.wait(120)

    def killed_at(self, call: int) -> dict[str, Any]:
        """Ended by the system call of that number (from 0), before it is made."""
        name, number = self.model.calls[call]
        return self.traced(f"{name}:signal=SIGKILL:when={number}")

    def failing_at(self, call: int, error: str, *, lasting: bool) -> dict[str, Any]:
        """That call is refused, and if it is lasting every later one that a disk refuses."""
        names = WRITES.split(",") if lasting else [self.model.calls[call][0]]
        before = self.model.calls[:call]
        return self.traced(
            *(
                f"{name}:error={error}:when={1 + sum(one == name for one, _ in before)}"
                + ("+" if lasting else "")
                for name in names
            )
        )

    def _wait_for_tracer(self, pid: int, tracer: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until and tracer.poll() is None:
            states = [task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/status")]
            if states and all("TracerPid:\t0" not in state for state in states):
                return
            time.sleep(0.002)
        raise AssertionError("strace did not attach")

    def calls(self) -> list[Call]:
        """The traced calls of the thread that made most of them, in order."""
        threads: dict[str, list[Call]] = {}
        for line in self.trace.read_text("utf-8", "replace").splitlines():
            thread, text = line.split(maxsplit=1)
            name, made, _ = text.partition("(")
            if made and name in CALLS.split(","):
                mine = threads.setdefault(thread, [])
                mine.append((name, 1 + sum(one == name for one, _ in mine)))
        return max(threads.values(), key=len)

    # ---- what must hold

    def keys(self) -> list[str | None]:
        """The keys that a person or the keychain has."""
        if self.case.kind == OURS:
            slots = (self.model.slot(self.place, name) for name in "ab")
            return [slot.read_text() for slot in slots if slot.exists()]
        return [self.case.key, agentstore.NEW_KEY] if self.case.kind == GIVEN else [self.case.key]

    def key(self, path: Path) -> str | None:
        """The one key that opens it."""
        if self.case.kind in (READABLE, SAME):
            return self.case.key
        opening = [
            key for key in self.keys() if self.bench.ask(do="opens", path=path, key=key)["opens"]
        ]
        assert len(opening) == 1, f"{len(opening)} keys open it"
        return opening[0]

    def pending(self) -> list[dict[str, Any]]:
        """What is told of unfinished erasures."""
        told = self.erase(words=["--pending"])
        assert told["exit"] in (0, 4), told
        entries: list[dict[str, Any]] = told["said"]["pending"]
        return entries

    def after_stop(self) -> dict[str, Any]:
        """Whole, each record old or gone, and known as unfinished unless all is old or proved.

        Looked at in a copy: looking works a log in, which the next run must do by itself.
        """
        aside = self.place / "aside"
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(self.path.parent, aside, symlinks=True)
        for shared in aside.glob("*-shm"):
            shared.unlink()
        copy = aside / self.path.name
        key = self.key(copy)
        seen = self.bench.ask(do="look", path=copy, key=key)
        assert seen["integrity"] == "ok", seen
        assert not seen["forged"], seen
        assert seen["intact"], seen
        four = (seen["targets"], seen["reviews"], seen["events"])
        all_there = (agentstore.TARGETS,) * 3
        assert four in (all_there, (0, 0, 0)), f"half: {seen}"
        if four != all_there and not self.pending():
            self.is_clean(key)  # then it had come to its end
        shutil.rmtree(aside)
        return {**seen, "gone": four != all_there, "key": key}

    def goes_on(self) -> dict[str, Any]:
        """The same command again finishes it; if it says that it waits, once more."""
        answer = self.erase()
        assert answer["status"] == 0, answer
        assert answer["said"].get("state") == "proved", answer
        assert answer["exit"] == 0, answer
        assert answer["said"]["key"] == KEY_SAID[self.case.kind], answer
        return answer

    def is_gone(self) -> dict[str, Any]:
        """Proved, and by SQLite and by the bytes it is so; nothing is listed as unfinished."""
        assert not self.pending()
        key = self.key(self.path)
        if self.case.kind == OURS:
            assert self.keys() == [key], "a key that opens nothing was left"
            assert not list(self.place.rglob("keys/*.key"))
        self.is_clean(key)
        seen = self.bench.ask(do="look", path=self.path, key=key)
        assert (seen["targets"], seen["reviews"], seen["events"]) == (0, 0, 0), seen
        assert (seen["integrity"], seen["forged"], seen["intact"]) == ("ok", 0, True), seen
        assert seen["mode"] == self.case.journal, seen
        assert seen["free"] == 0, seen
        self._kept_nothing()
        return seen

    def is_clean(self, key: str | None) -> None:
        for one in {None, key, *self.keys()}:
            found = self.bench.ask(do="hits", path=self.path, key=one)["hits"]
            assert found == 0, f"{found} finds, and nothing is known as unfinished"

    def _kept_nothing(self) -> None:
        """No text of it is in any file of ours."""
        for folder in (self.home or self.place / "home", self.place / "chain"):
            for file in folder.rglob("*"):
                assert not file.is_file() or agentstore.MARK.encode() not in file.read_bytes(), file

    def remove(self) -> None:
        self.trace.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.rmtree(self.place)
