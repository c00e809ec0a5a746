# SPDX-License-Identifier: MIT
"""What each agent's own deletion leaves of one person in a whole home: prints the README's table.

Usage: ``python tests/proof/own_deletion.py [--write]``. Needs root. The home is that of
``planted_home``: the person stands in every place that a store can hold a text in, each with a mark
of its own. Once every agent deletes, by its own code, all that it can delete of the person
(Agentao: all it has); once ``memory-cli forget`` runs. Then every byte of the disk is read. A place
counts where its mark is found. Agents whose package cannot be had are left out, with the reason.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests/peers")]

import own_copies  # noqa: E402 - beside this file
import planted_copies  # noqa: E402 - beside this file
import planted_home  # noqa: E402 - beside this file
from disk import Disk  # noqa: E402 - beside this file
from graph_server import GraphServer  # noqa: E402 - as above
from planted_home import ALSO, MARK, NAME, Planted  # noqa: E402 - beside this file

README = ROOT / "README.md"
FIRST, LAST = "<!-- home: made by make forget-table -->\n", "<!-- end of home -->\n"
WIPE = """
import sys
from agentao.memory.manager import MemoryManager
from agentao.memory.storage import SQLiteMemoryStore
for path in sys.argv[1:]:
    manager = MemoryManager(SQLiteMemoryStore.open(path))
    assert manager.wipe_all().ok
    manager.close()
"""


class Missing(Exception):
    """A program that cannot be had here."""


def peer(program: str, name: str) -> str:
    """Where it is, made when it is not there."""
    argv = [str(ROOT / "packaging" / program), name]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(done.stderr.strip().splitlines()[-1])
    return done.stdout.strip()


def agentao(home: Path) -> None:
    """``/memory clear`` in both databases."""
    python = peer("peer", "agentao-0.5.17")
    paths = [home / ".agentao/memory.db", home / "work/ginkgo/.agentao/memory.db"]
    subprocess.run([python, "-I", "-c", WIPE, *map(str, paths)], check=True, cwd="/")


def graph(home: Path) -> None:
    """The server's three tools, for all that names the person."""
    path = home / "graph/memory.jsonl"
    script = Path(peer("peer-node", "server-memory"))
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    server = GraphServer(script, path)
    entities = [one for one in lines if one.get("type") == "entity"]
    gone = [one["name"] for one in entities if MARK in one["name"] + one["entityType"]]
    server.call("delete_entities", entityNames=gone)
    said = [
        {"entityName": one["name"], "observations": [text]}
        for one in entities
        for text in one["observations"]
        if MARK in text and one["name"] not in gone
    ]
    server.call("delete_observations", deletions=said)
    links = [
        {name: one[name] for name in ("from", "to", "relationType")}
        for one in lines
        if one.get("type") == "relation" and MARK in json.dumps(one)
    ]
    server.call("delete_relations", relations=links)
    server.close()


def tutor(home: Path) -> None:
    """``forget`` for each key of the person's."""
    judge("persistent_judge.py", home / "tutor/state/memory.sqlite3", "memory")


def facts(home: Path) -> None:
    """``forget`` for each subject under which the person is named."""
    for name in ("research.db", "with-vectors.db"):
        judge("facts_judge.py", home / "research" / name, "")


