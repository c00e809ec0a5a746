# SPDX-License-Identifier: MIT
"""The keychain helper with the real gnome-keyring: locked, asked, killed, frozen, absent."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import Absent, Denied, Locked, Mismatch, Present, RawKey, Unavailable
from memory_gui.vault.keychain import Keychain
from memory_gui.vault.lookup import key_for

pytestmark = pytest.mark.rig

BACKEND = "SecretService.Keyring"
SALT = bytes(range(100, 116))
KEY = RawKey(b"k" * 32)


@contextlib.contextmanager
def opened(environment, **more):
    keychain = Keychain(environment=environment, **more)
    try:
        yield keychain
    finally:
        keychain.close()


class Asked:
    """A question that a thread waits for."""

    def __init__(self, question) -> None:
        self._outcome = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(question,), daemon=True)
        self.began = time.monotonic()
        self._thread.start()

    def _run(self, question) -> None:
        try:
            self._outcome.put(question())
        except Exception as error:
            self._outcome.put(error)

    @property
    def waits(self) -> bool:
        return self._outcome.empty()

    def answer(self, timeout: float = 60):
        answer = self._outcome.get(timeout=timeout)
        self._thread.join(30)
        return answer


def lock(environment) -> None:
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


def helpers() -> set[int]:
    """The helper processes of this test process."""
    mine = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    children = {int(pid) for file in mine for pid in file.read_text().split()}
    return {
        pid
        for pid in children
        if b"memory_gui.vault.helper" in Path(f"/proc/{pid}/cmdline").read_bytes()
    }


def test_store_find_retire(own_desktop):
    with opened(own_desktop()) as keychain:
        assert keychain.backend().name == BACKEND
        assert keychain.backend().locked is False
        assert keychain.find(SALT) == Absent(BACKEND)
        keychain.store(SALT, "a", KEY)
        with pytest.raises(UserError, match=r"vault\.slot_taken"):
            keychain.store(SALT, "a", RawKey(bytes(32)))
        keychain.store(SALT, "b", RawKey(b"2" * 32))
        found = keychain.find_all(SALT)
        assert [(p.slot, p.key) for p in found] == [("a", KEY), ("b", RawKey(b"2" * 32))]
        assert key_for(keychain, SALT, lambda key: key != KEY).slot == "b"
        assert key_for(keychain, SALT, lambda _: False) == Mismatch(BACKEND, ("a", "b"))
        keychain.retire(SALT, "a")
        assert [p.slot for p in keychain.find_all(SALT)] == ["b"]
        keychain.retire(SALT, "b")
        keychain.retire(SALT, "b")
        assert keychain.find(SALT) == Absent(BACKEND)


def test_the_key_survives_the_app(own_desktop):
    environment = own_desktop()
    with opened(environment) as keychain:
        keychain.store(SALT, "a", KEY)
    with opened(environment) as keychain:
        found = keychain.find(SALT)
    assert isinstance(found, Present)
    assert found.key == KEY
    assert helpers() == set()


def test_locked_without_a_display(bare_session):
    session = bare_session()
    with opened(session.environment) as keychain:
        keychain.store(SALT, "a", KEY)
        lock(session.environment)
        assert keychain.backend().locked is True
        began = time.monotonic()
        assert keychain.find(SALT) == Locked(BACKEND)
        assert time.monotonic() - began < 15
        with pytest.raises(UserError, match=r"vault\.locked"):
            keychain.store(SALT, "b", KEY)


def prompt_of(screen):
    """The system's own window that asks for the keychain's password."""
    desktop = screen()
    found = []

    def look():
        found[:] = [w for w in desktop.windows() if w.find_all("password text")]
        return found

    assert desktop.wait(look, 60)
    return found[0]


def test_locked_and_the_person_cancels(own_desktop, screen):
    told = []
    with opened(own_desktop("--locked-keyring"), on_prompt=told.append) as keychain:
        assert keychain.backend().locked is True
        asked = Asked(lambda: keychain.find(SALT))
        prompt = prompt_of(screen)
        assert told == [True]
        prompt.find("push button", "Cancel").press()
        assert asked.answer() == Locked(BACKEND)
        assert told == [True, False]


def test_locked_and_the_person_takes_longer_than_the_limit(own_desktop, screen):
    environment = own_desktop()
    with opened(environment) as keychain:
        keychain.store(SALT, "a", KEY)
    lock(environment)
    with opened(environment) as keychain:
        asked = Asked(lambda: keychain.find(SALT))
        prompt = prompt_of(screen)
        time.sleep(6)  # more than the 5 s that a keychain may take without a prompt
        assert asked.waits
        prompt.find("password text").type(environment["DESKTOP_KEYRING_PASSWORD"])
        prompt.find("push button", "Unlock").press()
        found = asked.answer()
        assert isinstance(found, Present)
        assert found.key == KEY
        assert keychain.backend().locked is False


def test_cancel_in_the_app_behind_the_prompt(own_desktop, screen):
    with opened(own_desktop("--locked-keyring")) as keychain:
        asked = Asked(lambda: keychain.find(SALT))
        prompt = prompt_of(screen)
        began = time.monotonic()
        keychain.cancel()
        assert isinstance(asked.answer(60), Cancelled)
        assert time.monotonic() - began < 3  # at once, on a crowded machine
        assert helpers() == set()
        prompt.wait_gone()  # the system's window goes with the helper that asked
        # The next question is a new one, and it asks again.
        again = Asked(lambda: keychain.find(SALT))
        prompt_of(screen).find("push button", "Cancel").press()
        assert again.answer() == Locked(BACKEND)


def test_the_app_is_killed_behind_the_prompt(own_desktop, screen):
    """Nobody waits for the answer any more, so the helper goes and takes the window with it."""
    own_desktop("--locked-keyring")
    program = (
        "from memory_gui.vault.keychain import Keychain; print(Keychain().find(bytes(range(16))))"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as app:
        prompt = prompt_of(screen)
        app.kill()
    prompt.wait_gone(10)


def test_killed_behind_the_prompt(own_desktop, screen):
    environment = own_desktop("--locked-keyring")
    with opened(environment) as keychain:
        asked = Asked(lambda: keychain.find(SALT))
        prompt_of(screen)
        os.kill(int(environment["DESKTOP_KEYRING_PID"]), signal.SIGKILL)
        assert asked.answer() == Unavailable((f"ended:{BACKEND}",))
        assert helpers() == set()


def test_killed_between_two_questions(bare_session, keychain_gone):
    session = bare_session()
    with opened(session.environment) as keychain:
        keychain.store(SALT, "a", KEY)
        session.keyring.kill()
        keychain_gone(session.environment)
        found = keychain.find(SALT)
        assert isinstance(found, Unavailable)
        assert found.reasons[0].startswith(f"not-there:{BACKEND}")
        with pytest.raises(UserError, match=r"vault\.unavailable"):
            keychain.store(SALT, "b", KEY)


def test_killed_and_started_anew_by_the_bus(own_desktop, screen, keychain_gone):
    environment = own_desktop()
    with opened(environment) as keychain:
        keychain.store(SALT, "a", KEY)
        os.kill(int(environment["DESKTOP_KEYRING_PID"]), signal.SIGKILL)
        keychain_gone(environment)
        asked = Asked(lambda: keychain.find(SALT))
        prompt_of(screen).find("push button", "Cancel").press()
        assert asked.answer() == Locked(BACKEND)


def test_refused_by_the_bus(bare_session):
    """What a sandbox does: AppArmor under snap, the proxy of flatpak."""
    session = bare_session(policy='<deny send_destination="org.freedesktop.secrets"/>')
    with opened(session.environment) as keychain:
        result = keychain.find(SALT)
        assert result == Denied(BACKEND, "org.freedesktop.DBus.Error.AccessDenied")
        with pytest.raises(UserError, match=r"vault\.denied"):
            keychain.store(SALT, "a", KEY)


def test_no_collection_yet(bare_session):
    """The first login without PAM: looking makes none, and storing asks for a password."""
    session = bare_session(password=None)
    told = []
    with opened(session.environment, on_prompt=told.append) as keychain:
        assert keychain.backend().locked is None
        assert keychain.find(SALT) == Absent(BACKEND)
        assert told == []
        with pytest.raises(UserError, match=r"vault\.locked"):
            keychain.store(SALT, "a", KEY)
        assert told == [True, False]


def test_recorded_in_another_keychain(own_desktop):
    environment = own_desktop()
    with opened(environment, recorded="kwallet.DBusKeyring") as keychain:
        found = keychain.find(SALT)
        assert isinstance(found, Unavailable)
        assert [reason.split(": ")[0] for reason in found.reasons] == [
            "not-there:kwallet.DBusKeyring",
            f"no-key:{BACKEND}",
        ]
        keychain.store(SALT, "a", KEY)
        found = keychain.find(SALT)
        assert isinstance(found, Present)
        assert found.backend == BACKEND


def test_the_bus_dies(bare_session):
    session = bare_session()
    with opened(session.environment) as keychain:
        assert keychain.find(SALT) == Absent(BACKEND)
        session.bus.kill()
        session.bus.wait()
        found = keychain.find(SALT)
        assert isinstance(found, Unavailable)
        assert found.reasons[0].startswith(f"not-there:{BACKEND}")


@pytest.mark.parametrize("act", ["find", "store", "backend"])
def test_frozen(own_desktop, act):
    environment = own_desktop()
    keyring = int(environment["DESKTOP_KEYRING_PID"])
    with opened(environment) as keychain:
        assert keychain.find(SALT) == Absent(BACKEND)
        os.kill(keyring, signal.SIGSTOP)
        try:
            began = time.monotonic()
            if act == "find":
                assert keychain.find(SALT) == Unavailable(("silent",))
            elif act == "store":
                with pytest.raises(UserError, match=r"vault\.silent"):
                    keychain.store(SALT, "a", KEY)
            else:
                assert keychain.backend().reasons == ("silent",)
            assert 5 <= time.monotonic() - began < 9
            assert helpers() == set()
        finally:
            os.kill(keyring, signal.SIGCONT)
        assert keychain.find(SALT) == Absent(BACKEND)


def test_cancel_while_it_is_frozen(own_desktop):
    environment = own_desktop()
    keyring = int(environment["DESKTOP_KEYRING_PID"])
    with opened(environment) as keychain:
        os.kill(keyring, signal.SIGSTOP)
        try:
            asked = Asked(lambda: keychain.find(SALT))
            time.sleep(1)
            began = time.monotonic()
            keychain.cancel()
            assert isinstance(asked.answer(60), Cancelled)
            assert time.monotonic() - began < 3  # at once, on a crowded machine
        finally:
            os.kill(keyring, signal.SIGCONT)


def test_no_keychain_at_all(own_desktop):
    with opened(own_desktop("--no-keyring")) as keychain:
        found = keychain.find(SALT)
        assert isinstance(found, Unavailable)
        assert "neither running nor activatable" in found.reasons[0]
        assert keychain.backend().trusted is False


EVIL = """
from pathlib import Path
Path({file!r}).write_text("planted code ran")
from keyring.backend import KeyringBackend
class PlaintextKeyring(KeyringBackend):
    priority = 99
    def get_password(self, service, username): return "00" * 32
    def set_password(self, service, username, password): Path({file!r}).write_text(password)
    def delete_password(self, service, username): pass
