# SPDX-License-Identifier: MIT
"""Whatever discovery knows of is looked into for a case, or named with the reason why not."""

import sys
from pathlib import Path

import pytest

from memory_gui.cases.finds import Decision, Heap
from memory_gui.stores.discovery.places import Surroundings, agents, expand
from memory_gui.stores.registry import formats

sys.path.insert(0, str(Path(__file__).parents[4]))
from planted import make_databases

NAME = "李雷"
TEXT = f"{NAME} lives in the street of the seven bridges"
TEXTS = {".md", ".json", ".jsonl", ".cursorrules"}
DATABASES = {".db", ".sqlite", ".sqlite3", ".vscdb", ""}
OURS = {one.name for one in formats(None)}
OTHERS = [one for one in agents("linux") if one.format not in OURS]


def database(agent):
    """Statements for a database of that agent, which names the person in every table."""
    tables = agent.signatures[0] if agent.signatures else {"page": ("body",)}
    made = []
    for table, columns in tables.items():
        names = [one for one in columns if one != "id"] or ["body"]
        cells = ", ".join(f'"{one}" TEXT' for one in names)
        made.append(f'CREATE TABLE "{table}" (id INTEGER PRIMARY KEY, {cells})')
        values = ", ".join(f"'{TEXT}'" for _ in names)
        made.append(f'INSERT INTO "{table}" VALUES (1, {values})')
    return made


def spots(agent, home):
    """Paths of what that agent keeps below a home, and below a project in it."""
    around = Surroundings(home, "linux", {})
    own = [expand(place, around) for place in (*agent.places, *agent.beside)]
    project = [f"{home}/work/{agent.format}/{place}" for place in agent.project]
    named = [f"{home}/work/{agent.format}.db"] if agent.signatures and not own else []
    below = (one.replace("*", "x") for one in (*own, *project, *named))
    return [Path(one) for one in below if one.startswith(str(home))]


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """(home, format -> files that name the person)."""
    home = tmp_path_factory.mktemp("planted") / "home"
    files, databases = {}, {}
    for agent in OTHERS:
        for path in spots(agent, home):
            kind = path.suffix if path.suffix or path.name != ".cursorrules" else path.name
            is_database = kind in DATABASES - {""} or path.name.endswith("_db")
            target = path if is_database or kind in TEXTS else path / "one.md"
            target.parent.mkdir(parents=True, exist_ok=True)
            if is_database:
                databases[str(target)] = database(agent)
            elif target.suffix in {".json", ".jsonl"}:
                target.write_text(f'{{"text": "{TEXT}"}}\n')
            else:
                target.write_text(f"a line\n{TEXT}\n")
            files.setdefault(agent.format, []).append(target)
    make_databases(databases)
    return home, files


def test_every_kind_that_discovery_knows_is_looked_into(desk, planted):
    home, files = planted
    assert set(files) == {one.format for one in OTHERS}  # a new one has to be planted as well
    finds = desk.cases.find(desk.new(), desk.cases.where([str(home)]))
    found = {one.path for one in finds.finds}
    missing = {
        name: [str(path) for path in paths if str(path) not in found]
        for name, paths in files.items()
    }
    assert {name: paths for name, paths in missing.items() if paths} == {}
    assert finds.not_looked == ()


def test_a_database_that_a_person_names_is_called_as_the_one_that_was_found(desk, planted):
    _, files = planted
    for agent in OTHERS:
        (path,) = [one for one in files[agent.format] if one.suffix == ".db"][:1] or [None]
        if agent.signatures and path is not None:
            finds = desk.cases.find(desk.new(), desk.cases.where([str(path)]))
            assert {one.agent for one in finds.finds} == {agent.agent}


def test_texts_are_cut_and_what_cannot_be_read_is_named(desk):
    home = desk.folder / "person"
    notes = home / "basic-memory/people"
    notes.mkdir(parents=True)
    (notes / "one.md").write_text(f"a line\n{TEXT}\n")
    (notes / "picture.png").write_bytes(b"\x89PNG\0\0\0")
    (home / "CLAUDE.md").write_text(f"{TEXT}\n")
    memory = home / ".letta/agents/x/memory"
    (memory / ".git").mkdir(parents=True)
    (memory / "human.md").write_text(f"{TEXT}\n")
    case, where = desk.new(), desk.cases.where([str(home)])
    finds = desk.cases.find(case, where)
    by_name = {Path(one.path).name: one for one in finds.finds}
    assert {name: one.heap for name, one in by_name.items()} == {
        "one.md": Heap.SURE,
        "CLAUDE.md": Heap.SHARED,  # a person wrote it: nothing of it goes by itself
        "human.md": Heap.SURE,
    }
    assert by_name["human.md"].can == {Decision.KEEP, Decision.HOLD}
    assert by_name["human.md"].why == ("in_git",)
    assert [(Path(one.path).name, one.code) for one in finds.not_looked] == [
        ("basic-memory", "case.not_text")
    ]
    result = desk.cases.run(desk.cases.plan(case, finds, where), typed="1")
    assert (notes / "one.md").read_text() == "a line\n"
    assert (result.case.asking, [one.agent for one in result.case.only_kept]) == (1, ["Letta Code"])
    told = [one for one in desk.cases.report(result.case).not_covered if one.params.get("agent")]
    assert [(one.code, one.params["count"]) for one in told] == [("limit.by_its_agent", "1")]
