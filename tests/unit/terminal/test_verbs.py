# SPDX-License-Identifier: MIT
"""Each verb over a real store: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import re
import stat

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.terminal.parser import LATER
from memory_gui.terminal.run import RUN, VERBS

KEY = RawKey(bytes(range(32)))


THE_PLAN = (
    "tour discover stores info list show add edit trash restore delete tag review propose"
    " agent-view agent erase destroy prove encrypt decrypt migrate key forget case export import"
    " move convert backup restore-backup rescue check findings duplicates retention receipt lock"
)
"""Every verb of the terminal's contract, written yet or not."""


class TestGrammar:
    def test_knows_every_verb_of_the_contract_and_no_other(self):
        assert {verb.name for verb in VERBS} == set(THE_PLAN.split())

    def test_every_verb_has_its_code(self):
        assert {verb.name for verb in VERBS} == set(RUN)

    @pytest.mark.parametrize("verb", sorted(RUN))
    @pytest.mark.parametrize("language", ["en_US.UTF-8", "zh_CN.UTF-8"])
    def test_help_in_both_languages(self, terminal, verb, language, capsys):
        terminal.language = language
        assert terminal(verb, "--help").status == 0
        shown = capsys.readouterr().out
        assert verb in shown
        assert ("用法" in shown) is language.startswith("zh")

    @pytest.mark.parametrize("verb", LATER)
    def test_what_is_not_written_yet_says_so(self, terminal, verb):
        done = terminal(verb, "anything", "--at", "all")
        assert done.status == 2
        assert "not written yet" in done.err

    @pytest.mark.parametrize(
        "arguments",
        [
            (),
            ("nonsense",),
            ("list",),
            ("list", "STORE", "--limit", "many"),
            ("list", "STORE", "--strange"),
            ("review", "STORE", "rules", "nonsense"),
            ("lock", "STORE"),
        ],
    )
    def test_wrong_use_ends_two(self, terminal, arguments):
        given = [str(terminal.store) if a == "STORE" else a for a in arguments]
        assert terminal(*given).status == 2

    def test_wrong_use_is_one_document_with_json(self, terminal):
        done = terminal("list", "--json")
        assert done.json["error"]["code"] == "usage.wrong"
        assert done.err == ""

    def test_options_may_stand_before_the_verb(self, terminal):
        assert terminal("--json", "--no-keychain", "list", str(terminal.store)).json["total"] == 3


class TestLooking:
    def test_info(self, terminal):
        found = terminal.verb("info", "--json").json
        assert (found["format"], found["encrypted"], found["journal_mode"]) == (
            "agentao",
            False,
            "wal",
        )
        assert found["counts"]["memory"] == {"live": 3}
        assert "erase" in found["capabilities"]
        assert found["open_by"] == []

    def test_list_pages_by_cursor_and_tells_the_total(self, terminal):
        first = terminal.verb("list", "--json", "--limit", "2").json
        assert (first["total"], len(first["records"])) == (3, 2)
        second = terminal.verb("list", "--json", "--limit", "2", "--after", first["next"]).json
        assert second["next"] is None
        titles = [record["title"] for record in first["records"] + second["records"]]
        assert titles == ["cherry", "banana", "apple"]

    def test_the_cursor_goes_on_when_its_record_is_gone(self, terminal):
        first = terminal.verb("list", "--json", "--limit", "1").json
        terminal.verb("trash", "00000002")
        terminal.verb("delete", "00000002", "--yes")
        second = terminal.verb("list", "--json", "--after", first["next"]).json
        assert [record["title"] for record in second["records"]][-1] == "apple"

    def test_sort_may_begin_with_a_dash(self, terminal):
        for sort, first in (("title", "apple"), ("-title", "cherry")):
            found = terminal.verb("list", "--json", "--sort", sort).json
            assert found["records"][0]["title"] == first

    def test_all_kinds_are_every_row(self, terminal):
        terminal.verb("add", "--set", "title=date", "--set", "text=sweet")
        rows = sum(
            terminal.rows(f"SELECT count(*) FROM {table}")[0][0]
            for (table,) in terminal.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not table.startswith("sqlite_")
        )
        assert terminal.verb("list", "--kind", "all", "--json").json["total"] == rows

    def test_trash_is_a_kind_to_list(self, terminal):
        terminal.verb("trash", "00000001")
        found = terminal.verb("list", "--kind", "trash", "--json").json
        assert [record["title"] for record in found["records"]] == ["banana"]
        assert terminal.verb("list", "--json").json["total"] == 2

    def test_a_query_from_a_file_or_standard_input(self, terminal, tmp_path):
        file = tmp_path / "query"
        file.write_text("BANANA is\n")
        for arguments, stdin in ((str(file), ""), ("-", "banana is\n")):
            found = terminal.verb("list", "--json", "--query-file", arguments, stdin=stdin).json
            assert [record["title"] for record in found["records"]] == ["banana"]

    def test_show_has_every_field(self, terminal):
        for ref in ("00000000", "memory:00000000"):
            found = terminal.verb("show", ref, "--json").json
            assert (found["title"], found["text"]) == ("apple", "apple is a fruit")
            assert found["extra"]["key_normalized"] == "apple"

    def test_what_is_not_there_ends_five(self, terminal, tmp_path):
        assert terminal.verb("show", "ffffffff").status == 5
        assert terminal("list", str(tmp_path / "nothing")).status == 5

    def test_hostile_text_is_escaped(self, terminal):
        terminal.verb("add", "--set", "title=hostile", "--set", "text=\x1b[2J\u202eabc\x07")
        (ref,) = [row[0] for row in terminal.rows() if row[1] == "hostile"]
        for done in (terminal.verb("show", ref), terminal.verb("list")):
            assert "\x1b" not in done.out
            assert "\u202e" not in done.out
        assert r"\u{1b}[2J\u{202e}abc\u{7}" in terminal.verb("show", ref).out

    def test_chinese_by_lang_and_json_the_same(self, terminal):
        english = terminal.verb("list", "--json").out
        terminal.language = "zh_CN.UTF-8"
        assert terminal.verb("list", "--json").out == english
        assert re.search("[\u4e00-\u9fff]", terminal.verb("list").out)


