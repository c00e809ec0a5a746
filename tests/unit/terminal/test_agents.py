# SPDX-License-Identifier: MIT
"""Agents before the terminal: seen, asked for permission, written down; and started from it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.terminal import agent, agent_above, agent_python
from memory_gui.terminal import session as session_module
from memory_gui.terminal.agent_above import MARK, agent_of
from memory_gui.terminal.run import run
from memory_gui.terminal.unattended import counted
from memory_gui.vault.keychain import NoKeychain

KEY = RawKey(bytes(range(32)))


class TestAbove:
    @pytest.mark.parametrize(
        ("words", "name"),
        [
            (["/usr/bin/claude"], "claude"),
            (["node", "/usr/lib/node_modules/x/bin/codex.js", "exec"], "codex"),
            (["/home/u/.venv/bin/python3", "/home/u/.venv/bin/agentao", "-p", "x"], "agentao"),
            (["python", "-P", "/opt/x/memory_gui/agents/start.py", "run"], "agentao"),
            ([r"C:\Tools\claude.exe"], "claude"),
            (["bash", "-l"], ""),
            (["vim", "notes"], ""),
            ([""], ""),
            ([], ""),
        ],
    )
    def test_names(self, words, name):
        assert agent_of(words) == name

    def test_the_mark_of_our_own_verb(self):
        assert agent_above.agent_above({MARK: "agentao"}) == "agentao"
        assert agent_above.agent_above({MARK: "evil\x1b[2J"}) == "?"

    @pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
    def test_a_program_above_is_seen_through_a_shell(self, tmp_path: Path):
        fake = tmp_path / "codex"
        fake.symlink_to("/bin/bash")
        script = (
            "import os; from memory_gui.terminal.agent_above import agent_above;"
            "print(agent_above(os.environ))"
        )
        # "; true" keeps the shells from becoming the program that they start.
        inner = f"bash -c '{sys.executable} -c \"{script}\"; true'; true"
        done = subprocess.run([fake, "-c", inner], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "codex"


class TestPermission:
    @pytest.fixture
    def asked(self, monkeypatch):
        """How often the person's keychain would have been asked."""
        made: list[object] = []
        monkeypatch.setattr(session_module, "Keychain", lambda **_: made.append(1) or NoKeychain())
        return made

    @pytest.mark.parametrize("name", ["codex", "?"])
    def test_an_agent_at_a_persons_terminal_needs_permission(self, make, monkeypatch, asked, name):
        monkeypatch.setattr(session_module, "agent_above", lambda _: name)
        terminal = make(KEY)
        monkeypatch.setattr(session_module, "has_terminal", lambda: True)
        done = terminal("list", str(terminal.store), "--json")
        assert (done.status, done.json["error"]["code"]) == (6, "terminal.permission")
        assert asked == []

    def test_a_person_does_not(self, make, monkeypatch, asked):
        monkeypatch.setattr(session_module, "agent_above", lambda _: "")
        terminal = make(KEY)
        monkeypatch.setattr(session_module, "has_terminal", lambda: True)
        monkeypatch.setattr("getpass.getpass", lambda *_: "")
        assert terminal("list", str(terminal.store)).status == 3
        assert asked == [1]

    def test_a_key_behind_a_descriptor_is_permission(self, make, monkeypatch, behind):
        monkeypatch.setattr(session_module, "agent_above", lambda _: "codex")
        terminal = make(KEY)
        done = terminal("list", str(terminal.store), "--key-fd", str(behind(KEY.hex())), "--json")
        assert (done.status, done.json["total"]) == (0, 3)


