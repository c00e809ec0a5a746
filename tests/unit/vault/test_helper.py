# SPDX-License-Identifier: MIT
"""The helper's answers, in process, with a keychain of paper. The real one: tests/e2e."""

import pytest
from keyring.errors import InitError, KeyringLocked, PasswordDeleteError
from secretstorage.exceptions import (
    ItemNotFoundException,
    PromptDismissedException,
    SecretServiceNotAvailableException,
)

from memory_gui.domain.errors import UserError
from memory_gui.vault.helper import Helper
from memory_gui.vault.secretservice import (
    Lock,
    ServiceGoneError,
    ServiceRefusedError,
    _NoSuchObjectError,
)
from memory_gui.vault.trusted import Chosen

SECRET_SERVICE = "SecretService.Keyring"
HEX = "ab" * 32


class Paper:
    """Entries on paper; ``fails`` is raised by the method of that name."""

    def __init__(self, entries=None, **fails) -> None:
        self.entries = dict(entries or {})
        self.fails = fails

    def _maybe(self, name: str) -> None:
        if name in self.fails:
            raise self.fails[name]

    def get_password(self, service, username):
        self._maybe("get")
        return self.entries.get((service, username))

    def set_password(self, service, username, password):
        self._maybe("set")
        self.entries[service, username] = password

    def delete_password(self, service, username):
        self._maybe("delete")
        if self.entries.pop((service, username), None) is None:
            raise PasswordDeleteError


class Door:
    """A lock on paper. ``opens``: whether the person enters the password."""

    def __init__(
        self, *, collection="/c", locked=False, opens=False, items=(), gone=None, program=""
    ) -> None:
        self.program = program
        self.path, self.locked, self.opens = collection, locked, opens
        self.items, self.gone = list(items), gone
        self.closed = 0

    def collection(self):
        if self.gone:
            raise self.gone
        return self.path

    def provider(self):
        return self.program

    def is_locked(self, collection):
        return self.locked

    def locked_items(self, collection, attributes):
        return list(self.items)

    def unlock(self, paths, prompt):
        prompt(True)
        if self.opens:
            self.locked, self.items = False, []
        prompt(False)

    def make_collection(self, prompt):
        prompt(True)
        prompt(False)
        self.path = "/c" if self.opens else None
        return self.opens

    def close(self):
        self.closed += 1


def ask(entries, door=None, *, name=SECRET_SERVICE, reasons=(), said=None, **message):
    door = door or Door()
    helper = Helper(lambda _recorded, _platform: Chosen(name, entries, reasons), lambda: door)
    message = {"op": "find", "service": "s", "users": ["a", "b"], "recorded": "", **message}
    return helper.handle(message, (said if said is not None else []).append)


def test_both_slots_are_found():
    paper = Paper({("s", "a"): HEX, ("s", "b"): "cd" * 32, ("t", "a"): "no"})
    assert ask(paper) == {
        "result": "present",
        "backend": SECRET_SERVICE,
        "slots": {"a": HEX, "b": "cd" * 32},
    }


def test_an_unlocked_keychain_makes_no_prompt():
    said = []
    assert ask(Paper(), said=said)["result"] == "absent"
    assert said == []


@pytest.mark.parametrize(
    ("door", "result"),
    [
        (Door(locked=True, opens=True), "present"),
        (Door(locked=True, opens=False), "locked"),
        (Door(items=["/i"], opens=True), "present"),
        (Door(items=["/i"], opens=False), "locked"),
    ],
)
def test_a_locked_one_says_that_a_prompt_can_be_open(door, result):
    said = []
    assert ask(Paper({("s", "a"): HEX}), door, said=said)["result"] == result
    assert said[:2] == [{"prompt": True}, {"prompt": False}]
    assert door.closed == 1


def test_no_collection_is_absent_and_none_is_made_by_looking():
    door = Door(collection=None, opens=True)
    said = []
    assert ask(Paper(), door, said=said)["result"] == "absent"
    assert door.path is None
    assert said == []


@pytest.mark.parametrize(("opens", "result"), [(True, "done"), (False, "locked")])
def test_storing_makes_the_collection(opens, result):
    door = Door(collection=None, opens=opens)
    answer = ask(Paper(), door, op="store", user="a", users=None, secret=HEX)
    assert answer["result"] == result


