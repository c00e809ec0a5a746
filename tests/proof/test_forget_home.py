# SPDX-License-Identifier: MIT
"""One person is forgotten in a whole home: nothing is left on the raw disk, all else is as it was.

The home is that of ``planted_home``: the person stands in every column, JSON text, line and note
that the sample stores can hold one in, each time with a mark that stands nowhere else.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import planted_copies
import planted_home
import pytest
from disk import Disk
from planted_home import ALSO, MARK, NAME, STORES

from memory_gui.stores.registry import formats

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / ".venv/bin/memory-cli"
NOT_PLANTED = {
    "sqlite": "of no agent: nobody says what its rows are, and nothing in it is erased",
}
"""Formats that open and are not in this home, and why."""

disks = pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs")


def forget(home: Path, *more: str | int) -> dict:
    """By the terminal, as the home's owner; its data folder is in the home. Numbers: open files."""
    words = map(str, more)
    argv = [str(COMMAND), "forget", NAME, "--no-keychain", "--json", "--in", str(home), *words]
    argv += [word for name in ALSO for word in ("--also", name)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    files = tuple(one for one in more if isinstance(one, int))
    done = subprocess.run(
        argv, env=environment, capture_output=True, text=True, check=False, pass_fds=files
    )
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> planted_home.Planted:
    """The planted home; nobody writes to it."""
    return planted_home.asked("plant", str(tmp_path_factory.mktemp("planted") / "home"))


@pytest.mark.root
@disks
def test_nothing_of_the_person_is_left_and_all_else_is_as_it_was(tmp_path, made):
    disk = Disk(tmp_path, size=48 << 20)
    with disk.mounted() as mount:
        home = mount / "home"
        shutil.copytree(made.home, home)
    assert len(marks_on(disk)) == len(made.plants)
    with disk.mounted():
        done = forget(home, "--include", "shared", "--yes", "--receipt", f"{mount}/receipt.json")
        assert done["state"] == "proved"
        assert done["not_looked"] == []
        assert done["heaps"]["mentions"] == 0
        assert rest(home, made) == {
            str(path.relative_to(made.home)): without_counters(value)
            for path, value in made.before.items()
        }
        receipt = (mount / "receipt.json").read_text()
    assert marks_on(disk) == set(), [one.place for one in made.plants if one.mark in marks_on(disk)]
    assert disk.hits(b"Quillfeather") == []
    assert MARK not in receipt


EXPORT = """
import sys
from sqlcipher3 import dbapi2
source, key, target, other = sys.argv[1:]
connection = dbapi2.connect(source, isolation_level=None)
if key:
    connection.execute("PRAGMA key = " + repr("x'" + key + "'"))
version = connection.execute("PRAGMA user_version").fetchone()[0]
connection.execute("ATTACH ? AS other KEY ?", (target, other and "x'" + other + "'"))
connection.execute("SELECT sqlcipher_export('other')").fetchall()
connection.execute("PRAGMA other.user_version = " + str(version))
connection.close()
"""
"""A copy of a database under another key, or none."""
SEALED = "a7" * 32


def export(source: Path, key: str, target: Path, other: str) -> None:
    """In a process of its own: two SQLite libraries in one lose rows."""
    argv = [sys.executable, "-c", EXPORT, str(source), key, str(target), other]
    subprocess.run(argv, check=True, capture_output=True)


@pytest.mark.root
@disks
def test_an_encrypted_store_loses_the_person_and_nobody_else(tmp_path, made):
    plain = made.home / ".agentao/memory.db"
    disk = Disk(tmp_path, size=24 << 20)
    with disk.mounted() as mount:
        sealed = mount / "home/.agentao/memory.db"
        sealed.parent.mkdir(parents=True, mode=0o700)
        export(plain, "", sealed, SEALED)
        sealed.chmod(0o600)
    read, write = os.pipe()
    os.write(write, SEALED.encode())
    os.close(write)
    with disk.mounted():
        done = forget(mount / "home", "--include", "shared", "--yes", "--key-fd", read)
        assert done["state"] == "proved"
        assert done["not_looked"] == []
        planted = [one for one in made.plants if one.path == plain]
        assert [one["erased"] for one in done["parts"]] == [len(planted)]
        assert sealed.read_bytes()[:15] != b"SQLite format 3"
        export(sealed, SEALED, tmp_path / "after.db", "")
    assert marks_on(disk) == set()
    assert made.left((tmp_path / "after.db").read_bytes()) == []
    now = planted_home.asked("seen", str(tmp_path), "after.db")["after.db"]
    assert without_counters(now) == without_counters(made.before[plain])


@pytest.mark.root
@disks
def test_a_kept_and_a_held_file_are_byte_for_byte_what_they_were(tmp_path, made):
    disk = Disk(tmp_path, size=16 << 20)
    with disk.mounted() as mount:
        project = mount / "home/work/ginkgo"
        (project / ".agentao/sessions").mkdir(parents=True)
        from_here = made.home / "work/ginkgo"
        transcript = next(from_here.glob(".agentao/sessions/*.json"))
        names = (".agentao/memory.db", "agentao.log", "agentao.log.1")
        for path in (transcript, *(from_here / name for name in names)):
            shutil.copy2(path, project / path.relative_to(from_here))
        log, session = project / "agentao.log", project / transcript.relative_to(from_here)
        mine = [one for one in made.plants if one.path == from_here / ".agentao/memory.db"]
        told = next(one for one in mine if one.place.endswith("content as 仇夏莲"))
        sentence = f"仇夏莲 keeps {told.mark} in a drawer"  # a record's own words, in both files
        with log.open("a") as stream:
            stream.write(f"18:22:45.449 prompt {sentence}\n")
        document = json.loads(session.read_text())
        document["messages"].append({"role": "user", "content": sentence})
        session.write_text(json.dumps(document))
        before = {path: path.read_bytes() for path in (log, session)}
    asked = (mount / "home", tmp_path / "data", log, session, mount / "r.json", NAME, *ALSO)
    argv = [sys.executable, str(Path(__file__).with_name("keep_one.py")), *map(str, asked)]
    with disk.mounted():
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        said = json.loads(done.stdout)
        assert {path: path.read_bytes() for path in before} == before
        receipt = json.loads((mount / "r.json").read_text())
    assert (said["state"], said["keeps"], said["case"]) == ("proved", True, "done")
    kept = {str(log): ("keep", "keep.not_asked"), str(session): ("hold", "hold.claims")}
    for files in (said["planned"], receipt["kept_files"]):
        assert {one["path"]: (one["what"], one["reason"]) for one in files} == kept
    assert receipt["result"] == "verified, except in files that are kept"
    still = [one for one in receipt["not_covered"] if one["params"].get("path") in kept]
    assert {one["code"] for one in still} == {"limit.kept_file", "limit.held_file"}
    left = b"".join(before.values())
    assert marks_on(disk) == {one.mark for one in made.plants if one.mark.encode() in left}
    assert len(disk.hits(told.mark.encode())) == left.count(told.mark.encode()) == 2
    assert MARK not in json.dumps(receipt)


def marks_on(disk: Disk) -> set[str]:
    """Every mark that stands anywhere on the disk."""
    found = re.findall(rb"%s\d{5}z" % MARK.encode(), disk.image.read_bytes())
    return {mark.decode() for mark in found}


def rest(home: Path, made: planted_home.Planted) -> dict:
    """What the files hold now, by their names in the home."""
    names = [str(path.relative_to(made.home)) for path in made.before]
    found = planted_home.asked("seen", str(home), *names)
    return {name: without_counters(value) for name, value in found.items()}


def without_counters(value):
    """Without what moves by itself when a row goes: counters of triggers and of a text index."""
    if not isinstance(value, dict):
        return value
    return {
        table: [row for row in rows if "memories_change" not in row]
        for table, rows in value.items()
        if table != "embedding_fulltext_search_data"
    }


def test_a_column_a_table_or_a_file_that_nobody_thought_of_is_an_error(tmp_path):
    columns = ["id", "title", "new_text"]
    with pytest.raises(AssertionError, match="nothing says which columns"):
        planted_home.bound_of("a_new_table", columns)
    with pytest.raises(AssertionError, match="nothing says which columns"):
        planted_copies.bound_of("letta", "a_new_table", columns)
    strange = tmp_path / "strange.txt"
    strange.write_text("x")
    with pytest.raises(AssertionError, match=r"nothing says how strange\.txt"):
        planted_home._plant_file(planted_home.Planted(tmp_path), strange)


def test_a_new_column_is_planted_by_itself(tmp_path):
    """In a process of its own: two SQLite libraries in one lose rows."""
    script = f"""
import sys, sqlite3
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
import planted_home
path = Path({str(tmp_path)!r}, "facts.db")
connection = sqlite3.connect(path)
connection.execute("CREATE TABLE facts (id INTEGER PRIMARY KEY, fact TEXT, created REAL, new TEXT)")
connection.commit(); connection.close()
made = planted_home.Planted(Path({str(tmp_path)!r}))
planted_home._plant_file(made, path)
print([one.place for one in made.plants])
"""
    argv = [sys.executable, "-c", script]
    out = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert "facts.db: facts.new" in out


def test_each_format_that_opens_has_its_place_in_the_home():
    named = {one.name for one in formats(Path("/nowhere"))}
    assert named - set(NOT_PLANTED) == set(FORMATS), "plant it, or say in NOT_PLANTED why not"
    assert len(STORES) >= len(FORMATS)


FORMATS = (
    "agentao",
    "agentao-json",
    "facts",
    "langgraph",
    "langgraph-checkpoints",
    "langgraph-store",
    "letta",
    "mcp-server-memory",
    "mem0",
    "notes",
    "persistent-memory",
)
