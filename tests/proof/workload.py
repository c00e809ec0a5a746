# SPDX-License-Identifier: MIT
"""An agent's database with a past: what must go, what must stay, and residue of earlier versions.

Built by SQLite in a process of its own (this file run as a program), which shares no code with the
package. Every text that must go consists of ``MARK`` and a number, so that any piece of it is seen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARK = "zqkvcanaryjw"
KEY = "c0ffee11" * 8
KEPT = 60
TARGETS = 12
BIG = (2, 7)
WORDS = ["the", "agent", "prefers", "small", "commits", "and", "writes", "tests", "first", "before"]

SCHEMA = """
CREATE TABLE schema_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO schema_meta VALUES ('memories_change', '0'), ('version', '3');
CREATE TABLE memories (id TEXT PRIMARY KEY, scope TEXT NOT NULL, type TEXT NOT NULL,
  key_normalized TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, deleted_at TEXT);
CREATE UNIQUE INDEX uix_memories ON memories(scope, key_normalized) WHERE deleted_at IS NULL;
CREATE INDEX ix_title ON memories(title);
CREATE TRIGGER trg_del AFTER DELETE ON memories BEGIN
  UPDATE schema_meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'memories_change'; END;
CREATE TABLE memory_review_queue (id TEXT PRIMARY KEY, title TEXT NOT NULL, content TEXT NOT NULL,
  evidence TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE memory_events (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_id TEXT, event_type TEXT);
CREATE TABLE session_summaries (id TEXT PRIMARY KEY, summary_text TEXT NOT NULL);
INSERT INTO session_summaries VALUES ('s1', 'We spoke about tests and about release notes.');
"""
FULL_TEXT = {
    "own": "CREATE VIRTUAL TABLE mem_fts USING fts5(title, content)",
    "ext": "CREATE VIRTUAL TABLE mem_fts USING fts5(title, content, content='memories')",
    "cdel": "CREATE VIRTUAL TABLE mem_fts"
    " USING fts5(title, content, content='', contentless_delete=1)",
}
_OLD = "'delete', old.rowid, old.title, old.content"
_INSERT = "INSERT INTO mem_fts(rowid, title, content) VALUES (new.rowid, new.title, new.content);"
_DELETE = {
    "own": "DELETE FROM mem_fts WHERE rowid = old.rowid;",
    "cdel": "DELETE FROM mem_fts WHERE rowid = old.rowid;",
    "ext": f"INSERT INTO mem_fts(mem_fts, rowid, title, content) VALUES ({_OLD});",
}


@dataclass
class Built:
    """What was built."""

    path: Path
    key: str | None
    ids: list[str]
    texts: list[str] = field(repr=False)
    reviews: list[str]
    events: list[int]


def target_text(number: int, version: int) -> str:
    size = 9000 if number in BIG else 350
    unit = f"{MARK}{number:04d}v{version} "
    return (unit * (size // len(unit) + 1))[:size].strip()


def target_id(number: int) -> str:
    return f"{number:08x}"


def kept_text(number: int) -> str:
    size = 9000 if number % 20 == 0 else 200 + number * 7 % 120
    text = " ".join(f"{WORDS[(number + i * 5) % len(WORDS)]}{number * i % 97}" for i in range(2000))
    return text[:size]


def describe(path: Path, key: str | None) -> Built:
    """What a database made by this file holds."""
    return Built(
        path,
        key,
        ids=[target_id(n) for n in range(TARGETS)],
        texts=[
            text for n in range(TARGETS) for text in (target_text(n, 2), f"{MARK}{n:04d} title")
        ],
        reviews=[f"r{n:04d}" for n in range(TARGETS)],
        events=[KEPT + n + 1 for n in range(TARGETS)],
    )


def build(path: Path, key: str | None = None, **options: Any) -> Built:
    """Build in a process of its own.

    ``journal`` (wal, delete, …), ``full_text`` (own, ext, cdel), ``secure_delete``, ``analyze``,
    ``die`` (the process ends without closing: a log stays), ``auto_vacuum``, ``page_size``.
    """
    message = json.dumps({"path": str(path), "key": key, **options})
    subprocess.run(
        [sys.executable, "-I", __file__], input=message, text=True, check=True, cwd="/", timeout=60
    )
    return describe(path, key)


def verify(path: Path, key: str | None = None) -> dict[str, Any]:
    """What SQLite, in a process of its own, says of the database afterwards."""
    done = subprocess.run(
        [sys.executable, "-I", __file__],
        input=json.dumps({"verify": str(path), "key": key}),
        text=True,
        check=True,
        capture_output=True,
        cwd="/",
        timeout=60,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def statement(path: Path, key: str | None, *sql: str) -> None:
    """Run statements in a process of its own, and close."""
    subprocess.run(
        [sys.executable, "-I", __file__],
        input=json.dumps({"run": str(path), "key": key, "sql": sql}),
        text=True,
        check=True,
        cwd="/",
        timeout=60,
    )


# ---- in the process of its own


def _connect(path: str, key: str | None) -> Any:
    from sqlcipher3 import dbapi2  # noqa: PLC0415 - only in the process of its own

    connection = dbapi2.connect(path, isolation_level=None, timeout=2)
    if key is not None:
        quoted = f"x'{key}'" if len(key) == 64 else key
        connection.execute(f'PRAGMA key="{quoted}"')
    return connection


def _make(path: str, key: str | None, **options: Any) -> None:
    connection = _connect(path, key)
    for name in ("page_size", "auto_vacuum", "encoding"):
        if name in options:
            connection.execute(f"PRAGMA {name} = '{options[name]}'")
    if key is not None and "compatibility" in options:
        connection.execute(f"PRAGMA cipher_compatibility = {options['compatibility']}")
    connection.execute(f"PRAGMA journal_mode = {options.get('journal', 'wal')}").fetchall()
    mode = "ON" if options.get("secure_delete") else "OFF"
    connection.execute(f"PRAGMA secure_delete = {mode}").fetchall()
    connection.executescript(SCHEMA)
    kind = options.get("full_text")
    if kind:
        connection.execute(FULL_TEXT[kind])
        connection.executescript(
            f"CREATE TRIGGER fa AFTER INSERT ON memories BEGIN {_INSERT} END;"
            f"CREATE TRIGGER fd AFTER DELETE ON memories BEGIN {_DELETE[kind]} END;"
            f"CREATE TRIGGER fu AFTER UPDATE ON memories BEGIN {_DELETE[kind]} {_INSERT} END;"
        )
    _fill(connection)
    if options.get("analyze"):
        connection.execute("ANALYZE")
    if options.get("die"):
        os._exit(0)
    connection.close()


def _fill(connection: Any) -> None:
    connection.execute("BEGIN")
    every = KEPT // TARGETS
    for number in range(KEPT):
        _memory(connection, f"kept{number:04d}", f"kept title {number}", kept_text(number))
        if number % every == 0:
            target = number // every
            _memory(
                connection, target_id(target), f"{MARK}{target:04d} title", target_text(target, 0)
            )
    connection.execute("COMMIT")
    for target in range(TARGETS):
        text = target_text(target, 2)
        connection.execute(
            "INSERT INTO memory_review_queue VALUES (?, ?, ?, ?, 'approved')",
            (f"r{target:04d}", f"{MARK}{target:04d} title", text[:300], "said: " + text[:80]),
        )
    # Events of the kept ones come first, so that their numbers are known.
    for name in [f"kept{n:04d}" for n in range(KEPT)] + [target_id(n) for n in range(TARGETS)]:
        connection.execute(
            "INSERT INTO memory_events (memory_id, event_type) VALUES (?, 'create')", (name,)
        )
    for version in (1, 2):
        for target in range(TARGETS):
            connection.execute(
                "UPDATE memories SET content = ? WHERE id = ?",
                (target_text(target, version), target_id(target)),
            )


def _memory(connection: Any, name: str, title: str, text: str) -> None:
    connection.execute(
        "INSERT INTO memories VALUES (?, 'project', 'note', ?, ?, ?, NULL)",
        (name, "key_" + title.replace(" ", "_"), title, text),
    )


def _verify(path: str, key: str | None) -> dict[str, Any]:
    connection = _connect(path, key)
    one = lambda sql: connection.execute(sql).fetchone()[0]  # noqa: E731
    try:
        answer = {
            "mode": one("PRAGMA journal_mode"),
            "integrity": one("PRAGMA integrity_check"),
            "forged": len(connection.execute("PRAGMA cipher_integrity_check").fetchall()),
            "kept": one("SELECT count(*) FROM memories WHERE id LIKE 'kept%'"),
            "targets": one("SELECT count(*) FROM memories WHERE id NOT LIKE 'kept%'"),
            "reviews": one("SELECT count(*) FROM memory_review_queue"),
            "events": one("SELECT count(*) FROM memory_events"),
            "changes": int(one("SELECT value FROM schema_meta WHERE key = 'memories_change'")),
            "free": int(one("PRAGMA freelist_count")),
        }
        texts = connection.execute("SELECT id, content FROM memories WHERE id LIKE 'kept%'")
        answer["intact"] = all(text == kept_text(int(name[4:])) for name, text in texts)
        if one("SELECT count(*) FROM sqlite_master WHERE name = 'mem_fts'"):
            connection.execute("INSERT INTO mem_fts(mem_fts, rank) VALUES ('integrity-check', 1)")
            answer["full_text"] = one("SELECT count(*) FROM mem_fts WHERE mem_fts MATCH 'agent*'")
        return answer
    finally:
        connection.close()


def main() -> None:
    message = json.load(sys.stdin)
    if "verify" in message:
        print(json.dumps(_verify(message["verify"], message["key"])))
    elif "run" in message:
        connection = _connect(message["run"], message["key"])
        for sql in message["sql"]:
            connection.execute(sql).fetchall()
        connection.close()
    else:
        _make(**message)


if __name__ == "__main__":
    main()
