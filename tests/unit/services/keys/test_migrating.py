# SPDX-License-Identifier: MIT
"""A copy in today's format can be opened by whoever opens the store: its key is nowhere lost."""

from __future__ import annotations

import pytest
import sqlcipher3
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.errors import IntegrityError
from memory_gui.domain.keys import RawKey
from memory_gui.services import KeyPlace, build_services
from memory_gui.vault.contract import service_of
from memory_gui.words import Words

KEY = RawKey(bytes(range(1, 33)))


@pytest.fixture
def keychain():
    return ManyKeychains(SECRETS)


@pytest.fixture
def services(tmp_path, keychain):
    built = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
    )
    yield built
    built.close()


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.db"
    raw = sqlcipher3.connect(str(path), isolation_level=None)
    raw.set_key(f"x'{KEY.hex()}'")
    raw.execute("PRAGMA cipher_compatibility = 3").fetchall()
    raw.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    raw.executemany("INSERT INTO notes (body) VALUES (?)", [(f"note {n}",) for n in range(7)])
    raw.close()
    return path


def salt_of(path):
    return path.read_bytes()[:16]


def test_a_key_that_was_entered_opens_the_copy_and_the_keychain_is_not_asked(
    services, keychain, old
):
    (store,) = services.library.open(old, key=KEY, pair=False)
    out = old.with_name("new.db")
    before, keychain.log[:] = old.read_bytes(), []
    done = services.migrating.migrate(store.id, out)
    assert (done.rows, done.kept) == (7, False)
    assert old.read_bytes() == before
    assert keychain.log == []
    (copy,) = services.migrating.open(store.id, out)
    assert copy.key_place is KeyPlace.TYPED
    assert copy.info.cipher["cipher_page_size"] == "4096"
    services.library.close_all()
    assert services.library.open(out, key=KEY, pair=False)


def test_a_key_that_only_the_keychain_has_is_kept_for_the_copy_too(services, keychain, old):
    (store,) = services.library.open(old, key=KEY, pair=False)
    services.keys.keep(store.id)
    services.library.close_all()
    (store,) = services.library.open(old, pair=False)
    out = old.with_name("new.db")
    assert services.migrating.migrate(store.id, out).kept
    assert (SECRETS, service_of(salt_of(out)), "a") in keychain.entries
    services.library.close_all()
    (copy,) = services.library.open(out, pair=False)
    assert copy.key_place is KeyPlace.KEYCHAIN


def test_a_copy_that_nobody_could_open_is_not_left(services, keychain, old):
    (store,) = services.library.open(old, key=KEY, pair=False)
    services.keys.keep(store.id)
    out = old.with_name("new.db")
    keychain.forgets.add(SECRETS)
    with pytest.raises(IntegrityError, match=r"keys\.does_not_open"):
        services.migrating.migrate(store.id, out)
    assert not out.exists()
