# SPDX-License-Identifier: MIT
"""SQLCipher's pages, against files that SQLCipher wrote."""

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine.pages.btree import PageError
from memory_gui.engine.pages.cipher import find_cipher
from memory_gui.engine.pages.record import decode_record

KEY = "5eed" * 16
WORDS = "correct horse 电池"


def make(peer, path, secret, sets=""):
    other = peer(path, secret, sets=sets)
    other.do("CREATE TABLE t (v TEXT)")
    other.do("BEGIN")
    other.many("INSERT INTO t VALUES (?)", [("v" * n * 40,) for n in range(80)])
    other.do("COMMIT")
    other.close()
    return path


@pytest.mark.parametrize(
    ("secret", "key", "sets", "version", "size"),
    [
        (KEY, RawKey.from_hex(KEY), "", 4, 4096),
        (WORDS, Passphrase(WORDS), "", 4, 4096),
        (WORDS, Passphrase(WORDS, 4), "", 4, 4096),
        (KEY, RawKey.from_hex(KEY), "PRAGMA cipher_compatibility=3", 3, 1024),
        (WORDS, Passphrase(WORDS), "PRAGMA cipher_compatibility=3", 3, 1024),
        (WORDS, Passphrase(WORDS, 2), "PRAGMA cipher_compatibility=2", 2, 1024),
        (KEY, RawKey.from_hex(KEY), "PRAGMA cipher_page_size=8192", 4, 8192),
    ],
    ids=["raw", "words", "words4", "raw3", "words3", "words2", "8k"],
)
def test_each_layout_is_found_and_read(
    tmp_path, peer, survey, tree_of, secret, key, sets, version, size
):
    path = make(peer, tmp_path / "a.db", secret, sets)
    found = survey(path, key)
    assert found.file.cipher.layout.version == version
    assert found.file.header.page_size == size
    values = [decode_record(p)[0] for _, p in found.rows(tree_of(found, "t"))]
    assert sorted(values) == sorted("v" * n * 40 for n in range(80))
    assert not found.residue.unreadable


def test_a_wrong_key_opens_nothing(tmp_path, peer):
    head = make(peer, tmp_path / "a.db", KEY).read_bytes()
    assert find_cipher(RawKey(bytes(32)), head) is None
    assert find_cipher(Passphrase("wrong", 4), head) is None


@pytest.mark.parametrize("at", [4096 + 7, 2 * 4096 - 80, 2 * 4096 - 1 - 8])
def test_a_changed_byte_in_content_vector_or_code_is_noticed(tmp_path, peer, survey, at):
    path = make(peer, tmp_path / "a.db", KEY)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert survey(path, RawKey.from_hex(KEY)).residue.unreadable == [2]


def test_a_page_put_at_another_ones_place_is_noticed(tmp_path, peer, survey):
    path = make(peer, tmp_path / "a.db", KEY)
    data = bytearray(path.read_bytes())
    data[4096:8192], data[8192:12288] = data[8192:12288], data[4096:8192]
    path.write_bytes(data)
    found = survey(path, RawKey.from_hex(KEY))
    assert 2 in found.residue.unreadable
    with pytest.raises(PageError):
        found.file.page(2)


def test_a_first_page_that_is_not_authentic_is_a_wrong_key(tmp_path, peer, survey):
    path = make(peer, tmp_path / "a.db", KEY)
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    with pytest.raises(UserError) as caught:
        survey(path, RawKey.from_hex(KEY))
    assert caught.value.code == "store.not_a_database"