class TestChanging:
    def test_add_edit_trash_restore_tag_delete(self, terminal, tmp_path):
        file = tmp_path / "text"
        file.write_text("from a file\n")
        added = terminal.verb(
            "add", "--json", "--set", "title=date", "--set", f"text=@{file}", "--set", "tags=a, b"
        ).json
        assert (added["text"], added["tags"]) == ("from a file", ["a", "b"])
        ref = added["ref"]
        edited = terminal.verb("edit", ref, "--json", "--set", "text=-", stdin="typed").json
        assert edited["text"] == "typed"
        assert edited["etag"] != added["etag"]
        assert terminal.verb("trash", ref, "--json").json["counts"] == {"trashed": 1, "failed": 0}
        assert terminal.verb("restore", ref).status == 0
        assert terminal.verb("tag", ref, "--add", "c", "--remove", "a").status == 0
        assert terminal.verb("show", ref, "--json").json["tags"] == ["b", "c"]
        assert terminal.verb("delete", ref, "--yes", "--json").status == 6  # live: the trash first
        assert terminal.verb("trash", ref).status == 0
        assert terminal.verb("delete", ref, "--yes").status == 0
        assert len(terminal.rows()) == 3

    def test_an_edit_that_lost_the_race_ends_six_and_writes_nothing(self, terminal):
        done = terminal.verb("edit", "00000000", "--set", "text=x", "--if-match", "0" * 16)
        assert done.status == 6
        assert terminal.rows()[0][2] == "apple is a fruit"

    def test_without_a_person_destructive_verbs_need_a_yes(self, terminal):
        for verb in ("delete", "erase"):
            assert terminal.verb(verb, "00000000").status == 2
        assert len(terminal.rows()) == 3

    def test_dry_run_writes_nothing(self, terminal):
        for verb in ("trash", "delete", "restore", "tag"):
            more = ("--add", "x") if verb == "tag" else ()
            done = terminal.verb(verb, "00000000", "--dry-run", "--json", *more)
            assert done.json["dry_run"] is True
        assert terminal.rows("SELECT count(*) FROM memories WHERE deleted_at IS NULL") == [(3,)]
        assert terminal.rows("SELECT count(*) FROM memory_events") == [(0,)]

    def test_several_by_query_and_failures_told_each(self, terminal):
        assert terminal.verb("trash", "--query", "an", "--json").json["counts"]["trashed"] == 1
        done = terminal.verb("trash", "00000000", "00000001", "--json")
        assert done.status == 6
        outcomes = {one["ref"]: one["outcome"] for one in done.json["results"]}
        assert outcomes == {"memory:00000000": "trashed", "memory:00000001": "failed"}

    def test_a_fake_secret_is_refused_unless_one_insists(self, terminal):
        secret = "text=the key is sk-proj-FAKE00000000000000000000000000000000000000000000"
        arguments = ("add", "--set", "title=login", "--set", secret)
        assert terminal.verb(*arguments).status == 6
        assert terminal.verb(*arguments, "--despite", "secret").status == 0

    def test_a_persons_memory_is_never_saved_to_the_project(self, terminal):
        done = terminal.verb(
            "add", "--json", "--set", "title=n", "--set", "text=x", "--set", "scope=user"
        )
        assert (done.status, done.json["error"]["code"]) == (6, "pair.needed")
        assert len(terminal.rows()) == 3

    def test_scope_moves_it_to_the_other_half(self, make):
        terminal = make(user=True)
        done = terminal.verb("edit", "00000000", "--set", "scope=user", "--json").json
        assert done["store"] == str(terminal.home / ".agentao/memory.db")
        assert len(terminal.rows()) == 2


