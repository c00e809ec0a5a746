# SPDX-License-Identifier: MIT
"""Changes of keys and encryption that were stopped are told when the store is opened."""

from memory_gui.services.keys.protect import Stray
from memory_gui.services.keys.rotating import KeyNews


def test_what_was_finished_or_taken_back_is_said(window, fake, settled):
    store = next(iter(fake.library.opened))
    fake.rotating.told = (KeyNews(str(store), "taken-back"),)
    window._notices.tell(fake.library.stores())
    settled()
    assert "It was taken back: its old key opens it." in window._notices._banner.text


def test_a_store_that_was_made_anew_is_said(window, fake, settled):
    store = next(iter(fake.library.opened))
    fake.protect.strange = (Stray(str(store), ("/home/ann/mine.db",)),)
    window._notices.tell(fake.library.stores())
    settled()
    assert "was encrypted here and is readable again" in window._notices._banner.text
