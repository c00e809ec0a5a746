# SPDX-License-Identifier: MIT
"""Databases of other programs: SQLCipher 1 to 4, raw keys, own settings, a readable header.

The files are made by SQLCipher itself, with ``PRAGMA cipher_compatibility`` and its other settings.
"""

import hashlib
import time
from pathlib import Path

import pytest
import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    CipherSettings,
    Passphrase,
    RawKey,
    key_from_message,
    key_message,
    read_raw_key,
    with_settings,
)
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.engine.keying import derived, ways
from memory_gui.vault.answers import read_secret, write_secret

WORDS = "it's a “pass” phrase 口令"
RAW = bytes(range(1, 33))
SALT = "00112233445566778899aabbccddeeff"


def make(path: Path, key: str, *pragmas: str, rows: int = 40, journal: str = "delete") -> Path:
    """A database as another program makes it."""
    raw = sqlcipher3.connect(str(path), isolation_level=None)
    raw.set_key(key)
    for pragma in pragmas:
        raw.execute(f"PRAGMA {pragma}").fetchall()
    raw.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    raw.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    raw.executemany(
        "INSERT INTO notes (body) VALUES (?)", [(f"note {n}" * 20,) for n in range(rows)]
    )
    raw.close()
    return path


def count(path: Path, key) -> int:
    with open_database(path, key, write=False) as connection:
        return connection.execute("SELECT count(*) FROM notes")[0][0]


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_each_version_is_found_out_for_a_raw_key(tmp_path, version, journal):
    path = make(
        tmp_path / "a.db", f"x'{RAW.hex()}'", f"cipher_compatibility = {version}", journal=journal
    )
    assert count(path, RawKey(RAW)) == 40
    with open_database(path, RawKey(RAW), write=True) as connection:
        with connection.writing():
            connection.execute("INSERT INTO notes (body) VALUES ('one more')")
    assert count(path, RawKey(RAW)) == 41
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, RawKey(bytes(32)), write=False)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_each_version_is_found_out_for_a_passphrase(tmp_path, version):
    path = make(tmp_path / "a.db", WORDS, f"cipher_compatibility = {version}")
    assert count(path, Passphrase(WORDS)) == 40
    assert count(path, Passphrase(WORDS, version)) == 40
    other = version % 4 + 1
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, Passphrase(WORDS, other), write=False)


# 512 is too small: SQLite wants 480 bytes of content, and the MAC leaves fewer.
@pytest.mark.parametrize("size", [1024, 2048, 8192, 65536])
def test_a_page_of_another_size_is_found_out(tmp_path, size):
    path = make(tmp_path / "a.db", WORDS, f"cipher_page_size = {size}", rows=200)
    assert count(path, Passphrase(WORDS)) == 200
    raw = make(tmp_path / "b.db", f"x'{RAW.hex()}'", f"cipher_page_size = {size}", rows=200)
    assert count(raw, RawKey(RAW)) == 200


OWN = [
    (("kdf_iter = 1000",), CipherSettings(iterations=1000)),
    (
        ("cipher_page_size = 1024", "cipher_hmac_algorithm = HMAC_SHA256"),
        CipherSettings(page_size=1024, hmac="sha256"),
    ),
    (
        ("cipher_kdf_algorithm = PBKDF2_HMAC_SHA1", "kdf_iter = 64000"),
        CipherSettings(kdf="sha1", iterations=64000),
    ),
    (("cipher_use_hmac = OFF",), CipherSettings(hmac="none")),
]


@pytest.mark.parametrize(("pragmas", "settings"), OWN)
def test_settings_of_ones_own_open_it_when_they_are_given(tmp_path, pragmas, settings):
    path = make(tmp_path / "a.db", WORDS, *pragmas)
    assert count(path, Passphrase(WORDS, settings=settings)) == 40
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, Passphrase(WORDS), write=False)
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, Passphrase("other", settings=settings), write=False)


