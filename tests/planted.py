# SPDX-License-Identifier: MIT
"""A home with a store of every agent, and a project; databases have the real ones' tables."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
MAKE = """
import json, sqlite3, sys
for path, statements in json.load(sys.stdin).items():
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
"""
GRAPH = (
    '{"type":"entity","name":"Ann","entityType":"person","observations":["Lives in Vienna"]}\n'
    '{"type":"relation","from":"Ann","to":"Atlas","relationType":"works on"}'
)
NPX = ".npm/_npx/15b07286cbcc3329/node_modules/@modelcontextprotocol/server-memory/dist"
TEXTS = {
    ".agent-harness/memory/project.md": "The service listens on 8080.\n\nTests come first.\n",
    ".agent-harness/memory/user.md": "Ann speaks German.\n",
    f"{NPX}/memory.jsonl": GRAPH,
    ".claude/CLAUDE.md": "# Notes\n",
    ".claude/projects/-home-ann-atlas/memory/MEMORY.md": "- [Style](style.md)\n",
    ".codex/AGENTS.md": "# Agents\n",
    ".gemini/GEMINI.md": "## Gemini Added Memories\n",
    ".hermes/memories/MEMORY.md": "one\n§\ntwo\n",
    ".letta/lc-local-backend/memfs/agent-1/memory/MEMORY.md": "# Index\n",
    ".openclaw/workspace/USER.md": "Ann\n",
    "basic-memory/people/Editor.md": "---\ntitle: Editor\n---\n",
}
EXPECTED_USUAL = {
    ("agentao", ".agentao/memory.db"),
    ("notes", ".agent-harness/memory"),
    ("mcp-server-memory", f"{NPX}/memory.jsonl"),
    ("claude-code", ".claude/CLAUDE.md"),
    ("claude-code", ".claude/projects/-home-ann-atlas/memory"),
    ("codex", ".codex/AGENTS.md"),
    ("gemini-cli", ".gemini/GEMINI.md"),
    ("hermes", ".hermes/memories"),
    ("hermes", ".hermes/state.db"),
    ("letta-code", ".letta/lc-local-backend/memfs/agent-1/memory"),
    ("letta", ".letta/sqlite.db"),
    ("letta", ".memgpt/sqlite.db"),
    ("openclaw", ".openclaw/workspace"),
    ("mem0", ".mem0/history.db"),
    ("claude-mem", ".claude-mem/claude-mem.db"),
    ("mcp-memory-service", ".local/share/mcp-memory/sqlite_vec.db"),
    ("basic-memory", ".basic-memory/memory.db"),
    ("basic-memory", "basic-memory"),
    ("cursor", ".config/Cursor/User/globalStorage/state.vscdb"),
}
EXPECTED_PROJECT = {
    ("agentao", "atlas/.agentao/memory.db"),
    ("persistent-memory", "tutor/state/memory.sqlite3"),
    ("facts", "research/research.db"),
    ("facts", "research/any name.db"),
    ("agentao-json", "old/.agentao/memory.json"),
    ("mcp-server-memory", "graph/memory.jsonl"),
    ("langgraph-checkpoints", "graph/checkpoints.sqlite"),
    ("langgraph-store", "graph/graph-store.sqlite"),
    ("open-webui", "webui/webui.db"),
    ("qdrant-local", "graph/vectors/storage.sqlite"),
    ("chroma", "graph/vectors/chroma.sqlite3"),
}
CURSOR = [
    "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
    "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
]


def make_databases(statements: dict[str, list[str]]) -> None:
    """Databases by path, made with the standard library in a process of its own."""
    for path in statements:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-I", "-c", MAKE], input=json.dumps(statements), text=True, check=True
    )


def schemas() -> dict[str, Any]:
    """The CREATE statements of real stores, by the place in a home."""
    found: dict[str, Any] = json.loads((DATA / "discovery/schemas.json").read_text())
    return found


def plant(folder: Path) -> tuple[Path, Path]:
    """(home, projects)."""
    home, work = folder / "home", folder / "work"
    for name, text in TEXTS.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    made = schemas()
    in_home = {str(home / name): made[name] for name in made if name.startswith(".")}
    in_home[str(home / ".config/Cursor/User/globalStorage/state.vscdb")] = CURSOR
    near = {
        "graph/checkpoints.sqlite": "checkpoints.sqlite",
        "graph/graph-store.sqlite": "graph-store.sqlite",
        "webui/webui.db": "webui.db",
        "graph/vectors/storage.sqlite": "qdrant/collection/mem0/storage.sqlite",
        "graph/vectors/chroma.sqlite3": "chroma/chroma.sqlite3",
    }
    make_databases(in_home | {str(work / name): made[source] for name, source in near.items()})
    copies = {
        "agentao/home/.agentao/memory.db": home / ".agentao/memory.db",
        "agentao/project-ginkgo/.agentao/memory.db": work / "atlas/.agentao/memory.db",
        "persistent-memory/workspace/state/memory.sqlite3": work / "tutor/state/memory.sqlite3",
        "facts/research.db": work / "research/research.db",
        "facts/with-vectors.db": work / "research/any name.db",
        "agentao-0.2.5/.agentao/memory.json": work / "old/.agentao/memory.json",
    }
    for source, target in copies.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DATA / source, target)
    (work / "graph/memory.jsonl").write_text(GRAPH)
    return home, work