def test_storing_reads_back():
    paper = Paper()
    assert ask(paper, op="store", user="a", users=None, secret=HEX)["result"] == "done"
    assert paper.entries == {("s", "a"): HEX}


def test_a_slot_is_never_written_over():
    paper = Paper({("s", "a"): "old"})
    with pytest.raises(UserError) as caught:
        ask(paper, op="store", user="a", users=None, secret=HEX)
    assert (caught.value.code, caught.value.params) == ("vault.slot_taken", {"slot": "a"})
    assert paper.entries == {("s", "a"): "old"}


def test_what_cannot_be_read_back_was_not_stored():
    paper = Paper()
    paper.set_password = lambda *_: None
    with pytest.raises(UserError, match=r"vault\.not_kept"):
        ask(paper, op="store", user="a", users=None, secret=HEX)


def test_retiring_takes_one_slot_and_twice_is_no_error():
    paper = Paper({("s", "a"): HEX, ("s", "b"): HEX})
    for _ in range(2):
        assert ask(paper, op="retire", user="a", users=None)["result"] == "done"
    assert paper.entries == {("s", "b"): HEX}


def test_what_is_still_there_was_not_retired():
    paper = Paper({("s", "a"): HEX})
    paper.delete_password = lambda *_: None
    with pytest.raises(UserError, match=r"vault\.not_removed"):
        ask(paper, op="retire", user="a", users=None)


class KeychainDenied(Exception):
    pass


class DBusErrorResponse(Exception):
    name = "org.freedesktop.DBus.Error.AccessDenied"


def refused_on_macos() -> Exception:
    error = KeyringLocked("Can't get password from keychain")
    error.__cause__ = KeychainDenied()
    return error


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (KeyringLocked("x"), {"result": "locked", "backend": SECRET_SERVICE}),
        (PromptDismissedException("x"), {"result": "locked", "backend": SECRET_SERVICE}),
        (
            refused_on_macos(),
            {"result": "denied", "backend": SECRET_SERVICE, "reason": "KeychainDenied"},
        ),
        (
            DBusErrorResponse(),
            {"result": "denied", "backend": SECRET_SERVICE, "reason": "AccessDenied"},
        ),
        (
            SecretServiceNotAvailableException("x"),
            {"result": "unavailable", "reasons": [f"ended:{SECRET_SERVICE}"]},
        ),
        (
            InitError("secret text"),
            {"result": "unavailable", "reasons": [f"error:{SECRET_SERVICE}: InitError"]},
        ),
        (
            OSError("secret text"),
            {"result": "unavailable", "reasons": [f"error:{SECRET_SERVICE}: OSError"]},
        ),
    ],
)
def test_every_failure_is_one_of_the_results(error, answer):
    assert ask(Paper(get=error)) == answer


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (
            ServiceGoneError("no-bus"),
            {"result": "unavailable", "reasons": [f"no-bus:{SECRET_SERVICE}"]},
        ),
        (
            ServiceRefusedError("AccessDenied"),
            {"result": "denied", "backend": SECRET_SERVICE, "reason": "AccessDenied"},
        ),
    ],
)
def test_failures_of_the_bus(error, answer):
    assert ask(Paper(), Door(gone=error)) == answer


def test_no_class_that_works_is_unavailable():
    assert ask(None, name="", reasons=("not-there:x",)) == {
        "result": "unavailable",
        "reasons": ["not-there:x"],
    }


def test_absence_in_another_keychain_than_the_recorded_one_is_no_absence():
    answer = ask(
        Paper(), reasons=("not-there:kwallet.DBusKeyring",), recorded="kwallet.DBusKeyring"
    )
    assert answer == {
        "result": "unavailable",
        "reasons": ["not-there:kwallet.DBusKeyring", f"no-key:{SECRET_SERVICE}"],
    }
    paper = Paper({("s", "a"): HEX})
    assert ask(paper, recorded="kwallet.DBusKeyring")["result"] == "present"


def test_keychains_that_ask_by_themselves_may_be_asking_at_any_call():
    said = []
    assert ask(Paper(get=KeyringLocked()), name="macOS.Keyring", said=said)["result"] == "locked"
    assert said == [{"prompt": True}, {"prompt": False}]
    said = []
    ask(Paper(), name="Windows.WinVaultKeyring", said=said)
    assert said == []


