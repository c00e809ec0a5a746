# SPDX-License-Identifier: MIT
"""FactMemory, written from its sheet (FORMATS 3, inferred): nothing of ours.

Runs in a process of its own with Python's own sqlite3. One JSON object per line in and out:
``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import json
import math
import re
import sqlite3
import sys
import time

WORD = re.compile(r"[a-z0-9]+")


class FactMemory:
    """``table`` is known by its columns; a vector beside a fact is a hash of its words."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path, timeout=5, isolation_level=None)
        self.connection.execute("PRAGMA secure_delete = ON")
        self.table = self.vector = None
        for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type='table'"):
            columns = {row[1] for row in self.connection.execute(f'PRAGMA table_info("{name}")')}
            if {"subject", "fact", "source", "created"} <= columns:
                self.table, self.vector = name, "vector" in columns

    def remember(self, subject, fact, source, now=None):
        """Whether it is new; a second one is ignored, and so is what is too short or too long."""
        fact = fact.strip()
        if not 10 <= len(fact) <= 300:
            return False
        done = self.connection.execute(
            f"INSERT OR IGNORE INTO {self.table} (subject, fact, source, created)"
            " VALUES (?, ?, ?, ?)",
            (subject, fact, source, now or time.time()),
        )
        return done.rowcount == 1

    def fill(self, subject, many, now):
        """Many at once, each a second newer."""
        self.connection.execute("BEGIN")
        for number in range(many):
            fact = f"finding number{number} of the report"
            self.remember(subject, fact, "a", now + number)
        self.connection.execute("COMMIT")

    def recall(self, subject, query, now, most=5):
        """The facts that have words of the query, of the newest 500."""
        wanted = set(WORD.findall(query.lower()))
        rows = self.connection.execute(
            f"SELECT fact, created FROM {self.table} WHERE subject = ?"
            " ORDER BY created DESC, rowid DESC LIMIT 500",
            (subject,),
        )
        scored = []
        for fact, created in rows:
            hits = len(wanted & set(WORD.findall(fact.lower())))
            if hits:
                scored.append((hits + math.exp(-(now - created) / 86400 / 30), fact))
        return [fact for _score, fact in sorted(scored, reverse=True)[:most]]

    def listed(self):
        vector = ", vector" if self.vector else ", NULL"
        rows = self.connection.execute(
            f"SELECT subject, fact, source, created{vector} FROM {self.table} ORDER BY rowid"
        ).fetchall()
        return [[*row[:4], None if row[4] is None else len(row[4])] for row in rows]

    def forget(self, subject):
        self.connection.execute(f"DELETE FROM {self.table} WHERE subject = ?", (subject,))
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def check(self):
        found = self.connection.execute("PRAGMA integrity_check").fetchone()[0]
        return [found, self.connection.execute("PRAGMA journal_mode").fetchone()[0]]

    def close(self):
        self.connection.close()


def main():
    memory = None
    for line in sys.stdin:
        values = json.loads(line)
        do = values.pop("do")
        try:
            if do == "open":
                memory, answer = FactMemory(values["path"]), None
            else:
                answer = getattr(memory, do)(**values)
            print(json.dumps({"answer": answer}), flush=True)
        except sqlite3.Error as error:
            print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
