# SPDX-License-Identifier: MIT
"""Words of deleted documents in full-text indexes, against what SQLite does to them."""

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.pages.fts5 import stray_entries
from memory_gui.erasure.look import _blocks

WORDS = [f"word{n} alpha beta gamma{n % 7} delta{n % 11} " * (n % 40 + 1) for n in range(120)]
CONTENT = {
    "own": "CREATE VIRTUAL TABLE f USING fts5(body)",
    "external": "CREATE VIRTUAL TABLE f USING fts5(body, content='t')",
    "contentless": "CREATE VIRTUAL TABLE f USING fts5(body, content='', contentless_delete=1)",
}


@pytest.fixture
def strays(tmp_path, peer, survey, tree_of):
    def run(kind, *after):
        # sqlcipher3's SQLite: Python's own may be too old for contentless_delete.
        path = tmp_path / f"{kind}{len(after)}.db"
        other = peer(path, "5eed" * 16)
        other.do("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)")
        other.do(CONTENT[kind])
        other.do("BEGIN")
        other.many("INSERT INTO t VALUES (?, ?)", list(enumerate(WORDS)))
        other.many("INSERT INTO f (rowid, body) VALUES (?, ?)", list(enumerate(WORDS)))
        other.do("COMMIT")
        for sql in after:
            other.do(sql)
        other.close()
        found = survey(path, RawKey.from_hex("5eed" * 16))
        documents = {rowid for rowid, _ in found.rows(tree_of(found, "f_docsize"))}
        return stray_entries(_blocks(found, tree_of(found, "f_data")), documents)

    return run


DELETE = {
    "own": "DELETE FROM f WHERE rowid % 3 = 0",
    "external": "INSERT INTO f (f, rowid, body) SELECT 'delete', id, body FROM t WHERE id % 3 = 0",
    "contentless": "DELETE FROM f WHERE rowid % 3 = 0",
}


@pytest.mark.parametrize("kind", CONTENT)
def test_an_index_as_it_was_made_has_none(strays, kind):
    assert strays(kind) == 0


@pytest.mark.parametrize("kind", CONTENT)
def test_a_plain_delete_leaves_entries(strays, kind):
    assert strays(kind, DELETE[kind]) > 0


@pytest.mark.parametrize(("kind", "command"), [("own", "rebuild"), ("contentless", "optimize")])
def test_rebuild_and_optimize_take_them_away(strays, kind, command):
    assert strays(kind, DELETE[kind], f"INSERT INTO f (f) VALUES ('{command}')") == 0


def test_rebuild_of_an_external_index(strays):
    gone = "DELETE FROM t WHERE id % 3 = 0"
    assert strays("external", DELETE["external"], gone, "INSERT INTO f (f) VALUES ('rebuild')") == 0


def test_many_segments_and_long_position_lists(strays):
    more = [
        f"INSERT INTO f (rowid, body) SELECT id + {1000 * n}, body || body FROM t"
        for n in range(1, 4)
    ]
    assert strays("own", *more) == 0
