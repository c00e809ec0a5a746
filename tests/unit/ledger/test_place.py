# SPDX-License-Identifier: MIT
"""Which keychain had the ledger's key is known before the ledger is open."""

import os

from memory_gui.ledger import Ledger
from memory_gui.ledger.place import FILE, read_place, write_place
from memory_gui.services import build_services
from memory_gui.words import Words


def test_it_is_one_private_line(tmp_path):
    assert read_place(tmp_path) == ""
    write_place(tmp_path / "data", "SecretService.Keyring@gnome-keyring-daemon")
    assert read_place(tmp_path / "data") == "SecretService.Keyring@gnome-keyring-daemon"
    assert (tmp_path / "data" / FILE).stat().st_mode & 0o777 == 0o600
    write_place(tmp_path / "data", "")
    assert read_place(tmp_path / "data") == "SecretService.Keyring@gnome-keyring-daemon"


def test_what_makes_no_sense_is_not_followed(tmp_path):
    for planted in ("a b", "x\ny", "\x1b[0m", "../../evil;rm", "a" * 300):
        (tmp_path / FILE).write_text(planted)
        assert read_place(tmp_path) == ""
    (tmp_path / FILE).unlink()
    os.symlink("/etc/hostname", tmp_path / FILE)
    assert read_place(tmp_path) == ""


def test_the_next_run_asks_that_one_first(tmp_path, keychain):
    recorded = []
    keychain.record = recorded.append
    for _ in range(2):
        services = build_services(
            words=Words(), home=tmp_path, data_dir=tmp_path / "data", keychain=keychain
        )
        assert isinstance(services.keeper.ledger(), Ledger)
        services.close()
    assert recorded == ["", "M"]
