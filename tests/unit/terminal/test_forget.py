# SPDX-License-Identifier: MIT
"""``forget``: what it prints, what it does, and how it ends."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from two_people import HERS, HIS, NAMED, texts

from memory_gui.cases.names import Subject
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.running.plans import PartResult
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.terminal.cases import people as cases_people
from memory_gui.terminal.cases.result import status_of_result
from memory_gui.words import Words

sys.path.insert(0, str(Path(__file__).parents[2]))
from planted import make_databases

KEY = RawKey(bytes(range(32)))


def forget(terminal, *arguments, **more):
    return terminal("forget", *arguments, "--in", str(terminal.store), "--no-keychain", **more)


class TestForget:
    def test_a_dry_run_shows_all_and_writes_nothing(self, people):
        before = people.store.read_bytes()
        done = forget(people, "李雷", "--dry-run")
        assert done.status == 0
        assert "[李雷] lives in the street" in done.out
        assert "(李雷)雷 stays" in done.out
        found = forget(people, "李雷", "--dry-run", "--json").json
        assert (found["state"], found["total"], found["undecided"]) == ("planned", 1, 1)
        assert found["heaps"] == {"sure": 1, "mentions": 1, "shared": 0}
        assert "李雷" not in json.dumps(found, ensure_ascii=False)
        assert people.store.read_bytes() == before

    def test_it_erases_what_is_sure_and_proves_it(self, people, tmp_path):
        receipt = tmp_path / "receipt.json"
        done = forget(people, "李雷", "--yes", "--json", "--receipt", str(receipt))
        assert (done.status, done.json["state"]) == (0, "proved")
        assert HIS not in texts(people)
        assert HERS in texts(people)
        kept = json.loads(receipt.read_text())
        assert (kept["kind"], kept["signed"], kept["counts"]["undecided"]) == ("case", False, 1)
        again = forget(people, "李雷", "--yes", "--json")  # what is unsure stays
        assert (again.status, again.json["undecided"]) == (5, 1)
        rest = forget(people, "李雷", "--yes", "--json", "--include", "mentions")
        assert (rest.status, rest.json["state"]) == (0, "proved")
        assert HERS not in texts(people)

    def test_a_dry_run_names_what_it_could_not_look_into_and_is_done(self, people, tmp_path):
        broken = tmp_path / "broken/.agentao/memory.db"
        broken.parent.mkdir(parents=True)
        broken.write_bytes(b"SQLite format 3\0" + bytes(200))
        done = forget(people, "李雷", "--in", str(broken), "--dry-run", "--json")
        assert (done.status, done.json["total"]) == (0, 1)
        assert [one["path"] for one in done.json["not_looked"]] == [str(broken)]
        alone = ("forget", "李雷", "--in", str(broken), "--dry-run", "--no-keychain")
        assert people(*alone).status == 6  # nothing could be planned
        assert forget(people, "李雷", "--in", str(broken), "--yes").status == 6

    def test_what_the_result_does_not_speak_of_is_told(self, people):
        done = forget(people, "李雷", "--yes")
        assert "1 find that nobody decided on: it is still there" in done.out

    def test_what_is_sure_and_nobody_can_erase_is_no_success(self, people, tmp_path):
        other = tmp_path / "diary.db"
        statements = ["CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT)"]
        make_databases({str(other): [*statements, f"INSERT INTO page VALUES (1, '{HIS}')"]})
        done = forget(people, "李雷", "--yes", "--in", str(other))
        assert done.status == 6
        assert HIS not in texts(people)

    @pytest.mark.parametrize(
        ("arguments", "status"),
        [
            (("Nobody Here", "--yes"), 5),
            (("李雷",), 2),  # nobody can be asked
            (("李", "--yes"), 2),
            (("李雷", "--yes", "--subjects", "-"), 2),
            ((), 2),
        ],
    )
    def test_how_it_ends(self, people, arguments, status):
        assert forget(people, *arguments).status == status
        assert HIS in texts(people)

    def test_a_place_that_is_not_there(self, people):
        done = people("forget", "李雷", "--in", "/nowhere/at/all", "--no-keychain", "--yes")
        assert done.status == 5

    def test_an_encrypted_store_without_its_key_is_named(self, people, tmp_path, behind):
        (tmp_path / "secret/.agentao").mkdir(parents=True)
        secret = tmp_path / "secret/.agentao/memory.db"
        create_store(secret, KEY)
        with open_database(secret, KEY, write=True) as connection, connection.writing():
            connection.execute(NAMED, ("00000001", "k", "t", HIS))
        done = forget(people, "李雷", "--in", str(secret), "--yes", "--json")
        assert done.status == 3
        assert [one["path"] for one in done.json["not_looked"]] == [str(secret)]
        assert done.json["state"] == "proved"  # where it could look
        key = ("--key-fd", str(behind(KEY.hex())))
        done = people("forget", "李雷", "--in", str(secret), "--no-keychain", "--yes", *key)
        assert done.status == 0
        with open_database(secret, KEY, write=False) as connection:
            assert connection.execute("SELECT count(*) FROM memories") == [(0,)]

    def test_a_list_of_people(self, people, tmp_path):
        receipts = tmp_path / "receipts"
        receipts.mkdir()
        lines = ("李雷,li@x.cn;+86 13800138000,李雷雷", "Nobody Here,,", "李雷雷,,李雷")
        listed = "\n".join(("subject,also,other", *lines))
        done = forget(
            people, "--subjects", "-", "--yes", "--json", "--receipt", str(receipts), stdin=listed
        )
        assert done.status == 5  # the worst: one was not found
        assert done.json["summary"] == {
            "subjects": 3, "done": 2, "not_found": 1, "other": 0, "undecided": 1,
        }  # fmt: skip
        assert [one["status"] for one in done.json["subjects"]] == [0, 5, 0]
        assert not texts(people) & {HIS, HERS}
        assert {one.name for one in receipts.iterdir()} == {
            "receipt-0001.json",
            "receipt-0003.json",
        }

    @pytest.mark.parametrize(
        "listed",
        ["", "name\nx\n", "subject\n", 'subject\n"x\n', "subject\nx,y\n", "subject;also\n李;\n"],
    )
    def test_a_list_that_is_none(self, people, listed):
        done = forget(people, "--subjects", "-", "--yes", stdin=listed)
        assert done.status == 2


@pytest.mark.parametrize(
    "listed",
    [
        '\ufeffsubject;also;other\r\n李雷;"li@x.cn;+86 13800138000";李雷雷\r\n;;\r\n',
        "Subject\tAlso\tOther\t\n李雷\tli@x.cn；+86 13800138000\t李雷雷\t\n",
        '"subject","also","other"\n"李雷","li@x.cn\n+86 13800138000","李雷雷"\n\n',
    ],
)
def test_a_list_as_spreadsheets_write_it(listed):
    read = SimpleNamespace(read_text=lambda _: listed, words=Words())
    (person,) = cases_people.listed(read, "-", None)
    assert person.subject == Subject.of("李雷", ["li@x.cn", "+86 13800138000"], ["李雷雷"])


def test_all_lines_of_a_list_that_are_wrong_are_named_at_once():
    read = SimpleNamespace(read_text=lambda _: "subject\nAnn\n李\nBo\n😀\n", words=Words())
    with pytest.raises(UserError) as wrong:
        cases_people.listed(read, "-", None)
    assert [f"line {n}: " in wrong.value.params["why"] for n in range(2, 6)] == [
        *(False, True),
        *(False, True),
    ]


class TestStatus:
    @pytest.mark.parametrize(
        ("state", "code", "status"),
        [
            (EraseState.PROVED, "", 0),
            (EraseState.NOT_PROVED, "", 7),
            (EraseState.NOT_FINISHED, "", 4),
            (EraseState.NOT_FINISHED, "store.locked", 4),
            (EraseState.NOT_FINISHED, "store.foreign_objects", 6),  # waiting does not help
            (EraseState.NOT_PROVED, "record.changed", 7),
        ],
    )
    def test_how_a_run_ends(self, state, code, status):
        part = PartResult("x", "", state, error=UserError(code) if code else None)
        assert status_of_result(SimpleNamespace(parts=(part,))) == status
