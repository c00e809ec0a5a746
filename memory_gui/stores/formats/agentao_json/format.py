# SPDX-License-Identifier: MIT
"""Which files are Agentao's old JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.plainfile import MOST_BYTES
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.agentao.pairing import FOLDER, user_database
from memory_gui.stores.formats.agentao_json.store import KINDS, NAME, AgentaoJsonStore
from memory_gui.stores.sight import TEXT_HEAD, Sight

NAMES: Final = ("memory.json", ".agentao_memory.json", ".chatagent_memory.json")
"""The file's names: 0.2.x (in ``.agentao``), and two older ones (in the project folder)."""
_BEGINS: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"memories"\s*:\s*\[')


class AgentaoJsonFormat(Format):
    """``.agentao/memory.json`` and its older names."""

    name = NAME
    agent = "Agentao"
    kinds = ("memory",)
    declared = KINDS
    most_bytes = MOST_BYTES
    places = (f"{FOLDER}/{NAMES[0]}", *NAMES)

    def __init__(self, home: Path | None = None) -> None:
        self._home = home

    def probe(self, sight: Sight) -> Confidence:
        """By what it says, and by the name where it is too long or broken to tell."""
        if sight.look != "other" or not sight.text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return Confidence.NO
        if len(sight.text) < TEXT_HEAD:
            try:
                document = json.loads(sight.text)
            except (ValueError, RecursionError):
                document = None
            if isinstance(document, dict) and isinstance(document.get("memories"), list):
                return Confidence.CERTAIN
        if _BEGINS.match(sight.text):
            return Confidence.LIKELY
        named = sight.path.name in NAMES and sight.path.suffix == ".json"
        return Confidence.MAYBE if named else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> AgentaoJsonStore:
        """Read the file; a change is refused, with the reason.

        Raises:
            UserError: ``store.old_format``, ``key.not_encrypted``, ``store.*``, ``file.*``.
        """
        if mode is Mode.CHANGE:
            raise UserError("store.old_format", path=str(location.main))
        if key is not None:
            raise UserError("key.not_encrypted", path=str(location.main))
        home = self._home
        return AgentaoJsonStore(location.main, user_database(home) if home else None)
