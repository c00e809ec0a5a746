# SPDX-License-Identifier: MIT
"""Recovery keys: made once, believed only when they came back, known by a mark alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.ledger.ledger import FILE
from memory_gui.ledger.recovery import mark_of
from memory_gui.services import build_services
from memory_gui.services.keys.recovery import CONFIRMED, MADE, NONE, PASSPHRASE, READABLE
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.vault.recovery import read_recovery_text, recovery_text
from memory_gui.words import Words

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(b"o" * 32)


@pytest.fixture
def open_with(tmp_path):
    """Services over a folder with one store; closed at the end."""
    made = []

    def build(key=KEY, *, keychain=None, data="data"):
        folder = tmp_path / "atlas"
        if not folder.exists():
            folder.mkdir()
            if isinstance(key, Passphrase):
                create_store(folder / "memory.db", None)
                _encrypt(folder / "memory.db", key)
            else:
                create_store(folder / "memory.db", key)
        services = build_services(
            words=Words(),
            home=tmp_path / "home",
            data_dir=tmp_path / data,
            keychain=keychain or ManyKeychains(SECRETS),
        )
        made.append(services)
        (opened,) = services.library.open(folder / "memory.db", key=key, pair=False)
        return services, opened.id

    yield build
    for services in made:
        services.close()


def _encrypt(path: Path, key: Passphrase) -> None:
    with open_database(path, None, write=False) as plain:
        script = ";".join(str(sql) for *_names, sql in plain.schema() if sql)
    path.unlink()
    script = ";".join(s for s in script.split(";") if "sqlite_" not in s)
    create_database(path, key, script)


def test_the_sheet_holds_the_key_and_says_so_nowhere_else(open_with):
    services, store = open_with()
    sheet = services.recovery.make(store)
    assert read_recovery_text(" ".join(sheet.lines)) == KEY
    assert sheet.text == recovery_text(KEY)
    assert sheet.checksum == sheet.lines[-1].split()[-1]
    assert [len(line.split()) for line in sheet.lines] == [4, 4, 4, 2]
    assert len({len(row) for row in sheet.qr}) == 1
    assert len(sheet.qr) == len(sheet.qr[0])
    assert sheet.lines[0] not in repr(sheet)
    assert sheet.checksum not in repr(sheet)


def test_made_twice_it_is_the_same_of_the_same_date(open_with):
    services, store = open_with()
    assert services.recovery.make(store) == services.recovery.make(store)


def test_it_is_believed_only_when_it_came_back(open_with):
    services, store = open_with()
    recovery = services.recovery
    assert recovery.state(store).code == NONE
    sheet = recovery.make(store)
    assert recovery.state(store).code == MADE
    assert not recovery.state(store).recoverable
    assert recovery.confirm(store, recovery_text(OTHER)) is False
    assert recovery.state(store).code == MADE
    with pytest.raises(UserError, match=r"recovery\.group_length"):
        recovery.confirm(store, sheet.text[:-1])
    assert recovery.confirm(store, sheet.text.lower().replace(" ", "-")) is True
    state = recovery.state(store)
    assert (state.code, state.made_at, state.kept) == (CONFIRMED, sheet.date, True)
    assert state.confirmed_at >= state.made_at
    recovery.make(store)
    assert recovery.state(store).code == CONFIRMED


def test_the_state_outlives_the_run_and_the_moving_of_the_file(open_with, tmp_path):
    keychain = ManyKeychains(SECRETS)
    services, store = open_with(keychain=keychain)
    services.recovery.confirm(store, services.recovery.make(store).text)
    services.close()
    shutil.move(tmp_path / "atlas", tmp_path / "moved")
    services, _ = open_with(keychain=keychain)  # another store at the old place
    (moved,) = services.library.open(tmp_path / "moved/memory.db", key=KEY, pair=False)
    assert services.recovery.state(moved.id).code == CONFIRMED
    salt = (tmp_path / "moved/memory.db").read_bytes()[:16]
    assert services.recovery.known()[salt].code == CONFIRMED


def test_the_key_is_in_no_file_of_ours(open_with, tmp_path):
    services, store = open_with()
    sheet = services.recovery.make(store)
    services.recovery.confirm(store, sheet.text)
    ledger = services.keeper.ledger()
    with ledger.connection() as connection:
        rows = repr(connection.execute("SELECT * FROM recovery_key"))
    assert KEY.hex() not in rows
    assert sheet.lines[0] not in rows
    assert mark_of((tmp_path / "atlas/memory.db").read_bytes()[:16], KEY) in rows
    assert (tmp_path / "data" / FILE).exists()


def test_after_another_key_the_paper_is_spoken_of_as_the_old_one(open_with):
    services, store = open_with()
    sheet = services.recovery.make(store)
    services.recovery.confirm(store, sheet.text)
    shelf = services.library.shelf(store)
    shelf.rekey(OTHER, shelf.key_place, shelf.salt)
    state = services.recovery.state(store)
    assert (state.code, state.stale_at) == (NONE, sheet.date)
    assert services.recovery.confirm(store, sheet.text) is False
    services.recovery.forget(shelf.salt, KEY)
    assert services.recovery.state(store).stale_at == ""
    shelf.rekey(KEY, shelf.key_place, shelf.salt)


def test_who_waits_for_the_confirmation_is_told(open_with):
    services, store = open_with()
    told = []
    services.recovery.when_confirmed(lambda path, salt: told.append((path, salt)))
    services.recovery.confirm(store, recovery_text(OTHER))
    assert told == []
    services.recovery.confirm(store, recovery_text(KEY))
    shelf = services.library.shelf(store)
    assert told == [(shelf.info.path, shelf.salt)]


def test_without_our_own_records_it_works_for_this_run_and_says_so(open_with):
    services, store = open_with(keychain=NoKeychain())
    services.recovery.confirm(store, services.recovery.make(store).text)
    state = services.recovery.state(store)
    assert (state.code, state.kept) == (CONFIRMED, False)
    assert services.recovery.known()


def test_a_readable_store_needs_none_and_a_passphrase_is_its_own(open_with):
    services, store = open_with(None)
    assert services.recovery.state(store).code == READABLE
    with pytest.raises(UserError, match=r"recovery\.readable"):
        services.recovery.make(store)


def test_a_passphrase_makes_none(open_with):
    services, store = open_with(Passphrase("correct horse"))
    assert services.recovery.state(store).code == PASSPHRASE
    with pytest.raises(UserError, match=r"recovery\.passphrase"):
        services.recovery.make(store)
