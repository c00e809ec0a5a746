# SPDX-License-Identifier: MIT
"""How LangGraph, Letta, Mem0 and Chroma delete by themselves: their own code, in their own Python.

Each script takes the home and the mark of the person, and deletes by the calls that its agent's
users have all that names them. What such a call cannot name, or ends in an error of the agent's,
stays, and is counted as left.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests/peers"

LANGGRAPH = """
import sqlite3, sys
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.store.sqlite import SqliteStore
home, mark = sys.argv[1:]

def opened(path, **more):
    connection = sqlite3.connect(path, check_same_thread=False, **more)
    connection.text_factory = bytes
    return connection

def named(rows):
    found = [[(one or b"").decode() for one in row[:2]] for row in rows if mark in repr(row)]
    return sorted({tuple(one) for one in found})

for path in (f"{home}/chat/store.sqlite", f"{home}/app/app.db"):
    connection = opened(path)
    items = named(connection.execute("SELECT prefix, key, value FROM store"))
    items += named(connection.execute("SELECT prefix, key, field_name FROM store_vectors"))
    connection.close()
    store = SqliteStore(sqlite3.connect(path, check_same_thread=False, isolation_level=None))
    for prefix, key in dict.fromkeys(items):
        store.delete(tuple(prefix.split(".")), key)
    store.conn.close()
every = "SELECT thread_id, '', checkpoint, metadata FROM checkpoints"
for path in (f"{home}/flows/checkpoints.sqlite", f"{home}/app/app.db"):
    connection = opened(path)
    threads = named(connection.execute(every))
    threads += named(connection.execute("SELECT thread_id, '', value FROM writes"))
    connection.close()
    saver = SqliteSaver(sqlite3.connect(path, check_same_thread=False))
    for thread, _ in dict.fromkeys(threads):
        saver.delete_thread(thread)
    saver.conn.close()
"""

LETTA = """
from letta.orm.passage import SourcePassage
from sqlalchemy import text
home, mark = sys.argv[1:]
judge = Judge()
judge.open(f"{home}/.letta/sqlite.db")
failed = 0
for kind in (Block, ArchivalPassage, SourcePassage, Message):  # what its server has a call for
    every = f"SELECT * FROM {kind.__tablename__} WHERE NOT is_deleted"
    rows = judge.session.execute(text(every)).mappings().all()
    for name in [row["id"] for row in rows if mark in repr(row)]:
        try:
            judge.session.get(kind, name).hard_delete(judge.session)
        except Exception:
            failed += 1
            judge.session.rollback()
judge.close()
print(failed, "rows of Letta's were not deleted", file=sys.stderr)
"""

LETTA05 = """
from sqlalchemy import text
home, mark = sys.argv[1:]
judge = Judge()
judge.open(f"{home}/old-letta/.letta/sqlite.db")
for kind in (Block, PassageModel, MessageModel):
    deleted = "is_deleted" if kind is Block else "0"
    every = f"SELECT * FROM {kind.__tablename__} WHERE NOT {deleted}"
    rows = judge.session.execute(text(every)).mappings().all()
    for name in [row["id"] for row in rows if mark in repr(row)]:
        if kind is Block:
            judge.session.get(Block, name).hard_delete(judge.session)
        else:  # letta.agent_store.db.SQLStorageConnector.delete
            judge.session.query(kind).filter(kind.id == name).delete()
            judge.session.commit()
judge.close()
"""

MEM0 = """
from types import SimpleNamespace
from mem0.memory.main import Memory
home, mark = sys.argv[1:]

class Elsewhere:
    "A vector store that is deleted from beside: only what Memory asks of it."
    def __init__(self, rows):
        self.rows = rows
    def get(self, vector_id):
        return self.rows[vector_id]
    def delete(self, vector_id):
        pass

def memory(vectors, history):
    made = Memory.__new__(Memory)
    made.vector_store, made._entity_store, made.db = vectors, None, SQLiteManager(history)
    return made

def named(vectors):
    found = vectors.list(top_k=10_000)
    rows = found[0] if found and isinstance(found[0], (list, tuple)) else found
    return [str(row.id) for row in rows if mark in repr(row.payload)]

qdrant = Qdrant("mem0", DIMS, path=f"{home}/.mem0/qdrant", on_disk=True)
entities = Qdrant("mem0_entities", DIMS, client=qdrant.client)
faiss = FAISS("mem0", path=f"{home}/shop/faiss", embedding_model_dims=DIMS)
others = FAISS("mem0_entities", path=f"{home}/shop/faiss", embedding_model_dims=DIMS)
for vectors, beside, history in (
    (qdrant, entities, f"{home}/.mem0/history.db"), (faiss, others, f"{home}/shop/history.db"),
):
    agent = memory(vectors, history)
    for name in named(vectors):
        agent._delete_memory(name)
    for name in named(beside):
        beside.delete(name)
    agent.db.close()
qdrant.client.close()
rows = json.loads(sys.stdin.read() or "{}")
agent = memory(
    Elsewhere({name: SimpleNamespace(payload=payload) for name, payload in rows.items()}),
    f"{home}/desk/history.db",
)
for name in rows:
    agent._delete_memory(name)
agent.db.close()
"""
"""``Memory.delete`` without a model: it asks none. Of entities the store's own ``delete``."""

CHROMA = """
home, mark = sys.argv[1:]
judge = Judge()
gone = {}
for name in ("mem0", "mem0_entities"):
    judge.open(f"{home}/desk/chroma", name, 1000)
    rows = {one: row for one, row in judge.all().items() if mark in repr(row)}
    for one in rows:
        judge.delete(one)
    gone |= rows if name == "mem0" else {}
judge.close()
print(json.dumps(gone))
"""


def _run(python: str, script: str, home: Path, mark: str, judge: str = "", stdin: str = "") -> str:
    """``judge``: the script goes on behind that judge's own imports and class."""
    if judge:
        script = (PEERS / judge).read_text().partition("\ndef main()")[0] + script
    argv = [python, "-I", "-c", script, str(home), mark]
    environment = {"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        argv, input=stdin, capture_output=True, text=True, check=False, cwd="/", env=environment
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def langgraph(peer: Callable[[str], str], home: Path, mark: str) -> None:
    """``SqliteStore.delete`` of each item, ``SqliteSaver.delete_thread`` of each thread."""
    _run(peer("langgraph-3.1.2"), LANGGRAPH, home, mark)


def letta(peer: Callable[[str], str], home: Path, mark: str) -> None:
    """``hard_delete`` of what its server deletes so: blocks, passages, messages."""
    _run(peer("letta-0.11.7"), LETTA, home, mark, "letta_judge.py")


def old_letta(peer: Callable[[str], str], home: Path, mark: str) -> None:
    """``hard_delete`` of blocks; its storage's ``delete`` of passages and messages."""
    _run(peer("letta-0.5.5"), LETTA05, home, mark, "letta05_judge.py")


def mem0(peer: Callable[[str], str], home: Path, mark: str) -> None:
    """``Memory.delete`` of each memory, over Qdrant, FAISS and Chroma."""
    gone = _run(peer("chroma-1.5.9"), CHROMA, home, mark, "chroma_judge.py")
    _run(peer("mem0-2.2.1"), MEM0, home, mark, "mem0_judge.py", gone)
