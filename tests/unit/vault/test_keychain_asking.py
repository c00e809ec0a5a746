# SPDX-License-Identifier: MIT
"""When a person is asked again, which keychain is asked, and what its answers mean."""

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

from memory_gui.domain.keys import CipherSettings, Locked, Mismatch, Present, RawKey, Unavailable

REFUSED = [{"prompt": True}, {"prompt": False}, {"result": "locked", "backend": "K"}]


def quiet(helper) -> list[bool]:
    return [question["quiet"] for question in helper.asked]


def test_two_closed_prompts_in_a_row_end_the_asking():
    helper = Scripted(*[REFUSED] * 2, *[[{"result": "locked", "backend": "K"}]] * 2, REFUSED)
    asked = keychain(helper)
    for _ in range(4):
        assert asked.find(SALT) == Locked("K")
    assert quiet(helper) == [False, False, True, True]
    asked.ask_again()
    asked.find(SALT)
    assert quiet(helper)[-1] is False


def test_a_key_that_was_found_starts_the_count_anew():
    helper = Scripted(REFUSED, [PRESENT], REFUSED, REFUSED, [ABSENT])
    asked = keychain(helper)
    for _ in range(5):
        asked.find(SALT)
    assert quiet(helper) == [False, False, False, False, True]


def test_nobody_is_asked_twice_for_our_own_records():
    helper = Scripted(REFUSED, [ABSENT], REFUSED)
    asked = keychain(helper)
    asked.find_in("memory-gui/ledger")
    asked.find_in("memory-gui/ledger")
    assert quiet(helper) == [False, True]
    helper.asked.clear()
    asked.find(SALT)
    assert quiet(helper) == [False]


def test_a_keychain_that_is_locked_without_a_prompt_is_no_refusal():
    helper = Scripted(*[[{"result": "locked", "backend": "K"}]] * 4)
    asked = keychain(helper)
    for _ in range(4):
        asked.find(SALT)
    assert quiet(helper) == [False] * 4


def test_what_had_the_key_is_asked_first_and_one_class_alone_where_it_is_meant():
    helper = Scripted([PRESENT], [PRESENT], [{"result": "done"}], [ABSENT])
    asked = keychain(helper, recorded="app.Wide")
    asked.find_recorded(SALT, "kwallet.DBusKeyring@kwalletd")
    asked.find_at("memory-gui/x", "macOS.Keyring")
    asked.retire_at("memory-gui/x", "a", "macOS.Keyring")
    asked.find_recorded(SALT, "")
    assert [one["recorded"] for one in helper.asked] == [
        "kwallet.DBusKeyring@kwalletd",
        *["app.Wide"] * 3,
    ]
    assert [one.get("only") for one in helper.asked] == [None, *["macOS.Keyring"] * 2, None]


def test_the_settings_of_a_foreign_database_are_kept_with_its_key():
    key = RawKey(bytes(KEY), CipherSettings(3, page_size=2048, hmac="sha1"))
    helper = Scripted([{"result": "done"}])
    keychain(helper).store(SALT, "a", key)
    secret = helper.asked[0]["secret"]
    assert secret == f"{KEY.hex()};compatibility=3;page_size=2048;hmac=sha1"
    found = keychain(Scripted([{**PRESENT, "slots": {"a": secret}}])).find(SALT)
    assert (found.key, found.key.settings) == (key, key.settings)
    for wrong in (";page_size=x", ";nothing=1", ";", f";page_size=1{'0' * 3000}x"):
        answer = {**PRESENT, "slots": {"a": KEY.hex() + wrong}}
        assert keychain(Scripted([answer])).find(SALT) == Mismatch("K", ("a",))


def test_the_program_behind_the_interface_is_told():
    found = keychain(Scripted([{**PRESENT, "provider": "kwalletd6"}])).find(SALT)
    assert found.place == "K@kwalletd6"
    info = keychain(Scripted([{"name": "K", "provider": "kwalletd6"}])).backend()
    assert info.place == "K@kwalletd6"


@pytest.mark.parametrize(
    ("script", "result"),
    [
        ([{"prompt": True}, {"prompt": False}, {"result": "locked", "backend": "K"}], Locked("K")),
        ([{"result": "unavailable", "reasons": ["ended:K"]}], Unavailable(("ended:K",))),
        ([NOTHING], Unavailable(("silent",))),
    ],
)
def test_what_waited_behind_a_refusal_or_a_silence_is_not_asked_too(script, result):
    """The window asks for its own records and for a store at once: one prompt, not two."""
    helper = Scripted([{"prompt": True}], [PRESENT])
    helper.script[0] = []
    asked = keychain(helper, Scripted([PRESENT]))
    asked._turn = Turn()
    first, one = in_thread(lambda: asked.find_in("memory-gui/ledger"))
    until(lambda: helper.asked)
    second, other = in_thread(lambda: asked.find(SALT))
    until(lambda: asked._turn.waiting)
    for message in script:
        if message is not NOTHING:
            helper.said.put(message)
    assert one.get(timeout=60) == result
    assert other.get(timeout=60) == result
    assert len(helper.asked) == 1
    first.join()
    second.join()
    assert isinstance(asked.find(SALT), Present)  # what is asked afterwards is a new question
