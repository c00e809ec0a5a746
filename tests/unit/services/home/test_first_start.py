# SPDX-License-Identifier: MIT
"""The first start asks the keychain for nothing: what only looks makes no records of our own.

They are made at the first act that has something to write down, and then nothing is missing.
"""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.queries import Query
from memory_gui.ledger.ledger import FILE, SERVICE
from memory_gui.services import build_services
from memory_gui.words import Words


@pytest.fixture
def start(tmp_path, memory_keychain):
    """Begin a run of the app; the one before it ends."""
    (tmp_path / "home").mkdir()
    made = []

    def begin():
        if made:
            made.pop().close()
        made.append(
            build_services(
                words=Words(),
                home=tmp_path / "home",
                data_dir=tmp_path / "data",
                keychain=memory_keychain,
            )
        )
        return made[-1]

    yield begin
    made.pop().close()


def untouched(tmp_path, keychain):
    return keychain.asked == 0 and not keychain.keys and not (tmp_path / "data" / FILE).exists()


def test_home_looks_and_nobody_is_asked(tmp_path, empty_store, start, memory_keychain):
    empty_store(tmp_path / "home/.agentao")
    services = start()
    services.home.at_hand()
    assert services.home.look().cards == ()
    services.discovery.answer(looks=True)
    (found,) = services.discovery.look().found
    services.home.apply_settings()
    services.home.write_down()  # nothing was opened: there is nothing to write down
    assert found.path == tmp_path / "home/.agentao/memory.db"
    assert untouched(tmp_path, memory_keychain)


def test_a_store_is_read_reviewed_and_typed_in_and_nobody_is_asked(
    tmp_path, empty_store, start, memory_keychain
):
    path = empty_store(tmp_path / "atlas/.agentao")
    services = start()
    (opened,) = services.library.open(path)
    services.editing.add(opened.id, NewRecord("memory", {"title": "tea", "text": "green"}))
    services.library.search(Query())
    services.review.queue()
    assert services.review.waiting("tea", rejected_before=True) == []
    assert services.drafts.waiting() == ()
    assert untouched(tmp_path, memory_keychain)


def test_what_a_person_opened_is_still_known_at_the_next_start(
    tmp_path, empty_store, start, memory_keychain
):
    path = empty_store(tmp_path / "atlas/.agentao")
    services = start()
    services.home.look()
    services.library.open(path)
    services.home.write_down()
    assert (tmp_path / "data" / FILE).exists()
    assert [name for name, _ in memory_keychain.keys] == [SERVICE]
    assert [(card.path, card.name) for card in start().home.look().cards] == [(str(path), "atlas")]


def test_a_sample_is_nobodys_store_and_makes_no_records(
    tmp_path, empty_store, start, memory_keychain
):
    path = empty_store(tmp_path / "memory-gui-sample-x/atlas/.agentao")
    services = start()
    services.library.open(path)
    services.home.write_down()
    assert [card.path for card in services.home.look().cards] == [str(path)]
    assert untouched(tmp_path, memory_keychain)


def test_where_no_list_is_wanted_none_is_made(tmp_path, empty_store, start, memory_keychain):
    services = start()
    services.settings.change(remember_stores=False)
    services.library.open(empty_store(tmp_path / "atlas/.agentao"))
    services.home.write_down()
    services.home.look()
    assert untouched(tmp_path, memory_keychain)
