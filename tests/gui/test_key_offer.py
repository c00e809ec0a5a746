# SPDX-License-Identifier: MIT
"""After a key was entered by hand: keeping it is offered once, done when wanted, and told."""

from dataclasses import replace

import pytest
from fake_services import FakeServices
from PySide6.QtWidgets import QPushButton

from memory_gui.domain.errors import UserError
from memory_gui.services import KeyPlace
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.pages.key_offer import KeyOffer
from memory_gui.ui.widgets import Banner
from memory_gui.words import Words


@pytest.fixture
def fake():
    services = FakeServices()
    services.library.open("/home/ann/atlas")
    services.calls.clear()
    return services


@pytest.fixture
def offer(qtbot, fake):
    bridge = Bridge()
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show()
    shown = []
    made = KeyOffer(Context(fake, bridge, Words("en")), banner, shown.append, banner)
    made.banner, made.bridge, made.shown = banner, bridge, shown
    tell = made.tell

    def tell_and_wait(stores):
        tell(stores)
        qtbot.waitUntil(lambda: not bridge.busy)

    made.tell = tell_and_wait
    yield made
    bridge.close()


def typed(fake, place=KeyPlace.TYPED, **cipher):
    first = next(iter(fake.library.opened.values()))
    info = replace(first.info, encrypted=True, cipher=cipher)
    return replace(first, info=info, key_place=place)


def buttons(banner):
    return [b for b in banner.findChildren(QPushButton) if b.objectName().startswith("banner.act")]


def test_it_is_offered_for_a_key_that_was_entered(offer, fake):
    offer.tell([typed(fake)])
    assert "key that you entered" in offer.banner.text
    assert [b.text() for b in buttons(offer.banner)] == ["Keep it in the keychain", "Not now"]


@pytest.mark.parametrize("place", [KeyPlace.KEYCHAIN, KeyPlace.THIS_RUN, KeyPlace.NONE])
def test_and_for_no_other(offer, fake, place):
    offer.tell([typed(fake, place)])
    assert not offer.banner.text


def test_not_where_the_file_does_not_hold_its_salt(offer, fake):
    offer.tell([typed(fake, cipher_plaintext_header_size="32")])
    assert not offer.banner.text


def test_it_is_kept_when_it_is_wanted(qtbot, offer, fake):
    store = typed(fake)
    fake.library.opened[store.id] = store
    offer.tell([store])
    buttons(offer.banner)[0].click()
    qtbot.waitUntil(lambda: "opened the store from there" in offer.banner.text)
    assert fake.called("keep") == [[store.id]]


def test_what_did_not_work_is_said(qtbot, offer, fake):
    fake.fail_next["keep"] = UserError("vault.locked")
    offer.tell([typed(fake)])
    buttons(offer.banner)[0].click()
    qtbot.waitUntil(lambda: "is locked" in offer.banner.text)


def test_not_now_asks_nobody(offer, fake):
    offer.tell([typed(fake)])
    buttons(offer.banner)[1].click()
    assert not offer.banner.text
    assert not fake.called("keep")


def test_a_passphrase_that_no_other_program_needs_may_give_way(offer, fake):
    store = typed(fake)
    fake.keys.changeable = {store.id}
    offer.tell([store])
    names = [b.text() for b in buttons(offer.banner)]
    assert names == ["Keep it in the keychain", "Give it a random key…", "Not now"]
    buttons(offer.banner)[1].click()
    assert offer.shown == [store.id]


def test_nothing_is_offered_for_what_was_closed_meanwhile(qtbot, offer, fake):
    KeyOffer.tell(offer, [typed(fake)])
    offer.forget()
    qtbot.waitUntil(lambda: not offer.bridge.busy)
    assert not offer.banner.text
