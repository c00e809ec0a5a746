# SPDX-License-Identifier: MIT
"""``case``: what it prints, what it does, and how it ends."""

from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from pairs import MemoryKeychain
from two_people import HIS, NAMED, texts

from memory_gui.cases.finds import Decision, OtherCase
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.terminal.cases.result import _tell_stays
from memory_gui.terminal.session import Session, UnpermittedKeychain
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


class TestCase:
    @pytest.fixture
    def kept(self, people, monkeypatch):
        """A terminal whose keychain keeps things from one call to the next."""
        keychain = MemoryKeychain()
        monkeypatch.setattr("memory_gui.terminal.session.Session.keychain", lambda _: keychain)
        return people

    def case(self, terminal, *arguments, **more):
        return terminal("case", *arguments, "--json", **more)

    def test_from_the_request_to_the_answer(self, kept, tmp_path):
        at = ("--in", str(kept.store))
        made = self.case(
            kept, "new", "李雷", "--also", "li@x.cn", "--term", "30-days",
            "--identity", "identity.call", "--identity-result", "confirmed",
        ).json  # fmt: skip
        assert (made["number"], made["days_left"], made["earlier"]) == (1, 30, [])
        assert self.case(kept, "extend", "1", "--reason", "many stores").json["extended_until"]
        found = self.case(kept, "find", "1", *at)
        assert (found.status, len(found.json["finds"])) == (0, 2)
        (ref,) = [one["ref"] for one in found.json["finds"] if one["heap"] == "sure"]
        hold = ("hold", "1", ref, "--store", str(kept.store))
        assert self.case(kept, *hold).status == 2  # without a reason
        assert self.case(kept, *hold, "--reason", "hold.claims").status == 0
        erase = kept("erase", str(kept.store), ref, "--yes", "--json", "--keep-key")
        assert (erase.status, erase.json["error"]["code"]) == (6, "erase.on_hold")
        trash = kept("trash", str(kept.store), ref)
        assert (trash.status, (trash.out + trash.err).count(ref)) == (6, 1)  # named once
        keep = ("--as", "keep", "--reason", "keep.not_asked")
        assert self.case(kept, *hold, *keep).status == 0
        planned = ("erase", str(kept.store), ref, "--dry-run", "--keep-key")
        told = {"case": 1, "reason": "keep.not_asked", "count": 1}
        assert kept(*planned, "--json").json["kept_in_cases"] == [told]
        assert "was to be kept by case 1: the request is not about it." in kept(*planned).out
        run = ("run", "1", "--yes")  # where it looked before
        done = self.case(kept, *run)  # nothing is left to do
        assert (done.status, "memory-cli case close 1" in done.json["error"]["text"]) == (5, True)
        assert self.case(kept, *hold, "--as", "lift").status == 0
        assert self.case(kept, *run, "--dry-run").json["total"] == 1
        out = tmp_path / "copy"
        assert self.case(kept, "export", "1", str(out)).json["finds"] == 2
        done = self.case(kept, *run, "--receipt", str(tmp_path / "r.json"))
        assert (done.status, done.json["state"]) == (0, "proved")
        assert HIS not in texts(kept)
        assert "李雷" in self.case(kept, "letter", "1").json["letter"]
        listed = self.case(kept, "list").json["cases"]
        assert [(one["state"], one["subject"]) for one in listed] == [("done", "李雷")]
        assert (listed[0]["outcome"]["erased"], listed[0]["unproved"]) == (1, 0)
        closed = self.case(kept, "close", "1").json
        assert closed["places"] is None  # a path may hold the name
        assert (closed["state"], closed["subject"]) == ("closed", None)
        assert self.case(kept, "list").json["cases"] == []
        assert [one["number"] for one in self.case(kept, "list", "--all").json["cases"]] == [1]
        assert self.case(kept, "new", "李雷").json["earlier"] == [1]
        told = ("add", str(kept.store), "--set", "title=x", "--set", "text=then 李雷 came back")
        assert kept(*told).status == 0
        assert "case 1 is named in this store again" in kept("list", str(kept.store)).err

    @pytest.mark.parametrize(
        ("arguments", "status"),
        [
            (("show", "7"), 5),
            (("show", "x"), 5),
            (("new",), 2),
            (("new", "李雷", "--received", "yesterday"), 2),
            (("new", "李雷", "--received", "1999-01-01"), 2),
            (("nonsense",), 2),
            (("list",), 0),
        ],
    )
    def test_how_it_ends(self, kept, arguments, status):
        assert self.case(kept, *arguments).status == status

    def test_without_a_keychain_there_is_no_case(self, people):
        done = people("case", "new", "李雷", "--no-keychain", "--json")
        assert (done.status, done.json["error"]["code"]) == (3, "case.no_ledger")

    def test_where_cases_cannot_be_read_none_is_not_what_is_said(self, kept, monkeypatch):
        assert self.case(kept, "new", "李雷").status == 0
        for keychain, status in ((NoKeychain(), 3), (UnpermittedKeychain(), 6)):
            monkeypatch.setattr(Session, "keychain", lambda _, given=keychain: given)
            for act in (("list",), ("show", "1")):
                assert self.case(kept, *act).status == status

    def test_a_hold_binds_a_call_that_cannot_read_it(self, kept, monkeypatch):
        store, at = str(kept.store), ("--in", str(kept.store))
        self.case(kept, "new", "李雷")
        finds = self.case(kept, "find", "1", *at).json["finds"]
        (ref,) = [one["ref"] for one in finds if one["heap"] == "sure"]
        hold = ("hold", "1", ref, "--store", store)
        assert self.case(kept, *hold, "--reason", "hold.claims").status == 0
        own = kept.home / ".local/share/memory-gui"
        (own / "held").unlink()  # as if made by a version that kept no such file
        (own / "cases").write_bytes(b"")
        kept_keychain = Session.keychain
        for keychain in (NoKeychain(), UnpermittedKeychain()):
            monkeypatch.setattr(Session, "keychain", lambda _, given=keychain: given)
            done = kept("erase", store, ref, "--yes", "--json")
            assert (done.status, done.json["error"]["code"]) == (6, "erase.holds_unseen")
        assert HIS in texts(kept)
        monkeypatch.setattr(Session, "keychain", kept_keychain)
        assert self.case(kept, *hold, "--as", "lift").status == 0
        monkeypatch.setattr(Session, "keychain", lambda _: NoKeychain())
        assert kept("erase", store, ref, "--yes").status == 0

    def test_to_restrict_one_record_decides_nothing_about_the_others(self, kept):
        store, at = str(kept.store), ("--in", str(kept.store))
        self.case(kept, "new", "李雷", "--also", "id:banana")
        finds = self.case(kept, "find", "1", *at).json["finds"]
        one, *others = [one["ref"] for one in finds if one["decision"] == "erase"]
        assert others
        hold = ("hold", "1", one, "--store", store, "--as", "restrict")
        assert self.case(kept, *hold).json["parts"][0]["restricted"] == 1
        finds = self.case(kept, "find", "1", *at).json["finds"]
        assert [one["ref"] for one in finds if one["decision"] == "erase"] == others

    def test_a_run_names_the_places_that_it_could_not_look_into(self, kept, tmp_path):
        broken = tmp_path / "broken.db"
        broken.write_bytes(b"SQLite format 3\0" + bytes(100))
        self.case(kept, "new", "李雷")
        places = ("--in", str(kept.store), "--in", str(broken))
        done = kept("case", "run", "1", *places, "--yes")
        assert done.status == 6
        assert f"{broken}: " in done.out
        assert HIS not in done.out
        assert "Result of what was done: erased, and proved gone." in done.out

    def test_a_held_file_stays_and_one_that_nobody_decided_on_is_named(self, kept):
        log, by_hand = (kept.store.parent.parent / name for name in ("agentao.log", "AGENTAO.md"))
        log.write_text(f"kept line\n{HIS}\n", encoding="utf-8")
        where = ("--store", str(kept.store))
        self.case(kept, "new", "李雷")
        hold = ("hold", "1", "--file", str(log), *where, "--reason", "hold.claims")
        assert self.case(kept, *hold).status == 0
        by_hand.write_text(f"{HIS}\n", encoding="utf-8")
        asked = ("case", "run", "1", "--in", str(kept.store))
        done = kept(*asked, "--dry-run")
        assert f"{log} stays as it is: on hold in case 1. The reason: legal claims" in done.out
        done = kept(*asked, "--yes")
        assert done.status == 7
        assert f"{log} stays as it is: on hold in case 1. The reason: legal claims" in done.out
        assert f"Still in {log}" not in done.out
        assert f"Still in {by_hand}: 1 place." in done.out
        assert "or accept it with --accept side-files" in done.out
        by_hand.unlink()
        done = kept(*asked, "--yes", "--json")
        assert (done.status, done.json["state"]) == (0, "proved")
        assert [one["what"] for one in done.json["kept_files"]] == ["hold"]
        assert log.read_text(encoding="utf-8") == f"kept line\n{HIS}\n"

    def test_it_looks_again_where_it_looked_before(self, kept, tmp_path):
        other = tmp_path / "other/.agentao/memory.db"
        other.parent.mkdir(parents=True)
        create_store(other, None)
        with open_database(other, None, write=True) as connection, connection.writing():
            connection.execute(NAMED, ("00000012", "k", "t", f"{HIS} too"))
        assert kept("stores", "name", str(other), "second").status == 0  # it is known from now on
        self.case(kept, "new", "李雷")
        folder = tmp_path / "project"
        folder.mkdir()
        places = ("--in", str(folder), "--in", str(kept.store))
        assert self.case(kept, "find", "1", *places).json["looked"] == [str(kept.store)]
        folder.rmdir()
        told = kept("case", "find", "1")
        assert (told.status, str(kept.store) in told.err) == (6, True)  # a place is gone
        dry = self.case(kept, "run", "1", "--dry-run").json
        assert dry["places"] == {"named": [str(folder), str(kept.store)], "everywhere": False}
        assert (dry["looked"], dry["total"]) == ([str(kept.store)], 1)
        gone = [(one["path"], one["code"]) for one in dry["not_looked"]]
        assert gone == [(str(folder), "store.missing")]  # not as if nothing were there
        more = self.case(kept, "find", "1", "--everywhere").json
        assert (str(other) in more["looked"], more["places"]["everywhere"]) == (True, True)

    def test_days_that_have_not_come(self, kept):
        self.case(kept, "new", "李雷")
        tomorrow = str(date.today() + timedelta(days=1))
        yesterday = str(date.today() - timedelta(days=1))
        for wrong in (
            ("new", "Ann Weber", "--received", tomorrow),
            ("edit", "1", "--received", tomorrow),
            ("edit", "1", "--identity-result", "confirmed", "--on", tomorrow),
        ):
            done = self.case(kept, *wrong)
            assert (done.status, done.json["error"]["code"]) == (2, "case.future")
        closed = self.case(kept, "close", "1", "--outcome", "withdrawn", "--keep-until", yesterday)
        assert (closed.status, closed.json["error"]["code"]) == (2, "case.past")
        done = self.case(kept, "edit", "1", "--identity", "identity.call", "--on", yesterday)
        assert done.json["identity"]["at"] == yesterday

    def test_what_remains_in_other_files_is_accepted_with_a_reason(self, kept):
        (kept.store.parent.parent / "AGENTAO.md").write_text(f"{HIS}\n", encoding="utf-8")
        self.case(kept, "new", "李雷")
        assert self.case(kept, "run", "1", "--in", str(kept.store), "--yes").status == 7
        shown = kept("case", "show", "1").out
        assert "1 find was erased and is not there any more, but that is not proved yet" in shown
        assert "still there: erase" not in shown
        assert self.case(kept, "accept", "1").status == 2  # without a reason
        done = self.case(kept, "accept", "1", "--reason", "keep.not_asked")
        assert (done.status, done.json["state"], done.json["unproved"]) == (0, "done", 0)
        shown = kept("case", "show", "1").out
        assert "AGENTAO.md (1 place): the request is not about it" in shown
        assert self.case(kept, "accept", "1", "--reason", "keep.not_asked").status == 5

    def test_the_help_names_the_codes(self, kept, capsys):
        kept("case", "--help")
        told = capsys.readouterr().out
        assert "gdpr.consent" in told
        assert "identity.call" in told

    def test_one_that_is_wholly_done_is_closed_by_itself(self, kept):
        done = kept(
            "forget", "banana", "--also", "id:banana", "--in", str(kept.store), "--yes", "--json"
        )
        assert (done.status, done.json["case_state"]) == (0, "closed")

    def test_a_request_that_waits_for_its_answer_is_not_closed_by_it(self, kept):
        self.case(kept, "new", "banana", "--also", "id:banana")
        asked = ("forget", "banana", "--also", "id:banana", "--in", str(kept.store))
        done = kept(*asked, "--yes", "--json")
        assert (done.status, done.json["case"]) == (0, 1)
        shown = self.case(kept, "show", "1").json
        assert (shown["subject"], shown["state"]) == ("banana", "done")


def test_what_another_case_holds_is_told_with_that_case_and_not_once_more():
    bound = {OtherCase(3, Decision.HOLD, "hold.claims"): 2}
    lines = []
    session = SimpleNamespace(words=Words("en"), out=SimpleNamespace(line=lines.append))
    plan = SimpleNamespace(
        held_here=0, held=2, kept=0, bound=bound, kept_files=(), kept_in_cases=()
    )
    _tell_stays(session, plan)
    assert len(lines) == 1
    assert "3" in lines[0]
