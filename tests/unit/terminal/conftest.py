# SPDX-License-Identifier: MIT
"""Verbs called in this process, over real stores in a home of the test's own."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "services"))
from keychains import SECRETS, ManyKeychains
from two_people import HERS, HIS, NAMED

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.terminal import session as session_module
from memory_gui.terminal.run import run
from memory_gui.terminal.session import Session, Streams

INSERT = (
    "INSERT INTO memories(id, scope, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', ?, ?, ?, ?, ?)"
)


class Encoded(io.StringIO):
    """A stream that says its encoding, as the real ones do."""

    encoding = "utf-8"  # type: ignore[assignment]


@dataclass
class Done:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Terminal:
    """Calls verbs; ``home`` is the person's, ``store`` a project's database with three memories."""

    home: Path
    store: Path
    key: RawKey | None = None
    language: str = "en_US.UTF-8"

    def __call__(self, *arguments: str, stdin: str = "") -> Done:
        out, err = Encoded(), Encoded()
        environment = {"LANG": self.language, "HOME": str(self.home)}
        streams = Streams(io.StringIO(stdin), out, err)
        status = run(arguments, streams, environment)
        return Done(int(status), out.getvalue(), err.getvalue())

    def verb(self, verb: str, *arguments: str, **more: str) -> Done:
        """A verb over the store, with its key and without the keychain."""
        given = self.with_key()
        return self(verb, str(self.store), *arguments, "--no-keychain", *given, **more)

    def with_key(self) -> tuple[str, ...]:
        if self.key is None:
            return ()
        return ("--key-fd", str(descriptor(self.key.hex())))

    def rows(self, sql: str = "SELECT id, title, content FROM memories ORDER BY id") -> list[Any]:
        with open_database(self.store, self.key, write=False) as connection:
            return connection.execute(sql)


def descriptor(text: str) -> int:
    """A descriptor behind which a text stands; the verb closes it."""
    with tempfile.TemporaryFile() as stream:
        stream.write(text.encode())
        stream.seek(0)
        return os.dup(stream.fileno())


@pytest.fixture
def behind() -> Callable[[str], int]:
    """Makes a descriptor behind which a text stands."""
    return descriptor


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No person is at a terminal."""
    monkeypatch.setattr(session_module, "has_terminal", lambda: False)


@pytest.fixture
def make(tmp_path: Path, nobody: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Terminal]:
    """Makes a terminal over a new store."""

    def build(key: RawKey | None = None, *, user: bool = False) -> Terminal:
        home = tmp_path / "home"
        home.mkdir()
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("XDG_DATA_HOME", str(home / ".local/share"))
        folders = [tmp_path / "atlas/.agentao", *([home / ".agentao"] if user else [])]
        for folder in folders:
            folder.mkdir(parents=True)
            create_store(folder / "memory.db", key)
        store = tmp_path / "atlas/.agentao/memory.db"
        with open_database(store, key, write=True) as connection, connection.writing():
            for number, title in enumerate(("apple", "banana", "cherry")):
                when = f"2026-01-0{number + 1}T00:00:00"
                row = (f"0000000{number}", title, title, f"{title} is a fruit", when, when)
                connection.execute(INSERT, row)
        return Terminal(home, store.resolve(), key)

    return build


@pytest.fixture
def terminal(make: Callable[..., Terminal]) -> Terminal:
    return make()


@pytest.fixture
def people(terminal: Terminal) -> Terminal:
    """The terminal with a store in which people are named."""
    with open_database(terminal.store, None, write=True) as connection, connection.writing():
        for number, text in enumerate((HIS, HERS), 10):
            connection.execute(NAMED, (f"000000{number}", f"k{number}", f"t{number}", text))
    return terminal


@pytest.fixture
def every_keychain(monkeypatch: pytest.MonkeyPatch) -> ManyKeychains:
    """The keychain of every call; a script needs a person's permission for it."""
    made = ManyKeychains(SECRETS)
    monkeypatch.setattr(session_module, "Keychain", lambda **_: made)
    return made


@pytest.fixture
def keychain(every_keychain: ManyKeychains, monkeypatch: pytest.MonkeyPatch) -> ManyKeychains:
    """The keychain of every call, which it may use as if a person were there."""
    monkeypatch.setattr(Session, "attended", property(lambda _self: True))
    return every_keychain


@pytest.fixture
def permitted(every_keychain: ManyKeychains, make: Callable[..., Terminal]) -> Terminal:
    """A terminal over a new store, which may use the keychain with a person's permission."""
    made = make()
    settings = made.home / ".local/share/memory-gui"
    settings.mkdir(parents=True)
    (settings / "settings.toml").write_text("scripts_may_use_keychain = true\n")
    return made
