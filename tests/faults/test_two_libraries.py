# SPDX-License-Identifier: MIT
"""Opening a live database by any other means in the same process loses other programs' rows.

POSIX drops all of a process's locks on a file when it closes any descriptor of it. The first tests
show the harm, with SQLite's libraries alone; the others show that the engine does not do it.
"""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks belong to the handle there")

TOUCHES = {
    "nothing": "",
    "open": """
        for suffix in ("", "-shm"):
            if os.path.exists(path + suffix):
                with open(path + suffix, "rb") as stream:
                    stream.read(16)
    """,
    "sqlite3": """
        import sqlite3
        other = sqlite3.connect(path)
        other.execute("SELECT count(*) FROM notes").fetchall()
        other.close()
    """,
}

BARE = """
import os, sys, sqlcipher3
path = sys.argv[1]
connection = sqlcipher3.connect(path, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute("INSERT INTO notes (body) VALUES ('ours')")
{touch}
print("touched", flush=True)
sys.stdin.readline()
try:
    connection.execute("COMMIT")
    print("committed", flush=True)
except Exception as error:
    print(type(error).__name__, error, flush=True)
os._exit(0)
"""

OURS = """
import os, sys, threading
from pathlib import Path
from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.engine.holders import family, open_by
path = Path(sys.argv[1])
connection = open_database(path, None, write=True)

def everything():
    evidence = inspect(path)
    assert evidence.head == "plain" and len(evidence.salt) == 16
    open_by([path], excluding=family())
    with open_database(path, None, write=False) as lane:
        lane.execute("SELECT count(*) FROM notes")
        lane.data_version()
        lane.schema()
    try: open_database(path, None, write=False, maintain=True, busy_ms=50).close()
    except UserError: pass

with connection.writing():
    connection.change("INSERT INTO notes (body) VALUES ('ours')")
    everything()
    threads = [threading.Thread(target=everything) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    connection.check_same_file()
    print("touched", flush=True)
    sys.stdin.readline()
print("committed", flush=True)
connection.close()
"""


@pytest.fixture
def store(tmp_path, peer):
    """A readable store with ten rows, WAL or not."""

    def make(journal):
        path = tmp_path / "a.db"
        other = peer(path)
        other.do(f"PRAGMA journal_mode = {journal}")
        other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
        other.many("INSERT INTO notes (body) VALUES (?)", [(f"old {n}",) for n in range(10)])
        other.close()
        return path

    return make


