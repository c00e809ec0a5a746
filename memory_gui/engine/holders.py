# SPDX-License-Identifier: MIT
"""Which other programs have a database open. Nothing is opened to find out.

Linux: ``/proc/<pid>/fd`` for processes that may be looked at, ``/proc/locks`` for the others (a
program that has a WAL database open holds a lock on its ``-shm`` all the time). Elsewhere psutil.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from memory_gui import lazy
from memory_gui.domain.changes import OpenBy
from memory_gui.engine.evidence import SIDECARS

_PROC: Final = Path("/proc")

Identity = tuple[int, int]


def open_by(
    paths: Iterable[Path], *, excluding: Collection[int] | None = None
) -> tuple[OpenBy, ...]:
    """The processes that have one of the databases or their sidecars open, by process id.

    ``excluding`` are process ids to leave out; None means this process. A process that holds a
    lock but may not be seen has the name ``?``, and pid 0 where even that is hidden.
    """
    without = {os.getpid()} if excluding is None else set(excluding)
    wanted = set(_identities(paths))
    if not wanted:
        return ()
    if sys.platform != "linux":
        return _by_psutil(wanted, without)
    found = {pid for pid in _pids() if pid not in without and _has_open(pid, wanted)}
    found |= {pid for pid in _lockers(wanted) if pid not in without}
    return tuple(OpenBy(pid, _name(pid)) for pid in sorted(found))


def seen(pid: int) -> OpenBy:
    """A process by its number, with its program's name as far as it may be seen."""
    return OpenBy(pid, _name(pid))


def family() -> frozenset[int]:
    """This process and all that it started, to be left out of ``open_by``."""
    parents = {pid: _parent(pid) for pid in _pids()}
    members = {os.getpid()}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in members} - members
        members |= more
        grown = bool(more)
    return frozenset(members)


def _identities(paths: Iterable[Path]) -> Iterator[Identity]:
    for path in paths:
        real = path.resolve()
        yield from _stat_all(Path(f"{real}{suffix}") for suffix in ("", *SIDECARS))


def _pids() -> list[int]:
    try:
        return [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return []


def _has_open(pid: int, wanted: set[Identity]) -> bool:
    folder = _PROC / str(pid) / "fd"
    try:
        numbers = os.listdir(folder)  # noqa: PTH208 - names, not paths
    except OSError:
        return False  # gone, or not ours to look at
    for number in numbers:
        try:
            status = os.stat(folder / number)  # noqa: PTH116 - stat of the open file, not of a path
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in wanted:
            return True
    return False


def _lockers(wanted: set[Identity], table: str | None = None) -> Iterator[int]:
    """Process ids from proc_locks(5): ``1: POSIX ADVISORY READ 4121 fd:00:1234 128 128``."""
    if table is None:
        try:
            table = (_PROC / "locks").read_text()
        except OSError:
            return
    for line in table.splitlines():
        parts = [part for part in line.split() if part != "->"]
        if len(parts) < 6 or parts[5].count(":") != 2:
            continue
        major, minor, inode = parts[5].split(":")
        if (os.makedev(int(major, 16), int(minor, 16)), int(inode)) in wanted:
            yield max(int(parts[4]), 0)


def _by_psutil(wanted: set[Identity], without: Collection[int]) -> tuple[OpenBy, ...]:
    """Elsewhere than on Linux: processes of other users cannot be seen."""
    psutil = lazy.psutil()
    found = []
    for process in psutil.process_iter(["pid", "name", "open_files"]):
        seen = process.info
        paths = [Path(entry.path) for entry in seen["open_files"] or ()]
        if seen["pid"] not in without and wanted & set(_stat_all(paths)):
            found.append(OpenBy(seen["pid"], seen["name"] or "?"))
    return tuple(sorted(found, key=lambda one: one.pid))


def _stat_all(paths: Iterable[Path]) -> Iterator[Identity]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        yield status.st_dev, status.st_ino


def _name(pid: int) -> str:
    """The program's name; for a script that of the script, not of its interpreter."""
    try:
        words = (_PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
        name = (_PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return "?"
    if name.startswith("python") or Path(words[0]).name.startswith("python"):
        return _script(words[1:]) or name or "?"
    return name or "?"


def _script(words: list[str]) -> str:
    for place, word in enumerate(words):
        if word == "-m":
            return words[place + 1] if place + 1 < len(words) else ""
        if word == "-c":
            return ""
        if word and not word.startswith("-"):
            return Path(word).name
    return ""


def _parent(pid: int) -> int:
    try:
        status = (_PROC / str(pid) / "stat").read_text()
        return int(status.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
