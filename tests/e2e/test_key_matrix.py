# SPDX-License-Identifier: MIT
"""Each cause × window and terminal: what happened to the key, and what the person is told.

Real gnome-keyring: unlocked, locked with its prompt answered, cancelled and ignored, killed in the
middle, frozen, absent, replaced. A Secret Service of our own: never answers, refuses, gives the
wrong key. What was seen is written to build/key-matrix.md.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fronts import Terminal, Told, Window, at_a_terminal

from memory_gui.domain.keys import RawKey
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import Keychain

pytestmark = pytest.mark.rig

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "build" / "key-matrix.md"
KEY = RawKey(bytes(range(32)))
WRONG = "ee" * 32
CANCELLED_S = 3.0
"""A second, and what processes wait for a core on a crowded machine."""
SEEN: list[tuple[str, str, str, str]] = []


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[None]:
    """What was seen, as the note wants it."""
    SEEN.clear()
    yield
    TABLE.parent.mkdir(exist_ok=True)
    rows = [f"| {' | '.join(row)} |" for row in SEEN]
    head = ["| cause | front | outcome | said |", "|---|---|---|---|"]
    TABLE.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """An encrypted store of an agent of ours."""
    path = tmp_path / "atlas/.agentao/memory.db"
    path.parent.mkdir(parents=True)
    create_store(path, KEY)
    return path


def put(environment: Any, store: Path, key: RawKey = KEY) -> None:
    keychain = Keychain(environment=environment)
    try:
        keychain.store(store.read_bytes()[:16], "a", key)
    finally:
        keychain.close()


FRONTS = pytest.mark.parametrize("front", [Terminal, Window], ids=["terminal", "window"])


def note(cause: str, front: Any, told: Told) -> None:
    first = told.words.splitlines()[0] if told.words else "-"
    SEEN.append((cause, front.name, told.reason or "opened", first))


def both(cause: str, environment: Any, tmp_path: Path, store: Path) -> list[Told]:
    """Both fronts at once, each with its own records, where no prompt is worked."""
    fronts = [front(environment, tmp_path, store) for front in (Terminal, Window)]
    ended = [front.end() for front in fronts]
    for front, told in zip(fronts, ended, strict=True):
        note(cause, front, told)
    return ended


def untouched(store: Path) -> bytes:
    """The store's bytes."""
    return store.read_bytes()


def prompt_of(screen: Callable[[], Any]) -> Any:
    desktop = screen()
    found = []

    def look() -> list[Any]:
        found[:] = [w for w in desktop.windows() if w.find_all("password text")]
        return found

    assert desktop.wait(look, 60)
    return found[0]


def lock(environment: Any) -> None:
    collection = "array:objpath:/org/freedesktop/secrets/collection/login"
    call = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets"]
    where = ["/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", collection]
    subprocess.run([*call, *where], env=dict(environment), check=True, capture_output=True)


# ---- the real one


def test_unlocked(own_desktop, tmp_path, store):
    environment = own_desktop()
    put(environment, store)
    for told in both("unlocked", environment, tmp_path, store):
        assert told.reason == ""


def test_absent(own_desktop, tmp_path, store):
    before = untouched(store)
    for told in both("absent", own_desktop(), tmp_path, store):
        assert told.reason == "absent"
    assert untouched(store) == before


def test_a_key_of_another_version(own_desktop, tmp_path, store):
    environment = own_desktop()
    put(environment, store, RawKey(bytes(32)))
    for told in both("another key", environment, tmp_path, store):
        assert told.reason == "mismatch"


@FRONTS
def test_locked_and_the_prompt_answered(own_desktop, screen, tmp_path, store, front):
    environment = own_desktop()
    put(environment, store)
    lock(environment)
    asked = front(environment, tmp_path, store)
    prompt = prompt_of(screen)
    time.sleep(5.5)  # longer than a keychain without a prompt may take
    prompt.find("password text").type(environment["DESKTOP_KEYRING_PASSWORD"])
    prompt.find("push button", "Unlock").press()
    told = asked.end()
    note("locked, answered after 5.5 s", front, told)
    assert told.reason == "", told.words


@FRONTS
def test_locked_and_the_prompt_cancelled(own_desktop, screen, tmp_path, store, front):
    """And nobody is asked a second time."""
    environment = own_desktop()
    put(environment, store)
    lock(environment)
    asked = front(environment, tmp_path, store)
    prompt = prompt_of(screen)
    prompt.find("push button", "Cancel").press()
    prompt.wait_gone()
    told = asked.end()
    note("locked, cancelled", front, told)
    assert told.reason == "locked"
    assert not [w for w in screen().windows() if w.find_all("password text")]


