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
    found = {one for each in open_by_each(paths, excluding=excluding).values() for one in each}
    return tuple(sorted(found, key=lambda one: one.pid))


def open_by_each(
    paths: Iterable[Path], *, excluding: Collection[int] | None = None
) -> dict[Path, tuple[OpenBy, ...]]:
    """As ``open_by``, for each database by itself; the processes are looked at once for all."""
    without = {os.getpid()} if excluding is None else set(excluding)
    files = {path: frozenset(_identities([path])) for path in paths}
    wanted = frozenset(identity for mine in files.values() for identity in mine)
    if not wanted:
        return dict.fromkeys(files, ())
    holding = _by_proc if sys.platform == "linux" else _by_psutil
    holders = holding(wanted, without)
    return {
        path: tuple(one for one in sorted(holders, key=lambda one: one.pid) if holders[one] & mine)
        for path, mine in files.items()
    }


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


def _by_proc(wanted: frozenset[Identity], without: Collection[int]) -> dict[OpenBy, set[Identity]]:
    found: dict[int, set[Identity]] = {}
    for pid in _pids():
        if pid not in without and (mine := _opened(pid) & wanted):
            found[pid] = mine
    for pid, identity in _lockers(wanted):
        if pid not in without:
            found.setdefault(pid, set()).add(identity)
    return {OpenBy(pid, _name(pid)): mine for pid, mine in found.items()}


def _opened(pid: int) -> set[Identity]:
    folder = _PROC / str(pid) / "fd"
    try:
        numbers = os.listdir(folder)  # noqa: PTH208 - names, not paths
    except OSError:
        return set()  # gone, or not ours to look at
    found = set()
    for number in numbers:
        try:
            status = os.stat(folder / number)  # noqa: PTH116 - stat of the open file, not of a path
        except OSError:
            continue
        found.add((status.st_dev, status.st_ino))
    return found


def _lockers(
    wanted: frozenset[Identity], table: str | None = None
) -> Iterator[tuple[int, Identity]]:
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
        identity = os.makedev(int(major, 16), int(minor, 16)), int(inode)
        if identity in wanted:
            yield max(int(parts[4]), 0), identity


def _by_psutil(
    wanted: frozenset[Identity], without: Collection[int]
) -> dict[OpenBy, set[Identity]]:
    """Elsewhere than on Linux: processes of other users cannot be seen."""
    psutil = lazy.psutil()
    found: dict[OpenBy, set[Identity]] = {}
    for process in psutil.process_iter(["pid", "name", "open_files"]):
        seen = process.info
        opened = _stat_all(Path(entry.path) for entry in seen["open_files"] or ())
        mine = set(opened) & wanted
        if seen["pid"] not in without and mine:
            found[OpenBy(seen["pid"], seen["name"] or "?")] = mine
    return found


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
