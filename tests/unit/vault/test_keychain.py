# SPDX-License-Identifier: MIT
"""The app's side never waits for ever, whatever the helper does."""

import subprocess
import sys
import threading
import time

import pytest
from scripted import (
    ABSENT,
    KEY,
    NOTHING,
    PRESENT,
    SALT,
    Scripted,
    Turn,
    in_thread,
    keychain,
    until,
)

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import (
    Absent,
    Denied,
    Locked,
    Mismatch,
    Present,
    Unavailable,
)
from memory_gui.vault.keychain import BackendInfo, Keychain, NoKeychain, helper_environment


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (ABSENT, Absent("K")),
        ({"result": "locked", "backend": "K"}, Locked("K")),
        ({"result": "denied", "backend": "K", "reason": "r"}, Denied("K", "r")),
        ({"result": "unavailable", "reasons": ["x"]}, Unavailable(("x",))),
        ({"result": "nonsense"}, Unavailable(("error:answer",))),
        ({**PRESENT, "slots": {"a": "not hex"}}, Mismatch("K", ("a",))),
        ({**PRESENT, "slots": {"a": KEY.hex()[:-1]}}, Mismatch("K", ("a",))),
    ],
)
def test_the_results_are_never_confused(answer, result):
    assert keychain(Scripted([answer])).find(SALT) == result


def test_present():
    helper = Scripted([PRESENT])
    found = keychain(helper).find(SALT)
    assert isinstance(found, Present)
    assert (found.key, found.slot, found.backend) == (KEY, "a", "K")
    assert helper.asked == [
        {
            "op": "find",
            "service": "memory-gui/000102030405060708090a0b0c0d0e0f",
            "users": ["a", "b"],
            "recorded": "",
            "quiet": False,
        }
    ]


def test_a_slot_with_rubbish_does_not_hide_the_good_one():
    found = keychain(Scripted([{**PRESENT, "slots": {"a": "x", "b": KEY.hex()}}])).find_all(SALT)
    assert [(p.slot, p.key) for p in found] == [("b", KEY)]


def test_silence_ends_the_helper_and_the_next_question_starts_another(stopwatch):
    silent, fresh = Scripted([NOTHING]), Scripted([ABSENT])
    asked = keychain(silent, fresh)
    began, watch = time.monotonic(), stopwatch()
    assert asked.find(SALT) == Unavailable(("silent",))
    assert time.monotonic() - began >= 0.2
    assert watch.seconds < 1
    assert silent.killed
    assert silent.closed
    assert asked.find(SALT) == Absent("K")


def test_behind_a_prompt_there_is_no_limit():
    helper = Scripted([{"prompt": True}])
    told = []
    asked = keychain(helper, limit=0.4, on_prompt=told.append)

    def person():
        time.sleep(0.8)
        helper.said.put({"prompt": False})
        helper.said.put(PRESENT)

    thread = threading.Thread(target=person)
    thread.start()
    assert isinstance(asked.find(SALT), Present)
    thread.join()
    assert told == [True, False]


def test_after_the_prompt_the_limit_counts_anew(stopwatch):
    watch = stopwatch()
    asked = keychain(Scripted([{"prompt": True}, {"prompt": False}, NOTHING]))
    assert asked.find(SALT) == Unavailable(("silent",))
    assert watch.seconds < 1


def test_a_helper_that_ends_is_unavailable():
    helper = Scripted([None])
    assert keychain(helper).find(SALT) == Unavailable(("helper-gone",))


def test_a_helper_that_ended_between_two_questions_is_replaced():
    first, second = Scripted([ABSENT]), Scripted([PRESENT])
    asked = keychain(first, second)
    assert asked.find(SALT) == Absent("K")
    first.killed = True
    assert isinstance(asked.find(SALT), Present)


def test_an_unavailable_keychain_ends_the_helper_and_a_locked_one_does_not():
    for answer, killed in (
        ({"result": "unavailable", "reasons": ["ended:K"]}, True),
        ({"result": "locked", "backend": "K"}, False),
    ):
        helper = Scripted([answer])
        keychain(helper).find(SALT)
        assert helper.killed is killed


def test_cancel_works_behind_a_prompt_and_for_the_ones_that_queue(stopwatch):
    helper = Scripted([{"prompt": True}], [PRESENT])
    asked = keychain(helper, Scripted([ABSENT]))
    asked._turn = Turn()
    first, one = in_thread(lambda: asked.find(SALT))
    until(lambda: helper.asked)
    second, two = in_thread(lambda: asked.find(bytes(16)))
    until(lambda: asked._turn.waiting)
    watch = stopwatch()
    asked.cancel()
    first.join(20)
    second.join(20)
    assert watch.seconds < 1
    assert isinstance(one.get(timeout=20), Cancelled)
    assert isinstance(two.get(timeout=20), Cancelled)
    assert len(helper.asked) == 1  # one question at a time: the second was never asked
    assert asked.find(SALT) == Absent("K")


