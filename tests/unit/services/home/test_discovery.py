# SPDX-License-Identifier: MIT
"""Looking for stores only where a person said so; stopping at once; nothing is opened or kept."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))
from planted import EXPECTED_PROJECT, EXPECTED_USUAL, plant

from memory_gui.domain.errors import UserError
from memory_gui.domain.work import CancelToken
from memory_gui.services import build_services
from memory_gui.stores.discovery.search import Search
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("planted").resolve())


@pytest.fixture
def make(tmp_path, planted):
    made = []

    def build():
        services = build_services(
            words=Words(),
            home=planted[0],
            data_dir=tmp_path / "data",
            keychain=NoKeychain(),
            environment={},
        )
        made.append(services)
        return services

    yield build
    for one in made:
        one.close()


def test_nothing_is_looked_at_before_a_person_says_so(make, monkeypatch):
    services = make()
    monkeypatch.setattr(Search, "usual", lambda _: pytest.fail("looked"))
    monkeypatch.setattr(Search, "below", lambda *_: pytest.fail("looked"))
    seen = services.discovery.at_hand()
    assert (seen.asked, seen.looks, seen.roots, seen.done) == (False, False, (), False)
    assert services.discovery.look() == seen
    seen = services.discovery.answer(looks=False)
    assert (seen.asked, seen.looks) == (True, False)
    assert services.discovery.look() == seen


def test_after_a_yes_all_is_found_and_no_store_is_opened(make, planted, monkeypatch):
    services = make()
    monkeypatch.setattr(services.discovery._registry, "open", lambda *_: pytest.fail("opened"))
    services.discovery.answer(looks=True)
    seen = services.discovery.look()
    assert {(one.format, str(one.path.relative_to(planted[0]))) for one in seen.found} == (
        EXPECTED_USUAL
    )
    assert seen.done
    assert services.discovery.at_hand() == seen
    agents = [one.agent.casefold() for one in seen.found]
    assert agents == sorted(agents)


def test_the_answer_and_the_folders_outlive_the_run_and_what_was_found_does_not(make, planted):
    services = make()
    services.discovery.answer(looks=True)
    services.discovery.add_root(str(planted[1]))
    assert services.discovery.look().found
    seen = make().discovery.at_hand()
    assert (seen.asked, seen.looks, seen.roots, seen.found) == (True, True, (str(planted[1]),), ())


def test_folders_are_added_once_searched_and_taken_off(make, planted):
    discovery = make().discovery
    work = planted[1]
    assert discovery.add_root(str(work)).roots == (str(work),)
    assert discovery.add_root(f"{work}/../{work.name}").roots == (str(work),)
    found = {(one.format, str(one.path.relative_to(work))) for one in discovery.look().found}
    assert found == EXPECTED_PROJECT
    seen = discovery.remove_root(str(work))
    assert (seen.roots, seen.found, seen.done) == ((), (), False)
    for wrong in ("/no such folder", str(work / "graph/memory.jsonl"), "a\0b"):
        with pytest.raises(UserError) as caught:
            discovery.add_root(wrong)
        assert caught.value.code == "discover.no_folder"


def test_it_stops_within_half_a_second_even_on_a_disk_that_does_not_answer(
    make, monkeypatch, stopwatch
):
    discovery = make().discovery
    discovery.answer(looks=True)
    hangs = threading.Event()
    monkeypatch.setattr(Search, "usual", lambda _: iter(lambda: hangs.wait(20), True))
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    started, watch = time.monotonic(), stopwatch()
    seen = discovery.look(cancel=token)
    took, own = time.monotonic() - started, watch.seconds
    hangs.set()
    assert took > 0.15
    assert own < 0.7
    assert seen.stopped


def test_what_was_found_until_then_is_given(make, monkeypatch, planted):
    discovery = make().discovery
    discovery.answer(looks=True)
    real, waits = Search.usual, threading.Event()

    def slowly(self):
        for number, one in enumerate(real(self)):
            if number == 2:
                waits.wait(20)
            self._check()
            yield one

    monkeypatch.setattr(Search, "usual", slowly)
    token = CancelToken()
    threading.Timer(0.3, token.cancel).start()
    seen = discovery.look(cancel=token)
    waits.set()
    assert (seen.stopped, len(seen.found)) == (True, 2)


def test_forgotten_when_it_is_locked(make):
    discovery = make().discovery
    discovery.answer(looks=True)
    assert discovery.look().found
    discovery.clear()
    assert discovery.at_hand().found == ()


def test_a_bug_is_not_swallowed(make, monkeypatch):
    discovery = make().discovery
    discovery.answer(looks=True)

    def broken(_self):
        raise ZeroDivisionError

    monkeypatch.setattr(Search, "usual", broken)
    with pytest.raises(ZeroDivisionError):
        discovery.look()


def test_counting_opens_shortly_and_leaves_nothing_open(make, planted):
    services = make()
    services.discovery.answer(looks=True)
    found = {one.format: one for one in services.discovery.look().found}
    assert services.discovery.count(found["notes"])
    assert services.discovery.count(found["hermes"]) is None
    assert services.library.stores() == ()


def test_every_found_store_that_opens_does_open_and_the_others_as_tables(make, planted):
    services = make()
    services.discovery.answer(looks=True)
    services.discovery.add_root(str(planted[1]))
    for one in services.discovery.look().found:
        if one.opens or one.is_database:
            opened = services.library.open(one.path, pair=False)[0]
            assert opened.info.format == (one.format if one.opens else "sqlite")
            services.library.close(opened.id)
