# SPDX-License-Identifier: MIT
"""LangGraph's own checkpoint saver and store, in their own environment and process.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import contextlib
import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import random
import sqlite3
import struct
import sys
import uuid

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.store.sqlite import SqliteStore

DIMS = 32


def embed(texts):
    """A vector for each text, the same for the same text."""
    return [[random.Random(text).random() for _ in range(DIMS)] for text in texts]


def distance(one, other):
    """As sqlite-vec's function of that name, which not every Python can load."""
    a, b = (struct.unpack(f"<{DIMS}f", raw) for raw in (one, other))
    return 1 - sum(map(float.__mul__, a, b)) / (math.hypot(*a) * math.hypot(*b))


class Connection(sqlite3.Connection):
    """Loads nothing: the one function that is needed is there."""

    def enable_load_extension(self, _on):
        pass

    def load_extension(self, _name):
        pass


@dataclasses.dataclass
class Card:
    owner: str
    number: int


class Mood(enum.Enum):
    GOOD = "a good mood today"


class Judge:
    """A store, or a saver, over one file."""

    def __init__(self):
        self.connection = self.store = self.saver = None

    def open_store(self, path, vectors):
        self.connection = sqlite3.connect(
            path, check_same_thread=False, isolation_level=None, factory=Connection
        )
        self.connection.create_function("vec_distance_cosine", 2, distance)
        index = {"dims": DIMS, "embed": embed, "fields": ["$"]} if vectors else None
        self.store = SqliteStore(self.connection, index=index)
        self.store.setup()

    def open_saver(self, path):
        self.connection = sqlite3.connect(path, check_same_thread=False)
        self.saver = SqliteSaver(self.connection)
        self.saver.setup()

    def close(self):
        self.connection.close()

    def check(self):
        return self.connection.execute("PRAGMA integrity_check").fetchone()[0]

    # ---- the store

    def items(self):
        found = self.store.search((), limit=100_000)
        return sorted([".".join(one.namespace), one.key, one.value] for one in found)

    def get(self, namespace, key):
        found = self.store.get(tuple(namespace.split(".")), key)
        return None if found is None else found.value

    def put(self, namespace, key, value, ttl=None):
        self.store.put(tuple(namespace.split(".")), key, value, ttl=ttl)

    def delete(self, namespace, key):
        self.store.delete(tuple(namespace.split(".")), key)

    def like(self, namespace, query, limit=5):
        found = self.store.search(tuple(namespace.split(".")), query=query, limit=limit)
        return [one.key for one in found]

    def namespaces(self):
        return sorted(".".join(one) for one in self.store.list_namespaces(limit=10_000))

    def sweep(self):
        return self.store.sweep_ttl()

    # ---- the saver

    def threads(self):
        """Thread -> [role, text] of the newest checkpoint's messages."""
        found = {}
        for one in self.saver.list(None):
            thread = one.config["configurable"]["thread_id"]
            if thread not in found:
                values = one.checkpoint["channel_values"]
                said = values.get("messages", [])
                found[thread] = [[message.type, message.content] for message in said]
        return found

    def say(self, thread, turns):
        """One checkpoint and its writes for each turn, with state of many types beside it."""
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
        newest = self.saver.get_tuple(config)
        said = list(newest.checkpoint["channel_values"].get("messages", [])) if newest else []
        if newest:
            config = newest.config
        for number, text in enumerate(turns):
            said = [*said, HumanMessage(text, id=str(uuid.uuid4()))]
            said += [
                AIMessage([{"type": "text", "text": f"heard: {text}"}], id=str(uuid.uuid4())),
                ToolMessage("{}", tool_call_id="c1", artifact={"seen": [text, "artifact"]}),
                SystemMessage(f"rule {number}", id=str(uuid.uuid4())),
            ]
            checkpoint = empty_checkpoint()
            checkpoint["ts"] = datetime.datetime.now(datetime.UTC).isoformat()
            checkpoint["channel_values"] = {"messages": said, **self.state(text)}
            metadata = {"source": "loop", "step": number, "parents": {}}
            caller = {**config, "metadata": {"user_id": f"user of {thread}"}}
            config = self.saver.put(caller, checkpoint, metadata, {})
            self.saver.put_writes(config, [("messages", said[-4:]), ("branch", None)], f"t{number}")

    @staticmethod
    def state(text):
        return {
            "moment": datetime.datetime(2026, 10, 3, 8, 30, tzinfo=datetime.UTC),
            "day": datetime.date(2026, 10, 3),
            "length": datetime.timedelta(days=2),
            "name": uuid.UUID(int=7),
            "price": decimal.Decimal("12.50"),
            "folder": pathlib.Path("/home/lin") / text,
            "group": {f"one of {text}"},
            "card": Card(f"owner of {text}", 4111),
            "mood": Mood.GOOD,
            "raw": f"bytes of {text}".encode(),
            "nested": {"a": [{"b": (f"deep {text}", 1.5, None, True)}]},
        }

    def delete_thread(self, thread):
        self.saver.delete_thread(thread)


def main():
    judge = Judge()
    for line in sys.stdin:
        values = json.loads(line)
        do = values.pop("do")
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = getattr(judge, do)(**values)
            print(json.dumps({"answer": answer}), flush=True)
        except Exception as error:
            print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