def judge(script: str, path: Path, table: str) -> None:
    """Ask an app's own class, which runs beside, to forget what names the person."""
    found = planted_home.asked("rows", str(path))
    argv = [sys.executable, str(ROOT / "tests/peers" / script)]
    asked = [{"do": "open", "path": str(path)}]
    for row in found:
        named = MARK in json.dumps(row)
        if named and table:
            values = {"user": row["user_id"], "kind": row["kind"], "key": row["memory_key"]}
            asked.append({"do": "forget", **values})
        elif named:
            asked.append({"do": "forget", "subject": row["subject"]})
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run(argv, input=lines, text=True, capture_output=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr[-500:]


def of_copies(name: str) -> Callable[[Path], None]:
    """Of a store that keeps a text more than once: ``own_copies``."""

    def act(home: Path) -> None:
        getattr(own_copies, name)(lambda wanted: peer("peer", wanted), home, MARK)

    return act


WAYS: dict[str, Callable[[Path], None] | None] = {
    "Agentao: both databases (`/memory clear`)": agentao,
    "Agentao: sessions, logs, replays, plans, tool outputs": None,
    "Agentao 0.2.5 and older (`memory.json`)": None,
    "MCP server-memory (its delete tools)": graph,
    "Facts (`forget` by subject)": facts,
    "Tutorial app (`forget` by key)": tutor,
    "Agent harness notes": None,
    "LangGraph: store (`delete`), checkpoints (`delete_thread`)": of_copies("langgraph"),
    "Letta 0.11 (blocks, passages, messages)": of_copies("letta"),
    "Letta 0.5 (blocks, passages, messages)": of_copies("old_letta"),
    "Mem0 over Qdrant, FAISS and Chroma (`Memory.delete`)": of_copies("mem0"),
}
"""What is named in the table -> its agent's own deletion; None: it has none."""
WHY_NONE = {"Agentao 0.2.5 and older (`memory.json`)": "no agent reads it any more"}


def row_of(path: Path, home: Path) -> str:
    """In which line of the table a file counts."""
    name = path.relative_to(home).as_posix()
    rows = list(WAYS)
    if planted_copies.planter_of(name):
        at = {"chat": 7, "flows": 7, "app": 7, ".letta": 8, "old-letta": 9}
        return rows[at.get(name.split("/")[0], 10)]
    if name.endswith(".agentao/memory.db"):
        return rows[0]
    if name.startswith("old/"):
        return rows[2]
    at = {"graph": 3, "research": 4, "tutor": 5, ".agent-harness": 6}.get(name.split("/")[0], 1)
    return rows[at]


def left(made: Planted, act: Callable[[Path], None]) -> tuple[Counter[str], Counter[str]]:
    """By line of the table how many places are left: in files, and anywhere on the disk."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        disk = Disk(folder, size=48 << 20)
        with disk.mounted() as mount:
            shutil.copytree(made.home, mount / "home")
        with disk.mounted() as mount:
            act(mount / "home")
        with disk.mounted() as mount:
            inside = b"".join(p.read_bytes() for p in mount.rglob("*") if p.is_file())
        marks = rb"%s\d{5}z" % MARK.encode()
        found = [set(re.findall(marks, data)) for data in (inside, disk.image.read_bytes())]
    lines = [
        Counter(row_of(one.path, made.home) for one in made.plants if one.mark.encode() in some)
        for some in found
    ]
    return lines[0], lines[1]


def ours(home: Path) -> None:
    """``memory-cli forget``."""
    argv = [str(ROOT / ".venv/bin/memory-cli"), "forget", NAME, "--no-keychain", "--json", "--yes"]
    argv += ["--include", "shared", "--in", str(home)]
    argv += [word for name in ALSO for word in ("--also", name)]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home)}
    subprocess.run(argv, check=True, capture_output=True, env=environment)


def theirs(home: Path) -> None:
    """Every agent's own."""
    for name, act in WAYS.items():
        try:
            if act is not None:
                act(home)
        except Missing as missing:
            print(f"left out: {name}: {missing}", file=sys.stderr)


def table(made: Planted) -> str:
    """The Markdown."""
    planted = Counter(row_of(one.path, made.home) for one in made.plants)
    own_files, own_disk = left(made, theirs)
    our_files, our_disk = left(made, ours)
    lines = [
        "| the person stands in | places | left after the agent’s own deletion "
        "| after `memory-cli forget` |",
        "|---|---|---|---|",
    ]
    for name, way in WAYS.items():
        own = f"{own_files[name]} + {own_disk[name] - own_files[name]}"
        own = own if way is not None else f"{own_files[name]} ({WHY_NONE.get(name, 'it has none')})"
        both = our_files[name], our_disk[name] - our_files[name]
        our = "**0**" if both == (0, 0) else f"{both[0]} + {both[1]}"
        lines.append(f"| {name} | {planted[name]} | {own} | {our} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print it, or put it into the README."""
    if shutil.which("mkfs.ext4") is None:
        print("needs root and e2fsprogs: it mounts disks of its own")
        return 3
    with tempfile.TemporaryDirectory() as folder:
        made_now = table(planted_home.asked("plant", str(Path(folder, "home"))))
    print(made_now)
    if "--write" in sys.argv:
        page = README.read_text("utf-8")
        start, end = page.index(FIRST) + len(FIRST), page.index(LAST)
        README.write_text(page[:start] + made_now + page[end:], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
