# SPDX-License-Identifier: MIT
"""A keychain that is another one today names both, and is none of the other five results."""

import pytest

from memory_gui.domain.keys import Absent, Unavailable
from memory_gui.words import Words
from memory_gui.words.keys import explain_half, explain_key, where_it_was

WALLET, SECRETS = "kwallet.DBusKeyring", "SecretService.Keyring"


@pytest.mark.parametrize(
    ("reasons", "before", "today"),
    [
        ((f"not-there:{WALLET}: no dbus", f"no-key:{SECRETS}"), WALLET, SECRETS),
        (("foreign:macOS.Keyring", f"no-key:{SECRETS}"), "macOS.Keyring", SECRETS),
        (
            (f"moved:{SECRETS}: gnome-keyring-daemon → keepassxc",),
            "gnome-keyring-daemon",
            "keepassxc",
        ),
        ((f"not-there:{SECRETS}",), None, None),
        (("silent",), None, None),
    ],
)
def test_what_had_it_and_what_is_asked(reasons, before, today):
    assert where_it_was(reasons) == (None if before is None else (before, today))


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_page_names_both(language):
    words = Words(language)
    told = explain_key(words, Unavailable((f"not-there:{WALLET}", f"no-key:{SECRETS}")))
    assert told.name == "Unavailable"
    assert "KWallet" in told.title
    assert "Secret Service" in told.title
    assert "KWallet" in told.next
    plain = explain_key(words, Unavailable((f"not-there:{SECRETS}",)))
    absent = explain_key(words, Absent(SECRETS))
    half = explain_half(words)
    assert len({told.title, plain.title, absent.title, half.title}) == 4
    assert len({told.next, plain.next, absent.next, half.next}) == 4