def test_a_helper_that_does_not_end_when_asked_is_killed(stopwatch):
    helper = Scripted([{"prompt": True}])
    helper.stubborn = True
    asked = keychain(helper)
    thread, outcome = in_thread(lambda: asked.find(SALT))
    until(lambda: helper.asked)
    began, watch = time.monotonic(), stopwatch()
    asked.cancel()
    assert isinstance(outcome.get(timeout=20), Cancelled)
    assert time.monotonic() - began > 0.4
    assert watch.seconds < 1
    thread.join()
    assert helper.killed


def test_cancel_while_nothing_is_asked_ends_nothing():
    helper = Scripted([ABSENT], [PRESENT])
    asked = keychain(helper)
    asked.cancel()
    assert asked.find(SALT) == Absent("K")
    asked.cancel()
    assert isinstance(asked.find(SALT), Present)
    assert not helper.killed
    asked.close()
    assert helper.killed


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"result": "locked", "backend": "K"}, "vault.locked"),
        ({"result": "denied", "backend": "K"}, "vault.denied"),
        ({"result": "unavailable", "reasons": ["ended:K"]}, "vault.unavailable"),
        (NOTHING, "vault.silent"),
        (UserError("vault.slot_taken", slot="a"), "vault.slot_taken"),
    ],
)
@pytest.mark.parametrize("act", ["store", "retire"])
def test_what_could_not_be_written_raises(answer, code, act):
    asked = keychain(Scripted([answer]))
    with pytest.raises(UserError) as caught:
        asked.store(SALT, "a", KEY) if act == "store" else asked.retire(SALT, "a")
    assert caught.value.code == code


def test_storing_sends_the_key_through_the_pipe_once():
    helper = Scripted([{"result": "done", "backend": "K"}])
    keychain(helper, recorded="K").store(SALT, "b", KEY)
    assert helper.asked == [
        {
            "op": "store",
            "service": f"memory-gui/{SALT.hex()}",
            "user": "b",
            "secret": KEY.hex(),
            "recorded": "K",
        }
    ]


def test_the_description():
    helper = Scripted([{"name": "K", "locked": True, "ignored": ["x"], "reasons": ["y"]}], [{}])
    asked = keychain(helper)
    assert asked.backend() == BackendInfo("K", True, True, ("x",), ("y",))
    assert asked.backend() == BackendInfo("", False, None)


def test_the_helpers_environment_is_only_what_a_keychain_is_reached_by():
    given = {
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x",
        "HOME": "/h",
        "DISPLAY": ":1",
        "PYTHON_KEYRING_BACKEND": "evil.Keyring",
        "KEYRING_PROPERTY_PREFERRED_COLLECTION": "/evil",
        "KEYCHAIN_PATH": "/evil",
        "PYTHONPATH": "/evil",
        "LD_PRELOAD": "/evil",
    }
    assert helper_environment(given) == {
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x",
        "HOME": "/h",
        "DISPLAY": ":1",
    }


def test_no_keychain_is_off():
    off = NoKeychain()
    assert off.find(SALT) == Unavailable(("off",))
    assert off.backend() == BackendInfo("", False, None, (), ("off",))
    for act in (lambda: off.store(SALT, "a", KEY), lambda: off.retire(SALT, "a")):
        with pytest.raises(UserError, match=r"vault\.off"):
            act()
    off.cancel()
    off.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a keychain without a bus")
def test_the_real_helper_without_a_bus(tmp_path):
    environment = {"HOME": str(tmp_path), "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    asked = Keychain(environment=environment)
    try:
        found = asked.find(SALT)
        assert isinstance(found, Unavailable)
        assert [reason.split(": ")[0] for reason in found.reasons] == [
            "not-there:SecretService.Keyring",
            "not-there:kwallet.DBusKeyring",
        ]
        info = asked.backend()
        assert not info.trusted
        assert "PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring" in info.ignored
    finally:
        asked.close()


def test_keyring_is_not_loaded_in_the_app():
    program = (
        "import sys, memory_gui.vault.keychain, memory_gui.vault.lookup, memory_gui.ledger;"
        "print([m for m in sys.modules if m.split('.')[0] in"
        " ('keyring', 'secretstorage', 'jeepney', 'psutil', 'cryptography')])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stderr
