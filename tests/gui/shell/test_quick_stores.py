# SPDX-License-Identifier: MIT
"""Ctrl+K finds every act of a store's page and every act that the README names."""

import re
from dataclasses import replace

import pytest
from fake_services import PROJECT, USER

from memory_gui.ui.protect.offered import OFFERS, Wanted
from memory_gui.ui.shell.quick.matching import found
from memory_gui.words import Words

NAMED = (
    *("Open a store…", "Search", "Edit", "Undo", "Move to trash", "Review", "Erase…", "Export…"),
    *("Health and encryption…", "Copy the line that starts the agent", "What the agent is given"),
    *("Lock", "New memory", "Trash", "Activity", "Settings", "Filters", "Keyboard shortcuts"),
)
"""As the README calls them."""


@pytest.fixture
def entries(window, fake, settled):
    """One store is encrypted, one is not."""
    for store, encrypted in ((PROJECT, True), (USER, False)):
        one = fake.library.opened[store]
        fake.library.opened[store] = replace(one, info=replace(one.info, encrypted=encrypted))
    window._holding.ask()
    settled()
    window._quick.toggle()
    settled()
    return window._quick._entries


def hits(entries, typed):
    listed = entries.list()
    places = found(typed, [entry.found_by for entry in listed])
    return [listed[place].text for place in places]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_act_of_the_readme_is_found_by_its_name(window, entries, settled, language):
    window._preferences.use_language(language)
    settled()
    window._commands.actions.enable(("undo",), enabled=True)
    for text in NAMED:
        assert Words(language).say(text) in hits(entries, Words(language).say(text)), text
    window._preferences.use_language("en")
    settled()


@pytest.mark.parametrize("typed", ["恢复密钥", "hfmy", "recovery", "更换密钥", "change the key"])
def test_a_recovery_key_and_another_key_are_found(entries, typed):
    assert any("(atlas)" in text for text in hits(entries, typed)[:2])


def test_a_store_offers_what_its_page_does(window, entries, settled):
    offered = [text for text in (one.text for one in entries.list()) if text.endswith("(atlas)")]
    todays = [offer for offer in OFFERS if not offer.older]
    assert offered == [f"{offer.text} (atlas)" for offer in todays if offer.encrypted]
    assert "Encrypt… (You, everywhere)" in hits(entries, "encrypt")
    window.go("protect", PROJECT)
    settled()
    known = window._panes.host.page.known
    copies = (known.migrate, known.copy)
    buttons = (known.encrypt, known.recovery, known.rotate, *copies, known.decrypt)
    assert [button.text() for button in buttons] == [offer.text for offer in OFFERS]


def test_it_leads_to_the_page_and_begins(window, entries, settled, monkeypatch):
    gone = []
    monkeypatch.setattr(entries._navigation, "go", lambda *where: gone.append(where))
    for typed in ("Recovery key… (atlas)", "Change the key… (atlas)"):
        [entry] = [one for one in entries.list() if one.text == typed]
        entry.run()
    assert gone[0] == ("recovery", PROJECT)
    assert isinstance(gone[1][1], Wanted)
    assert gone[1][1].store == PROJECT


def test_the_page_looks_and_asks_at_once(window, entries, settled):
    [entry] = [one for one in entries.list() if re.match(r"Encrypt… \(You", one.text)]
    entry.run()
    settled()
    assert window.page_name == "protect"
    assert window._panes.host.page.question.isVisible()