@pytest.fixture
def contest(store, peer):
    """Write in one process, touch the file there, let another program write, then commit.

    Returns what the other program was told, what the first one was told, and the rows that are
    there in the end.
    """

    def run(journal, script):
        path = store(journal)
        with subprocess.Popen(
            [sys.executable, "-I", "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as first:
            assert first.stdout.readline() == "touched\n"
            second = peer(path)
            try:
                second.do("INSERT INTO notes (body) VALUES ('theirs')")
                theirs = "committed"
            except Exception as error:
                theirs = str(error)
            ours, _ = first.communicate("go\n", timeout=120)
        second.close()
        reader = peer(path)
        try:
            rows = {row[0] for row in reader.do("SELECT body FROM notes WHERE id > 10")}
        except Exception as error:
            rows = {str(error)}
        return theirs, ours.strip(), rows

    return run


def bare(touch):
    return BARE.format(touch=textwrap.dedent(TOUCHES[touch]))


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_untouched_the_lock_holds(contest, journal):
    assert contest(journal, bare("nothing")) == (
        "OperationalError: database is locked",
        "committed",
        {"ours"},
    )


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("touch", ["open", "sqlite3"])
def test_the_harm_our_lock_keeps_nobody_out(contest, touch, journal):
    """Both write at once, and one of the two rows is lost."""
    theirs, _, rows = contest(journal, bare(touch))
    assert theirs == "committed"
    assert rows != {"ours", "theirs"}


IDLE = """
import os, sys, sqlcipher3
path = sys.argv[1]
connection = sqlcipher3.connect(path, isolation_level=None)
connection.execute("SELECT count(*) FROM notes").fetchall()
{touch}
print("touched", flush=True)
sys.stdin.readline()
connection.execute("INSERT INTO notes (body) VALUES ('ours')")
print(connection.execute("SELECT body FROM notes WHERE id > 10 ORDER BY 1").fetchall(), flush=True)
os._exit(0)
"""
OURS_IDLE = """
import os, sys
from pathlib import Path
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
path = Path(sys.argv[1])
connection = open_database(path, None, write=True)
inspect(path)
open_database(path, None, write=False).close()
print("touched", flush=True)
sys.stdin.readline()
with connection.writing():
    connection.change("INSERT INTO notes (body) VALUES ('ours')")
print(connection.execute("SELECT body FROM notes WHERE id > 10 ORDER BY 1"), flush=True)
os._exit(0)
"""


@pytest.fixture
def turns(store, peer):
    """WAL: be connected in one process, touch the file there; another program comes, writes and
    goes; then write. Returns what the first process saw, and the rows that are there in the end.
    """

    def run(script):
        path = store("wal")
        with subprocess.Popen(
            [sys.executable, "-I", "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as first:
            assert first.stdout.readline() == "touched\n"
            second = peer(path)
            second.do("INSERT INTO notes (body) VALUES ('theirs')")
            second.close()
            seen, _ = first.communicate("go\n", timeout=120)
        rows = peer(path).do("SELECT body FROM notes WHERE id > 10 ORDER BY 1")
        return seen.strip(), rows

    return run


def test_untouched_both_rows_are_there(turns):
    both = "[('ours',), ('theirs',)]"
    assert turns(IDLE.format(touch="")) == (both, [["ours"], ["theirs"]])


@pytest.mark.parametrize("touch", ["open", "sqlite3"])
def test_the_harm_a_committed_row_vanishes(turns, touch):
    """Two programs do not know of each other's logs. Both were told "committed", and our row was
    even read back; one of the two is never seen again, and nobody is told."""
    seen, rows = turns(IDLE.format(touch=textwrap.dedent(TOUCHES[touch])))
    assert "'ours'" in seen
    assert rows in ([["ours"]], [["theirs"]])


def test_the_engine_loses_no_row(turns):
    assert turns(OURS_IDLE) == ("[('ours',), ('theirs',)]", [["ours"], ["theirs"]])


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_engine_keeps_its_locks(contest, journal):
    theirs, ours, rows = contest(journal, OURS)
    assert theirs == "OperationalError: database is locked"
    assert ours == "committed"
    assert rows == {"ours"}


WATCHED = """
import os, sys
from pathlib import Path
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.engine.evidence import inspect
from memory_gui.engine.holders import family, open_by
from memory_gui.engine.rawfile import HeldFile

path, key = Path(sys.argv[1]), RawKey(bytes(range(32)))
mine = {str(path) + suffix for suffix in ("", "-wal", "-shm", "-journal")}
state = {"open": 0}
seen = []

def hook(event, args):
    if event == "open" and state["open"] and isinstance(args[0], (str, bytes)):
        name = os.path.realpath(os.fsdecode(args[0]))
        if name in mine:
            seen.append(name)

sys.addaudithook(hook)
create_database(path, key, "CREATE TABLE notes (id INTEGER PRIMARY KEY, body)", journal_mode="wal")
work = open_database(path, key, write=True)
state["open"] = 1
screen = open_database(path, key, write=False)
with work.writing():
    for n in range(500):
        work.change("INSERT INTO notes (body) VALUES (?)", ("x" * n,))
with screen.reading():
    for batch in screen.rows("SELECT * FROM notes", size=100): pass
screen.data_version(); screen.schema(); screen.table_info("notes"); screen.check_same_file()
inspect(path); open_by([path], excluding=family()); open_by([path], excluding=())
screen.execute("PRAGMA integrity_check"); screen.execute("PRAGMA cipher_integrity_check")
for wrong in (None, RawKey(bytes(32))):
    try: open_database(path, wrong, write=False)
    except Exception as error: assert error.code in ("key.needed", "key.wrong"), error
screen.close()
screen = open_database(path, key, write=True)
screen.close()
assert seen == [], seen
open(path, "rb").close()  # the hook does see what it is for
assert seen == [os.path.realpath(path)]
work.close()
print("clean")
"""


def test_nothing_opens_the_files_while_a_connection_is_open(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", "-c", WATCHED, str(tmp_path / "a.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("clean\n", "")


def test_many_small_writes_of_two_programs_lose_no_row(store, peer):
    """Two writers and our looking in between: every acknowledged row is there."""
    path = store("wal")
    code = """
import sys
from pathlib import Path
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
path = Path(sys.argv[1])
with open_database(path, None, write=True) as c:
    for n in range(150):
        with c.writing():
            c.change("INSERT INTO notes (body) VALUES (?)", (f"ours {n}",))
        if n % 5 == 0:
            inspect(path)
            open_database(path, None, write=False).close()
print("done")
"""
    other = peer(path)
    other.do("PRAGMA busy_timeout = 5000")
    with subprocess.Popen(
        [sys.executable, "-I", "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    ) as ours:
        for n in range(150):
            other.do("INSERT INTO notes (body) VALUES (?)", f"theirs {n}")
        assert ours.stdout.read() == "done\n"
    for whose in ("ours", "theirs"):
        found = other.do("SELECT count(*) FROM notes WHERE body LIKE ?", f"{whose} %")
        assert found == [[150]]
    assert other.do("PRAGMA integrity_check") == [["ok"]]
