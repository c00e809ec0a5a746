# SPDX-License-Identifier: MIT
"""Runs inside an environment that has Agentao: Agentao over our stores, or over its own.

Arguments: the folders in which our package and its library lie. One JSON object per line in and
out, as ``agentao_judge.py``. Keys come through standard input only.
"""

import contextlib
import json
import logging
import sqlite3
import sys
import threading
import time
import warnings
from dataclasses import asdict
from datetime import UTC, datetime

sys.path += sys.argv[1:]

from agentao.memory import retriever, storage
from agentao.memory.manager import MemoryManager
from agentao.memory.models import (
    MemoryRecord,
    MemoryReviewItem,
    SaveMemoryRequest,
    SessionSummaryRecord,
)
from agentao.memory.render import MemoryPromptRenderer

from memory_gui.agents import StoreUnavailable, agentao_store, connect
from memory_gui.agents.agentao import CONTRACT
from memory_gui.domain.keys import RawKey
from memory_gui.vault.keychain import NoKeychain


def our_store(path, key, **more):
    raw = None if key is None else RawKey.from_hex(key)
    return agentao_store(path, key=raw, keychain=NoKeychain(), **more)


def a_store(path, key, through):
    return our_store(path, key) if through == "ours" else storage.SQLiteMemoryStore.open(path)


def told(call, *args, **kwargs):
    """What a call answers, or the class of sqlite3 that it raises, with its text."""
    try:
        answer = call(*args, **kwargs)
    except sqlite3.Error as error:
        return [type(error).__module__, type(error).__name__, str(error)]
    return plain(answer)


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


def record(ident, key, text, scope="project", **more):
    return MemoryRecord(
        id=ident, scope=scope, type=more.pop("type", "note"), key_normalized=key, title=key,
        content=text, created_at="2026-01-01T00:00:00", updated_at="2026-01-01T00:00:00", **more,
    )  # fmt: skip


def item(ident, key, text, **more):
    return MemoryReviewItem(
        id=ident, scope="project", type="preference", key_normalized=key, title=key,
        content=text, **more,
    )  # fmt: skip


def summary(ident, session, text, created):
    return SessionSummaryRecord(ident, session, text, 10, 2, created)


class Clock:
    """Every reading is a second later, the same in every run."""

    now = 0

    def __call__(self):
        self.now += 1
        return f"2026-02-01T{self.now // 3600:02}:{self.now // 60 % 60:02}:{self.now % 60:02}"


