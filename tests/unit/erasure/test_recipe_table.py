# SPDX-License-Identifier: MIT
"""One table of databases over the recipes: SQLite itself and a scan of the raw bytes know best.

What is left in the files is looked for by this test's own few lines (AES by ``cryptography``), not
by the prover; settings, rows, indexes and integrity are asked of a fresh connection.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlcipher3
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from memory_gui.domain.erasing import EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind
from memory_gui.erasure.result import EraseState
from memory_gui.erasure.run import run_erase

KEY = RawKey(bytes(range(32)))
GONE = ("zqcanary alphabravo first version", "zqcanary deltaecho second version")
WORDS = (b"zqcanary", b"alphabravo", b"deltaecho")
KEPT = "a neighbour that stays where it is"
_FTS = "CREATE VIRTUAL TABLE f USING fts5(t{})"
_FILL = "INSERT INTO f(rowid, t) SELECT id, t FROM m"
_TELL = "CREATE TRIGGER fd AFTER DELETE ON m BEGIN {} END"
OWN = (_FTS.format(""), _FILL, _TELL.format("DELETE FROM f WHERE rowid = old.id;"))
EXTERNAL = (
    _FTS.format(", content='m', content_rowid='id'"),
    "INSERT INTO f(f) VALUES ('rebuild')",
    _TELL.format("INSERT INTO f(f, rowid, t) VALUES ('delete', old.id, old.t);"),
)
CONTENTLESS = (
    _FTS.format(", content=''"),
    _FILL,
    _TELL.format("INSERT INTO f(f, rowid, t) VALUES ('delete', old.id, old.t);"),
)
CONTENTLESS_DELETE = (
    _FTS.format(", content='', contentless_delete=1"),
    _FILL,
    _TELL.format("DELETE FROM f WHERE rowid = old.id;"),
)
SAMPLES = ("CREATE INDEX mt ON m(t)", "ANALYZE")
COUNTER = (
    "CREATE TABLE counter(id INTEGER PRIMARY KEY, n INTEGER)",
    "INSERT INTO counter VALUES (1, 0)",
    _TELL.format("UPDATE counter SET n = n + 1;"),
)


@dataclass(frozen=True)
class Made:
    """A database: its journal, key, auto_vacuum, and what else is in it."""

    journal: str = "wal"
    key: RawKey | None = None
    auto_vacuum: int = 0
    more: tuple[str, ...] = ()
    steps: tuple[str, ...] = field(default=())
    """Steps that its recipe has beside those of every one."""


CASES = {
    **{
        f"{journal}-{'encrypted' if key else 'readable'}": Made(journal, key)
        for journal in ("wal", "delete", "truncate", "persist", "memory")
        for key in (None, KEY)
    },
    "auto-vacuum-full": Made("delete", auto_vacuum=1),
    "auto-vacuum-incremental": Made(auto_vacuum=2),
    "fts-own": Made(more=OWN, steps=("full-text",)),
    "fts-external": Made(more=EXTERNAL, steps=("full-text", "full-text-again")),
    "fts-contentless": Made(more=CONTENTLESS, steps=("full-text",)),
    "fts-contentless-delete": Made("delete", KEY, more=CONTENTLESS_DELETE, steps=("full-text",)),
    "stat4": Made(more=SAMPLES, steps=("statistics",)),
    "triggers": Made("delete", more=COUNTER),
    "row-numbers-that-stay": Made(
        more=(
            "CREATE TABLE k(rowid TEXT PRIMARY KEY)",
            "CREATE TABLE c(m INTEGER REFERENCES m(rowid), k TEXT REFERENCES k(rowid))",
        )
    ),
}
SETTINGS = ("page_size", "auto_vacuum", "encoding", "user_version", "application_id")


def connect(path: Path, key: RawKey | None):
    connection = sqlcipher3.connect(str(path), isolation_level=None)
    if key is not None:
        connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
    return connection


def build(folder: Path, made: Made) -> Path:
    """Lived in: other versions, deleted rows, and what a dead process leaves beside the file."""
    alive, path = folder / "alive.db", folder / "m.db"
    connection = connect(alive, made.key)
    for sql in (
        "PRAGMA secure_delete = OFF",
        f"PRAGMA auto_vacuum = {made.auto_vacuum}",
        "PRAGMA user_version = 7",
        "PRAGMA application_id = 99",
        f"PRAGMA journal_mode = {made.journal}",
        "CREATE TABLE m(id INTEGER PRIMARY KEY, t TEXT)",
        *(f"INSERT INTO m(t) VALUES ('{KEPT} {n} ' || hex(zeroblob(90)))" for n in range(60)),
        f"INSERT INTO m VALUES (1000, '{GONE[0]}')",
        *made.more,
        f"INSERT INTO m VALUES (1001, '{GONE[0]} ' || hex(zeroblob(5000)) || ' {GONE[1]}')",
        "DELETE FROM m WHERE id % 3 = 0 AND id < 60",
    ):
        connection.execute(sql)
    if not any(name in " ".join(made.more) for name in ("fts5", "counter")):
        connection.execute(f"UPDATE m SET t = '{GONE[1]}' WHERE id = 1000")
    for left in ("", "-wal", "-journal"):
        if Path(f"{alive}{left}").exists():
            shutil.copyfile(f"{alive}{left}", f"{path}{left}")
    connection.close()
    return path


def plain_bytes(path: Path, key: RawKey | None) -> bytes:
    """Everything that lies there, decrypted page by page without asking which are in use."""
    beside = [Path(f"{path}{one}") for one in ("-wal", "-journal")]
    data, log, journal = (one.read_bytes() if one.exists() else b"" for one in (path, *beside))
    if key is None:
        return data + log + journal
    pages = [(data[at : at + 4096], at == 0) for at in range(0, len(data), 4096)]
    for at in range(32, len(log), 24 + 4096):  # a frame's header begins with its page's number
        frame = log[at : at + 24 + 4096]
        pages.append((frame[24:], frame[:4] == bytes((0, 0, 0, 1))))
    found = [journal]
    for page, is_first in pages:
        aes = Cipher(algorithms.AES(bytes(key)), modes.CBC(page[-80:-64])).decryptor()
        found.append(aes.update(page[16 if is_first else 0 : -80]))
    return b"".join(found)


def facts(path: Path, key: RawKey | None) -> dict[str, object]:
    connection = connect(path, key)
    found = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in SETTINGS}
    found["wal"] = connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    found["kept"] = connection.execute("SELECT id, t FROM m WHERE id < 1000").fetchall()
    connection.close()
    return found


def erase(path, key, pending, rows=((1000,), (1001,)), columns=("id",)):
    store = StorePlan(
        path=str(path),
        format="",
        encrypted=key is not None,
        rows=(EraseRows("m", columns, rows, "memory"),),
        texts=GONE,
        tables=(TableKind("m", "memory", ("id",)), TableKind("counter", "meta", ("id",))),
        foreign_sql=("seen",),
    )
    return run_erase(ErasePlan((store,)), {str(path): key}, pending=pending)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_left_and_all_else_is_as_it_was(tmp_path, pending, name):
    made = CASES[name]
    path = build(tmp_path, made)
    assert any(word in plain_bytes(path, made.key) for word in WORDS)
    before = (
        facts(shutil.copyfile(path, tmp_path / "before.db"), made.key)
        if (made.journal != "wal")
        else None
    )
    result = erase(path, made.key, pending)
    assert result.state is EraseState.PROVED, result
    left = plain_bytes(path, made.key)
    assert [word for word in WORDS if word in left] == []
    after = facts(path, made.key)
    assert after["wal"] == (made.journal == "wal")
    assert before is None or after == before
    assert (after["user_version"], after["application_id"]) == (7, 99)
    assert after["auto_vacuum"] == made.auto_vacuum
    assert len(after["kept"]) == 41
    connection = connect(path, made.key)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    if "fts" in name:
        rank = 1 if name == "fts-external" else 0
        connection.execute("INSERT INTO f(f, rank) VALUES ('integrity-check', ?)", (rank,))
        asked = "SELECT count(*) FROM f WHERE f MATCH ?"
        assert connection.execute(asked, ("zqcanary",)).fetchone() == (0,)
        assert connection.execute(asked, ("neighbour",)).fetchone() == (41,)
    if name == "triggers":
        assert connection.execute("SELECT n FROM counter").fetchone() == (21,)
    connection.close()
    assert set(made.steps) <= {step.name for step in result.steps}


REFUSED = {
    "contentless-untold": ("erase.contentless", CONTENTLESS[:2]),
    "contentless-delete-untold": ("erase.contentless", CONTENTLESS_DELETE[:2]),
    "children-that-cascade": (
        "erase.cascade",
        (
            "CREATE TABLE c(id INTEGER PRIMARY KEY, m REFERENCES m(id) ON DELETE CASCADE)",
            "INSERT INTO c VALUES (1, 1000)",
        ),
    ),
    "row-numbers-by-name": (
        "erase.rowid_reference",
        (
            "CREATE TABLE k(name TEXT PRIMARY KEY)",
            "CREATE TABLE c(id INTEGER PRIMARY KEY, k INTEGER REFERENCES K([RowId]))",
        ),
    ),
    "row-numbers-of-a-table-without-keys": (
        "erase.rowid_reference",
        ("CREATE TABLE k(name TEXT)", "CREATE TABLE c(k INTEGER REFERENCES k)"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_recipe_reaches_is_refused_with_its_reason_and_nothing_changed(
    tmp_path, pending, name
):
    code, more = REFUSED[name]
    path = build(tmp_path, Made("delete", more=more))
    kept = path.read_bytes()
    with pytest.raises(UserError) as refused:
        erase(path, None, pending)
    assert refused.value.code == code
    assert facts(path, None)["kept"]
    assert pending.list(str(path)) == ()
    assert path.read_bytes() == kept or code == "erase.cascade"
    connection = connect(path, None)
    assert connection.execute("SELECT count(*) FROM m WHERE id >= 1000").fetchone() == (2,)


@pytest.mark.parametrize("index", [None, "", ", content=''", ", content='m'"])
def test_rows_that_only_a_number_names_are_refused_where_vacuum_gives_new_ones(
    tmp_path, pending, index
):
    path = tmp_path / "m.db"
    connection = connect(path, None)
    connection.execute("CREATE TABLE m(t TEXT)")
    connection.execute("INSERT INTO m VALUES (?), ('kept')", (GONE[0],))
    if index is not None:
        connection.execute(_FTS.format(index))
    connection.close()
    with pytest.raises(UserError, match=r"erase\.rowids"):
        erase(path, None, pending, rows=((1,),), columns=("rowid",))
    assert GONE[0].encode() in path.read_bytes()