class TestReview:
    def test_propose_list_approve_reject(self, terminal):
        refs = []
        for name in ("one", "two"):
            done = terminal.verb(
                "propose", "--json", "--set", f"title={name}", "--set", f"text=likes {name}"
            )
            refs.append(done.json["ref"])
        listed = terminal.verb("review", "list", "--json").json
        assert listed["total"] == 2
        assert {item["preview"]["outcome"] for item in listed["records"]} == {"new"}
        assert terminal.verb("review", "approve", refs[0]).status == 0
        assert terminal.verb("review", "reject", refs[1]).status == 0
        assert "likes one" in [row[2] for row in terminal.rows()]
        assert terminal.verb("review", "reopen", refs[1]).status == 0
        assert terminal.verb("review", "list", "--json").json["total"] == 1

    def test_replacing_another_text_must_be_meant(self, terminal):
        item = terminal.verb("propose", "--json", "--set", "title=t", "--set", "text=new").json
        key = item["extra"]["key_normalized"]
        terminal.verb("add", "--set", f"title={key}", "--set", "text=old")
        done = terminal.verb("review", "approve", item["ref"], "--json")
        assert done.status == 6
        assert done.json["results"][0]["error"]["code"] == "review.conflict"
        assert "old" in [row[2] for row in terminal.rows()]
        assert terminal.verb("review", "approve", item["ref"], "--despite", "conflict").status == 0
        assert "new" in [row[2] for row in terminal.rows()]


class TestKeys:
    def test_exactly_64_hex_digits(self, make, behind):
        terminal = make(KEY)
        for text in (KEY.hex()[:-1], KEY.hex() + "0", "g" * 64, ""):
            done = terminal(
                "list", str(terminal.store), "--no-keychain", "--key-fd", str(behind(text))
            )
            assert done.status == 3
        line_end = str(behind(KEY.hex() + "\n"))
        assert (
            terminal("list", str(terminal.store), "--no-keychain", "--key-fd", line_end).status == 0
        )

    def test_no_key_ends_three(self, make):
        terminal = make(KEY)
        done = terminal("list", str(terminal.store), "--no-keychain", "--json")
        assert (done.status, done.json["error"]["code"]) == (3, "key.needed")
        assert done.json["error"]["params"]["reason"] == "unavailable"
        assert "--no-keychain" in done.json["error"]["text"]

    def test_the_keychain_needs_a_persons_permission_where_nobody_is(self, make):
        terminal = make(KEY)
        done = terminal("list", str(terminal.store), "--json")
        assert (done.status, done.json["error"]["code"]) == (6, "terminal.permission")

    def test_a_wrong_key_ends_three(self, make):
        terminal = make(KEY)
        terminal.key = RawKey(bytes(32))
        assert terminal.verb("list").status == 3

    def test_a_descriptor_that_is_not_there(self, make):
        terminal = make(KEY)
        assert terminal("list", str(terminal.store), "--no-keychain", "--key-fd", "987").status == 2


class TestProtecting:
    def test_encrypt_needs_a_word_about_the_agent(self, terminal):
        given = ("encrypt", str(terminal.store), "--no-keychain")
        assert terminal(*given).status == 6
        assert terminal(*given, "--agents-lose-access").status == 3

    def test_there_and_back(self, terminal, tmp_path):
        before = terminal.rows()
        terminal.key = KEY
        assert terminal.verb("encrypt", "--agents-lose-access").status == 0
        assert terminal.rows() == before
        out = tmp_path / "out.db"
        assert terminal.verb("decrypt", str(out)).status == 0
        with open_database(out, None, write=False) as connection:
            assert connection.execute("SELECT count(*) FROM memories") == [(3,)]
        assert terminal.verb("decrypt", "--in-place").status == 2
        assert terminal.verb("decrypt", "--in-place", "--yes").status == 0
        terminal.key = None
        assert terminal.rows() == before

    def test_export_is_new_private_and_whole(self, terminal, tmp_path):
        out = tmp_path / "out.json"
        assert terminal.verb("export", str(out)).status == 0
        records = json.loads(out.read_text())["records"]
        assert {r["title"] for r in records if r["kind"] == "memory"} == {
            "apple",
            "banana",
            "cherry",
        }
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        assert terminal.verb("export", str(out)).status == 1
        assert terminal.verb("export", str(out), "--format", "encrypted").status == 2


