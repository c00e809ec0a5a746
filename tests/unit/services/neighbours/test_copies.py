# SPDX-License-Identifier: MIT
"""Real copies of the app on one store: windows here, ``memory-cli`` as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Present, RawKey
from memory_gui.domain.queries import Query
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services
from memory_gui.vault.keychain import NoKeychain

TEXT = "the canary of this test sings at seven every morning"
KEY = RawKey(bytes(range(32)))
CLI = Path(sys.executable).with_name("memory-cli")


class Window:
    """Services as a window has them: a store open, its list in memory."""

    def __init__(self, services: Services, store: Path) -> None:
        self.services = services
        self.store = services.library.open(store)[0].id

    def add(self, title: str, text: str):
        fields = {"title": title, "text": text, "scope": "project"}
        added = self.services.editing.add(self.store, NewRecord("memory", fields)).changes.added
        return next(ref for ref in added if ref.kind == "memory")

    def titles(self) -> set[str]:
        """What the list shows, from memory, after one look for changes."""
        library = self.services.library
        library.poll()
        query = Query(kinds=frozenset({"memory"}))
        return {one.title for one in library.window(library.search(query).ids) if one is not None}

    def within(self, seconds: float, titles: set[str]) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.titles() == titles:
                return True
            time.sleep(0.05)
        return False


@pytest.fixture
def window(copy_of_the_app, store):
    return Window(copy_of_the_app("window"), store)


def test_an_erase_in_the_terminal_is_proved_while_the_window_has_it_open(window, store, cli):
    one = window.add("canary", TEXT)
    window.add("other", "is kept")
    window.services.editing.edit(Edit(Target(one), {"text": TEXT + " again"}))
    assert window.titles() == {"canary", "other"}
    done = cli("erase", str(store), one.key[0], "--yes")
    assert done.returncode == 0, done.stdout
    result = json.loads(done.stdout)
    assert result["state"] == "proved"
    assert result["open_by"] == []
    assert window.within(30, {"other"})
    assert TEXT.encode() not in store.read_bytes()
    assert window.services.library.lent() == {}
    window.add("next", "the window goes on")
    assert window.titles() == {"other", "next"}


def test_undo_of_the_window_forgets_what_the_terminal_erased_and_nothing_else(window, store, cli):
    one, other, gone = window.add("canary", TEXT), window.add("other", "kept"), window.add("x", "y")
    window.services.editing.edit(Edit(Target(one), {"text": "now it is silent"}))
    window.services.editing.edit(Edit(Target(other), {"text": "changed"}))
    window.services.editing.trash([gone])
    window.services.editing.trash([gone])
    window.services.editing.delete([gone])
    assert cli("erase", str(store), one.key[0], "--yes").returncode == 0
    assert window.within(30, {"other"})
    assert one not in window.services.editing._stack.refs(window.store)
    window.services.editing.undo()
    window.services.editing.undo()
    window.services.editing.undo()
    assert window.titles() == {"other", "x"}
    assert window.services.library.record(other).text == "kept"


def test_two_windows(window, copy_of_the_app, store):
    other = Window(copy_of_the_app("window"), store)
    one = window.add("canary", TEXT)
    assert other.titles() == {"canary"}
    result = window.services.erasing.run(window.services.erasing.plans.plan([one]))
    assert result.state is EraseState.PROVED
    assert other.within(30, set())
    assert other.services.library.stores()


OTHER = """
import os, sys
if os.fork():
    os._exit(0)  # the child of a child is not of this family
from pathlib import Path
from memory_gui.services import build_services
from memory_gui.services.neighbours import Neighbours
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words
place = Path(sys.argv[1])
services = build_services(words=Words(), home=place / "home", data_dir=place / "other",
                          keychain=NoKeychain(),
                          neighbours=Neighbours([place / "run/memory-gui"], front="window"))