class TestReadableHeader:
    """``cipher_plaintext_header_size``: the file looks readable and does not hold its salt."""

    PRAGMAS = ("cipher_plaintext_header_size = 32",)

    @pytest.fixture
    def path(self, tmp_path):
        return make(tmp_path / "a.db", f"x'{RAW.hex()}{SALT}'", *self.PRAGMAS)

    def test_it_is_told_from_a_readable_one(self, path, tmp_path):
        assert inspect(path).head == "half"
        plain = tmp_path / "plain.db"
        raw = sqlcipher3.connect(str(plain), isolation_level=None)
        raw.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB)")
        raw.execute("INSERT INTO notes (body) VALUES (randomblob(3000))")
        raw.close()
        assert inspect(plain).head == "plain"

    def test_key_and_salt_by_hand_open_it_for_looking(self, path):
        before = hashlib.sha256(path.read_bytes()).digest()
        key = read_raw_key(RAW.hex() + SALT)
        assert count(path, key) == 40
        assert hashlib.sha256(path.read_bytes()).digest() == before

    def test_a_passphrase_with_its_salt_opens_it(self, tmp_path):
        path = make(tmp_path / "p.db", WORDS, *self.PRAGMAS, f"cipher_salt = \"x'{SALT}'\"")
        assert count(path, Passphrase(WORDS, settings=CipherSettings(salt=SALT))) == 40

    def test_it_is_never_opened_for_writing(self, path):
        with pytest.raises(UserError, match=r"store\.half_header"):
            open_database(path, read_raw_key(RAW.hex() + SALT), write=True)

    def test_without_the_salt_it_stays_shut(self, path):
        with pytest.raises(UserError, match=r"key\.wrong"):
            open_database(path, RawKey(RAW), write=False)
        with pytest.raises(UserError, match=r"key\.needed"):
            open_database(path, None, write=False)


@pytest.mark.parametrize(
    ("pragmas", "said"),
    [
        *[((f"cipher_compatibility = {version}",), CipherSettings()) for version in (1, 2, 3, 4)],
        (("cipher_page_size = 8192",), CipherSettings()),
        *OWN,
    ],
)
def test_what_is_made_of_a_passphrase_opens_the_file_without_it(tmp_path, pragmas, said):
    path = make(tmp_path / "a.db", WORDS, *pragmas)
    key = derived(Passphrase(WORDS, settings=said), inspect(path))
    assert count(path, key) == 40
    assert count(path, read_secret(write_secret(key))) == 40
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, derived(Passphrase("other", settings=said), inspect(path)), write=False)


def test_nothing_is_tried_that_the_file_speaks_against(tmp_path):
    """A passphrase costs a key derivation a try, so the version that fits comes first."""
    path = make(tmp_path / "a.db", WORDS, "cipher_compatibility = 2")
    assert next(ways(Passphrase(WORDS), inspect(path))) == CipherSettings(2)
    began = time.process_time()  # what it costs, however busy the machine is
    count(path, Passphrase(WORDS))
    assert time.process_time() - began < 2


def test_a_key_keeps_its_settings_on_its_way_to_a_child(tmp_path):
    for key in (
        RawKey(RAW, CipherSettings(3, 2048)),
        Passphrase(WORDS, settings=CipherSettings(hmac="sha1", salt=SALT)),
    ):
        back = key_from_message(key_message(key))
        assert type(back) is type(key)
        assert back.settings == key.settings
    assert with_settings(RawKey(RAW), CipherSettings(1)).settings.compatibility == 1
    assert key_from_message(None) is None


def test_neither_key_nor_salt_is_in_a_repr():
    for key in (read_raw_key(RAW.hex() + SALT), Passphrase(WORDS)):
        said = f"{key!r} {key.settings!r} {key}"
        assert RAW.hex() not in said
        assert SALT not in said
        assert "pass" not in said.replace("Passphrase", "")