@FRONTS
def test_locked_and_the_prompt_ignored(own_desktop, screen, tmp_path, store, front):
    environment = own_desktop()
    put(environment, store)
    lock(environment)
    more = ("cancel",) if front is Window else ()
    asked = front(environment, tmp_path, store, *more)
    prompt = prompt_of(screen)
    assert asked.cancel() < CANCELLED_S  # once the prompt is there, and not before it
    told = asked.end()
    note("locked, ignored, then Cancel", front, told)
    assert told.reason == "stopped"
    if front is Window:
        assert told.seconds < CANCELLED_S
    prompt.wait_gone()


@FRONTS
def test_killed_in_the_middle(own_desktop, screen, tmp_path, store, front):
    environment = own_desktop()
    put(environment, store)
    lock(environment)
    asked = front(environment, tmp_path, store)
    prompt_of(screen)
    os.kill(int(environment["DESKTOP_KEYRING_PID"]), signal.SIGKILL)
    told = asked.end()
    note("killed behind its prompt", front, told)
    assert told.reason == "unavailable"
    assert "ended while it was asked" in told.words


def test_frozen(own_desktop, tmp_path, store):
    environment = own_desktop()
    put(environment, store)
    keyring = int(environment["DESKTOP_KEYRING_PID"])
    os.kill(keyring, signal.SIGSTOP)
    try:
        ended = both("frozen", environment, tmp_path, store)
    finally:
        os.kill(keyring, signal.SIGCONT)
    for told in ended:
        assert told.reason == "unavailable"
        assert "within 5 seconds" in told.words
        assert told.seconds < 40


def test_not_there(own_desktop, tmp_path, store):
    for told in both("no keychain", own_desktop("--no-keyring"), tmp_path, store):
        assert told.reason == "unavailable"


def test_no_bus(bare_session, tmp_path, store):
    session = bare_session()
    environment = {**session.environment, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
    for told in both("no bus", environment, tmp_path, store):
        assert told.reason == "unavailable"


def test_replaced_by_another_program(bare_session, tmp_path, store, keychain_gone):
    """gnome-keyring yesterday, another Secret Service today: both are named."""
    session = bare_session()
    put(session.environment, store)
    environment = {**session.environment, "XDG_DATA_HOME": str(tmp_path / "data")}
    for verb in (["list", str(store)], ["stores", "list"]):
        at_a_terminal(environment, *verb)
    session.keyring.kill()
    keychain_gone(session.environment)
    with fake_service(session.environment, "empty"):
        ended = both("replaced", session.environment, tmp_path, store)
    for told in ended:
        assert told.reason == "unavailable"
        assert "gnome-keyring-daemon" in told.words.splitlines()[0]


# ---- one that does as it is told


@contextlib.contextmanager
def fake_service(environment: Any, mode: str, secret: str = "") -> Iterator[None]:
    address = environment["DBUS_SESSION_BUS_ADDRESS"]
    command = [sys.executable, str(HERE / "secret_service.py"), address, mode, secret]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            assert service.stdout.readline() == "ready\n"
            yield
        finally:
            service.kill()


@pytest.fixture
def pretended(bare_session, keychain_gone) -> Iterator[Callable[..., Any]]:
    """A session in which the Secret Service is ours."""
    with contextlib.ExitStack() as stack:

        def start(mode: str, secret: str = "") -> Any:
            session = bare_session()
            session.keyring.kill()
            keychain_gone(session.environment)
            stack.enter_context(fake_service(session.environment, mode, secret))
            return session.environment

        yield start


@pytest.mark.parametrize(
    ("mode", "reason", "said"),
    [
        ("silent", "unavailable", "within 5 seconds"),
        ("refuses", "denied", "refused this program"),
        ("wrong", "mismatch", "does not open this store"),
    ],
)
def test_a_service_that(pretended, tmp_path, store, mode, reason, said):
    before = untouched(store)
    cause = {"silent": "never answers", "refuses": "refuses", "wrong": "gives another key"}[mode]
    for told in both(f"a service that {cause}", pretended(mode, WRONG), tmp_path, store):
        assert told.reason == reason
        assert said in told.words
    assert untouched(store) == before


def test_what_asks_for_another_back_end_is_named(own_desktop, tmp_path, store):
    """keyrings.alt by the environment: the page says so, and it is not listened to."""
    alt = "keyrings.alt.file.PlaintextKeyring"
    environment = {**own_desktop("--no-keyring"), "PYTHON_KEYRING_BACKEND": alt}
    for told in both("PYTHON_KEYRING_BACKEND=keyrings.alt…", environment, tmp_path, store):
        assert told.reason == "unavailable"
        assert alt in told.words
        assert "not listened to" in told.words


def test_each_result_has_words_of_its_own_in_both_fronts():
    """Runs last: no two results were said alike."""
    if not SEEN:
        pytest.skip("needs the others of this file")
    for front in ("terminal", "window"):
        said: dict[str, set[str]] = {}
        for cause, name, reason, first in SEEN:
            if name == front and reason not in ("opened", "stopped"):
                said.setdefault(first, set()).add(reason if "never" not in first else cause)
        assert all(len(reasons) == 1 for reasons in said.values()), said
