# SPDX-License-Identifier: MIT
"""The verb ``erase`` over a real store, and ``prove``: what they plan, write and end with."""

from __future__ import annotations

import json
import time

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.ledger import pendingfiles

KEY = RawKey(bytes(range(32)))


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
        terminal.verb("trash", "00000001")
        planned = terminal.verb("erase", "--everything", "--dry-run", "--json").json
        parts = {(one["kind"], one["state"]): one for one in planned["parts"]}
        assert (parts["memory", "live"]["found"], parts["memory", "live"]["erased"]) == (2, None)
        assert parts["memory", "trash"]["own_clear"] == "text"
        done = terminal.verb("erase", "--everything", "--yes")
        assert done.status == 0, done.err
        assert "own “clear” would have left memories readable in the file: 3" in done.out
        assert "memories in the trash: 1 of 1 erased" in done.out
        assert terminal.rows() == []

    def test_everything_of_one_scope_and_of_the_pair(self, make):
        terminal = make(user=True)
        add = ("add", "--set", "title=about me", "--set", "text=tea", "--set", "scope=user")
        assert terminal.verb(*add).status == 0
        done = terminal.verb("erase", "--everything", "--scope", "user", "--yes", "--json")
        assert done.status == 0, done.err
        assert {(one["kind"], one["state"]) for one in done.json["parts"]} == {
            ("memory", "live"),
            ("event", "live"),
        }
        assert {one["store"] for one in done.json["parts"]} == {
            str(terminal.home / ".agentao/memory.db")
        }
        assert len(terminal.rows()) == 3
        assert terminal.verb(*add).status == 0
        done = terminal.verb("erase", "--everything", "--pair", "--yes", "--json")
        assert sum(one["erased"] for one in done.json["parts"] if one["kind"] == "memory") == 4
        assert terminal.rows() == []
        assert terminal.verb("erase", "--query", "tea", "--pair", "--yes").status == 2

    def test_an_edit_that_forgets_the_old_text(self, terminal, tmp_path):
        receipt = tmp_path / "receipt.json"
        args = ("--set", "text=nothing of it", "--forget-old", "--receipt", str(receipt))
        assert terminal.verb("edit", "00000000", *args).status == 2  # nobody can be asked
        assert terminal.rows()[0][2] == "apple is a fruit"
        assert not receipt.exists()
        done = terminal.verb("edit", "00000000", *args, "--yes", "--json")
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

    def test_a_store_named_through_a_link_has_its_agents_files_beside_that_name(self, terminal):
        real = terminal.home / "elsewhere.db"
        terminal.store.rename(real)
        terminal.store.symlink_to(real)
        project = terminal.store.parent.parent
        log = project / "agentao.log"
        log.write_text("saved: apple is a fruit\n")
        done = terminal("erase", str(project), "00000000", "--yes", "--json", "--no-keychain")
        assert (done.status, done.json["state"]) == (0, "proved")
        assert [find["path"] for find in done.json["side_files_erased"]] == [str(log)]
        assert "apple" not in log.read_text()
        assert b"apple is a fruit" not in real.read_bytes()

    def test_a_cause_of_two_lines_is_two_lines(self, terminal, monkeypatch):
        monkeypatch.setattr(
            "memory_gui.erasure.run.open_by", lambda *_, **__: (OpenBy(1, "agent"),)
        )
        done = terminal.verb("erase", "00000000", "--yes")
        assert "\\n" not in done.out
        assert "\nNothing was changed. Close that program" in done.out

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

    def test_a_copy_that_a_trigger_made_is_not_called_kept_or_gone(self, terminal, tmp_path):
        columns = "id, scope, type, key_normalized, title, content, created_at, updated_at"
        copy = "'c', old.scope, old.type, 'c', 'copy', old.content, old.created_at, old.updated_at"
        sql = (
            "CREATE TRIGGER t AFTER DELETE ON memories BEGIN"
            f" INSERT INTO memories ({columns}) VALUES ({copy}); END"
        )
        with open_database(terminal.store, None, write=True, maintain=True) as connection:
            connection.execute(sql)
        receipt = tmp_path / "receipt.json"
        words = ("erase", "00000000", "--yes", "--despite", "foreign", "--receipt", str(receipt))
        done = terminal.verb(*words)
        assert done.status == 7
        assert "erased, but not proved gone" in done.out.lower()
        assert "Still in table memories, where a trigger that is not the agent's" in done.out
        assert "was kept" not in done.out
        made = json.loads(receipt.read_text())
        assert (made["state"], made["proof"]["kept_hits"]) == ("not-proved", [])
        assert [(one["path"], one["what"]) for one in made["side_files"]] == [
            ("memories", "copied")
        ]

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


class TestWhereRecordsStand:
    def test_behind_an_option(self, terminal):
        done = terminal("erase", str(terminal.store), "--yes", "--no-keychain", "00000000")
        assert done.status == 0
        assert [row[0] for row in terminal.rows()] == ["00000001", "00000002"]

    def test_before_and_behind_and_after_two_dashes(self, terminal):
        store = str(terminal.store)
        done = terminal(
            "erase", store, "00000000", "--yes", "--no-keychain", "00000002", "--", "-00000009"
        )
        assert (done.status, "-00000009" in done.err) == (5, True)
        assert len(terminal.rows()) == 3

    def test_an_unknown_option_is_no_record(self, terminal):
        done = terminal("erase", str(terminal.store), "--yess", "00000000", "--no-keychain")
        assert done.status == 2
        assert len(terminal.rows()) == 3