services.listen()
services.library.open(sys.argv[2])
print(os.getpid(), flush=True)
sys.stdin.read()
services.close()
"""


def test_another_process_is_not_in_the_way(window, program, store):
    process = program(OTHER, str(store.parents[2]), str(store))
    assert int(process.stdout.readline()) != process.pid
    one = window.add("canary", TEXT)
    plan = window.services.erasing.plans.plan([one])
    assert window.services.erasing.open_by(plan) == ()
    assert window.services.erasing.run(plan).state is EraseState.PROVED


def test_a_store_that_is_lent_while_it_is_opened_is_closed_again(
    copy_of_the_app, store, monkeypatch
):
    """The lease comes between the question and the opening: whoever lent it saw no such store."""
    opening = copy_of_the_app("terminal")
    lending = opening.library._lending
    put_on = opening.library._put_on
    leases = []

    def late(*args):
        if not leases:
            leases.append(lending.lend([store], UserError("store.let_go", pid="7")))
            threading.Timer(0.3, lending.end, leases).start()
        return put_on(*args)

    monkeypatch.setattr(opening.library, "_put_on", late)
    one = opening.library.open(store)[0]
    assert not lending.lent(store)
    assert len(opening.library.shelves()) == 1
    assert opening.library.shelf(one.id).fetch([]) == ()
    assert opening.library.poll() == frozenset()


def test_meanwhile_the_list_stays_and_acts_say_who_has_it(window, copy_of_the_app, store):
    one = window.add("canary", TEXT)
    assert window.titles() == {"canary"}
    terminal = copy_of_the_app("terminal").erasing._apart
    with terminal.alone([str(store)]):
        assert window.titles() == {"canary"}
        assert window.services.library.lent()[window.store].code == "store.let_go"
        with pytest.raises(UserError) as refused:
            window.services.editing.edit(Edit(Target(one), {"text": "new"}))
        assert (refused.value.code, refused.value.params) == (
            "store.let_go",
            {"pid": str(os.getpid())},
        )
        with pytest.raises(UserError, match=r"store\.let_go"):
            window.services.erasing.run(_plan_of(store))
        assert not _open_here(store)
    until = time.monotonic() + 30
    while window.services.library.lent():
        assert time.monotonic() < until
        time.sleep(0.01)
    window.services.editing.edit(Edit(Target(one), {"text": "new"}))


def _plan_of(store):
    return ErasePlan((StorePlan(str(store), "agentao", False, (), (), (), ()),), ())


def _open_here(store: Path) -> list[str]:
    links = []
    for number in os.listdir("/proc/self/fd"):
        try:
            links.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue
    return [link for link in links if link.startswith(str(store))]


def test_a_store_that_was_closed_is_not_opened_meanwhile_either(window, copy_of_the_app, store):
    window.services.library.close_all()
    with copy_of_the_app("terminal").erasing._apart.alone([str(store)]):
        with pytest.raises(UserError, match=r"store\.let_go"):
            window.services.library.open(store)
        with pytest.raises(UserError) as refused:  # one that begins only now asks as well
            copy_of_the_app("window").library.open(store)
        assert (refused.value.code, refused.value.params) == (
            "store.let_go",
            {"pid": str(os.getpid())},
        )
    _until_free(window.services, store)
    assert window.services.library.open(store)


def _until_free(services: Services, store: Path) -> None:
    until = time.monotonic() + 30
    while services.library._lending.lent(store):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_locking_meanwhile_is_safe(window, copy_of_the_app, store):
    with copy_of_the_app("terminal").erasing._apart.alone([str(store)]):
        window.services.lock.lock()
    _until_free(window.services, store)
    assert not _open_here(store)
    assert window.services.lock.unlock() == []


def test_one_that_is_in_the_middle_refuses_and_nothing_is_changed(window, store, cli):
    one = window.add("canary", TEXT)
    before = store.read_bytes()
    lending = window.services.library._lending
    with lending.changing():
        done = cli("erase", str(store), one.key[0], "--yes")
    result = json.loads(done.stdout)
    assert (done.returncode, result["state"]) == (4, "not-finished")
    # By its program's name where its own answer comes too late to be heard.
    assert [one["pid"] for one in result["open_by"]] == [os.getpid()]
    assert result["stores"][0]["reason"] == "neighbours.held"
    assert store.read_bytes() == before
    assert window.titles() == {"canary"}
    pending = json.loads(cli("erase", str(store), "--pending").stdout)
    assert pending == {"pending": []}  # nothing was begun, so nothing is owed


def test_one_that_erases_refuses_as_well(window, copy_of_the_app, store):
    other = Window(copy_of_the_app("terminal"), store)
    plan = other.services.erasing.plans.plan([window.add("canary", TEXT)])
    before = store.read_bytes()
    with window.services.library._lending.claim([store]):
        result = other.services.erasing.run(plan)
        assert result.state is EraseState.NOT_FINISHED
        assert [one.pid for one in result.open_by] == [os.getpid()]
        assert result.stores[0].reason == "neighbours.held"
    assert store.read_bytes() == before


def test_a_terminal_that_opens_waits_for_an_erase_and_then_says_who(window, copy_of_the_app, store):
    terminal = copy_of_the_app("terminal")
    terminal.library._lending.patience = 0.5
    with window.services.library._lending.claim([store]):
        before = time.monotonic()
        with pytest.raises(UserError, match=r"store\.let_go_window"):
            terminal.library.open(store)
        assert time.monotonic() - before >= 0.5
    assert terminal.library.open(store)


def test_one_that_is_busy_for_a_moment_is_waited_for(window, store, cli):
    one = window.add("canary", TEXT)
    lending = window.services.library._lending
    entered = lending.changing()
    entered.__enter__()
    timer = threading.Timer(2.0, entered.__exit__, (None, None, None))
    timer.start()
    done = cli("erase", str(store), one.key[0], "--yes")
    timer.join()
    assert done.returncode == 0, done.stdout


def test_a_killed_terminal_gives_the_store_back(window, store, program):
    window.add("canary", TEXT)
    assert window.titles() == {"canary"}
    process = program(HOLD, str(store.parents[2] / "run/memory-gui"), str(store))
    assert process.stdout.readline() == "mine\n"
    assert window.services.library.lent()
    process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30
    while window.services.library.lent():
        assert time.monotonic() < until
        time.sleep(0.01)
    window.add("next", "goes on")
    assert window.titles() == {"canary", "next"}


HOLD = """
import sys, time
from pathlib import Path
from memory_gui.services.neighbours import Neighbours
asking = Neighbours([Path(sys.argv[1])], front="terminal")
with asking.away_from([sys.argv[2]], time.monotonic() + 60):
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_what_another_program_wrote_meanwhile_is_folded_in(window, copy_of_the_app, store):
    window.add("canary", TEXT)
    assert window.titles() == {"canary"}
    with copy_of_the_app("terminal").erasing._apart.alone([str(store)]):
        subprocess.run([sys.executable, "-c", WRITE, str(store)], check=True, timeout=30)
        assert window.titles() == {"canary"}
        window.services.library.poll()
    told: set[object] = set()
    until = time.monotonic() + 30
    while not told:  # so that the window draws again
        assert time.monotonic() < until
        told |= window.services.library.poll()
    assert told == {window.store}
    assert window.within(30, {"canary", "foreign"})  # compared as soon as its pace allows