"""


@pytest.mark.parametrize("options", [(), ("--no-keyring",)])
def test_planted_back_ends_are_named_and_never_run(own_desktop, tmp_path, options):
    ran = tmp_path / "ran"
    package = tmp_path / "planted" / "alt"
    package.mkdir(parents=True)
    for name in ("__init__.py", "file.py"):
        (package / name).write_text(EVIL.format(file=str(ran)))
    environment = dict(own_desktop(*options))
    config = Path(environment["HOME"]) / ".config" / "python_keyring" / "keyringrc.cfg"
    config.parent.mkdir(parents=True)
    config.write_text(
        f"[backend]\ndefault-keyring=alt.file.PlaintextKeyring\nkeyring-path={package.parent}\n"
    )
    environment |= {
        "PYTHON_KEYRING_BACKEND": "alt.file.PlaintextKeyring",
        "PYTHONPATH": str(package.parent),
        "KEYRING_PROPERTY_PREFERRED_COLLECTION": "/evil",
    }

    # What would happen otherwise: keyring's own choice runs it at once.
    naive = "import keyring; print(type(keyring.get_keyring()).__name__)"
    python = [sys.executable, "-c", naive]
    done = subprocess.run(python, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "PlaintextKeyring\n"
    assert ran.read_text() == "planted code ran"
    ran.unlink()

    with opened(environment) as keychain:
        info = keychain.backend()
        assert info.name == ("" if options else BACKEND)
        assert info.ignored == (
            "PYTHON_KEYRING_BACKEND=alt.file.PlaintextKeyring",
            f"{config}: default-keyring=alt.file.PlaintextKeyring",
            f"{config}: keyring-path={package.parent}",
        )
        found = keychain.find(SALT)
        assert isinstance(found, Unavailable if options else Absent)
        if options:
            with pytest.raises(UserError, match=r"vault\.unavailable"):
                keychain.store(SALT, "a", KEY)
        else:
            keychain.store(SALT, "a", KEY)
            assert keychain.find(SALT).key == KEY
    assert not ran.exists()


def test_the_null_back_end_is_not_followed(own_desktop):
    environment = {
        **own_desktop(),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    with opened(environment) as keychain:
        assert keychain.backend().name == BACKEND
        keychain.store(SALT, "a", KEY)
        assert keychain.find(SALT).key == KEY


def test_the_key_is_in_no_argument_and_no_environment(own_desktop):
    with opened(own_desktop()) as keychain:
        keychain.store(SALT, "a", KEY)
        (helper,) = helpers()
        command = Path(f"/proc/{helper}/cmdline").read_bytes()
        assert b"\0-I\0" in command
        assert KEY.hex().encode() not in command
        # An ordinary user may not look further: the helper is not dumpable.
        with contextlib.suppress(PermissionError):
            environment = Path(f"/proc/{helper}/environ").read_bytes()
            assert KEY.hex().encode() not in environment
            assert os.readlink(f"/proc/{helper}/cwd") == "/"
