# SPDX-License-Identifier: MIT
"""``memory_gui.agents`` in a process of its own, with the key in the real gnome-keyring."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.process.child import command
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import Keychain

pytestmark = pytest.mark.rig

KEY, NEW = RawKey(b"k" * 32), RawKey(b"n" * 32)
AGENT = """
import json, sys, time
from memory_gui.agents import Opener, StoreUnavailable, connect
path = sys.argv[1]
opener = Opener(path, keychain=None)
for _ in sys.stdin:
    begun = time.monotonic()
    try:
        connection = opener.connect()
        with connection:
            connection.execute("INSERT INTO schema_meta VALUES (hex(randomblob(4)), 'x')")
        rows = connection.execute("SELECT count(*) FROM schema_meta WHERE value='x'").fetchone()[0]
        connection.close()
        said = {"rows": rows}
    except StoreUnavailable as error:
        said = {"code": error.code, "reason": error.params.get("reason"), "text": str(error)}
    said["helpers"] = [n for n in sys.modules if n.startswith("keyring")]
    said["seconds"] = time.monotonic() - begun
    print(json.dumps(said), flush=True)
"""


class Agent:
    """A program that saves one row each time it is asked to."""

    def __init__(self, path: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", AGENT, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
            text=True,
        )

    def save(self) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    @property
    def told(self) -> bytes:
        """Its arguments and its environment."""
        folder = Path("/proc") / str(self._process.pid)
        return (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()

    def close(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    create_store(path, KEY)
    return path


def lock(environment: Mapping[str, str]) -> None:
    subprocess.run(
        [
            *("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets"),
            *("/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock"),
            "array:objpath:/org/freedesktop/secrets/collection/login",
        ],
        env=dict(environment),
        check=True,
        capture_output=True,
    )


def test_the_key_comes_from_the_keychain_and_a_new_one_is_followed(bare_session, store):
    environment = bare_session().environment
    salt = store.read_bytes()[:16]
    keychain = Keychain(environment=environment)
    agent = Agent(store, environment)
    try:
        assert agent.save()["reason"] == "absent"
        keychain.store(salt, "a", KEY)
        assert agent.save()["rows"] == 1
        assert agent.save() == {"rows": 2, "helpers": [], "seconds": pytest.approx(0, abs=5)}
        with open_database(store, KEY, write=True, maintain=True) as connection:
            connection.execute(f"PRAGMA rekey = \"x'{NEW.hex()}'\"")
        keychain.store(salt, "b", NEW)
        keychain.retire(salt, "a")
        assert agent.save()["rows"] == 3
        for key in (KEY, NEW):
            assert key.hex().encode() not in agent.told
    finally:
        agent.close()
        keychain.close()


LENT = """
import json, sys
from memory_gui.agents.running import _keychain
keychain = _keychain(json.loads(sys.argv[1]))
found = keychain.find(bytes.fromhex(sys.argv[2]))
keychain.close()
print(type(found).__name__, "keyring" in sys.modules)
"""


def test_an_agent_without_keyring_asks_through_the_apps_own_python(bare_session, store):
    """As ``memory-cli agent`` hands it over: the helper runs in our Python, not in the agent's."""
    environment = bare_session().environment
    salt = store.read_bytes()[:16]
    keychain = Keychain(environment=environment)
    keychain.store(salt, "a", KEY)
    keychain.close()
    done = subprocess.run(
        [sys.executable, "-I", "-c", LENT, json.dumps(command("keychain")), salt.hex()],
        env=dict(environment),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["Present", "False"]


def test_a_locked_keychain_is_told_and_nothing_is_lost(bare_session, store):
    environment = bare_session().environment
    keychain = Keychain(environment=environment)
    keychain.store(store.read_bytes()[:16], "a", KEY)
    keychain.close()
    lock(environment)
    before = store.read_bytes()
    agent = Agent(store, environment)
    try:
        said = agent.save()
    finally:
        agent.close()
    assert (said["code"], said["reason"]) == ("key.needed", "locked")
    assert said["seconds"] < 30
    assert store.read_bytes() == before
