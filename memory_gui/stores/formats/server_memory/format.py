# SPDX-License-Identifier: MIT
"""Which files are a memory graph."""

from __future__ import annotations

import re
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.plainfile import MOST_BYTES
from memory_gui.stores.files.labels import Labels
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.server_memory.layout import BOM, ENTITY, RELATION, judged
from memory_gui.stores.formats.server_memory.records import KINDS
from memory_gui.stores.formats.server_memory.store import NAME, GraphStore
from memory_gui.stores.sight import TEXT_HEAD, Sight

FILE: Final = "memory.jsonl"
_MOST_LINES: Final = 40
_BEGINS: Final = re.compile(rb'\s*\{\s*"type"\s*:\s*"(?:entity|relation)"\s*,')


class GraphFormat(Format):
    """``memory.jsonl`` of @modelcontextprotocol/server-memory, under whatever name."""

    name = NAME
    agent = "MCP server-memory"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    places = (FILE,)
    most_bytes = MOST_BYTES

    def __init__(self) -> None:
        self._labels = Labels()

    def probe(self, sight: Sight) -> Confidence:
        """By what its first lines are; an empty file, or one of broken lines, by its name."""
        named = sight.path.name == FILE
        if sight.look == "empty":
            return Confidence.LIKELY if named else Confidence.NO
        if sight.look != "other" or b"\0" in sight.text:
            return Confidence.NO
        head = sight.text.removeprefix(BOM)
        lines = [line for line in head.split(b"\n") if line.strip()]
        if len(sight.text) >= TEXT_HEAD and len(lines) > 1:
            lines.pop()  # cut off
        kinds = [judged(line)[0] for line in lines[:_MOST_LINES]]
        if any(kind in (ENTITY, RELATION) for kind in kinds):
            return Confidence.CERTAIN
        if len(sight.text) >= TEXT_HEAD and _BEGINS.match(head):
            return Confidence.LIKELY  # one line that is longer than what is looked at
        return Confidence.LIKELY if named else Confidence.NO

    def open(self, location: Location, key: Key | None, mode: Mode) -> GraphStore:
        """Open in the calling thread.

        Raises:
            UserError: ``file.*``, ``store.*``, ``key.not_encrypted``.
        """
        if key is not None:
            raise UserError("key.not_encrypted", path=str(location.main))
        return GraphStore(location.main, mode, self._labels)
