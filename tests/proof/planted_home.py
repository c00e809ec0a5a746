# SPDX-License-Identifier: MIT
"""A home in which one person is named in every place that a format can hold text.

The places come from the stores themselves: every table and column of each sample database, every
field that a text format declares, every file that an agent leaves beside its store. A column whose
values are bound (an id, a time, a choice) is named in BOUND; any other is planted, so a new column
is planted by itself, and a new table, field or file without a planter is an error here.

Each place holds a mark of its own, and nothing but that place holds it.
"""

from __future__ import annotations

import json
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import planted_copies
from planted_copies import tables

from memory_gui.stores.formats.server_memory.layout import FIELDS as LINES

DATA = Path(__file__).parents[1] / "data"
NAME = "Zofia Quillfeather"
ALSO = ("仇夏莲", "zofia.q@example.org", "+48 601 234 567")
WRITTEN = (NAME, "zofia quillfeather", "ZOFIA.Q@EXAMPLE.ORG", "0048 601-234-567", "仇夏莲")
"""Ways in which the person stands in a text."""
MARK = "zqplant"

STORES = {
    "agentao/home/.agentao": ".agentao",
    "agentao/project-ginkgo": "work/ginkgo",
    "persistent-memory/workspace/state": "tutor/state",
    "facts/research.db": "research/research.db",
    "facts/with-vectors.db": "research/with-vectors.db",
    "mcp-server-memory/memory.jsonl": "graph/memory.jsonl",
    "notes/home/.agent-harness": ".agent-harness",
    "agentao-0.2.5/.agentao/memory.json": "old/.agentao/memory.json",
    **planted_copies.STORES,
}
"""Of tests/data -> in the home."""

BOUND: dict[str, dict[str, Any]] = {
    "memories/agentao": {
        "id": "{n:08x}",
        "scope": "project",
        "type": "note",
        "key_normalized": "key_{n}",
        "source": "explicit",
        "confidence": "explicit_user",
        "sensitivity": "normal",
        "created_at": "2026-10-03T08:30:00",
        "updated_at": "2026-10-03T08:30:00",
        "deleted_at": None,
    },
    "memory_review_queue": {
        "id": "{n:012x}",
        "scope": "project",
        "type": "note",
        "key_normalized": "key_{n}",
        "occurrences": 1,
        "confidence": "auto_summary",
        "status": "pending",
        "created_at": "2026-10-03T08:30:00",
        "updated_at": "2026-10-03T08:30:00",
    },
    "session_summaries": {
        "id": "{n:012x}",
        "tokens_before": 10,
        "messages_summarized": 2,
        "created_at": "2026-10-03T08:30:00",
    },
    "memory_events": {
        "id": None,
        "event_type": "create",
        "timestamp": "2026-10-03T08:30:00",
    },
    "schema_meta": {"key": None, "value": None},
    "facts": {"id": None, "created": 1795976565.5},
    "memories/facts": {"id": None, "created": 1795976565.5, "vector": None},
    "memory": {
        "kind": "preference",
        "memory_key": "key.{n}",
        "source_session": "session-{n}",
        "revision": 1,
    },
}
"""Columns with values that a format, or its agent's own check, binds; ``schema_meta`` is the
agent's bookkeeping, of which no row may go."""

JSON_COLUMNS = frozenset({"tags_json", "keywords_json"})
STATES = {
    "memories/agentao": ({}, {"deleted_at": "2026-11-01T08:30:00"}),
    "memory_review_queue": ({}, {"status": "approved"}, {"status": "rejected"}),
}
"""What makes another state of the same row: trash, decided proposals."""


@dataclass(frozen=True)
class Plant:
    """One place, the file that it is in, and its mark."""

    place: str
    path: Path
    mark: str


