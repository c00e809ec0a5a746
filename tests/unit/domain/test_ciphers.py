# SPDX-License-Identifier: MIT
"""In which version's way a database is encrypted: by what SQLCipher says of real ones."""

from pathlib import Path

import pytest
import sqlcipher3

from memory_gui.domain.ciphers import OWN, format_of, is_older
from memory_gui.domain.keys import Passphrase, read_raw_key
from memory_gui.engine.connection import open_database

RAW = bytes(range(1, 33)).hex()
SALT = "00112233445566778899aabbccddeeff"


@pytest.mark.parametrize(
    ("pragma", "found"),
    [
        ("", "4"),
        ("cipher_compatibility = 3", "3"),
        ("cipher_compatibility = 2", "2"),
        ("cipher_compatibility = 1", "1"),
        ("cipher_page_size = 8192", OWN),
        ("cipher_plaintext_header_size = 32", OWN),
    ],
)
def test_by_what_it_is_opened_with(tmp_path: Path, pragma: str, found: str) -> None:
    half = "plaintext" in pragma
    raw = sqlcipher3.connect(str(tmp_path / "x.db"), isolation_level=None)
    raw.set_key(f"x'{RAW}{SALT}'" if half else "correct horse")
    if pragma:
        raw.execute(f"PRAGMA {pragma}").fetchall()
    raw.execute("CREATE TABLE notes (id)")
    raw.close()
    key = read_raw_key(RAW + SALT) if half else Passphrase("correct horse")
    with open_database(tmp_path / "x.db", key, write=False) as connection:
        assert format_of(connection.cipher) == found
        assert is_older(connection.cipher) is (found != "4")


def test_of_a_readable_one_there_is_none() -> None:
    assert format_of({}) == ""
    assert not is_older({})
