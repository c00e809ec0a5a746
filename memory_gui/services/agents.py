# SPDX-License-Identifier: MIT
"""What an agent that lives in encrypted stores is started with: which files, and their keys."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import CancelToken
from memory_gui.services.keys import KeyFinder
from memory_gui.services.values import KeyPlace
from memory_gui.stores.contract import Location
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER, user_database

PROJECT: Final = "project"
USER: Final = "user"


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
    if info.format != "agentao":
        return None
    line = "memory-cli agent agentao"
    if info.role != "project":
        return line  # the person's own store goes with every project
    return f"cd {shlex.quote(str(Path(info.path).parent.parent))} && {line}"


class Agents:
    """Finds Agentao's two stores of a folder and what opens them. Any thread; may ask."""

    def __init__(self, finder: KeyFinder, *, home: Path) -> None:
        self._finder = finder
        self._home = home

    def paths(self, folder: Path) -> dict[str, Path]:
        """By role, the project's first; both are one file in the home folder itself."""
        return {PROJECT: folder / FOLDER / FILE, USER: user_database(self._home)}

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
