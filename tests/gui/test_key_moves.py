# SPDX-License-Identifier: MIT
"""KWallet had the key yesterday, the Secret Service is asked today: moved by one press."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QLabel, QPushButton
from waiting import settle

from memory_gui.domain.keys import RawKey
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.contract import service_of

sys.path.insert(0, str(Path(__file__).parents[1] / "unit/services"))

from keychains import SECRETS, WALLET, ManyKeychains

KEY = RawKey(bytes(range(32)))


class Moved(ManyKeychains):
    """What had a store's key is written down, as by an earlier opening."""

    def find_recorded(self, salt, recorded):
        return super().find_recorded(salt, recorded or WALLET)


def test_the_key_is_moved_and_the_store_is_open(tmp_path, real_window):
    folder = tmp_path / "atlas/.agentao"
    folder.mkdir(parents=True)
    create_store(folder / "memory.db", KEY)
    service = service_of((folder / "memory.db").read_bytes()[:16])
    keychain = Moved(SECRETS)
    keychain.entries[WALLET, service, "a"] = KEY
    window = real_window(tmp_path / "home", keychain)
    window.open_paths([str(folder.parent)])
    settle(window.bridge)
    assert window.page_name == "key"
    button = window.findChild(QPushButton, "key.move_here")
    button.click()  # it is not there yet
    settle(window.bridge)
    assert window.page_name == "key"
    assert list(keychain.entries) == [(WALLET, service, "a")]
    keychain.here.append(WALLET)  # the person has started it
    button.click()
    settle(window.bridge)
    assert window.page_name == "memories"
    mine = {where: key for where, key in keychain.entries.items() if where[1] == service}
    assert mine == {(SECRETS, service, "a"): KEY}
    told = [label.text() for label in window.findChildren(QLabel, "banner.text")]
    assert any("it opened the store from there. It was taken out of KWallet" in one for one in told)
