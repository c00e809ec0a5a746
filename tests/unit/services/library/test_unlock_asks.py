# SPDX-License-Identifier: MIT
"""Unlocking is a person's wish: the keychain may ask again, whatever was closed before."""

from keychains import SECRETS, ManyKeychains

from memory_gui.services import build_services
from memory_gui.words import Words


def test_unlocking_lets_the_keychain_ask_again(tmp_path):
    keychain, asked = ManyKeychains(SECRETS), []
    keychain.ask_again = lambda: asked.append(1)
    services = build_services(
        words=Words(), home=tmp_path, data_dir=tmp_path / "data", keychain=keychain
    )
    services.lock.lock()
    assert asked == []
    services.lock.unlock()
    assert asked == [1]
    services.close()
