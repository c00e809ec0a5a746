# SPDX-License-Identifier: MIT
"""A believable pair of stores to try the app on: a project's memories and a person's.

Made by our own code in Agentao's layout. What it says is in ``resources/sample``; everything in
it is invented. The same ``now`` gives the same rows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import StoreId
from memory_gui.engine.connection import open_database
from memory_gui.resources import resource
from memory_gui.stores.format import Location
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.memories import local_now
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Cell

HOME: Final = "home"
"""The folder that stands for the person's home; pass it as the home of the pair."""
_DAYS: Final = 118.0
_REVIEW_DAYS: Final = 11.0

Entry = Mapping[str, Any]


def make_sample(folder: Path, key: RawKey | None, now: datetime | None = None) -> Location:
    """Make both databases below ``folder``, encrypted when there is a key; the project's location.

    Raises:
        UserError: ``store.exists`` and what else ``create_database`` raises.
    """
    moment = (now or local_now()).replace(microsecond=0)
    project, person, queue = (_read(name) for name in ("project", "person", "queue"))
    home = _new_database(folder / HOME, key)
    _fill(home, key, _memories(person["memories"], "user", moment))
    main = _new_database(folder / str(project["folder"]), key)
    rows = _memories(project["memories"], "project", moment)
    rows += _summaries(queue["summaries"], moment)
    rows += _reviews(queue["review"], moment)
    _fill(main, key, rows)
    return Location((main.resolve(),))


def _read(name: str) -> Entry:
    return tomllib.loads(resource(f"sample/{name}.toml").read_text("utf-8"))


def _new_database(folder: Path, key: RawKey | None) -> Path:
    agents = folder / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    agents.mkdir(mode=0o700, exist_ok=True)
    create_store(agents / FILE, key)
    return agents / FILE


_Row = tuple[str, str, dict[str, Cell]]
"""(time by which rows are put in order, kind, cells)"""


def _fill(path: Path, key: RawKey | None, rows: Sequence[_Row]) -> None:
    connection = open_database(path.resolve(), key, write=True)
    try:
        tables = Tables(connection, StoreId(str(path)))
        with tables.writing():
            for _when, kind, cells in sorted(rows, key=lambda row: row[:2]):
                tables.insert(kind, cells)
    finally:
        connection.close()


# ---- rows


def _memories(entries: Sequence[Entry], scope: str, now: datetime) -> list[_Row]:
    rows: list[_Row] = []
    for place, entry in enumerate(entries):
        age = _DAYS * (1 - place / len(entries)) ** 1.25
        created = _moment(now, age, entry["t"])
        later = _moment(now, age * 0.4, entry["t"] + "later")
        changed = entry.get("seen") or entry.get("trash")
        ident = _ident(f"{scope}/{entry['t']}", 8)
        rows.append((created, "memory", _memory(entry, scope, ident, created)))
        updates: dict[str, Cell] = {"updated_at": later} if changed else {}
        if entry.get("trash"):
            updates["deleted_at"] = later
        rows[-1][2].update(updates)
        rows.append((created, "event", _event(ident, "create", created)))
        if changed:
            what = "soft_delete" if entry.get("trash") else "update"
            rows.append((later, "event", _event(ident, what, later)))
    return rows


def _memory(entry: Entry, scope: str, ident: str, created: str) -> dict[str, Cell]:
    title, tags, text = entry["t"], tuple(entry["tags"]), entry["text"]
    source = entry.get("source", "explicit")
    return {
        "id": ident,
        "scope": scope,
        "type": entry["type"],
        "key_normalized": rules.normalize_key(entry.get("key", title)),
        "title": title,
        "content": text,
        "tags_json": rules.json_list(tags),
        "keywords_json": rules.json_list(rules.keywords_for(title, tags, text)),
        "source": source,
        "confidence": rules.confidence_for(source),
        "sensitivity": "normal",
        "created_at": created,
        "updated_at": created,
    }


def _event(ident: str, what: str, when: str) -> dict[str, Cell]:
    return {"memory_id": ident, "event_type": what, "timestamp": when}


def _summaries(entries: Sequence[Entry], now: datetime) -> list[_Row]:
    rows: list[_Row] = []
    for place, entry in enumerate(entries):
        created = _moment(now, _DAYS * 0.8 * (1 - place / len(entries)), entry["text"])
        cells: dict[str, Cell] = {
            "id": _ident("summary" + entry["text"], 12),
            "session_id": _ident("session" + entry["text"], 12),
            "summary_text": entry["text"],
            "tokens_before": entry["tokens"],
            "messages_summarized": entry["messages"],
            "created_at": created,
        }
        rows.append((created, "summary", cells))
    return rows


def _reviews(entries: Sequence[Entry], now: datetime) -> list[_Row]:
    rows: list[_Row] = []
    for place, entry in enumerate(entries):
        age = _REVIEW_DAYS * (1 - place / len(entries))
        created = _moment(now, age, entry["key"])
        seen = int(entry["seen"])
        cells: dict[str, Cell] = {
            "id": _ident("review" + entry["key"], 12),
            "scope": entry["scope"],
            "type": entry["type"],
            "key_normalized": entry["key"],
            "title": entry["title"],
            "content": entry["text"],
            "tags_json": rules.json_list([entry["type"]]),
            "evidence": entry["evidence"],
            "source_session": _ident("session" + entry["key"], 12),
            "occurrences": seen,
            "confidence": "inferred" if seen > 1 else "auto_summary",
            "status": "pending",
            "created_at": created,
            "updated_at": created if seen == 1 else _moment(now, age / 2, entry["evidence"]),
        }
        rows.append((created, "review", cells))
    return rows


def _ident(seed: str, digits: int) -> str:
    return sha256(seed.encode()).hexdigest()[:digits]


def _moment(now: datetime, age: float, seed: str) -> str:
    """About so many days ago, in the hours in which people work; never after ``now``."""
    digest = sha256(seed.encode()).digest()
    day = now - timedelta(days=age)
    moment = day.replace(hour=8 + digest[0] % 10, minute=digest[1] % 60, second=digest[2] % 60)
    return rules.time_text(min(moment, now - timedelta(minutes=5 + digest[3])))
