# SPDX-License-Identifier: MIT
"""Window and terminal: no core dumps, not dumpable, SQLCipher's log not on standard error."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOOK = """
import pathlib, resource, sys
def told():
    # The real standard error: the front doors may move sys.stdout.
    core = resource.getrlimit(resource.RLIMIT_CORE)
    owner = pathlib.Path("/proc/self/mem").stat().st_uid
    print(core, owner, file=sys.__stderr__, flush=True)
"""
WINDOW = (
    LOOK
    + """
from pathlib import Path
from memory_gui import app
from memory_gui.services import build
from memory_gui.words import Words
def composed(**_more):
    told()
    raise SystemExit(0)
build.build_services = composed
app.maker(Words(), Path("/nowhere"), [], keychain=False)()
"""
)
TERMINAL = (
    LOOK
    + """
from memory_gui import cli
from memory_gui.terminal import run
run.run = lambda *_more: told() or 0
sys.argv = ["memory-cli", "tour"]
cli.main()
"""
)


@pytest.mark.skipif(sys.platform != "linux", reason="prctl")
@pytest.mark.parametrize("code", [WINDOW, TERMINAL], ids=["window", "terminal"])
def test_no_core_dump_and_nobody_reads_its_memory(code, ordinary_user, tmp_path):
    """Also not another program of the same user: /proc/<pid>/mem belongs to root then."""
    said = ordinary_user.python("import contextlib, sys\nsys.__stderr__ = sys.stdout\n" + code)
    assert said.split() == ["(0,", "0)", "0"]


WRONG_KEY = """
import sys
from pathlib import Path
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
path = Path(sys.argv[1])
create_database(path, RawKey(bytes(32)), "CREATE TABLE t (x);")
for key in (RawKey(b"x" * 32), None):
    try:
        open_database(path, key, write=False)
    except UserError as error:
        print(error.code)
data = bytearray(path.read_bytes())
data[4096 + 50] ^= 1
path.write_bytes(bytes(data))
try:
    open_database(path, RawKey(bytes(32)), write=False).execute("SELECT * FROM t")
except UserError as error:
    print(error.code)
"""


def test_sqlcipher_says_nothing_on_standard_error(tmp_path):
    """It writes a line there for each wrong key and each damaged page until it is told not to."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", WRONG_KEY, str(tmp_path / "x.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.split()) == 3
    assert done.stderr == ""


def test_without_that_it_would(tmp_path):
    """So that the test above can fail."""
    noisy = (
        "import sqlcipher3, sys\n"
        "raw = sqlcipher3.connect(sys.argv[1])\n"
        "raw.execute('PRAGMA key = \"x\"')\n"
        "try:\n    raw.execute('SELECT * FROM sqlite_master')\nexcept Exception: pass\n"
    )
    (tmp_path / "x.db").write_bytes(b"\x55" * 8192)
    done = subprocess.run(
        [sys.executable, "-I", "-c", noisy, str(tmp_path / "x.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "sqlcipher" in done.stderr.lower()
