# SPDX-License-Identifier: MIT
"""How long it takes to forget one person in many stores, and in how much memory: prints a table.

Usage: ``python tests/proof/forget_bench.py [--stores N] [--records N] [--about N]``. A home of so
many of Agentao's databases with so many records in all; ``--about`` records of each store, one
summary and a line of its log are about the person. ``memory-cli forget`` runs as a person would run
it: a dry run, then the run. Afterwards every file is read: one that still names them, or a record
of somebody else's that is missing, ends it 1. Also kept in build/forget.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / ".venv/bin/memory-cli"
SCHEMA = ROOT / "tests/data/agentao/project-wiped/.agentao/memory.db"
NAME = "Zofia Quillfeather"
MARK = "zqbench"
STAMP = "2026-10-03T08:30:00"
MEMORY = (
    "INSERT INTO memories (id, scope, type, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', 'note', ?, ?, ?, ?, ?)"
)
WORDS = ("harbour", "lantern", "ferry", "gravel", "onion", "ledger", "paper", "north", "copper")


def other(number: int) -> str:
    """A text about nobody."""
    picked = [WORDS[(number * prime) % len(WORDS)] for prime in (3, 5, 7, 11, 13, 17)]
    return f"note {number}: " + " ".join(picked) + f" {number * 7919 % 100_003}"


def template(path: Path, records: int) -> None:
    """One store, all of whose records are about nobody."""
    shutil.copyfile(SCHEMA, path)
    connection = sqlite3.connect(path)
    for table in ("memories", "memory_events", "memory_review_queue", "session_summaries"):
        connection.execute(f"DELETE FROM {table}")
    rows = (
        (f"{number:08x}", f"key_{number}", f"key {number}", other(number), STAMP, STAMP)
        for number in range(records)
    )
    connection.executemany(MEMORY, rows)
    connection.commit()
    connection.execute("VACUUM")
    connection.close()


def make(home: Path, stores: int, records: int, about: int) -> None:
    """The home."""
    first = home / "first.db"
    home.mkdir(parents=True)
    template(first, records // stores)
    for number in range(stores):
        folder = home / f"work/project-{number:03}/.agentao"
        folder.mkdir(parents=True)
        path = folder / "memory.db"
        shutil.copyfile(first, path)
        path.chmod(0o600)
        connection = sqlite3.connect(path)
        for one in range(about):
            name = f"z{number:04}{one:03}"
            text = f"{NAME} wants {MARK} {name} on paper"
            connection.execute(MEMORY, (name, name, name, text, STAMP, STAMP))
        connection.execute(
            "INSERT INTO session_summaries (id, session_id, summary_text, created_at)"
            " VALUES (?, 's', ?, ?)",
            (f"s{number:011}", f"Talked with {NAME} about {MARK}.", STAMP),
        )
        connection.commit()
        connection.close()
        log = f"08:30:00.000 plain\n08:30:01.000 {NAME} asked {MARK}\n"
        (folder.parent / "agentao.log").write_text(log)
    first.unlink()


class Memory:
    """The most that a process and its children hold at a time, in bytes."""

    def __init__(self, pid: int) -> None:
        self.most = 0
        self._pid = pid
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while True:
            try:
                process = psutil.Process(self._pid)
                family = [process, *process.children(recursive=True)]
                held = sum(one.memory_info().rss for one in family)
            except psutil.Error:
                return
            self.most = max(self.most, held)
            time.sleep(0.05)


def forget(home: Path, *more: str) -> dict[str, Any]:
    """What the terminal answers, with seconds and bytes."""
    argv = [str(COMMAND), "forget", NAME, "--no-keychain", "--json", "--in", str(home), *more]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    begun = time.monotonic()
    with tempfile.TemporaryFile() as out:
        running = subprocess.Popen(argv, env=environment, stdout=out, cwd="/")
        memory = Memory(running.pid)
        code = running.wait()
        seconds = time.monotonic() - begun
        out.seek(0)
        answer: dict[str, Any] = json.loads(out.read())
    return {**answer, "exit": code, "seconds": seconds, "bytes": memory.most}


def left(home: Path) -> int:
    """In how many files the person still stands."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return sum(MARK.encode() in path.read_bytes() for path in files)


def kept(home: Path) -> int:
    """How many records are left in all."""
    found = 0
    for path in home.rglob("memory.db"):
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        found += connection.execute("SELECT count(*) FROM memories").fetchone()[0]
        connection.close()
    return found


def main() -> int:
    """Make it, run it, look."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stores", type=int, default=100)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--about", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        make(home, asked.stores, asked.records, asked.about)
        size = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
        dry = forget(home, "--dry-run")
        run = forget(home, "--yes")
        still, others = left(home), kept(home)
    every = asked.records // asked.stores * asked.stores
    about = asked.stores * (asked.about + 2)
    good = run["exit"] == 0 and not still and others == every and dry["total"] == about
    figures = {
        "stores": asked.stores,
        "records": asked.records,
        "bytes": size,
        "finds": dry["total"],
        "dry_run_s": round(dry["seconds"], 1),
        "run_s": round(run["seconds"], 1),
        "dry_run_mb": dry["bytes"] >> 20,
        "run_mb": run["bytes"] >> 20,
        "files_left": still,
        "others_kept": others,
        "good": good,
    }
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build/forget.json").write_text(json.dumps(figures, indent=1))
    for name, value in figures.items():
        print(f"{name:12} {value}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
