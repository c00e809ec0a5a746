# SPDX-License-Identifier: MIT
"""Every verb on each sample of a store that is text files: list, search, show, edit, add, delete,
erase, prove, convert, destroy; in English and Chinese.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "data"


@dataclass
class Given:
    """A sample and what is done with it. ``ref`` is edited, deleted and erased."""

    path: Path
    marker: str
    ref: str
    kinds: set[str]
    add: tuple[str, ...]
    file: str


GIVEN = {
    "notes": (
        "home",
        "zqo-harness-008-34b0bb",
        "note:user/",
        {"note"},
        ("text=one more note", "type=user"),
        "home/.agent-harness/memory/user.md",
    ),
    "mcp-server-memory": (
        ".",
        "zqo-servermem-002-d91e84",
        "observation:%E6%9E%97%E6%99%93%E9%9B%A8/",
        {"entity", "observation", "relation"},
        ("subject=林晓雨", "text=one more observation"),
        "memory.jsonl",
    ),
}


@pytest.fixture(params=GIVEN)
def given(request, tmp_path):
    shutil.copytree(DATA / request.param, tmp_path / "sample")
    place, marker, ref, kinds, add, file = GIVEN[request.param]
    folder = tmp_path / "sample"
    return Given(folder / place, marker, ref, kinds, add, folder / file)


@pytest.fixture
def run(terminal, given):
    query = ("--kind", "all", "--query", given.marker, "--json", "--no-keychain")
    (found,) = terminal("list", str(given.path), *query).json["records"]
    assert found["ref"].startswith(given.ref)
    given.ref = found["ref"]

    def verb(name, *arguments, status=0, **more):
        done = terminal(name, str(given.path), *arguments, "--no-keychain", **more)
        assert done.status == status, (done.out, done.err)
        return done

    return verb


def test_list_and_search(run, given):
    listed = run("list", "--kind", "all", "--json").json["records"]
    assert {record["kind"] for record in listed} == given.kinds
    (found,) = run("list", "--kind", "all", "--query", given.marker, "--json").json["records"]
    assert found["ref"] == given.ref
    shown = run("show", given.ref).out
    assert given.marker in shown
    assert "zone:" not in shown, "it has no times"
    assert "UPDATED" not in run("list").out


def test_what_has_no_times_is_listed_as_it_is_stored(run, given):
    listed = run("list", "--json").json["records"]
    data = given.file.read_bytes()
    for kind in dict.fromkeys(one["kind"] for one in listed):
        texts = [(r["text"] or r["title"]).encode() for r in listed if r["kind"] == kind]
        places = [data.find(text) for text in texts if text in data]
        assert places == sorted(places), kind


@pytest.mark.parametrize("language", ["en_US.UTF-8", "zh_CN.UTF-8"])
def test_info_says_what_a_person_should_know(run, terminal, given, language):
    terminal.language = language
    told = run("info").out
    expected = {
        ("en_US.UTF-8", "project.md"): "looks like two notes",
        ("zh_CN.UTF-8", "project.md"): "看起来就像两条笔记",
        ("en_US.UTF-8", "memory.jsonl"): "Relations that name an entity which is not in the store",
        ("zh_CN.UTF-8", "memory.jsonl"): "指向记忆库中不存在的实体的关系",
    }
    name = "memory.jsonl" if given.file.name == "memory.jsonl" else "project.md"
    assert expected[language, name] in told


def test_edit_add_and_delete(run, given):
    changed = run("edit", given.ref, "--set", "text=corrected", "--json").json
    assert "corrected" in given.file.read_text("utf-8")
    assert run("show", given.ref, status=5).err
    (now,) = run("list", "--kind", "all", "--query", "corrected", "--json").json["records"]
    given.ref = now["ref"]
    run("add", *(part for field in given.add for part in ("--set", field)))
    assert "one more" in given.file.read_text("utf-8")
    run("delete", given.ref, "--yes")
    assert changed
    assert run("delete", given.ref, "--yes", status=5)
    assert "corrected" not in given.file.read_text("utf-8")


def test_what_it_cannot_do_has_its_reason(run, given):
    for verb, words in (("trash", "no trash"), ("tag", "tags")):
        more = ("--add", "x") if verb == "tag" else ()
        out = run(verb, given.ref, *more, status=6).out
        assert words in out
        assert ("”: moving to the trash." in out) is (verb == "trash"), "in words, and not by code"
    assert "text file" in run("encrypt", "--agents-lose-access", status=6).err


@pytest.mark.parametrize("more", ["tags=x", "scope=user", "title=a name"])
def test_a_field_that_would_be_lost_is_refused(run, given, more):
    before = given.file.read_bytes()
    values = [part for pair in (*given.add, more) for part in ("--set", pair)]
    done = run("add", *values, "--json", status=6)
    error = done.json["error"]
    assert error["code"] == "record.no_such_field"
    assert "text" in error["params"]["fields"]
    assert given.file.read_bytes() == before


def test_a_refusal_names_the_fields_that_there_are(run, given):
    names = run("add", "--set", "colour=red", "--json", status=2).json["error"]["params"]["fields"]
    offered = names.split(", ")
    assert len(offered) == len(set(offered))
    assert {pair.partition("=")[0] for pair in given.add} <= set(offered)
    assert "scope" not in offered


def test_erase_says_by_file_what_went_and_leaves_nothing(run, given, tmp_path):
    plan = run("erase", given.ref, "--dry-run", "--json").json
    assert (plan["state"], plan["counts"]) == (
        "planned",
        {given.file.name: {"found": 1, "erased": 0, "kept": 0}},
    )
    assert given.marker in given.file.read_text("utf-8")
    done = run("erase", given.ref, "--yes", "--receipt", str(tmp_path / "r.json"), "--json").json
    assert (done["state"], done["counts"]) == (
        "proved",
        {given.file.name: {"found": 1, "erased": 1, "kept": 0}},
    )
    assert done["proof"]["files"] >= 1
    assert [step["name"] for step in done["steps"]] == ["files-swap", "files-wipe"]
    assert given.marker not in given.file.read_text("utf-8")
    clean = run("prove", "--texts", "-", stdin=json.dumps(given.marker) + "\n")
    assert "Nothing was found" in clean.out
    shown = run("prove", "--texts", "-", status=8, stdin='"zqo-"\n')
    assert "Still there" in shown.out


def test_erase_names_the_files_that_lead_elsewhere(terminal, tmp_path):
    shutil.copytree(DATA / "notes/home/.agent-harness/memory", tmp_path / "memory")
    folder, away = tmp_path / "memory", tmp_path / "away.md"
    (folder / "project.md").rename(away)
    (folder / "project.md").symlink_to(away)
    (folder / "sessions").mkdir()
    (folder / "sessions/one.json").symlink_to(away)
    before = away.read_bytes()
    done = terminal("erase", str(folder), "--everything", "--yes", "--json", "--no-keychain")
    named = [
        one["params"]["path"]
        for one in done.json["not_covered"]
        if one["code"] == "limit.unread_file"
    ]
    assert named == [str(folder / "project.md"), str(folder / "sessions/one.json")]
    assert away.read_bytes() == before
    assert "sessions/one.json is a link" in terminal("info", str(folder), "--no-keychain").out


def test_destroy_leaves_no_file(run, given):
    run("destroy", "--yes")
    assert not given.file.exists()


def test_old_json_is_read_converted_and_erased(terminal, tmp_path):
    shutil.copytree(DATA / "agentao-0.2.5", tmp_path / "project")
    old = tmp_path / "project" / ".agentao" / "memory.json"

    def run(verb, *arguments, status=0):
        done = terminal(verb, *arguments, "--no-keychain")
        assert done.status == status, (done.out, done.err)
        return done

    listed = run("list", str(old), "--json").json["records"]
    assert len(listed) == 4
    assert run("edit", str(old), "build_command", "--set", "text=x", status=6).err
    made = run("convert", str(old), "--json").json
    assert (made["records"], made["lost"]) == (4, [])
    converted = run("list", made["out"], "--json").json["records"]
    assert {(r["title"], r["text"]) for r in converted} == {(r["title"], r["text"]) for r in listed}
    assert "already a file" in run("convert", str(old), status=1).err
    for name in (".agentao_memory.json", ".chatagent_memory.json"):
        (tmp_path / "project" / name).unlink()
    erased = run("erase", str(old), "build_command", "--yes", "--json").json
    assert erased["state"] == "proved"
    assert len(json.loads(old.read_text("utf-8"))["memories"]) == 3
    run("destroy", str(old), "--yes")
    assert not old.exists()
    assert run("convert", made["out"], status=6).err
