# SPDX-License-Identifier: MIT
"""What Home says of stores: by their files' heads and by what was last seen, never by opening."""

import os
import threading
from pathlib import Path

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Locked, RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.ledger import LastSeen, PendingErase
from memory_gui.ledger.ledger import FILE
from memory_gui.services import KeyPlace, build_services
from memory_gui.services.home.glances import Glance, Glances
from memory_gui.services.home.view import Cause
from memory_gui.services.own.known import last_seen
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

KEY = RawKey(b"k" * 32)


@pytest.fixture
def services_with(tmp_path, memory_keychain):
    """Services whose ledger has a keychain; each call is a new run of the app."""
    made = []

    def build(keychain=memory_keychain):
        if made:
            made[-1].close()
        made.append(
            build_services(
                words=Words(),
                home=tmp_path / "home",
                data_dir=tmp_path / "data",
                keychain=keychain,
            )
        )
        return made[-1]

    (tmp_path / "home").mkdir(exist_ok=True)
    yield build
    made[-1].close()


def causes(view):
    return [(one.cause, Path(one.path).parent.parent.name) for one in view.problems]


class TestCards:
    def test_an_open_store_tells_live_what_it_has(self, tmp_path, empty_store, services_with):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        (opened,) = services.library.open(path)
        fields = {"title": "tea", "text": "green", "scope": "project"}
        changes = services.editing.add(opened.id, NewRecord("memory", fields)).changes
        services.editing.add(opened.id, NewRecord("memory", {**fields, "title": "milk"}))
        services.editing.trash(changes.added)
        (card,) = services.home.look().cards
        assert (card.path, card.name, card.store, card.live) == (
            str(path), "atlas", opened.id, True,
        )  # fmt: skip
        assert (card.seen.memories, card.seen.to_review, card.seen.in_trash) == (1, 0, 1)
        assert card.encrypted is False

    def test_a_closed_one_tells_what_was_last_seen_and_is_not_opened(
        self, tmp_path, empty_store, services_with, holders_of, memory_keychain
    ):
        path = empty_store(tmp_path / "atlas/.agentao", KEY)
        services = services_with()
        services.keeper.ledger()
        (opened,) = services.library.open(path, key=KEY)
        fields = {"title": "tea", "text": "green", "scope": "project"}
        services.library.search(Query())
        services.editing.add(opened.id, NewRecord("memory", fields))
        services.library.close(opened.id)
        asked = memory_keychain.asked
        (card,) = services.home.look().cards
        assert memory_keychain.asked == asked
        assert (card.store, card.live, card.encrypted) == (None, False, True)
        assert (card.seen.memories, card.seen.in_trash) == (1, 0)
        assert holders_of(path) == []
        # and in the next run of the app
        (card,) = services_with().home.look().cards
        assert card.seen.memories == 1
        assert card.name == "atlas"
        assert card.glance.changed_at == pytest.approx(path.stat().st_mtime)

    def test_a_store_that_nobody_opened_is_no_card(self, tmp_path, empty_store, services_with):
        """Those are found by looking, which a person has to allow (``services.home.discovery``)."""
        empty_store(tmp_path / "home/.agentao")
        assert services_with().home.look().cards == ()

    def test_each_store_has_one_card_under_whatever_name(
        self, tmp_path, empty_store, services_with
    ):
        empty_store(tmp_path / "home/.agentao")
        empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        services.library.open(tmp_path / "atlas")
        names = [card.name for card in services.home.look().cards]
        assert sorted(names) == ["atlas", "you"]
        services.library.close_all()
        assert sorted(card.name for card in services.home.look().cards) == ["atlas", "you"]

    def test_who_has_it_open(self, tmp_path, empty_store, services_with, holder):
        path = empty_store(tmp_path / "home/.agentao")
        services = services_with()
        services.library.open(path)
        pid = holder(path)
        view = services.home.look()
        assert [one.pid for one in view.cards[0].holders] == [pid]
        (problem,) = view.problems
        assert (problem.cause, [one.pid for one in problem.holders]) == (Cause.IN_USE, [pid])

    def test_at_hand_asks_no_keychain(self, tmp_path, empty_store, services_with, memory_keychain):
        empty_store(tmp_path / "home/.agentao")
        empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        services.library.open(tmp_path / "atlas", pair=False)
        view = services.home.at_hand()
        assert memory_keychain.asked == 0
        assert not view.whole
        assert [card.name for card in view.cards] == ["atlas"]