@dataclass
class Planted:
    """The home. ``before``: what every file would hold had nobody named the person.

    Of a text file that are its bytes as planted, with nothing in place of each sentence.
    """

    home: Path
    plants: list[Plant] = field(default_factory=list)
    before: dict[Path, Any] = field(default_factory=dict)

    def sentence(self, place: str, path: Path, written: str = NAME) -> str:
        """A text that names the person, with a mark that stands nowhere else."""
        mark = f"{MARK}{len(self.plants):05d}z"
        self.plants.append(Plant(place, path, mark))
        return f"{written} keeps {mark} in a drawer"

    def left(self, data: bytes) -> list[Plant]:
        """The places whose mark is in some bytes."""
        return [one for one in self.plants if one.mark.encode() in data]


def plant(home: Path) -> Planted:
    """Copy the sample stores into a home and plant; nothing else is in it."""
    made = Planted(home)
    for source, target in STORES.items():
        place = home / target
        place.parent.mkdir(parents=True, exist_ok=True)
        if (DATA / source).is_dir():
            shutil.copytree(DATA / source, place)
        else:
            shutil.copyfile(DATA / source, place)
    planted_copies.make_shared(home)
    for path in sorted(home.rglob("*")):
        if path.is_file():
            path.chmod(0o600)
            made.before[path] = seen(path)
    for path in list(made.before):
        _plant_file(made, path)
    _plant_other_files(made, home / "work/ginkgo")
    return made


def _plant_file(made: Planted, path: Path) -> None:
    name = path.relative_to(made.home).as_posix()
    if planter := planted_copies.planter_of(name):
        planter(made, path)
        return
    if is_database(path):
        _plant_database(made, path)
        return
    for pattern, planter in FILES.items():
        if fnmatch(name, pattern):
            planter(made, path)
            return
    raise AssertionError(f"nothing says how {name} holds text")


# ---- databases


