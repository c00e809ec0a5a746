# SPDX-License-Identifier: MIT
"""Who was told what Agentao remembers: models by their name, and the sessions it came from.

Agentao 0.5.17 writes a session's transcript to ``.agentao/sessions/*.json`` with ``session_id``,
``model`` and ``updated_at`` (ISO with offset); memories have local times without a zone. Only the
newest ten are kept, so what is found here is a part of what was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.erasing import MayHold
from memory_gui.domain.records import Record, Ref
from memory_gui.stores.formats.agentao.pairing import FOLDER
from memory_gui.stores.formats.agentao.rows import ref_of
from memory_gui.stores.formats.agentao.tables import Tables

_LARGEST: Final = 64 << 20
"""A transcript of more bytes is named without being read."""
_SESSION_COLUMNS: Final = ("source_session", "session_id")


@dataclass(frozen=True, slots=True)
class Transcript:
    """One session's file; ``until`` is local time without a zone, as memories have it."""

    path: Path
    session: str
    model: str
    until: str


def may_hold(main: Path, tables: Tables, records: Sequence[Record]) -> tuple[MayHold, ...]:
    """For some records that go: models, transcripts and summaries of the sessions they came from.

    A model counts when a session of it ended after the oldest of them was saved: Agentao shows
    memories with every request.
    """
    if main.parent.name != FOLDER or not records:
        return ()
    since = min((record.created_at for record in records if record.created_at), default="")
    sessions = _sessions(records)
    transcripts = list(read_transcripts(main.parent / "sessions"))
    models = Counter(one.model for one in transcripts if one.model and one.until >= since)
    found = [MayHold("hold.provider", {"model": m, "count": str(n)}) for m, n in models.items()]
    found += [
        MayHold("hold.session", {"path": str(one.path)})
        for one in transcripts
        if one.session in sessions
    ]
    going = {record.ref for record in records}
    found += [
        MayHold("hold.summary", {"ref": ref.text, "path": str(main)})
        for ref in _summaries(tables, sessions)
        if ref not in going
    ]
    return tuple(found)


def read_transcripts(folder: Path) -> list[Transcript]:
    """The transcripts of a folder, by name; one that cannot be read has no model."""
    try:
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    return [_read(file) for file in files]


def _read(file: Path) -> Transcript:
    said: dict[str, Any] = {}
    try:
        if file.stat().st_size <= _LARGEST:
            read = json.loads(file.read_text("utf-8", "replace"))
            said = read if isinstance(read, dict) else {}
    except (OSError, ValueError, RecursionError):
        said = {}
    texts = {name: said.get(name) for name in ("session_id", "model", "updated_at")}
    known = {name: text if isinstance(text, str) else "" for name, text in texts.items()}
    return Transcript(file, known["session_id"], known["model"], _local(known["updated_at"]))


def _local(text: str) -> str:
    """A time on this computer's clock; of one that is none: later than any, so that it counts."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return "9999"
    return when.astimezone().replace(tzinfo=None).isoformat(timespec="seconds")


def _sessions(records: Sequence[Record]) -> frozenset[str]:
    named = (record.extra.get(column) for record in records for column in _SESSION_COLUMNS)
    return frozenset(name for name in named if name)


def _summaries(tables: Tables, sessions: Collection[str]) -> list[Ref]:
    if not tables.has("summary"):
        return []
    return [
        ref_of(tables.store, "summary", row)
        for session in sorted(sessions)
        for row in tables.select("summary", "session_id = ?", (session,))
    ]
