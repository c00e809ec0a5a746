# SPDX-License-Identifier: MIT
"""A cloned repository can bring links that aim a careless tool at any file of its owner.

First the harm, then that ``engine`` refuses. That the eraser refuses too is tested with it.
"""

import os
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import open_database
from memory_gui.engine.rawfile import HeldFile

VICTIM = b"years of work\n" * 400


@pytest.fixture
def victim(tmp_path):
    file = tmp_path / "home" / "thesis.tex"
    file.parent.mkdir()
    file.write_bytes(VICTIM)
    return file


@pytest.fixture
def database(tmp_path, peer):
    """A WAL store whose writer was killed, so that its log has erased-to-be text in it."""
    path = tmp_path / "real" / "memory.db"
    path.parent.mkdir()
    other = peer(path)
    other.do("PRAGMA journal_mode = WAL")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.do("INSERT INTO notes (body) VALUES ('to be erased')")
    other.kill()
    return path


@pytest.fixture
def trap(tmp_path, database, victim):
    """What a repository could bring: a link to the database, and beside it one to the victim."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "memory.db").symlink_to(database)
    (folder / "memory.db-wal").symlink_to(victim)
    return folder / "memory.db"


def careless_wipe(path):
    """Zero the log beside the path that was given."""
    log = f"{path}-wal"
    with open(log, "r+b") as stream:
        stream.write(bytes(os.path.getsize(log)))


def test_the_harm_of_a_careless_wipe(trap, database, victim):
    careless_wipe(trap)
    assert victim.read_bytes() == bytes(len(VICTIM))  # the thesis is gone
    assert b"to be erased" in Path(f"{database}-wal").read_bytes()  # and the text is still there


def test_sqlite_itself_follows_no_link_for_its_log(database, victim, peer):
    """It says "unable to open database file", and not why; ours says ``store.odd_log``."""
    other = peer(database)
    other.do("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    Path(f"{database}-wal").symlink_to(victim)
    with pytest.raises(Exception, match="unable to open"):
        peer(database).do("INSERT INTO notes (body) VALUES ('one more')")
    assert victim.read_bytes() == VICTIM


def test_a_held_file_finds_the_true_log(trap, database, victim):
    with open_database(trap, None, write=True, maintain=True) as connection:
        assert connection.path == database
        with HeldFile.database(trap) as held:
            log = held.log("-wal")
            assert log is not None
            assert log.path == Path(f"{database}-wal")
            assert connection.execute("PRAGMA wal_checkpoint(RESTART)")[0][0] == 0
            log.zero(0, log.size)
            connection.close()
            log.close()
    assert victim.read_bytes() == VICTIM
    assert b"to be erased" not in b"".join(
        file.read_bytes() for file in database.parent.iterdir() if file.name.endswith("-wal")
    )


def test_a_link_in_place_of_the_true_log_is_refused(database, victim):
    """Before opening, and again before each raw write."""
    log = Path(f"{database}-wal")
    with open_database(database, None, write=True, maintain=True) as connection:
        connection.execute("SELECT count(*) FROM notes")
        log.rename(f"{database}-moved")
        log.symlink_to(victim)
        with HeldFile.database(database) as held:
            with pytest.raises(UserError) as caught:
                held.log("-wal")
            assert caught.value.code == "raw.link"
            connection.close()  # the last one to close unlinks the log's name: here the link
    log.unlink(missing_ok=True)
    log.symlink_to(victim)
    for write in (False, True):
        with pytest.raises(UserError) as caught:
            open_database(database, None, write=write)
        assert caught.value.code == "store.odd_log"
    assert victim.read_bytes() == VICTIM
