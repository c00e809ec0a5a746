# SPDX-License-Identifier: MIT
"""A file that another SQLite library has open in the same process is refused; each in a process
of its own, because stdlib ``sqlite3`` opens files there."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from .conftest import KEY

BEGIN = """
import json, os, sqlite3, sys
from pathlib import Path
from memory_gui.agents import Opener, StoreUnavailable, connect, here
from memory_gui.domain.keys import RawKey
from memory_gui.vault.keychain import NoKeychain
path = Path(sys.argv[1])
key = RawKey.from_hex(sys.stdin.readline().strip()) if sys.argv[2] == "encrypted" else None
opener = Opener(path, key=key, keychain=NoKeychain())
def refused():
    try:
        opener.connect().close()
    except StoreUnavailable as error:
        return error.code, error.params.get("libraries", "")
    return None
out = []
"""


def run(path: Path, kind: str, script: str) -> list[object]:
    text = BEGIN + textwrap.dedent(script) + "\nprint(json.dumps(out))"
    done = subprocess.run(
        [sys.executable, "-c", text, str(path), kind],
        input=KEY.hex() + "\n",
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="locks belong to handles there")
class TestOtherLibrary:
    def test_open_there_is_refused_here(self, readable):
        script = """
        other = sqlite3.connect(path)
        other.execute("SELECT count(*) FROM memories").fetchall()
        out.append(refused())
        other.close()
        out.append(refused())
        """
        before, after = run(readable, "readable", script)
        assert before[0] == "agents.other_library"
        assert "sqlite3" in before[1]
        assert after is None

    def test_it_is_seen_while_one_of_ours_is_open_too(self, readable):
        script = """
        ours = opener.connect()
        out.append(refused())
        other = sqlite3.connect(path)
        other.execute("SELECT count(*) FROM memories").fetchall()
        out.append(refused())
        ours.close()
        out.append(refused())
        other.close()
        out.append(refused())
        """
        answers = run(readable, "readable", script)
        codes = [one and one[0] for one in answers]
        assert codes == [None, "agents.other_library", "agents.other_library", None]

    def test_a_bare_descriptor_is_seen(self, store):
        script = """
        number = os.open(path, os.O_RDONLY)
        out.append(refused())
        os.close(number)
        out.append(refused())
        """
        before, after = run(store, "encrypted", script)
        assert (before[0], after) == ("agents.other_library", None)

    def test_a_link_to_it_hides_nothing(self, readable, tmp_path):
        script = """
        link = path.with_name("link.db")
        link.symlink_to(path)
        other = sqlite3.connect(link)
        other.execute("SELECT count(*) FROM memories").fetchall()
        out.append(refused())
        """
        assert run(readable, "readable", script)[0][0] == "agents.other_library"

    def test_where_nothing_can_be_seen_it_is_said_once(self, readable):
        script = """
        import logging
        lines = []
        class Heard(logging.Handler):
            def emit(self, record): lines.append(record.getMessage())
        logging.getLogger("memory_gui.agents").addHandler(Heard())
        def unseen(place):
            raise FileNotFoundError(place)
        here.os.listdir = unseen
        other = here.descriptors((1, 2))
        ours = here.Ours()
        for _ in range(2):
            with ours.alone(path):
                pass
        out += [other, lines]
        """
        other, lines = run(readable, "readable", script)
        assert other is None
        assert len(lines) == 1
        assert "not known" in lines[0]


def test_no_qt_and_no_other_front_is_loaded(readable):
    script = """
    opener.connect().close()
    out += sorted(name for name in sys.modules if name.split(".")[0] in ("PySide6", "keyring"))
    out += sorted(n for n in sys.modules if n.startswith(("memory_gui.ui", "memory_gui.services")))
    """
    assert run(readable, "readable", script) == []