class TestChecking:
    def test_a_sound_store_ends_zero(self, terminal):
        done = terminal.verb("check", "--json")
        assert (done.status, done.json["ok"]) == (0, True)
        assert {line["code"] for line in done.json["checks"]} >= {
            "check.structure",
            "check.private",
            "check.open_by",
        }

    def test_a_damaged_one_ends_nine(self, terminal):
        for number in range(20):
            terminal.verb("add", "--set", f"title=x{number}", "--set", "text=" + "word " * 500)
        data = bytearray(terminal.store.read_bytes())
        for page in range(4, len(data) // 4096):
            data[page * 4096 : page * 4096 + 100] = b"\xff" * 100
        terminal.store.write_bytes(bytes(data))
        assert terminal.verb("check").status == 9

    def test_no_store_is_known_without_a_keychain(self, terminal):
        assert terminal("stores", "list", "--no-keychain", "--json").json["stores"] == []
        assert terminal("stores", "forget", "/nowhere", "--no-keychain").status == 5
        assert terminal("stores", "name", "/nowhere", "--no-keychain").status == 2


def test_the_tour_shows_what_it_should(terminal):
    done = terminal("tour", "--no-keychain", "--json")
    assert done.json["ok"] is True, done.json
    assert [step["step"] for step in done.json["steps"]] == [
        "open",
        "list",
        "search",
        "edit",
        "approve",
        "reject",
        "trash",
        "erase",
    ]
    assert done.status == 0
    assert not list(terminal.home.rglob("*memory-gui*")), "the tour is no doing of the person's"


def test_a_bug_is_told_without_its_text(terminal, monkeypatch):
    def broken(_session):
        raise RuntimeError("the text of a memory")

    monkeypatch.setitem(RUN, "info", broken)
    done = terminal.verb("info")
    assert done.status == 1
    assert "RuntimeError" in done.err
    assert "the text of a memory" not in done.err + done.out


class TestWhatWasBegun:
    def test_side_files_alone_do_not_stand_in_the_way(self, terminal):
        (terminal.store.parent.parent / "AGENTAO.md").write_text("apple is a fruit")
        assert terminal.verb("erase", "00000000", "--yes").status == 7
        assert terminal.verb("trash", "00000001").status == 0

    def test_a_person_may_allow_scripts_the_keychain(self, make):
        terminal = make(KEY)
        folder = terminal.home / ".local/share/memory-gui"
        folder.mkdir(parents=True)
        (folder / "settings.toml").write_text("scripts_may_use_keychain = true\n")
        done = terminal("list", str(terminal.store), "--json")
        assert done.json["error"]["code"] == "key.needed"
        assert done.status == 3


class TestReviewPins:
    def test_the_etag_of_the_list_pins_the_item_and_what_it_would_replace(self, terminal):
        text = "likes green tea in the morning"
        terminal.verb(
            "propose", "--set", f"text={text}", "--set", "key=tea", "--set", "scope=project"
        )
        (item,) = terminal.verb("review", "list", "--json").json["records"]
        pin = item["preview"]["etag"]
        terminal.verb("add", "--set", "title=tea", "--set", "text=black", "--set", "scope=project")
        approve = ("review", "approve", item["ref"], "--despite", "conflict", "--if-match")
        refused = terminal.verb(*approve, pin, "--json")
        assert refused.json["results"][0]["error"]["code"] == "review.target_changed"
        told = terminal.verb(*approve, pin).out
        assert "[-black-]{+likes green tea in the morning+}" in told, "the new state is shown"
        (item,) = terminal.verb("review", "list", "--json").json["records"]
        assert item["preview"]["alike"] == []
        assert terminal.verb(*approve, item["preview"]["etag"]).status == 0

    def test_marks_are_off_and_say_so_without_a_keychain(self, terminal):
        found = terminal.verb("review", "marks", "--json")
        assert (found.status, found.json["kept"], found.json["marks"]) == (0, False, [])