def is_database(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(15) == b"SQLite format 3"


def _plant_database(made: Planted, path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    for table, columns in tables(connection):
        bound = bound_of(table, columns)
        unknown = set(bound) - set(columns)
        assert not unknown, f"{path.name}: {table} has no column {sorted(unknown)} any more"
        if table == "schema_meta":
            assert set(columns) == set(bound)
            continue
        for state in STATES.get(_name(table, columns), ({},)):
            for column in [one for one in columns if one not in bound]:
                place = f"{path.relative_to(made.home)}: {table}.{column} {state or ''}"
                _insert(made, connection, table, columns, bound | state, column, place, path)
        if "content" in columns or "fact" in columns or "value" in columns:
            long = next(one for one in ("content", "fact", "value") if one in columns)
            for written in WRITTEN[1:]:
                place = f"{path.relative_to(made.home)}: {table}.{long} as {written}"
                _insert(made, connection, table, columns, bound, long, place, path, written)
    connection.commit()
    connection.close()


def _insert(
    made: Planted,
    connection: sqlite3.Connection,
    table: str,
    columns: list[str],
    bound: dict[str, Any],
    planted: str,
    place: str,
    path: Path,
    written: str = NAME,
) -> None:
    number = 0xA0000000 + len(made.plants)
    row: dict[str, Any] = {}
    for column in columns:
        if column == planted:
            text = made.sentence(place, path, written)
            row[column] = json.dumps([text]) if column in JSON_COLUMNS else text
        elif column in bound:
            value = bound[column]
            row[column] = value.format(n=number) if isinstance(value, str) else value
        else:
            row[column] = "[]" if column in JSON_COLUMNS else f"plain {number}"
    names = ", ".join(f'"{one}"' for one in row)
    holes = ", ".join("?" * len(row))
    connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({holes})', tuple(row.values()))


def bound_of(table: str, columns: list[str]) -> dict[str, Any]:
    """What is bound in a table; one that nobody has thought of is an error."""
    name = _name(table, columns)
    assert name in BOUND, f"nothing says which columns of {table} hold text: {columns}"
    return BOUND[name]


def _name(table: str, columns: list[str]) -> str:
    if table == "memories":
        return "memories/facts" if "fact" in columns else "memories/agentao"
    return table


# ---- text files


def _json(change: Callable[[Any, Callable[[str], str]], None]) -> Callable[[Planted, Path], None]:
    def into(made: Planted, path: Path) -> None:
        text = path.read_text()
        indent = 2 if text.startswith(("{\n", "[\n")) else None
        document = json.loads(text)
        name, first = path.relative_to(made.home), len(made.plants)
        change(document, lambda place: made.sentence(f"{name}: {place}", path))
        escaped = "\\u" in text
        path.write_text(json.dumps(document, ensure_ascii=escaped, indent=indent))
        if change is not _old:  # its entries are records
            made.before[path] = _without(path.read_bytes(), made.plants[first:])

    return into


def _without(data: bytes, plants: list[Plant]) -> bytes:
    """The same JSON with an empty text where one has a sentence in it."""
    inside = rb'(?:[^"\\]|\\.)*'
    for one in plants:
        data = re.sub(b'"' + inside + one.mark.encode() + inside + b'"', b'""', data)
    return data


def _session(document: Any, text: Callable[[str], str]) -> None:
    document["messages"].append({"role": "user", "content": text("messages.content")})
    call = json.dumps({"key": "drawer", "value": text("tool_calls.arguments")})
    function = {"name": "save_memory", "arguments": call}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    document["messages"].append({"role": "assistant", "content": "", "tool_calls": calls})


def _tasks(document: Any, text: Callable[[str], str]) -> None:
    first = next(iter(document["tasks"].values()))
    for name in ("task", "result", "error"):
        document["tasks"][f"bg{name}"] = {**first, "task": "plain", "result": "plain"} | {
            name: text(f"tasks.{name}")
        }


def _draft(document: Any, text: Callable[[str], str]) -> None:
    document["evidence"]["user_goals"].append(text("evidence.user_goals"))
    document["evidence"]["assistant_conclusions"].append(text("evidence.conclusions"))


def _goal(document: Any, text: Callable[[str], str]) -> None:
    document["objective"] = text("objective")


def _old(document: Any, text: Callable[[str], str]) -> None:
    stamp = "2026-11-29T20:05:42.462236"
    plain = {"key": "plain", "value": "plain", "timestamp": stamp, "tags": []}
    entries = document["memories"]
    entries.append(plain | {"key": text("key")})
    entries.append(plain | {"key": "plain2", "value": text("value")})
    entries.append(plain | {"key": "plain3", "tags": [text("tags")]})


def _lines(*lines: str) -> Callable[[Planted, Path], None]:
    def into(made: Planted, path: Path) -> None:
        name, first = path.relative_to(made.home), len(made.plants)
        data = path.read_text()
        with path.open("a") as stream:
            stream.write("" if data.endswith("\n") else "\n")
            for line in lines:
                stream.write(line.format(made.sentence(f"{name}: {line.strip()}", path)))
        if path.parent.name != "memory":  # its notes are records
            marks = [one.mark.encode() for one in made.plants[first:]]
            kept = [
                line
                for line in path.read_bytes().splitlines(keepends=True)
                if not any(mark in line for mark in marks)
            ]
            made.before[path] = b"".join(kept)

    return into


def _jsonl(made: Planted, path: Path) -> None:
    name = path.relative_to(made.home)
    last = json.loads(path.read_text().splitlines()[-1])
    place = f"{name}: payload.content"
    event = last | {"kind": "user_message", "payload": {"content": made.sentence(place, path)}}
    with path.open("a") as stream:
        stream.write(json.dumps(event) + "\n")
    made.before[path] = _without(path.read_bytes(), made.plants[-1:])


def _graph(made: Planted, path: Path) -> None:
    name = path.relative_to(made.home)
    plain = {
        "entity": {"name": "Plain{}", "entityType": "thing", "observations": ["Plain."]},
        "relation": {"from": "Plain0", "to": "Plain1", "relationType": "plain"},
    }
    with path.open("a") as stream:
        data = made.before[path]
        stream.write("" if data.endswith(b"\n") else "\n")
        made.before[path] = data if data.endswith(b"\n") else data + b"\n"
        for kind, fields in LINES.items():
            assert set(plain[kind]) == set(fields), f"nothing says what a {kind} holds: {fields}"
            for number, one in enumerate(fields):
                value = {"type": kind, **plain[kind]}
                if kind == "entity":
                    value["name"] = f"Plain{number}"
                text = made.sentence(f"{name}: {kind}.{one}", path)
                value[one] = ["Plain.", text] if one == "observations" else text
                stream.write(json.dumps(value) + "\n")
                if one == "observations":  # the entity stays
                    left = json.dumps(value | {one: ["Plain."]}) + "\n"
                    made.before[path] += left.encode()


FILES: dict[str, Callable[[Planted, Path], None]] = {
    "*/sessions/*.json": _json(_session),
    "*/background_tasks.json": _json(_tasks),
    "*/crystallize/*.json": _json(_draft),
    "*/goal.json": _json(_goal),
    "*/settings.json": lambda made, path: None,  # the agent's switches: no text
    "*/replays/*.jsonl": _jsonl,
    "*/agentao.log": _lines("18:22:45.449 prompt {}\n"),
    "*/agentao.log.[0-9]*": _lines("18:22:45.449 prompt {}\n"),
    "*/tool-outputs/*": _lines("  2002\tline: {}\n"),
    "*/plan.md": _lines("\n- {}\n"),
    "*/plan-history/*": _lines("\n- {}\n"),
    ".agentao/history": _lines("\n# 2026-11-29 18:22:46.590836\n+{}\n"),
    "*/AGENTAO.md": lambda made, path: None,  # written by a person: named, never changed
    "*/notes-big.txt": lambda made, path: None,  # the person's own file, no agent's
    "graph/memory.jsonl": _graph,
    ".agent-harness/memory/*.md": _lines("\n{}\n", "\nPlain first line.\n{}\n"),
    "old/.agentao/memory.json": _json(_old),
}
"""Pattern in the home -> what puts the person into such a file."""


def _plant_other_files(made: Planted, project: Path) -> None:
    """Files that an agent makes and that no sample has."""
    for name in ("agentao.log.1", "agentao.log.2"):
        path = project / name
        path.write_text("18:22:45.449 plain\n")
        made.before[path] = seen(path)
        _plant_file(made, path)


# ---- what must stay


def seen(path: Path) -> Any:
    """What a file holds: the rows of a database by table, the lines of a text."""
    if not is_database(path):
        return path.read_bytes()
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = {
        table: sorted(map(repr, connection.execute(f'SELECT * FROM "{table}"')))
        for table, columns in tables(connection)
    }
    connection.close()
    return rows


def rows(path: Path) -> list[dict[str, Any]]:
    """All rows of a database, BLOBs left out."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    found = [
        {name: row[name] for name in row.keys() if not isinstance(row[name], bytes)}  # noqa: SIM118 - a Row is no dict
        for table, _ in tables(connection)
        for row in connection.execute(f'SELECT * FROM "{table}"').fetchall()
    ]
    connection.close()
    return found


def main() -> int:
    """``plant HOME``, ``seen HOME FILE…``, ``rows DATABASE``: answers on standard output, pickled.

    In a process of its own: two SQLite libraries in one process lose rows.
    """
    act, home, *files = sys.argv[1:]
    done: Any = {one: seen(Path(home, one)) for one in files}
    if act != "seen":
        done = plant(Path(home)) if act == "plant" else rows(Path(home))
    sys.stdout.buffer.write(pickle.dumps(done))
    return 0


def asked(*words: str) -> Any:
    """What such a program answers."""
    argv = [sys.executable, str(Path(__file__)), *words]
    return pickle.loads(subprocess.run(argv, check=True, capture_output=True).stdout)


if __name__ == "__main__":
    import planted_home

    sys.exit(planted_home.main())
