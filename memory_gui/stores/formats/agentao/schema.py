# SPDX-License-Identifier: MIT
"""Agentao's five tables: its layout (schema version 3), and what of a file is not Agentao's.

Source: agentao 0.5.17 and 0.5.12. Versions 0.2.6-0.5.12 have no triggers and no change counter;
we never add them. The statements are Agentao's layout word for word, because a table that we
make must look to Agentao, and to a later look of ours, as its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.stores.formats.agentao.rules import TEXT_LIMIT, TITLE_LIMIT, TYPES

NEWEST: Final = 3
"""The schema version up to which we know what must be kept."""

TABLES: Final = {
    "memory": "memories",
    "review": "memory_review_queue",
    "summary": "session_summaries",
    "event": "memory_events",
    "meta": "schema_meta",
}
"""Kind to table. The order is the one in which records are shown."""

DECLARED: Final = (
    Kind(
        "memory",
        Shelf.MEMORY,
        frozenset({"add", "edit", "trash", "restore", "delete", "tag", "erase"}),
        ("title", "text", "tags", "scope", "type"),
        ("scope", "type", "source"),
        limits={"title": TITLE_LIMIT, "text": TEXT_LIMIT},
        choices={"type": TYPES},
        optional=frozenset({"tags", "scope", "type"}),
    ),
    Kind(
        "review",
        Shelf.REVIEW,
        frozenset({"add", "review", "delete", "erase"}),
        ("title", "text", "scope", "type", "tags"),
        ("scope", "type", "status"),
    ),
    Kind("summary", Shelf.SUMMARY, frozenset({"delete", "erase"})),
    Kind("event", Shelf.EVENT),
    Kind("meta", Shelf.OTHER),
)

KEY_COLUMNS: Final = {"memory": "id", "review": "id", "summary": "id", "event": "id", "meta": "key"}

MEMORY_COLUMNS: Final = (
    "id",
    "scope",
    "type",
    "key_normalized",
    "title",
    "content",
    "tags_json",
    "keywords_json",
    "source",
    "confidence",
    "sensitivity",
    "created_at",
    "updated_at",
    "deleted_at",
)
REVIEW_COLUMNS: Final = (
    "id",
    "scope",
    "type",
    "key_normalized",
    "title",
    "content",
    "tags_json",
    "evidence",
    "source_session",
    "occurrences",
    "confidence",
    "status",
    "created_at",
    "updated_at",
)
EVENT_COLUMNS: Final = ("id", "memory_id", "event_type", "timestamp", "detail")

_META = """CREATE TABLE schema_meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
)"""
_MEMORIES = """CREATE TABLE memories (
    id              TEXT PRIMARY KEY,
    scope           TEXT NOT NULL,
    type            TEXT NOT NULL DEFAULT 'note',
    key_normalized  TEXT NOT NULL,
    title           TEXT NOT NULL,
    content         TEXT NOT NULL,
    tags_json       TEXT NOT NULL DEFAULT '[]',
    keywords_json   TEXT NOT NULL DEFAULT '[]',
    source          TEXT NOT NULL DEFAULT 'explicit',
    confidence      TEXT NOT NULL DEFAULT 'explicit_user',
    sensitivity     TEXT NOT NULL DEFAULT 'normal',
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT
)"""
_MEMORIES_INDEX = """CREATE UNIQUE INDEX uix_memories_scope_key
    ON memories(scope, key_normalized) WHERE deleted_at IS NULL"""
_TRIGGER = """CREATE TRIGGER trg_memories_change_{short} AFTER {event} ON memories
BEGIN
    UPDATE schema_meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'memories_change';
END"""
_TRIGGERS = tuple(
    _TRIGGER.format(short=short, event=event)
    for short, event in (("ins", "INSERT"), ("upd", "UPDATE"), ("del", "DELETE"))
)
_SUMMARIES = """CREATE TABLE session_summaries (
    id                   TEXT PRIMARY KEY,
    session_id           TEXT NOT NULL,
    summary_text         TEXT NOT NULL,
    tokens_before        INTEGER NOT NULL DEFAULT 0,
    messages_summarized  INTEGER NOT NULL DEFAULT 0,
    created_at           TEXT NOT NULL
)"""
_EVENTS = """CREATE TABLE memory_events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id  TEXT NOT NULL,
    event_type TEXT NOT NULL,
    timestamp  TEXT NOT NULL,
    detail     TEXT
)"""
_QUEUE = """CREATE TABLE memory_review_queue (
    id              TEXT PRIMARY KEY,
    scope           TEXT NOT NULL,
    type            TEXT NOT NULL,
    key_normalized  TEXT NOT NULL,
    title           TEXT NOT NULL,
    content         TEXT NOT NULL,
    tags_json       TEXT NOT NULL DEFAULT '[]',
    evidence        TEXT NOT NULL DEFAULT '',
    source_session  TEXT NOT NULL DEFAULT '',
    occurrences     INTEGER NOT NULL DEFAULT 1,
    confidence      TEXT NOT NULL DEFAULT 'auto_summary',
    status          TEXT NOT NULL DEFAULT 'pending',
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL
)"""
_QUEUE_INDEX = """CREATE UNIQUE INDEX uix_review_scope_key
    ON memory_review_queue(scope, key_normalized) WHERE status='pending'"""

LAYOUT: Final = (
    _META,
    _MEMORIES,
    _MEMORIES_INDEX,
    "INSERT INTO schema_meta(key, value) VALUES ('memories_change', '0')",
    *_TRIGGERS,
    _SUMMARIES,
    _EVENTS,
    _QUEUE,
    _QUEUE_INDEX,
    "INSERT INTO schema_meta(key, value) VALUES ('version', '3')",
)
"""The statements that make an empty store, in Agentao's order."""

SchemaRow = tuple[str, str, str, str | None]
"""(type, name, table, sql) of ``sqlite_schema``."""


def _plain(sql: str) -> str:
    return re.sub(r"\s+", "", sql.replace("IF NOT EXISTS", "")).lower()


_KNOWN: Final = frozenset(map(_plain, (_MEMORIES_INDEX, _QUEUE_INDEX, *_TRIGGERS)))


def foreign_objects(schema: Iterable[SchemaRow]) -> tuple[str, ...]:
    """The statements of tables, views, triggers and indexes that are not Agentao's.

    Tables are known by their names (columns may have been added, and are kept); triggers and
    indexes by their whole statement.
    """
    found = []
    for kind, name, _table, sql in schema:
        if not sql or name.startswith("sqlite_"):
            continue
        if kind == "table" and name in TABLES.values() and not _is_virtual(sql):
            continue
        if kind in {"index", "trigger"} and _plain(sql) in _KNOWN:
            continue
        found.append(sql)
    return tuple(found)


def real_tables(schema: Iterable[SchemaRow]) -> frozenset[str]:
    """Names of Agentao's tables that the file has as ordinary tables."""
    return frozenset(
        name
        for kind, name, _table, sql in schema
        if kind == "table" and name in TABLES.values() and not _is_virtual(sql or "")
    )


def has_counter(schema: Iterable[SchemaRow]) -> bool:
    """Whether triggers move ``memories_change`` (agentao 0.5.13 and newer)."""
    return any(
        kind == "trigger" and name.startswith("trg_memories_change_")
        for kind, name, _table, _sql in schema
    )


def _is_virtual(sql: str) -> bool:
    return sql.lstrip()[:20].upper().startswith("CREATE VIRTUAL")
