# SPDX-License-Identifier: MIT
"""The ledger: made once, opened by its key only, never a new key for one that is there."""

import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Denied, Locked, Mismatch, Present, RawKey, Unavailable
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.engine.errors import StatementFailed
from memory_gui.ledger import KnownStore, LastSeen, Ledger, NoLedger, PendingErase
from memory_gui.ledger.entries import DONE
from memory_gui.ledger.ledger import FILE, SERVICE
from memory_gui.ledger.pendingfiles import PendingFiles
from memory_gui.ledger.schema import STEPS, VERSION, steps_from
from memory_gui.vault.keychain import NoKeychain

ONE = KnownStore("/a/memory.db", "a", "agentao", b"1" * 16, "2026-01-01T00:00:00+00:00", "M")
SEEN = LastSeen(1204, 7, 12, "2026-03-01T00:00:00+00:00")
OTHER = KnownStore("/b/memory.db", "b", "agentao", b"", "2026-02-01T00:00:00+00:00")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def pragma(ledger: Ledger, name: str) -> object:
    with ledger.connection() as connection:
        return connection.execute(f"PRAGMA {name}")[0][0]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(f): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


class TestMaking:
    def test_it_is_private_encrypted_and_numbered(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        assert isinstance(ledger, Ledger)
        ledger.remember(ONE)
        file = data / FILE
        assert file.stat().st_mode & 0o777 == 0o600
        assert data.stat().st_mode & 0o777 == 0o700
        assert (data / f"{FILE}-journal").stat().st_mode & 0o777 == 0o600
        assert not file.read_bytes().startswith(b"SQLite format 3")
        assert list(keychain.keys) == [(SERVICE, "a")]
        assert sorted(f.name for f in data.iterdir()) == [FILE, f"{FILE}-journal"]
        assert pragma(ledger, "user_version") == VERSION
        assert pragma(ledger, "secure_delete") == 1
        assert pragma(ledger, "journal_mode") == "persist"

    def test_without_a_keychain_nothing_is_made(self, data):
        ledger = Ledger.open(data, NoKeychain())
        assert isinstance(ledger, NoLedger)
        assert ledger.state.code == "off"
        ledger.remember(ONE)
        assert ledger.known() == ()
        assert not data.exists()

    @pytest.mark.parametrize(
        "answer",
        [Locked("M"), Denied("M"), Unavailable(("silent",)), Mismatch("M", ("a",))],
    )
    def test_a_keychain_that_cannot_keep_a_key_gets_none(self, data, keychain, answer):
        keychain.answer = answer
        ledger = Ledger.open(data, keychain)
        assert (ledger.state.code, ledger.state.result) == ("no-key-kept", answer)
        assert keychain.keys == {}
        assert not data.exists()

    def test_a_key_whose_file_is_gone_is_used_again(self, data, keychain):
        Ledger.open(data, keychain)
        before = dict(keychain.keys)
        (data / FILE).unlink()
        assert Ledger.open(data, keychain).state.code == "open"
        assert keychain.keys == before

    def test_the_other_copy_was_faster_with_the_key(self, data, keychain):
        def other():
            keychain.on_store = lambda: None
            keychain.store_in(SERVICE, "a", RawKey(b"o" * 32))

        keychain.on_store = other
        assert Ledger.open(data, keychain).state.code == "open"
        assert keychain.keys == {(SERVICE, "a"): RawKey(b"o" * 32)}
        open_database(data / FILE, RawKey(b"o" * 32), write=False).close()

    def test_the_other_copy_was_faster_with_the_file(self, data, keychain, monkeypatch):
        first = Ledger.open(data, keychain)
        first.remember(ONE)
        # As if the file had come into being after this copy looked for it.
        monkeypatch.setattr(Path, "exists", lambda self: False)
        second = Ledger.open(data, keychain)
        monkeypatch.undo()
        assert second.known() == (ONE,)
        assert sorted(f.name for f in data.iterdir()) == [FILE, f"{FILE}-journal"]


class TestAnExistingLedger:
    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (Absent("M"), "key"),
            (Locked("M"), "key"),
            (Denied("M"), "key"),
            (Unavailable(("silent",)), "key"),
            (Unavailable(("off",)), "off"),
            (Mismatch("M", ("a",)), "mismatch"),
            ([Present(RawKey(b"x" * 32), "b", "M")], "mismatch"),
        ],
    )
    def test_no_answer_leads_to_a_new_key(self, data, keychain, answer, code):
        Ledger.open(data, keychain).remember(ONE)
        keys, files = dict(keychain.keys), bytes_of(data)
        keychain.answer = answer
        ledger = Ledger.open(data, keychain)
        assert isinstance(ledger, NoLedger)
        assert ledger.state.code == code
        assert (dict(keychain.keys), bytes_of(data)) == (keys, files)
        keychain.answer = None
        assert Ledger.open(data, keychain).known() == (ONE,)

    def test_either_slot_opens_it(self, data, keychain):
        Ledger.open(data, keychain).remember(ONE)
        right = keychain.keys.pop((SERVICE, "a"))
        keychain.keys = {(SERVICE, "a"): RawKey(bytes(32)), (SERVICE, "b"): right}
        assert Ledger.open(data, keychain).known() == (ONE,)

    @pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + bytes(4080), b"text\n" * 999])
    def test_a_wreck_is_left_alone(self, data, keychain, content):
        data.mkdir(mode=0o700)
        (data / FILE).write_bytes(content)
        keychain.keys[SERVICE, "a"] = RawKey(bytes(32))
        ledger = Ledger.open(data, keychain)
        assert ledger.state.code == "unreadable"
        assert isinstance(ledger.state.problem, UserError)
        assert bytes_of(data) == {str(data / FILE): content}

    def test_whatever_page_is_damaged_an_erase_can_be_written_down(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        ledger.remember(ONE)
        size = int(pragma(ledger, "page_size"))
        whole = (data / FILE).read_bytes()
        codes = []
        for page in range(1, len(whole) // size):
            damaged = bytearray(whole)
            damaged[page * size + 100] ^= 255
            (data / FILE).write_bytes(damaged)
            again = Ledger.open(data, keychain)
            entry = PendingErase.begin("/a/memory.db", {})
            again.pending.put(entry)
            assert [one.id for one in again.pending.list("/a/memory.db")] == [entry.id]
            again.pending.remove(entry.id)
            again.known()
            codes.append(again.state.code)
            if codes[-1] != "open":
                assert (data / FILE).read_bytes() == damaged, "left as it is"
                assert again.state.problem.code == "store.part_damaged"
        assert set(codes) == {"open", "unreadable"}

    def test_a_newer_one_is_left_alone(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        with ledger.connection() as connection:
            connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        again = Ledger.open(data, keychain)
        assert again.state.code == "unreadable"
        assert again.state.problem.code == "store.newer_schema"

    def test_a_folder_of_another_user_is_refused(self, data, keychain, monkeypatch):
        Ledger.open(data, keychain)
        monkeypatch.setattr("os.geteuid", lambda: 12345)
        with pytest.raises(UserError, match=r"ledger\.folder"):
            Ledger.open(data, keychain)

    def test_a_folder_that_others_can_enter_is_closed(self, data, keychain):
        Ledger.open(data, keychain)
        data.chmod(0o755)
        Ledger.open(data, keychain)
        assert data.stat().st_mode & 0o777 == 0o700


def make_old(data: Path, keychain, version: int) -> None:
    """A ledger as the app of that version left it, with a store and an erase in it."""
    data.mkdir(mode=0o700)
    keychain.keys[SERVICE, "a"] = key = RawKey(b"k" * 32)
    script = "".join(STEPS[:version]) + f"PRAGMA user_version = {version};"
    create_database(data / FILE, key, script)
    with open_database(data / FILE, key, write=True) as old, old.writing():
        old.execute(
            "INSERT INTO store (path, name, format, salt, last_opened, key_backend)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (b"/a/memory.db", b"a", ONE.format, ONE.salt, ONE.last_opened, ONE.key_backend),
        )


class TestOlderLedgers:
    @pytest.mark.parametrize("version", range(1, VERSION))
    def test_each_is_brought_up_with_what_is_in_it(self, data, keychain, version):
        make_old(data, keychain, version)
        ledger = Ledger.open(data, keychain)
        assert ledger.state.code == "open"
        assert ledger.known() == (ONE,)
        assert ledger.count(ONE.path, SEEN)
        entry = PendingErase.begin("/a/memory.db", {})
        ledger.pending.put(entry)
        again = Ledger.open(data, keychain)
        assert pragma(again, "user_version") == VERSION
        assert again.known() == (replace(ONE, seen=SEEN),)
        assert again.pending.list() == (entry,)

    def test_one_that_cannot_be_brought_up_stays_as_it_was(self, data, keychain, monkeypatch):
        make_old(data, keychain, 1)
        steps = (*steps_from(1)[:2], "no statement")
        monkeypatch.setattr("memory_gui.ledger.ledger.steps_from", lambda _version: steps)
        with pytest.raises(StatementFailed):
            Ledger.open(data, keychain)
        monkeypatch.undo()
        with open_database(data / FILE, RawKey(b"k" * 32), write=False) as old:
            assert old.execute("PRAGMA user_version") == [(1,)]
            assert len(old.table_info("store")) == 6
        assert Ledger.open(data, keychain).known() == (ONE,)

    def test_two_copies_at_once(self, data, keychain):
        make_old(data, keychain, 1)
        opened: list[object] = []
        threads = [
            threading.Thread(target=lambda: opened.append(Ledger.open(data, keychain).known()))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert opened == [(ONE,)] * 4

    def test_a_new_one_has_the_same_tables_as_one_that_was_brought_up(
        self, data, keychain, tmp_path
    ):
        make_old(data, keychain, 1)
        ledgers = (Ledger.open(data, keychain), Ledger.open(tmp_path / "new", keychain))
        tables = []
        for ledger in ledgers:
            with ledger.connection() as connection:
                tables.append({t: connection.table_info(t) for t in ("store", "pending_erase")})
        assert tables[0] == tables[1]


class TestKnownStores:
    def test_what_was_seen_stays_until_it_is_seen_again(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        assert not ledger.count(ONE.path, SEEN)
        ledger.remember(ONE)
        assert ledger.known()[0].seen is None
        assert ledger.count(ONE.path, SEEN)
        ledger.remember(replace(ONE, last_opened="2026-05-01T00:00:00+00:00"))
        assert ledger.known()[0].seen == SEEN
        later = replace(SEEN, memories=7)
        ledger.remember(replace(ONE, seen=later))
        assert ledger.known()[0].seen == later

    def test_all_are_forgotten_at_once(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        for one in (ONE, OTHER):
            ledger.remember(one)
        ledger.forget_all()
        assert ledger.known() == ()

    def test_they_come_back_the_last_opened_first(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        ledger.remember(ONE)
        ledger.remember(OTHER)
        assert Ledger.open(data, keychain).known() == (OTHER, ONE)
        ledger.remember(replace(ONE, name="new", last_opened="2026-03-01T00:00:00+00:00"))
        assert [store.name for store in ledger.known()] == ["new", "b"]
        assert ledger.forget(ONE.path)
        assert not ledger.forget(ONE.path)
        assert ledger.known() == (OTHER,)

    def test_paths_that_are_no_text(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        odd = replace(ONE, path=os.fsdecode(b"/\xff"), name=os.fsdecode(b"\xff"))
        ledger.remember(odd)
        assert ledger.known() == (odd,)
        assert ledger.forget(odd.path)

    def test_after_close_the_key_is_gone(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        ledger.close()
        with pytest.raises(UserError, match=r"key\.needed"):
            ledger.known()

    def test_threads_and_two_copies_at_once(self, data, keychain):
        ledgers = [Ledger.open(data, keychain) for _ in range(2)]

        def remember(number: int) -> None:
            for i in range(5):
                path = f"/{number}/{i}"
                ledgers[number % 2].remember(replace(ONE, path=path))

        threads = [threading.Thread(target=remember, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ledgers[0].known()) == 20


class TestPending:
    def test_it_survives_a_kill(self, data, keychain):
        Ledger.open(data, keychain)
        (key,) = keychain.keys.values()
        program = f"""
import os, signal
from pathlib import Path
from memory_gui.domain.keys import RawKey
from memory_gui.ledger import Ledger, PendingErase
ledger = Ledger(Path({str(data / FILE)!r}), RawKey(bytes.fromhex({key.hex()!r})))
ledger.pending.put(PendingErase.begin("/a/memory.db", {{"rows": {{"memories": ["ab12"]}}}}))
os.kill(os.getpid(), signal.SIGKILL)
"""
        done = subprocess.run([sys.executable, "-I", "-c", program], check=False, timeout=30)
        assert done.returncode == -9
        (entry,) = Ledger.open(data, keychain).pending.list()
        assert entry.scheme == {"rows": {"memories": ["ab12"]}}
        assert entry.store_path == "/a/memory.db"
        assert not entry.is_held()

    def test_a_run_that_cannot_open_the_ledger_knows_that_there_is_one(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        entry = PendingErase.begin("/a/memory.db", {})
        ledger.pending.put(entry)
        ledger.pending.put(replace(entry, state="later"))
        without = Ledger.open(data, NoKeychain())
        for act in (
            lambda: without.pending.list("/a/memory.db"),
            lambda: without.pending.put(PendingErase.begin("/a/memory.db", {})),
        ):
            with pytest.raises(UserError) as caught:
                act()
            assert (caught.value.code, caught.value.params) == (
                "pending.in_ledger",
                {"path": "/a/memory.db"},
            )
        assert without.pending.list("/b/memory.db") == ()
        assert without.pending.list() == ()
        assert [e.state for e in ledger.pending.list("/a/memory.db")] == ["later"]
        ledger.pending.remove(entry.id)
        assert without.pending.list("/a/memory.db") == ()
        assert list((data / "pending").iterdir()) == []

    def test_a_proved_one_that_is_kept_is_not_called_unfinished(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        entry = PendingErase.begin("/a/memory.db", {})
        ledger.pending.put(entry)
        ledger.pending.put(replace(entry, state=DONE))
        assert ledger.pending.list() == (replace(entry, state="done"),)
        assert Ledger.open(data, NoKeychain()).pending.list("/a/memory.db") == ()

    @pytest.mark.parametrize("with_keychain", [True, False])
    def test_a_proved_one_never_meets_the_next_erase(self, data, keychain, with_keychain):
        pending = Ledger.open(data, keychain if with_keychain else NoKeychain()).pending
        first, second = (PendingErase.begin("/a/memory.db", {"n": n}) for n in range(2))
        pending.put(first)
        with pytest.raises(UserError, match=r"pending\.other"):
            pending.put(second)
        done = replace(first, state=DONE)
        pending.put(done)
        pending.put(second)  # another process, before the first one has told its result
        pending.put(done)  # who is told late
        assert sorted(e.state for e in pending.list("/a/memory.db")) == ["done", "planned"]
        with pytest.raises(UserError, match=r"pending\.other"):
            pending.put(PendingErase.begin("/a/memory.db", {}))
        pending.remove(first.id)
        assert pending.list("/a/memory.db") == (second,)

    def test_a_marker_that_a_kill_left_is_swept(self, data, keychain):
        ledger = Ledger.open(data, keychain)
        kept = PendingErase.begin("/kept", {})
        ledger.pending.put(kept)
        PendingFiles(data).mark("/gone")
        assert ledger.pending.list() == (kept,)
        assert PendingFiles(data).list("/gone") == ()
        with pytest.raises(UserError, match=r"pending\.in_ledger"):
            PendingFiles(data).list("/kept")

    def test_what_a_run_without_keychain_left_is_found_and_finished(self, data, keychain):
        without = Ledger.open(data, NoKeychain())
        left = PendingErase.begin("/a/memory.db", {})
        without.pending.put(left)
        ledger = Ledger.open(data, keychain)
        assert isinstance(ledger, Ledger)
        assert ledger.pending.list() == (left,)
        with pytest.raises(UserError, match=r"pending\.other"):
            ledger.pending.put(PendingErase.begin("/a/memory.db", {}))
        ledger.pending.put(replace(left, state="finishing"))
        assert [e.state for e in ledger.pending.list("/a/memory.db")] == ["finishing"]
        ledger.pending.remove(left.id)
        assert ledger.pending.list() == ()
        assert without.pending.list() == ()
