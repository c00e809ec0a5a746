# SPDX-License-Identifier: MIT
"""Each verb over a real store: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import re
import stat
import time

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.ledger import pendingfiles
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
            ("review", "STORE", "rules"),
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


class TestErase:
    def test_bare_ids_are_erased_and_proved(self, terminal, tmp_path):
        receipt = tmp_path / "receipt.json"
        done = terminal.verb(
            "erase", "00000000", "00000002", "--yes", "--json", "--receipt", str(receipt)
        )
        found = done.json
        assert (done.status, found["state"]) == (0, "proved")
        assert found["counts"]["memories"] == {"found": 2, "erased": 2, "kept": 0}
        assert found["proof"]["by"] == "content+structure"
        assert found["proof"]["hits"] == found["proof"]["structure"]["nonzero_bytes"] == 0
        assert found["receipt"] == str(receipt)
        assert "apple" not in receipt.read_text()
        assert [row[1] for row in terminal.rows()] == ["banana"]
        assert b"cherry" not in terminal.store.read_bytes()

    def test_what_a_script_prints_names_no_memory(self, terminal):
        done = terminal.verb("erase", "00000000", "--yes")
        assert done.status == 0
        assert "apple" not in done.out + done.err

    def test_ids_that_are_not_there_end_five_and_nothing_is_written(self, terminal):
        done = terminal.verb("erase", "00000000", "ffffffff", "--yes", "--json")
        assert (done.status, done.json["missing"]) == (5, ["ffffffff"])
        assert done.json["error"]["code"] == "erase.missing"
        assert len(terminal.rows()) == 3

    def test_a_dry_run_is_the_plan(self, terminal):
        found = terminal.verb("erase", "00000000", "--dry-run", "--json").json
        assert found["state"] == "planned"
        assert found["counts"]["memories"]["found"] == 1
        assert len(terminal.rows()) == 3

    def test_by_kind_and_everything(self, terminal):
        assert terminal.verb("erase", "--kind", "memory", "--yes").status == 2
        assert terminal.verb("erase", "--all", "--yes").status == 2
        assert terminal.verb("erase", "--kind", "memory", "--all", "--yes").status == 0
        assert terminal.rows() == []

    def test_everything_says_what_the_agents_own_clear_would_have_left(self, terminal):
        done = terminal.verb("erase", "--everything", "--yes")
        assert done.status == 0, done.err
        assert "own “clear” would have left memories readable in the file: 3" in done.out
        assert terminal.rows() == []

    def test_an_edit_that_forgets_the_old_text(self, terminal, tmp_path):
        receipt = tmp_path / "receipt.json"
        args = ("--set", "text=nothing of it", "--forget-old", "--receipt", str(receipt))
        done = terminal.verb("edit", "00000000", *args, "--json")
        assert (done.status, done.json["erase"]["state"]) == (0, "proved")
        assert terminal.rows()[0][2] == "nothing of it"
        assert json.loads(receipt.read_text())["kind"] == "correction"
        assert b"apple is a fruit" not in terminal.store.read_bytes()

    def test_a_receipt_is_verified_and_one_without_a_keychain_is_not_signed(
        self, terminal, tmp_path
    ):
        receipt = tmp_path / "receipt.json"
        terminal.verb("erase", "00000001", "--yes", "--receipt", str(receipt))
        done = terminal("receipt", "verify", str(receipt), "--no-keychain", "--json")
        assert (done.status, done.json["verdict"]) == (6, "unsigned")
        assert terminal("receipt", "verify", str(tmp_path / "x"), "--no-keychain").status == 5
        assert terminal("receipt", "key", "--no-keychain").status == 3
        assert terminal("receipt", "verify", "--no-keychain").status == 2

    def test_destroy_needs_a_yes_and_leaves_nothing(self, terminal, tmp_path):
        assert terminal.verb("destroy").status == 2
        assert terminal.verb("destroy", "--dry-run", "--json").json["dry_run"] is True
        assert len(terminal.rows()) == 3
        done = terminal.verb("destroy", "--yes", "--json")
        assert (done.status, done.json["state"]) == (0, "proved")
        assert done.json["cryptographic_erase"] is False
        assert not list(terminal.store.parent.glob("memory.db*"))

    def test_side_files_end_seven_and_may_be_accepted(self, terminal):
        log = terminal.store.parent.parent / "AGENTAO.md"
        log.write_text("apple is a fruit, banana is a fruit")
        done = terminal.verb("erase", "00000000", "--yes", "--json")
        assert (done.status, done.json["state"]) == (7, "not-proved")
        assert [find["path"] for find in done.json["side_files"]] == [str(log)]
        accepted = terminal.verb("erase", "00000001", "--yes", "--json", "--accept", "side-files")
        assert accepted.status == 0

    def test_what_was_accepted_is_never_called_proved_gone(self, terminal, tmp_path):
        log = terminal.store.parent.parent / "AGENTAO.md"
        log.write_text("apple is a fruit")
        assert terminal.verb("erase", "00000000", "--yes").status == 7
        receipt = tmp_path / "receipt.json"
        way = ("--resume", "--accept", "side-files", "--receipt", str(receipt))
        done = terminal.verb("erase", *way)
        assert done.status == 0
        assert "Result: erased, except for what you accepted." in done.out
        assert "proved gone" not in done.out
        assert "memories: 1 found, 1 erased, 0 kept" in done.out
        assert json.loads(receipt.read_text())["counts"]["memories"]["erased"] == 1

    def test_it_says_what_goes_beyond_the_named_record(self, terminal):
        assert terminal.verb("trash", "00000000").status == 0
        added = terminal.verb("add", "--json", "--set", "title=apple", "--set", "text=red")
        ref = added.json["record"]["ref"] if "record" in added.json else added.json["ref"]
        assert "- apple" in terminal.verb("erase", ref, "--dry-run").out
        done = terminal.verb("erase", ref, "--yes")
        assert "To be erased: 1 record and 1 older copy of it in the trash." in done.out
        assert "memories: 2 found, 2 erased, 0 kept" in done.out
        assert "entries of the change log:" in done.out

    def test_each_erase_ends_by_its_own_result(self, terminal):
        log = terminal.store.parent.parent / "AGENTAO.md"
        log.write_text("apple is a fruit")
        assert terminal.verb("erase", "00000000", "--yes").status == 7
        done = terminal.verb("erase", "00000001", "--yes", "--json")
        assert (done.status, [one["state"] for one in done.json["older"]]) == (0, ["still-in"])
        assert done.json["counts"]["memories"]["found"] == 1
        said = terminal.verb("erase", "00000002", "--yes")
        assert said.status == 0
        assert "--resume --accept side-files" in said.out
        assert terminal.verb("erase", "00000000", "--yes").status == 7
        log.unlink()
        assert terminal.verb("erase", "--resume").status == 0
        assert terminal.verb("erase", "--pending").status == 0

    def test_a_repeated_erase_is_told_once_more_and_then_finds_nothing(self, terminal, monkeypatch):
        assert terminal.verb("erase", "00000000", "--yes").status == 0
        assert terminal.verb("erase", "00000000", "--yes").status == 0
        now = time.time()
        monkeypatch.setattr("time.time", lambda: now + 60)
        again = terminal.verb("erase", "00000000", "--yes", "--json")
        assert (again.status, again.json["missing"]) == (5, ["00000000"])

    def test_a_query_that_finds_nothing_erases_nothing(self, terminal, tmp_path):
        receipt = tmp_path / "receipt"
        done = terminal.verb("erase", "--query", "zzzz", "--yes", "--receipt", str(receipt))
        assert done.status == 5
        assert not receipt.exists()

    def test_everything_leaves_the_agents_bookkeeping_out(self, terminal):
        done = terminal.verb("erase", "--everything", "--yes", "--json")
        assert (done.status, "bookkeeping" in done.err) == (0, True)
        assert terminal.rows() == []
        assert terminal.rows("SELECT count(*) FROM schema_meta") != [(0,)]
        assert terminal.verb("erase", "--query", "memories_change", "--yes").status == 5

    def test_a_dry_run_tells_what_is_in_the_way(self, terminal):
        log = terminal.store.parent.parent / "AGENTAO.md"
        log.write_text("apple is a fruit")
        sql = "CREATE TRIGGER t AFTER DELETE ON memories BEGIN DELETE FROM memories; END"
        with open_database(terminal.store, None, write=True, maintain=True) as connection:
            connection.execute(sql)
        found = terminal.verb("erase", "00000000", "--dry-run", "--json").json
        assert [find["path"] for find in found["side_files"]] == [str(log)]
        assert found["foreign_sql"] == [sql]
        assert sql in terminal.verb("erase", "00000000", "--dry-run").out
        refused = terminal.verb("erase", "00000000", "--yes", "--json")
        assert (refused.status, refused.json["error"]["code"]) == (6, "store.foreign_objects")
        told = terminal.verb("erase", "00000000", "--yes", "--despite", "foreign", "--json")
        assert (told.status, told.json["error"]["code"]) == (6, "erase.more_rows")
        assert len(terminal.rows()) == 3

    def test_a_full_disk_under_the_notes_is_told_and_nothing_is_erased(self, terminal, monkeypatch):
        def full(*_given, **_named):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(pendingfiles, "write_whole", full)
        done = terminal.verb("erase", "00000000", "--yes", "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "pending.disk_full")
        assert len(terminal.rows()) == 3

    def test_short_texts_are_looked_for(self, terminal):
        assert terminal.verb("prove", "--texts", "-", stdin='"kiwi"').status == 0
        done = terminal.verb("prove", "--texts", "-", "--json", stdin='"uit"')
        hits = done.json["proof"]["kept_hits"]
        assert done.status == 8
        assert {"ref": "memory:00000001", "count": 1} in hits

    def test_an_encrypted_store_without_a_keychain_must_keep_its_key(self, make):
        terminal = make(KEY)
        assert terminal.verb("erase", "00000000", "--yes").status == 2
        assert len(terminal.rows()) == 3
        done = terminal.verb("erase", "00000000", "--yes", "--keep-key", "--json")
        assert (done.status, done.json["state"]) == (0, "proved")
        assert len(terminal.rows()) == 2

    def test_prove_finds_a_text_that_lives(self, terminal):
        gone, there = json.dumps("never was here at all"), json.dumps("apple is a fruit")
        assert terminal.verb("prove", "--texts", "-", stdin=f"{gone}\n").status == 0
        done = terminal.verb("prove", "--texts", "-", "--json", stdin=f"{there}\n")
        assert (done.status, done.json["clean"]) == (8, False)
        assert terminal.verb("prove", "--texts", "-", stdin="not json").status == 2

    def test_nothing_is_pending(self, terminal):
        assert terminal.verb("erase", "--pending", "--json").json == {"pending": []}
        assert terminal.verb("erase", "--resume").status == 0


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
        (item,) = terminal.verb("review", "list", "--json").json["records"]
        assert item["preview"]["alike"] == []
        assert terminal.verb(*approve, item["preview"]["etag"]).status == 0

    def test_marks_are_off_and_say_so_without_a_keychain(self, terminal):
        found = terminal.verb("review", "marks", "--json")
        assert (found.status, found.json["kept"], found.json["marks"]) == (0, False, [])
