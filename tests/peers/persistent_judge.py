# SPDX-License-Identifier: MIT
"""The tutorial app's memory, written from its sheet (FORMATS 2): strict, and nothing of ours.

Runs in a process of its own with Python's own sqlite3. One JSON object per line in and out:
``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import contextlib
import json
import os
import re
import sqlite3
import sys

LIMIT = 16 * 1024 * 1024
COLUMNS = ["user_id", "kind", "memory_key", "value", "source_session", "revision"]
KEY = re.compile(r"[a-z][a-z0-9_.:-]{0,63}")
SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
LAYOUT = """CREATE TABLE memory (
                    user_id TEXT NOT NULL,
                    kind TEXT NOT NULL CHECK(kind IN ('preference','episode')),
                    memory_key TEXT NOT NULL CHECK(length(memory_key) BETWEEN 1 AND 64),
                    value TEXT NOT NULL CHECK(length(value) BETWEEN 1 AND 512),
                    source_session TEXT NOT NULL,
                    revision INTEGER NOT NULL CHECK(revision > 0),
                    PRIMARY KEY(user_id, kind, memory_key)
                )"""


class MemoryError_(Exception):
    """What the app says."""


class MemoryStore:
    """One connection for each act, as the app does it."""

    def __init__(self, path):
        self.path = path
        with self.connect():
            pass

    @contextlib.contextmanager
    def connect(self):
        if os.path.exists(self.path) and os.path.getsize(self.path) > LIMIT:
            raise MemoryError_("database is too large")
        connection = sqlite3.connect(self.path, timeout=0.3, isolation_level=None)
        try:
            page = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {LIMIT // page}")
            self.check(connection)
            yield connection
        finally:
            connection.close()

    def check(self, connection):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        if version == 0 and not tables:
            connection.execute(LAYOUT)
            connection.execute("PRAGMA user_version = 1")
            return
        if version != 1 or tables != ["memory"]:
            raise MemoryError_("unsupported database schema; existing data was not reset")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(memory)")]
        if columns != COLUMNS:
            raise MemoryError_("malformed memory schema; existing data was not reset")

    def listed(self, user=None, kind=None):
        with self.connect() as connection:
            rows = connection.execute(
                "SELECT user_id, kind, memory_key, value, source_session, revision FROM memory"
                " WHERE (?1 IS NULL OR user_id = ?1) AND (?2 IS NULL OR kind = ?2)"
                " ORDER BY user_id, kind, memory_key",
                (user, kind),
            ).fetchall()
        for _user, _kind, key, value, session, revision in rows:
            good = (
                isinstance(key, str)
                and KEY.fullmatch(key)
                and isinstance(value, str)
                and value.strip()
                and "\0" not in value
                and len(value) <= 512
                and isinstance(session, str)
                and SESSION.fullmatch(session)
                and type(revision) is int
                and revision > 0
            )
            if not good:
                raise MemoryError_("malformed stored record")
        return rows

    def put(self, user, kind, key, value, session):
        if not KEY.fullmatch(key) or not value.strip() or len(value) > 512 or "\0" in value:
            raise MemoryError_("invalid memory")
        with self.connect() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                found = connection.execute(
                    "SELECT revision FROM memory WHERE user_id = ? AND kind = ? AND memory_key = ?",
                    (user, kind, key),
                ).fetchone()
                if found is None:
                    count = "SELECT count(*) FROM memory"
                    mine = connection.execute(f"{count} WHERE user_id = ?", (user,)).fetchone()[0]
                    if mine >= 64 or connection.execute(count).fetchone()[0] >= 1024:
                        raise MemoryError_("memory is full")
                    connection.execute(
                        "INSERT INTO memory VALUES (?, ?, ?, ?, ?, 1)",
                        (user, kind, key, value, session),
                    )
                else:
                    connection.execute(
                        "UPDATE memory SET value = ?, source_session = ?, revision = revision + 1"
                        " WHERE user_id = ? AND kind = ? AND memory_key = ?",
                        (value, session, user, kind, key),
                    )
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

    def forget(self, user, kind, key):
        with self.connect() as connection:
            connection.execute(
                "DELETE FROM memory WHERE user_id = ? AND kind = ? AND memory_key = ?",
                (user, kind, key),
            )

    def prompt(self, user):
        """The preferences that every prompt of a user gets."""
        return [row[2] for row in self.listed(user, "preference")[:5]]


class Judge:
    """One store at a time."""

    store = None

    def open(self, path):
        self.store = MemoryStore(path)

    def listed(self, user=None, kind=None):
        return self.store.listed(user, kind)

    def put(self, **values):
        return self.store.put(**values)

    def forget(self, **values):
        return self.store.forget(**values)

    def prompt(self, user):
        return self.store.prompt(user)

    def journal(self):
        with self.store.connect() as connection:
            return connection.execute("PRAGMA journal_mode").fetchone()[0]

    def check(self):
        with self.store.connect() as connection:
            return connection.execute("PRAGMA integrity_check").fetchone()[0]


def main():
    judge = Judge()
    for line in sys.stdin:
        values = json.loads(line)
        do = values.pop("do")
        try:
            answer = {"answer": getattr(judge, do)(**values)}
        except (MemoryError_, sqlite3.Error) as error:
            answer = {"error": f"{type(error).__name__.rstrip('_')}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