class Inside:
    """The questions."""

    beside = None

    def contract(self, path, key, through):
        """All of Agentao's storage protocol, call by call."""
        storage._now_iso = Clock()
        store = a_store(path, key, through)
        assert [name for name in CONTRACT if not callable(getattr(store, name))] == []
        calls = []

        def do(name, *args, **kwargs):
            calls.append([name, told(getattr(store, name), *args, **kwargs)])

        do("change_version")
        do("list_memories")
        do("upsert_memory", record("a1", "first", "the first text", tags=["T", "语言"]))
        do("upsert_memory", record("a2", "second", "Zwei src/app.py", scope="user"))
        do("upsert_memory", record("a3", "first", "another text for the same key"))
        do("upsert_memory", record("a2", "third", "an id that is taken"))
        do(
            "upsert_memory",
            record("a4", "文", "中文 ' OR 1=1 -- %_\\ \u202e \U0001f642", keywords=["k"]),
        )
        do("upsert_memory", record("a5", None, "no key at all"))
        do("get_memory_by_id", "a1")
        do("get_memory_by_id", "nobody")
        do("get_memory_by_scope_key", "project", "first")
        do("get_memory_by_scope_key", "user", "first")
        for scope in (None, "project", "user", ""):
            do("list_memories", scope=scope)
            do("search_memories", "TEXT", scope)
            do("search_memories", "%", scope)
            do("search_memories", "中", scope)
            do("filter_by_tag", "t", scope)
        do("search_memories", "'; DROP TABLE memories; --")
        do("soft_delete_memory", "a1")
        do("soft_delete_memory", "a1")
        do("soft_delete_memory", "nobody")
        do("upsert_memory", record("a6", "first", "the key is free again"))
        do("change_version")
        do("clear_memories", "user")
        do("clear_memories")
        do("list_memories")
        for number in range(4):
            when = f"2026-01-0{number + 1}T00:00:00"
            do("save_session_summary", summary(f"s{number}", f"x{number % 2}", "t" * number, when))
        do("save_session_summary", summary("s0", "x", "taken", "2026-01-01T00:00:00"))
        do("list_session_summaries")
        do("list_session_summaries", "x1")
        do("list_session_summaries", None, 2)
        do("clear_session_summaries", "x1")
        do("clear_session_summaries", "nobody")
        do("clear_session_summaries")
        do("upsert_review_item", item("r1", "k", "one", evidence="e", source_session="s"))
        do("upsert_review_item", item("r2", "k", "two", occurrences=3))
        do("upsert_review_item", item("r3", "l", "three"))
        do("get_review_item", "r1")
        do("get_review_item", "nobody")
        do("list_review_items")
        do("update_review_status", "r1", "approved")
        do("update_review_status", "nobody", "approved")
        do("upsert_review_item", item("r4", "k", "pending again"))
        for status in (None, "pending", "approved", ""):
            do("list_review_items", status)
            do("list_review_items", status, 1)
        do("change_version")
        do("close")
        do("close")
        do("list_memories")
        return {"calls": calls, "db_path": store.db_path, "fallback": store.fallback_reason}

    def many_threads(self, path, key, through, threads=6, saves=15):
        """A parent and its sub-agents save the same keys at once."""
        manager = MemoryManager(a_store(path, key, through))
        failed = []

        def save(number):
            for turn in range(saves):
                request = SaveMemoryRequest(key=f"k{turn % 5}", value=f"by {number} at {turn}")
                try:
                    manager.upsert(request)
                except Exception as error:
                    failed.append(repr(error))

        running = [threading.Thread(target=save, args=(n,)) for n in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return {"failed": failed, "titles": sorted(e.title for e in manager.get_all_entries())}

    def damaged(self, path, key, through):
        """A turn over a store with a bad page, as Agentao's own prompt builder makes it."""
        logging.disable(logging.CRITICAL)
        try:
            manager = MemoryManager(a_store(path, key, through))
            entries = manager.get_stable_entries()
            tail = manager.get_cross_session_tail()
            found = retriever.MemoryRetriever(manager).recall_candidates("anything")
        finally:
            logging.disable(logging.NOTSET)
        shown = [len(entries), tail, len(found)]
        return {"shown": shown, "problems": manager.take_store_problems()}

    def beside_stock(self, path, key):
        """A connection of stdlib's own in this process, and what Agentao makes of the refusal."""
        logging.disable(logging.CRITICAL)
        try:
            manager = MemoryManager(our_store(path, key))
            manager.upsert(SaveMemoryRequest(key="one", value="1"))
            other = sqlite3.connect(path)
            with contextlib.suppress(sqlite3.Error):
                other.execute("SELECT 1 FROM memories").fetchone()
            seen = len(manager.get_all_entries())
            said = manager.save_from_tool("two", "2", [])
            other.close()
            after = manager.save_from_tool("three", "3", [])
            return [seen, said, after, manager.take_store_problems()]
        finally:
            logging.disable(logging.NOTSET)

    def no_key(self, path):
        """Agentao must not go on in memory when there is no key."""
        try:
            our_store(path, None)
        except StoreUnavailable as error:
            return [error.code, isinstance(error, sqlite3.OperationalError)]
        return None

    def unknown(self, path, key):
        """An Agentao that does it in another way is refused."""
        kept, storage.SQLiteMemoryStore = storage.SQLiteMemoryStore, type("Other", (), {})
        try:
            our_store(path, key)
        except StoreUnavailable as error:
            return [error.code, error.params["version"]]
        finally:
            storage.SQLiteMemoryStore = kept
        return None

    def view(self, project, user, said, now):
        """The blocks of a new session, by Agentao's own classes on readable databases."""
        user_store = storage.SQLiteMemoryStore.open(user) if user else None
        manager = MemoryManager(storage.SQLiteMemoryStore.open(project), user_store)
        renderer = MemoryPromptRenderer()
        entries, tail = manager.get_stable_entries(), manager.get_cross_session_tail()
        shown = [r.id for r in renderer.fit_stable_records(entries, tail)]
        out = {
            "stable": renderer.render_stable_block(entries, session_tail=tail),
            "shown": shown,
            "wanted": [r.id for r in entries],
            "recalls": [],
        }
        moment = datetime.fromisoformat(now)

        class Fixed(datetime):
            @classmethod
            def now(cls, tz=None):
                return moment if tz is UTC else datetime.now(tz)

        kept, retriever.datetime = retriever.datetime, Fixed
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                finder = retriever.MemoryRetriever(manager)
                for text in said:
                    found = finder.recall_candidates(text, exclude_ids=set(shown))
                    out["recalls"].append(
                        {
                            "found": [[c.memory_id, c.score, c.reasons] for c in found],
                            "text": renderer.render_dynamic_block(found),
                        }
                    )
        finally:
            retriever.datetime = kept
        manager.close()
        return out

    # ---- beside the window

    def begin(self, path, key, name="agent"):
        """Save one memory after the other until told to stop; each that is done is said."""
        self.beside = Beside(our_store(path, key), name)
        self.beside.start()
        return

    def overwrite(self, titles):
        """Give memories that we are editing another text, and say when that is done."""
        for title in titles:
            self.beside.overwrite(title)
        return

    def stop(self):
        """End the saving; Agentao's own list of what it has."""
        return self.beside.stop()

    def listed(self, path, key):
        """By a fresh store: every live memory, and what could not be read."""
        manager = MemoryManager(our_store(path, key))
        entries = manager.get_all_entries()
        return {"ids": [e.id for e in entries], "problems": manager.take_store_problems()}

    def raw(self, path, key):
        """By a connection of ours: whether it is well, and how many rows there are."""
        connection = connect(path, key=RawKey.from_hex(key), keychain=NoKeychain())
        (check,) = connection.execute("PRAGMA integrity_check").fetchone()
        (rows,) = connection.execute("SELECT count(*) FROM memories").fetchone()
        connection.close()
        return [check, rows]


class Beside(threading.Thread):
    """Agentao at work: it saves all the time, through its manager, as its tool does."""

    def __init__(self, store, name):
        super().__init__(daemon=True)
        self.name_of_keys = name
        self.manager = MemoryManager(store)
        self.going = True
        self.failed = []
        self.number = 0

    def run(self):
        while self.going:
            self.number += 1
            try:
                saved = self.manager.upsert(
                    SaveMemoryRequest(
                        key=f"{self.name_of_keys} {self.number}", value=f"text {self.number}"
                    )
                )
            except Exception as error:
                self.failed.append(repr(error))
                continue
            say({"done": saved.id})

    def overwrite(self, title):
        """As a model that saves the same key again."""
        try:
            self.manager.upsert(SaveMemoryRequest(key=title, value=f"theirs {time.time_ns()}"))
        except Exception as error:
            self.failed.append(repr(error))

    def stop(self):
        self.going = False
        self.join()
        entries = self.manager.get_all_entries()
        problems = self.manager.take_store_problems()
        self.manager.close()
        return {
            "ids": [entry.id for entry in entries],
            "failed": self.failed,
            "problems": problems,
            "saved": self.number,
        }


TURN = threading.Lock()
OUT = sys.stdout


def say(answer):
    with TURN:
        OUT.write(json.dumps(answer) + "\n")
        OUT.flush()


def main():
    sys.stdout = sys.stderr
    inside = Inside()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"answer": getattr(inside, request.pop("do"))(**request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        say(answer)


if __name__ == "__main__":
    main()
