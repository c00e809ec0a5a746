# SPDX-License-Identifier: MIT
"""Which programs of a name are running, and in which folder. Nothing of theirs is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePath
from typing import Any, Final

from memory_gui import lazy
from memory_gui.domain.changes import OpenBy

_INTERPRETERS: Final = ("python", "pypy", "node", "bun", "uv", "sh", "bash")
_SUFFIXES: Final = (".exe", ".py", ".js")


def running(
    programs: Collection[str], folder: Path | None, *, excluding: Collection[int] = ()
) -> tuple[OpenBy, ...]:
    """Processes of these names that work in ``folder`` or below it; None: anywhere.

    One whose folder may not be looked at counts: it is named rather than passed over.
    """
    psutil = lazy.psutil()
    found = []
    for process in psutil.process_iter(["pid", "name", "cmdline"]):
        info: dict[str, Any] = process.info
        name = _named(info.get("name") or "", info.get("cmdline") or [], programs)
        if not name or info["pid"] in excluding:
            continue
        if folder is None or _works_in(process, folder):
            found.append(OpenBy(int(info["pid"]), name))
    return tuple(sorted(found, key=lambda one: one.pid))


def _named(name: str, arguments: list[str], programs: Collection[str]) -> str:
    """The program, by its own name or by the script that an interpreter runs."""
    words = [name, *_scripts(arguments)]
    bare = (_bare(word) for word in words)
    return next((word for word in bare if word in programs), "")


def _scripts(arguments: list[str]) -> Iterator[str]:
    """What is run: the program; of an interpreter its script or module too."""
    yield from arguments[:1]
    if arguments and _bare(arguments[0]).startswith(_INTERPRETERS):
        rest = [word for word in arguments[1:] if not word.startswith("-")]
        yield from rest[:1]
        if "-m" in arguments:
            yield from arguments[arguments.index("-m") + 1 :][:1]


def _bare(word: str) -> str:
    name = PurePath(word.replace("\\", "/")).name.lower()
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _works_in(process: Any, folder: Path) -> bool:
    psutil = lazy.psutil()
    try:
        return Path(process.cwd()).is_relative_to(folder)
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError, ValueError):
        return True
