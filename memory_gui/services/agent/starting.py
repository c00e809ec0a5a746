# SPDX-License-Identifier: MIT
"""What an agent that lives in encrypted stores is started with: which files, and their keys."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import CancelToken
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.values import KeyPlace
from memory_gui.stores.format import Location
from memory_gui.stores.given import PROJECT
from memory_gui.stores.habits import habits_of
from memory_gui.stores.registry import living_by, livings


@dataclass(frozen=True, slots=True)
class AgentPlace:
    """One store of an agent. ``role`` is ``project`` or ``user``; ``is_new``: not there yet."""

    role: str
    path: Path
    key: RawKey | None
    encrypted: bool
    is_new: bool


def start_line(info: StoreInfo) -> str | None:
    """What a person types to start the store's agent over it; None where it cannot be started."""
    living = living_by(info.format)
    if living is None:
        return None
    line = f"memory-cli agent {living.name}"
    if info.role != PROJECT:
        return line  # the person's own store goes with every project
    return f"cd {shlex.quote(str(living.folder_of(Path(info.path))))} && {line}"


def ways_in(info: StoreInfo) -> tuple[str, ...]:
    """What a person types, or a program imports, to go on with the store once it is encrypted."""
    line, living = start_line(info), living_by(info.format)
    if line is None or living is None:
        return ()
    return line, living.python.format(path=info.path)


def keeps_prompt(info: StoreInfo) -> bool:
    """Whether a session of its agent keeps what it was given until it saves something itself."""
    return habits_of(info.format).keeps_prompt


class Agents:
    """Finds an agent's two stores of a folder and what opens them. Any thread; may ask."""

    def __init__(self, finder: KeyFinder, *, home: Path) -> None:
        self._finder = finder
        self._home = home

    def paths(self, folder: Path, name: str = "") -> dict[str, Path]:
        """By role, the project's first; both are one file in the home folder itself.

        ``name`` is the agent's, as it is started; without it the first that can be.
        """
        living = next(one for one in livings() if name in ("", one.name))
        return living.paths(folder, self._home)

    def place(
        self, role: str, path: Path, given: Key | None = None, cancel: CancelToken | None = None
    ) -> AgentPlace:
        """One of the stores, with a key that was tried. It must not be open here.

        Raises:
            UserError: ``key.needed`` (with its reason), ``key.wrong``, ``agent.raw_key``,
                ``store.*``.
        """
        if not os.path.lexists(path):
            return AgentPlace(role, path, None, encrypted=False, is_new=True)
        location = Location((path.resolve(),))
        key, _, salt = self._finder.key_for(location, given, KeyPlace.TYPED, cancel)
        if key is not None and not isinstance(key, RawKey):
            raise UserError("agent.raw_key", path=str(path))
        if key is not None and not self._finder.opens(location, key):
            raise UserError("key.wrong", path=str(path))
        return AgentPlace(role, path, key, encrypted=bool(salt), is_new=False)
