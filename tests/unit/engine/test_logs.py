# SPDX-License-Identifier: MIT
"""Logs are read as SQLite reads them, however torn: another SQLite library is the judge."""

import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memory_gui.engine.evidence import inspect
from memory_gui.engine.images import has_log, open_copy
from memory_gui.engine.logs import read_journal, read_wal

JUDGE = """
import json, sqlite3, sys
answers = []
for path in json.load(sys.stdin):
    connection = sqlite3.connect(path)
    try: answers.append(connection.execute("SELECT id, body FROM notes ORDER BY id").fetchall())
    except sqlite3.DatabaseError as error: answers.append(type(error).__name__)
    connection.close()
print(json.dumps(answers))
"""


def judge(paths):
    """What Python's own sqlite3, in its own process, sees in each database."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", JUDGE],
        input=json.dumps([str(path) for path in paths]),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def ours(path):
    """What is seen in our copy of the same files."""
    with closing(open_copy(inspect(path))) as raw:
        try:
            rows = raw.execute("SELECT id, body FROM notes ORDER BY id").fetchall()
        except Exception as error:
            return type(error).__name__
    return [list(row) for row in rows]


def copied(path):
    """The bytes of our copy, read through SQLite's descriptor of it."""
    with closing(open_copy(inspect(path))):
        for number in os.listdir("/proc/self/fd"):
            link = f"/proc/self/fd/{number}"
            if os.path.islink(link) and ".memory-gui-" in os.readlink(link):
                return os.pread(int(number), 1 << 30, 0)
    raise AssertionError("no copy")


def busy(peer, path):
    """A WAL store with several commits of different sizes in its log, and one that never came."""
    other = peer(path)
    other.do("PRAGMA journal_mode = WAL")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.do("PRAGMA wal_autocheckpoint = 0")
    for n in range(12):
        other.do("BEGIN")
        other.many(
            "INSERT INTO notes (body) VALUES (?)",
            [(f"{n}.{m} " + "z" * (m * 777),) for m in range(n)],
        )
        other.do("UPDATE notes SET body = body || '.' WHERE id % 5 = ?", n % 5)
        other.do("COMMIT")
    other.kill()
    return path


def test_torn_and_damaged_logs(tmp_path, peer):
    """Cut at 40 places, changed in one byte at 40 places: always the rows that SQLite shows."""
    path = busy(peer, tmp_path / "a.db")
    log = Path(f"{path}-wal").read_bytes()
    dice = random.Random(20)
    variants = [log, b"", log[:31], log[:32], bytes(len(log)), log + b"\0" * 9000, log + log[32:]]
    variants += [log[: dice.randrange(len(log))] for _ in range(40)]
    for _ in range(40):
        changed = bytearray(log)
        changed[dice.choice([dice.randrange(len(log)), dice.randrange(32), 40, 44])] ^= 1
        variants.append(bytes(changed))
    places = []
    for number, content in enumerate(variants):
        place = tmp_path / f"{number}.db"
        shutil.copy(path, place)
        Path(f"{place}-wal").write_bytes(content)
        places.append(place)
    seen = [ours(place) for place in places]
    assert seen == judge(places)
    assert len({json.dumps(rows) for rows in seen}) > 8  # they do differ


def test_a_log_that_was_begun_anew_over_an_older_one(tmp_path, peer):
    """Frames of the last round are still behind the new ones; their salts give them away."""
    path = tmp_path / "a.db"
    other = peer(path)
    other.do("PRAGMA journal_mode = WAL")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.many("INSERT INTO notes (body) VALUES (?)", [("old " * 900,) for _ in range(30)])
    other.do("PRAGMA wal_checkpoint(RESTART)")
    other.do("UPDATE notes SET body = 'new' WHERE id = 7")
    other.kill()
    seen = ours(path)
    assert seen[6] == [7, "new"]
    assert [seen] == judge([path])


def test_a_database_that_shrank(tmp_path, peer):
    path = tmp_path / "a.db"
    other = peer(path)
    other.do("PRAGMA journal_mode = WAL")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.many("INSERT INTO notes (body) VALUES (?)", [("x" * 3000,) for _ in range(50)])
    other.do("PRAGMA wal_checkpoint(TRUNCATE)")
    other.do("PRAGMA wal_autocheckpoint = 0")
    other.do("DELETE FROM notes WHERE id > 3")
    other.do("VACUUM")
    other.kill()
    with closing(open_copy(inspect(path))) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA page_count").fetchone()[0] < 10
    assert [ours(path)] == judge([path])


@pytest.mark.parametrize("page_size", [512, 4096, 65536])
def test_a_journal_is_rolled_back_as_sqlite_does(tmp_path, peer, page_size):
    path = tmp_path / "a.db"
    other = peer(path, sets=f"PRAGMA page_size = {page_size}")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.many("INSERT INTO notes (body) VALUES (?)", [(f"{n} " * 150,) for n in range(300)])
    other.do("PRAGMA cache_size = 4")
    other.do("BEGIN")
    other.do("UPDATE notes SET body = 'lost ' || body WHERE id % 2")
    other.do("DELETE FROM notes WHERE id > 250")
    other.many("INSERT INTO notes (body) VALUES (?)", [("new " * 700,) for n in range(50)])
    other.kill()
    journal = Path(f"{path}-journal").read_bytes()
    assert has_log(inspect(path))
    dice = random.Random(3)
    places = []
    # Cut inside the last segment: what was synced is whole, the rest never reached the database.
    sizes = [len(journal), *(len(journal) - dice.randrange(600) for _ in range(2))]
    variants = [journal[:size] for size in sizes]
    sector = int.from_bytes(journal[20:24], "big")
    for _ in range(20):  # one bit of a page number, a page or a checksum; SQLite sums few bytes
        changed = bytearray(journal)
        record = sector + (page_size + 8) * dice.randrange(
            (len(journal) - sector) // (page_size + 8)
        )
        at = record + dice.choice([3, 2, 4 + page_size - 200, 4 + page_size, 7 + page_size])
        changed[at] ^= 1 << dice.randrange(8)
        variants.append(bytes(changed))
    for number, content in enumerate(variants):
        place = tmp_path / f"{number}.db"
        shutil.copy(path, place)
        Path(f"{place}-journal").write_bytes(content)
        places.append(place)
    images = [copied(place) for place in places]
    assert len(ours(places[0])) == 300
    judge(places)  # the first read takes the change back in the file itself
    assert [place.read_bytes() == image for place, image in zip(places, images, strict=True)] == [
        True
    ] * len(places)
    assert len(set(images)) > 2


def test_what_is_no_log(tmp_path):
    for content in (b"", b"\0" * 100, b"\x37\x7f\x06\x82" + b"\xff" * 60, b"x" * 5000):
        file = tmp_path / "log"
        file.write_bytes(content)
        number = os.open(file, os.O_RDONLY)
        try:
            assert read_wal(number) is None
            assert read_journal(number) is None
        finally:
            os.close(number)


def test_a_journal_of_several_databases_is_refused(tmp_path):
    magic = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    file = tmp_path / "log"
    file.write_bytes(magic + bytes(600) + magic)
    number = os.open(file, os.O_RDONLY)
    try:
        with pytest.raises(ValueError, match="super"):
            read_journal(number)
    finally:
        os.close(number)