@pytest.mark.parametrize(
    ("door", "locked", "reasons"),
    [
        (Door(), False, []),
        (Door(locked=True), True, []),
        (Door(collection=None), None, []),
        (Door(gone=ServiceGoneError("ended")), None, [f"ended:{SECRET_SERVICE}"]),
    ],
)
def test_the_description_reads_the_lock_without_a_prompt(door, locked, reasons):
    said = []
    answer = ask(Paper(), door, op="backend", asked="x.Y", said=said)
    assert answer["name"] == SECRET_SERVICE
    assert answer["locked"] is locked
    assert answer["reasons"] == reasons
    assert "PYTHON_KEYRING_BACKEND=x.Y" in answer["ignored"]
    assert said == []


def test_another_program_behind_the_same_interface_is_no_absence_either():
    door = Door(program="keepassxc")
    answer = ask(Paper(), door, recorded=f"{SECRET_SERVICE}@gnome-keyring-daemon")
    assert answer == {
        "result": "unavailable",
        "reasons": [f"moved:{SECRET_SERVICE}: gnome-keyring-daemon → keepassxc"],
    }
    same = ask(Paper(), Door(program="kwalletd6"), recorded=f"{SECRET_SERVICE}@kwalletd6")
    assert same["result"] == "absent"
    unknown = ask(Paper(), Door(), recorded=f"{SECRET_SERVICE}@kwalletd6")
    assert unknown["result"] == "absent"
    there = ask(Paper({("s", "a"): HEX}), door, recorded=f"{SECRET_SERVICE}@gnome-keyring-daemon")
    assert (there["result"], there["provider"]) == ("present", "keepassxc")


def test_one_class_alone_is_asked_where_it_is_meant():
    assert ask(Paper(), only="kwallet.DBusKeyring") == {
        "result": "unavailable",
        "reasons": ["not-there:kwallet.DBusKeyring"],
    }
    paper = Paper({("s", "a"): HEX})
    assert ask(paper, only=SECRET_SERVICE, recorded="kwallet.DBusKeyring")["result"] == "present"
    assert ask(Paper(), only=SECRET_SERVICE, recorded="x")["result"] == "absent"


@pytest.mark.parametrize(
    ("door", "name"),
    [
        (Door(locked=True, opens=True), SECRET_SERVICE),
        (Door(items=["/i"], opens=True), SECRET_SERVICE),
        (Door(), "macOS.Keyring"),
    ],
)
def test_a_quiet_question_opens_no_prompt(door, name):
    said = []
    answer = ask(Paper({("s", "a"): HEX}), door, name=name, said=said, quiet=True)
    assert answer == {"result": "locked", "backend": name}
    assert said == []


class Vanishing(Paper):
    """Another program takes an entry away while it is read, or removed, ``times`` times."""

    def __init__(self, entries, times=1, name="get") -> None:
        super().__init__(entries)
        self.times, self.name = times, name

    def _maybe(self, name):
        if name == self.name and self.times and ("s", "a") in self.entries:
            self.times -= 1
            if not self.times:
                self.entries.pop(("s", "a"))
            raise ItemNotFoundException


@pytest.mark.parametrize("times", [1, 2])
def test_an_entry_that_goes_while_it_is_read_is_no_failure_of_the_keychain(times):
    paper = Vanishing({("s", "a"): HEX, ("s", "b"): "cd" * 32}, times)
    assert ask(paper)["slots"] == {"b": "cd" * 32}
    assert ask(Vanishing({("s", "a"): HEX}, times))["result"] == "absent"


def test_one_that_never_comes_to_be_read_is_a_failure():
    answer = ask(Vanishing({("s", "a"): HEX}, times=9))
    assert answer["reasons"] == [f"error:{SECRET_SERVICE}: ItemNotFoundException"]


def test_an_entry_that_another_program_removed_first_is_removed():
    paper = Vanishing({("s", "a"): HEX}, name="delete")
    assert ask(paper, op="retire", user="a", users=None)["result"] == "done"


def test_an_item_that_goes_while_its_lock_is_read_is_not_locked(monkeypatch):
    lock = Lock(connection=None)

    def of_item(path, _interface, _name):
        if path == "/gone":
            raise _NoSuchObjectError(path)
        return path == "/locked"

    monkeypatch.setattr(lock, "_call", lambda *_: (["/gone", "/locked", "/open"],))
    monkeypatch.setattr(lock, "_property", of_item)
    assert lock.locked_items("/c", {}) == ["/locked"]
