# SPDX-License-Identifier: MIT
"""Agentao over an encrypted store answers as over its own file, and leaves the same rows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.stores.formats.agentao.create import create_store

KEY = RawKey(bytes(range(40, 72)))


@pytest.fixture
def encrypted(tmp_path: Path) -> Path:
    path = tmp_path / "encrypted.db"
    create_store(path, KEY)
    return path


@pytest.fixture
def readable(tmp_path: Path) -> Path:
    path = tmp_path / "readable.db"
    create_store(path, None)
    return path


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    """Where Agentao makes a file of its own."""
    return tmp_path / "stock.db"


def test_the_whole_protocol(inside: Any, judge: Any, copies: Any, encrypted, readable, stock):
    theirs = inside("contract", path=str(stock), key=None, through="stock")
    assert len(theirs["calls"]) > 70
    kinds = {
        call[1][1]
        for call in theirs["calls"]
        if isinstance(call[1], list) and call[1][:1] == ["sqlite3"]
    }
    assert kinds == {"IntegrityError"}
    for path, key in ((encrypted, KEY.hex()), (readable, None)):
        ours = inside("contract", path=str(path), key=key, through="ours")
        assert ours["calls"] == theirs["calls"]
        assert ours["db_path"] == str(path)
        assert ours["fallback"] is None
        plain = copies(path, path.with_name("copy.db"), key)
        assert judge("dump", path=str(plain)) == judge("dump", path=str(stock))


def test_six_threads_save_the_same_keys(inside: Any, encrypted, stock):
    theirs = inside("many_threads", path=str(stock), key=None, through="stock")
    ours = inside("many_threads", path=str(encrypted), key=KEY.hex(), through="ours")
    assert theirs["failed"] == ours["failed"] == []
    assert ours["titles"] == theirs["titles"] == [f"k{n}" for n in range(5)]


def test_a_damaged_page_is_a_notice_and_no_failed_turn(inside: Any, encrypted, stock):
    for path, key, through in ((stock, None, "stock"), (encrypted, KEY.hex(), "ours")):
        inside("many_threads", path=str(path), key=key, through=through, threads=1, saves=5)
        spoil(path)
    theirs = inside("damaged", path=str(stock), key=None, through="stock")
    ours = inside("damaged", path=str(encrypted), key=KEY.hex(), through="ours")
    assert ours["shown"] == theirs["shown"] == [0, "", 0]
    (their_notice,), (our_notice,) = theirs["problems"], ours["problems"]
    assert our_notice == their_notice.replace(str(stock), str(encrypted))
    assert "may be corrupt" in our_notice


def spoil(path: Path) -> None:
    """Break every page but the first two (the schema, and what tells the format's version)."""
    size = path.stat().st_size
    with path.open("r+b") as stream:
        for page in range(2, size // 4096):
            if page in SCHEMA_META_PAGES:
                continue
            stream.seek(page * 4096)
            stream.write(b"\xff" * 200)


SCHEMA_META_PAGES = frozenset({2})
"""The index of ``schema_meta``: Agentao writes it when it opens a store."""


def test_another_library_in_the_agents_process_loses_nothing(inside: Any, encrypted):
    seen, said, after, problems = inside("beside_stock", path=str(encrypted), key=KEY.hex())
    assert seen == 0
    assert "another SQLite library" in said
    assert after == "Saved memory: three"
    (problem,) = problems
    assert "do not move it aside" in problem
    assert "corrupt" not in problem


def test_without_a_key_nothing_goes_on_in_memory(inside: Any, encrypted):
    before = encrypted.read_bytes()
    assert inside("no_key", path=str(encrypted)) == ["key.needed", True]
    assert encrypted.read_bytes() == before


def test_an_agentao_of_another_make_is_refused(inside: Any, encrypted):
    assert inside("unknown", path=str(encrypted), key=KEY.hex()) == [
        "agents.unknown_agentao",
        "0.5.17",
    ]


def test_stock_agentao_would_lose_what_it_saves(judge: Any, tmp_path, encrypted):
    """Why all this is needed, and why what cannot be redirected is refused: Agentao's own class."""
    copy = tmp_path / "copy" / "memory.db"
    copy.parent.mkdir()
    shutil.copy(encrypted, copy)
    with pytest.raises(Exception, match="file is not a database"):
        judge("open", project=str(copy))
    judge("close")


def test_nothing_of_the_key_is_said(inside: Any, encrypted):
    answers = [
        inside("contract", path=str(encrypted), key=KEY.hex(), through="ours"),
        inside("no_key", path=str(encrypted)),
    ]
    assert KEY.hex() not in json.dumps(answers)
