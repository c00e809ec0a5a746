# SPDX-License-Identifier: MIT
"""Runs inside an environment that has Agentao: does what it is asked with Agentao's own classes.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
Imports nothing of ours.
"""

import contextlib
import os
import sqlite3
import sys
from dataclasses import asdict

from agentao.memory.guards import MemoryGuard, SensitiveMemoryError
from agentao.memory.manager import MemoryManager
from agentao.memory.models import SaveMemoryRequest
from agentao.memory.storage import SQLiteMemoryStore

sys.path.insert(0, os.path.dirname(__file__))  # -I leaves it out
from answering import serve

GUARD = MemoryGuard()
TABLES = (
    "schema_meta",
    "memories",
    "session_summaries",
    "memory_events",
    "memory_review_queue",
)


class Judge:
    """One pair of databases at a time."""

    manager = None

    def open(self, project, user=None):
        self.close()
        self.manager = MemoryManager(
            SQLiteMemoryStore.open(project), SQLiteMemoryStore.open(user) if user else None
        )

    def close(self):
        if self.manager is not None:
            self.manager.close()
        self.manager = None

    def state(self):
        """Everything that Agentao's readers return."""
        manager = self.manager
        entries = [asdict(entry) for entry in manager.get_all_entries()]
        for entry in entries:
            assert asdict(manager.get_entry(entry["id"])) == entry, entry["id"]
        return {
            "entries": entries,
            "reviews": [
                asdict(item)
                for item in manager.project_store.list_review_items(status=None, limit=100_000)
            ],
            "summaries": [
                asdict(s)
                for s in manager.project_store.list_session_summaries(session_id=None, limit=9999)
            ],
            "versions": manager.store_change_version(),
            "problems": manager.take_store_problems(),
        }

    def found(self, query, scope=None):
        stores = [self.manager.project_store, self.manager.user_store]
        return sorted(
            hit.id for store in stores if store for hit in store.search_memories(query, scope)
        )

    def tagged(self, tag):
        stores = [self.manager.project_store, self.manager.user_store]
        return sorted(hit.id for store in stores if store for hit in store.filter_by_tag(tag))

    def save(self, **request):
        return asdict(self.manager.upsert(SaveMemoryRequest(**request)))

    def delete(self, ident):
        stores = [self.manager.project_store, self.manager.user_store]
        answers = [store.soft_delete_memory(ident) for store in stores if store]
        return any(answers)

    def approve(self, ident):
        record = self.manager.approve_review_item(ident)
        return record and asdict(record)

    def reject(self, ident):
        return self.manager.reject_review_item(ident)

    def crystallize(self, messages):
        found = self.manager.crystallize_user_messages(messages)
        return [asdict(item) for item in found]

    def rules(self, title, tags, text, scope=None, type=None):  # noqa: A002 - Agentao calls it so
        """What the guard makes of the values, step by step; None where it refuses."""
        out = {}
        with contextlib.suppress(ValueError):
            out["key"] = GUARD.normalize_key(title)
        with contextlib.suppress(ValueError):
            out["title"] = GUARD.validate_title(title)
        with contextlib.suppress(ValueError):
            out["text"] = GUARD.validate_content(text)
        out["scope"] = GUARD.classify_scope(out.get("key", ""), tags, scope)
        out["type"] = GUARD.classify_type(out.get("key", ""), tags, type)
        out["keywords"] = GUARD.extract_keywords(out.get("title", ""), tags, out.get("text", ""))
        return out

    def many_rules(self, cases):
        return [self.rules(**case) for case in cases]

    def secrets(self, texts):
        """Which of the texts Agentao refuses."""
        out = []
        for text in texts:
            try:
                GUARD.detect_sensitive(text)
                out.append(False)
            except SensitiveMemoryError:
                out.append(True)
        return out

    def dump(self, path):
        """All rows of the five tables, by the standard library."""
        connection = sqlite3.connect(path)
        try:
            connection.row_factory = sqlite3.Row
            out = {}
            for table in TABLES:
                rows = connection.execute(f"SELECT * FROM {table}").fetchall()
                out[table] = [dict(row) for row in rows]
            return out
        finally:
            connection.close()


def main():
    judge = Judge()
    out, sys.stdout = sys.stdout, sys.stderr
    serve(judge, out)


main()