class TestNoList:
    def test_nothing_is_kept_and_nothing_made(
        self, tmp_path, empty_store, services_with, memory_keychain
    ):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        services.settings.change(remember_stores=False)
        services.library.open(path)
        view = services.home.look()
        assert (len(view.cards), view.remembers) == (1, False)
        services.library.close_all()
        assert services.home.look().cards == ()
        assert memory_keychain.asked == 0
        assert not (tmp_path / "data" / FILE).exists()

    def test_what_was_kept_is_taken_out_when_it_is_switched_off(
        self, tmp_path, empty_store, services_with
    ):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        services.library.open(path)
        assert len(services.home.look().cards) == 1
        services.settings.change(remember_stores=False)
        services.home.apply_settings()
        assert services.keeper.ledger().known() == ()
        services.settings.change(remember_stores=True)
        services.library.close_all()
        assert services_with().home.look().cards == ()

    def test_a_lost_sample_is_nobodys_store(self, tmp_path, empty_store, services_with):
        path = empty_store(tmp_path / "memory-gui-sample-x/.agentao")
        services = services_with()
        services.library.open(path)
        services.home.look()
        services.library.close_all()
        assert len(services.home.look().cards) == 1
        path.unlink()
        assert services.home.look().cards == ()
        assert services.keeper.ledger().known() == ()


class TestProblems:
    def known(self, services, *paths, key=None):
        services.keeper.ledger()
        for path in paths:
            services.library.open(path, key=key, pair=False)
        services.library.close_all()

    def test_each_by_its_cause_and_gone_when_it_is_solved(
        self, tmp_path, empty_store, services_with
    ):
        paths = {
            name: empty_store(tmp_path / name / ".agentao")
            for name in ("gone", "empty", "cut", "well")
        }
        services = services_with()
        self.known(services, *paths.values())
        assert services.home.look().problems == ()
        kept = {name: path.read_bytes() for name, path in paths.items()}
        paths["gone"].unlink()
        paths["empty"].write_bytes(b"")
        paths["cut"].write_bytes(kept["cut"][:-100])
        view = services.home.look()
        assert sorted(causes(view)) == [
            (Cause.CANNOT_OPEN, "cut"),
            (Cause.CANNOT_OPEN, "empty"),
            (Cause.GONE, "gone"),
        ]
        assert len(view.cards) == 4
        (opened,) = services.library.open(paths["well"])  # no other one stands in the way
        assert opened.name == "well"
        for name, data in kept.items():
            if name != "well":
                paths[name].write_bytes(data)
        assert services.home.look().problems == ()

    def test_a_place_that_can_only_be_read(self, tmp_path, empty_store, services_with, monkeypatch):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        self.known(services, path)
        real = os.access
        denied = lambda name, mode: mode == os.W_OK and Path(name) == path  # noqa: E731 - short
        monkeypatch.setattr(os, "access", lambda n, mode: not denied(n, mode) and real(n, mode))
        assert causes(services.home.look()) == [(Cause.READ_ONLY, "atlas")]

    def test_a_key_that_was_not_there_until_the_store_opens(
        self, tmp_path, empty_store, services_with, memory_keychain
    ):
        path = empty_store(tmp_path / "atlas/.agentao", KEY)
        services = services_with()
        self.known(services, path, key=KEY)
        services.home.look()
        memory_keychain.answer = Locked("M")
        with pytest.raises(UserError) as caught:
            services.library.open(path)
        services.home.failed(str(path), caught.value)
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.path, problem.name) == (Cause.KEY, str(path), "atlas")
        assert problem.error.params["reason"] == "locked"
        services.library.open(path, key=KEY)
        assert services.home.look().problems == ()
        services.library.close_all()
        assert services.home.look().problems == ()

    def test_what_the_file_tells_anew_is_not_remembered(self, tmp_path, empty_store, services_with):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        self.known(services, path)
        services.home.failed(str(path), UserError("store.missing", path=str(path)))
        services.home.failed(str(path), UserError("store.damaged", path=str(path)))
        assert causes(services.home.look()) == [(Cause.CANNOT_OPEN, "atlas")]
        services.home.forget(str(path))
        assert services.home.look().problems == ()

    def test_the_other_half_of_a_pair(self, tmp_path, empty_store, services_with):
        empty_store(tmp_path / "atlas/.agentao")
        user = empty_store(tmp_path / "home/.agentao", KEY)
        services = services_with()
        (opened,) = services.library.open(tmp_path / "atlas")
        assert opened.partner_problem is not None
        services.home.failed(str(user), opened.partner_problem)
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.path) == (Cause.KEY, str(user))

    def test_a_key_that_no_paper_keeps_until_one_was_seen_to_work(
        self, tmp_path, empty_store, services_with, memory_keychain
    ):
        path = empty_store(tmp_path / "atlas/.agentao", KEY)
        memory_keychain.keys[f"memory-gui/{path.read_bytes()[:16].hex()}", "a"] = KEY
        services = services_with()
        (opened,) = services.library.open(path)
        assert opened.key_place == KeyPlace.KEYCHAIN
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.store, problem.code) == (
            Cause.NO_RECOVERY, opened.id, "none",
        )  # fmt: skip
        sheet = services.recovery.make(opened.id)
        assert [one.code for one in services.home.look().problems] == ["made"]
        assert services.recovery.confirm(opened.id, sheet.text)
        assert services.home.look().problems == ()

    def test_an_erase_that_is_not_finished(self, tmp_path, empty_store, services_with):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        self.known(services, path)
        entry = PendingErase.begin(str(path), {})
        services.keeper.ledger().pending.put(entry)
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.path, problem.name) == (Cause.ERASE, str(path), "atlas")
        services.keeper.ledger().pending.remove(entry.id)
        assert services.home.look().problems == ()

    def test_without_the_ledger_until_it_opens(
        self, tmp_path, empty_store, services_with, memory_keychain
    ):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        self.known(services, path)
        services = services_with()
        memory_keychain.answer = Locked("M")
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.code) == (Cause.LEDGER, "key")
        memory_keychain.answer = None
        services.home.try_ledger_again()
        view = services.home.look()
        assert view.problems == ()
        assert len(view.cards) == 1

    def test_a_ledger_that_cannot_be_read_is_one_line(
        self, tmp_path, empty_store, services_with, monkeypatch
    ):
        path = empty_store(tmp_path / "atlas/.agentao")
        services = services_with()
        self.known(services, path)
        (tmp_path / "data" / FILE).write_bytes(b"x" * 4096)
        (problem,) = services.home.look().problems
        assert (problem.cause, problem.code) == (Cause.LEDGER, "unreadable")

    def test_a_keychain_that_is_switched_off_is_no_problem(self, services_with):
        assert services_with(NoKeychain()).home.look().problems == ()


