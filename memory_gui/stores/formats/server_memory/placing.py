# SPDX-License-Identifier: MIT
"""Where a new line goes."""

from __future__ import annotations

from memory_gui.stores.files.document import Splice
from memory_gui.stores.formats.server_memory.layout import ENTITY
from memory_gui.stores.formats.server_memory.records import GraphDoc


def inserted(doc: GraphDoc, kind: str, raw: bytes) -> Splice:
    """Entities first, then relations, as the server writes them."""
    if kind == ENTITY:
        last = max((n for n, line in enumerate(doc.lines) if line.kind == ENTITY), default=-1)
        if last + 1 < len(doc.lines):
            start = doc.lines[last + 1].start
            return Splice(start, start, raw + b"\n")
    return at_end(doc, raw)


def at_end(doc: GraphDoc, raw: bytes) -> Splice:
    """The last line; with a final newline where the file has one."""
    data, end = doc.data, len(doc.data)
    if not doc.lines:
        return Splice(end, end, raw)
    return Splice(end, end, raw + b"\n" if data.endswith(b"\n") else b"\n" + raw)