def uses_of(home: Path) -> list[dict[str, object]]:
    (file,) = home.rglob("uses.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


class TestWrittenDown:
    def test_with_verb_count_and_outcome_and_nothing_else(self, terminal, monkeypatch):
        monkeypatch.setattr(session_module, "agent_above", lambda _: "claude")
        terminal("list", str(terminal.store), "--query", "secret words")
        terminal("show", str(terminal.store), "nobody")
        first, second = uses_of(Path(os.environ["XDG_DATA_HOME"]))[-2:]
        assert (first["verb"], first["by"], first["status"]) == ("list", "claude", 0)
        assert (second["verb"], second["records"], second["status"]) == ("show", 0, 5)
        assert set(first) == {"at", "verb", "by", "records", "status"}

    def test_a_person_at_a_terminal_is_not_written_down(self, terminal, monkeypatch):
        monkeypatch.setattr(session_module, "has_terminal", lambda: True)
        monkeypatch.setattr(session_module, "agent_above", lambda _: "")
        before = [*Path(os.environ["XDG_DATA_HOME"]).rglob("uses.jsonl")]
        sizes = [file.stat().st_size for file in before]
        terminal("list", str(terminal.store))
        after = [*Path(os.environ["XDG_DATA_HOME"]).rglob("uses.jsonl")]
        assert after == before
        assert [file.stat().st_size for file in after] == sizes

    @pytest.mark.parametrize(
        ("document", "number"),
        [
            ({"records": [1, 2, 3]}, 3),
            ({"records": 12, "out": "x"}, 12),
            ({"counts": {"trashed": 2, "failed": 1}, "results": [1, 2, 3]}, 3),
            ({"ref": "memory:1"}, 1),
            ({"counts": {"memories": {"found": 4, "erased": 3}}}, 3),
            ({"counts": {"memories": {"live": 4}}, "format": "agentao"}, 0),
            ({"error": {"code": "x"}}, 0),
        ],
    )
    def test_how_many(self, document, number):
        assert counted(document) == number


class TestPython:
    def write(self, folder: Path, text: str) -> Path:
        file = folder / "agentao"
        file.write_text(text)
        file.chmod(0o755)
        return file

    @pytest.mark.parametrize(
        "head",
        [
            "#!{python}\n",
            "#!{python} -E\n",
            "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n",
            "#!/bin/sh\n'''exec' {python} \"$0\" \"$@\"\n' '''\n",
        ],
    )
    def test_what_a_script_says(self, tmp_path, head):
        self.write(tmp_path, head.format(python=sys.executable) + "import agentao\n")
        found = agent_python.python_of("agentao", None, {"PATH": str(tmp_path)})
        assert found == Path(sys.executable)

    @pytest.mark.parametrize("text", ["#!/nowhere/python\n", "\x7fELF", "", "#!/bin/sh\nexec x\n"])
    def test_what_says_nothing_usable(self, tmp_path, text):
        self.write(tmp_path, text)
        with pytest.raises(UserError) as caught:
            agent_python.python_of("agentao", None, {"PATH": str(tmp_path)})
        assert caught.value.code == "agent.no_python"

    def test_none_at_all(self, tmp_path):
        with pytest.raises(UserError) as caught:
            agent_python.python_of("agentao", None, {"PATH": str(tmp_path)})
        assert caught.value.code == "agent.not_found"

    def test_a_program_that_is_no_python(self):
        with pytest.raises(UserError) as caught:
            agent_python.look(Path("/bin/true"), [])
        assert caught.value.code == "agent.no_python"

    def test_an_old_python(self, tmp_path):
        old = self.write(tmp_path, '#!/bin/sh\n[ "$1" = -c ] && echo 3.9 || exit 2\n')
        with pytest.raises(UserError) as caught:
            agent_python.look(old, [])
        assert caught.value.code == "agent.old_python"
        assert caught.value.params["found"] == "3.9"

    def test_an_agentao_of_another_make(self, tmp_path):
        found = {"agentao": "9.0", "talks": True, "lacks": [], "asked": None}
        strange = self.write(tmp_path, f"#!/bin/sh\necho noise\necho '{json.dumps(found)}'\n")
        with pytest.raises(UserError) as caught:
            agent_python.look(strange, [])
        assert (caught.value.code, caught.value.params["version"]) == (
            "agents.unknown_agentao",
            "9.0",
        )

    def test_a_packaged_program_says_so(self, monkeypatch):
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        with pytest.raises(UserError) as caught:
            agent_python.look(Path(sys.executable), [])
        assert caught.value.code == "agent.bundle"


def test_an_agents_own_json_is_not_ours(terminal):
    done = terminal("--no-keychain", "agent", "agentao", "doctor", "--json")
    assert done.out == ""
    assert done.err
    done = terminal("--no-keychain", "agent", "somebody", "--json")
    assert (done.status, done.json["error"]["code"]) == (2, "agent.unknown")


def test_the_line_that_people_copy_names_the_verb():
    assert agent.LINE.split()[1:] == [agent.VERBS[0].name, agent.KNOWN[0]]
    assert callable(run)
