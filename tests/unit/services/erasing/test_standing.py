# SPDX-License-Identifier: MIT
"""A store that is kept clean: its journal stays a file, for our connections and an agent's."""

from __future__ import annotations

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.agents import connect
from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.evidence import inspect
from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

TEXT = "the canary of this test sings at seven every morning"


@pytest.fixture
def build(tmp_path):
    made = []

    def start(key=None, keychain=None):
        file = tmp_path / "atlas/.agentao/memory.db"
        if not file.exists():
            file.parent.mkdir(parents=True)
            create_store(file, key)
        services = build_services(
            words=Words(),
            home=tmp_path / "home",
            data_dir=tmp_path / "data",
            keychain=keychain or ManyKeychains(SECRETS),
        )
        made.append(services)
        return services, services.library.open(file, key=key)[0].id, file

    yield start
    for services in made:
        services.close()


def wal(file):
    return inspect(file).wal_mode


def add(services, store, text=TEXT):
    new = NewRecord("memory", {"title": text[:9], "text": text, "scope": "project"})
    return services.editing.add(store, new).changes.added[0]


def test_its_journal_is_changed_with_a_yes_only_and_put_back(build):
    services, store, file = build()
    kept = services.standing
    assert (kept.state(store).on, kept.state(store).journal) == (False, "wal")
    with pytest.raises(UserError, match=r"standing\.journal"):
        kept.turn_on(store)
    assert not kept.state(store).on
    services.library.close_all()
    assert wal(file)
    services.library.open(file)
    state = kept.turn_on(store, change_journal=True)
    assert (state.on, state.works, state.journal) == (True, True, "persist")
    state = kept.turn_off(store)
    assert (state.on, state.journal) == (False, "wal")
    services.library.close_all()
    assert wal(file)
    assert not file.with_name("memory.db-journal").exists()


def test_every_write_keeps_the_journal_and_an_erase_overwrites_it(build):
    services, store, file = build()
    journal = file.with_name("memory.db-journal")
    services.standing.turn_on(store, change_journal=True)
    number = journal.stat().st_ino
    ref = add(services, store)
    services.editing.edit(Edit(Target(ref), {"text": "something else"}))
    services.library.close_all()
    agent = connect(file)  # the agent's own connection, through ours
    with agent:
        agent.execute("UPDATE memories SET content = 'a third text'")
    assert agent.execute("PRAGMA secure_delete").fetchone()[0] == 1
    agent.close()
    assert journal.stat().st_ino == number
    assert b"something else" in journal.read_bytes()
    services.library.open(file)
    result = services.erasing.run(services.erasing.plans.plan([ref]))
    assert result.state is EraseState.PROVED
    left = journal.read_bytes() + file.read_bytes()
    assert not any(text in left for text in (TEXT.encode(), b"something else", b"a third text"))
    assert services.standing.state(store).works


def test_another_program_that_changes_it_is_noticed_and_it_can_be_renewed(build):
    services, store, file = build()
    services.standing.turn_on(store, change_journal=True)
    services.library.close_all()
    agent = connect(file)
    assert agent.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal"
    agent.execute("UPDATE schema_meta SET value = value")
    agent.commit()
    agent.close()
    services.library.open(file)
    state = services.standing.state(store)
    assert (state.on, state.works) == (True, False)
    assert services.standing.turn_on(store, change_journal=True).works
    services.standing.turn_off(store)
    services.library.close_all()
    assert wal(file)


def test_an_encrypted_store_keeps_its_journal(build):
    services, store, _ = build(RawKey(bytes(range(32))))
    state = services.standing.turn_on(store)
    assert (state.on, state.works, state.journal) == (True, True, "wal")
    assert not services.standing.turn_off(store).on


def test_without_our_own_records_it_cannot_be_remembered(build):
    services, store, _ = build(keychain=NoKeychain())
    with pytest.raises(UserError, match=r"standing\.no_ledger"):
        services.standing.turn_on(store, change_journal=True)