WRITE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as made:
    made.execute("INSERT INTO memories(id, scope, key_normalized, title, content, created_at,"
                 " updated_at) VALUES ('f0000000', 'project', 'foreign', 'foreign', 'x',"
                 " '2026-01-01', '2026-01-01')")
"""


def test_encrypting_in_one_and_going_on_in_the_other(window, copy_of_the_app, store):
    """Without a keychain the other one cannot open it: it says so, and comes back when it can."""
    window.add("canary", TEXT)
    other = Window(copy_of_the_app("window"), store)
    assert other.titles() == {"canary"}
    window.services.protect.encrypt(window.store, key=KEY)
    assert window.titles() == {"canary"}
    _until_free(other.services, store)
    with pytest.raises(UserError):
        other.services.library.record(other.add("x", "y"))
    window.services.protect.decrypt(window.store)
    _until_free(other.services, store)
    assert other.within(30, {"canary"})
    other.add("next", "goes on")
    assert window.within(30, {"canary", "next"})


class HasTheKey(NoKeychain):
    """A keychain that has the key of every store."""

    def find_in(self, service: str):
        return [Present(KEY, "a", "test")]


def test_a_key_that_came_meanwhile_is_found(window, copy_of_the_app, store):
    other = Window(copy_of_the_app("window"), store)
    window.add("canary", TEXT)
    assert other.titles() == {"canary"}
    other.services.library._finder._keychain = HasTheKey()
    window.services.protect.encrypt(window.store, key=KEY)
    _until_free(other.services, store)
    other.add("next", "goes on")
    assert other.titles() == {"canary", "next"}
    assert other.services.library.store(other.store).key_place == "keychain"


def test_two_who_ask_each_other_at_once_both_come_to_an_end(copy_of_the_app, store):
    """Neither waits for the other for good; at least one has it, and mostly both."""
    copies = [Window(copy_of_the_app(front), store) for front in ("window", "terminal")]
    inside, had = [], []
    start = threading.Barrier(2)

    def work(one: Window, number: int) -> None:
        start.wait()
        try:
            with one.services.erasing._apart.alone([str(store)]):
                inside.append(number)
                assert inside == [number]  # never two at a time
                time.sleep(0.2)
                inside.remove(number)
                had.append(number)
        except UserError as error:
            had.append(error.code)

    threads = [threading.Thread(target=work, args=(one, n)) for n, one in enumerate(copies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(had) == 2
    assert {0, 1} & set(had)


def test_two_terminals_erase_at_once(store, cli, copy_of_the_app):
    window = Window(copy_of_the_app("window"), store)
    refs = [window.add(f"canary {n}", f"{TEXT} {n}") for n in range(2)]
    done = []

    def erase(ref):
        done.append(cli("erase", str(store), ref.key[0], "--yes"))

    threads = [threading.Thread(target=erase, args=(ref,)) for ref in refs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [json.loads(one.stdout)["state"] for one in done] == ["proved"] * 2
    assert window.within(30, set())
    assert TEXT.encode() not in store.read_bytes()


def test_lock_from_the_terminal(window, cli):
    window.services.desk.wishes.lock = lambda: None  # a window that hangs
    done = cli("lock")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"locked": 1})
    assert window.services.lock.is_locked
    assert window.services.library.stores() == ()


def test_lock_without_a_window(cli, copy_of_the_app):
    copy_of_the_app("terminal")
    done = cli("lock")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"locked": 0})


def test_a_terminal_that_reads_waits_for_the_other_instead_of_failing(copy_of_the_app, store):
    reader = Window(copy_of_the_app("terminal"), store)
    one = reader.add("canary", TEXT)
    apart = copy_of_the_app("terminal").erasing._apart.alone([str(store)])
    apart.__enter__()
    timer = threading.Timer(0.5, apart.__exit__, (None, None, None))
    timer.start()
    record = reader.services.library.record(one)
    timer.join()
    assert record is not None
    assert record.title == "canary"