class TestSlowDisks:
    def test_a_disk_that_does_not_answer_holds_up_nobody(self):
        gate = threading.Event()
        looked = []

        def look(path):
            looked.append(path.name)
            if path.name == "slow":
                gate.wait(60)
            return Glance(encrypted=True)

        glances = Glances(look)
        found = glances.of(["/quick", "/slow"], patience=1.0)
        assert found["/quick"].encrypted is True
        assert found["/slow"].silent
        assert glances.of(["/slow"], patience=0.01)["/slow"].silent
        assert looked.count("slow") == 1  # the thread that waits is not joined by others
        gate.set()
        assert glances.of(["/slow"], patience=60)["/slow"].encrypted is True

    def test_many_files_are_looked_at_by_few_threads(self):
        here = []

        def look(_path):
            here.append(threading.active_count())
            return Glance(encrypted=True)

        before = threading.active_count()
        found = Glances(look).of([f"/{number}" for number in range(300)])
        assert all(one.encrypted for one in found.values())
        assert max(here) <= before + 8


def test_what_was_seen_counts_as_the_views_do():
    seen = last_seen(
        {
            "memory": {State.LIVE: 5, State.TRASH: 2},
            "review": {State.PENDING: 3, State.REJECTED: 9},
            "summary": {State.LIVE: 4, State.TRASH: 1},
        }
    )
    assert (seen.memories, seen.to_review, seen.in_trash) == (5, 3, 3)
    assert isinstance(seen, LastSeen)


class TestNoStoreKeepsAnotherFromOpening:
    def test_one_whose_key_waits_for_a_person(
        self, tmp_path, empty_store, services_with, memory_keychain
    ):
        locked = empty_store(tmp_path / "locked/.agentao", KEY)
        plain = empty_store(tmp_path / "plain/.agentao")
        services = services_with()
        gate, asked = threading.Event(), threading.Event()

        def wait(_service):
            asked.set()
            gate.wait(20)
            return Locked("M")

        memory_keychain.find_in = wait
        caught = []

        def open_locked():
            try:
                services.library.open(locked, pair=False)
            except UserError as error:
                caught.append(error.code)

        first = threading.Thread(target=open_locked)
        first.start()
        assert asked.wait(60)
        opened = []
        second = threading.Thread(target=lambda: opened.extend(services.library.open(plain)))
        second.start()
        second.join(10)
        assert [one.name for one in opened] == ["plain"]
        assert caught == []
        gate.set()
        first.join(10)
        assert caught == ["key.needed"]

    def test_the_same_store_twice_at_once_is_opened_once(
        self, tmp_path, empty_store, services_with
    ):
        path = empty_store(tmp_path / "atlas/.agentao")
        link = tmp_path / "link.db"
        link.symlink_to(path)
        services = services_with()
        opened = []
        threads = [
            threading.Thread(target=lambda one=one: opened.extend(services.library.open(one)))
            for one in (path, link, path.parent.parent, path)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(opened) == 4
        assert len({one.id for one in opened}) == 1
        assert len(services.library.shelves()) == 1
