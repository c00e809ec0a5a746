# SPDX-License-Identifier: MIT
"""Stores of Agentao to work on, and another program that looks at them and spoils them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.services import Services, build_services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.store import AgentaoStore
from memory_gui.stores.registry import Registry, formats
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parents[2] / "data"

SQLITE = """
import json, sqlite3, sys
path, statements = json.load(sys.stdin)
connection = sqlite3.connect(path)
connection.text_factory = bytes
out = []
for sql, params in statements:
    out.append([[c.decode(errors="replace") if isinstance(c, bytes) else c for c in row]
                for row in connection.execute(sql, params)])
connection.commit()
connection.close()
json.dump(out, sys.stdout)
"""


def sqlite(path: Path, *statements: str | tuple[str, list[Any]]) -> list[list[list[Any]]]:
    """Run statements with the standard library in another process; their rows."""
    asked = [(s, []) if isinstance(s, str) else s for s in statements]
    done = subprocess.run(
        [sys.executable, "-I", "-c", SQLITE],
        input=json.dumps([str(path), asked]),
        capture_output=True,
        text=True,
        check=True,
    )
    rows: list[list[list[Any]]] = json.loads(done.stdout)
    return rows


@pytest.fixture
def outside() -> Callable[..., list[list[list[Any]]]]:
    """``sqlite``: what another program sees and does."""
    return sqlite


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A copy of all sample stores."""
    left = shutil.ignore_patterns("*-shm", "*-wal")  # by somebody who looked at them there
    return Path(shutil.copytree(DATA, tmp_path / "data", ignore=left))


@pytest.fixture
def opened() -> Iterator[Callable[..., AgentaoStore]]:
    """Open stores that are closed at the end; ``home`` tells the user's database."""
    stores: list[AgentaoStore] = []

    def open_one(
        path: Path,
        mode: Mode = Mode.CHANGE,
        *,
        key: RawKey | None = None,
        home: Path | None = None,
    ) -> AgentaoStore:
        store = Registry(formats(home)).open(Location((path.resolve(),)), key, mode)
        stores.append(store)  # type: ignore[arg-type]  # the JSON store of 0.2.5 closes as well
        return store  # type: ignore[return-value]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """An empty project database."""
    path = tmp_path / "project" / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    create_store(path, None)
    return path


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()
