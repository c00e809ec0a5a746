# SPDX-License-Identifier: MIT
"""Erasing all of a store, keeping it clean, and what is said when erased records are back."""

from __future__ import annotations

from dataclasses import replace

import scene
from fake_services import PROJECT
from PySide6.QtWidgets import QLabel, QWidget

from memory_gui.domain.records import Ref, State
from memory_gui.services.erasing.everything import Part
from memory_gui.services.erasing.standing import KeptClean
from memory_gui.ui.pages.clean import CleanPage
from memory_gui.ui.pages.erase import ErasePage
from memory_gui.ui.pages.whole import Whole
from memory_gui.ui.shell.returned import ReturnedNotice
from memory_gui.ui.widgets import Banner

PARTS = (
    Part(str(PROJECT), "memory", State.LIVE, 3, None, "text"),
    Part(str(PROJECT), "memory", State.TRASH, 2, None, "text"),
    Part(str(PROJECT), "summary", State.LIVE, 1, None, "bytes"),
)


def said(page):
    return "\n".join(w.text() for w in page.findChildren(QLabel) if w.isVisible())


def test_a_part_is_chosen_and_a_plan_is_asked_for(shown):
    page = shown(CleanPage, str(PROJECT))
    went = []
    page.go.connect(lambda name, argument: went.append((name, argument)))
    for number, wanted in enumerate(
        (
            Whole(PROJECT),
            Whole(PROJECT, pair=True),
            Whole(PROJECT, scope="project"),
            Whole(PROJECT, scope="user"),
        )
    ):
        page.what.setCurrentIndex(number)
        page.plan.click()
        assert went[-1] == ("erase", wanted)


def test_its_journal_is_changed_by_a_button_that_says_so(fake, shown, settled):
    page = shown(CleanPage, str(PROJECT))
    assert "written as its agent writes it" in said(page)
    assert "The file’s journal mode is changed" in said(page)
    assert page.turn.text() == "Change the journal mode and keep it clean"
    page.turn.click()
    settled()
    assert fake.called("turn_on") == [[PROJECT, True]]
    assert "kept clean at every write" in said(page)
    assert "journal mode is changed" not in said(page)
    page.turn.click()
    settled()
    assert fake.called("turn_off") == [[PROJECT]]
    fake.standing.value = KeptClean(str(PROJECT), False, True, False, "wal")
    page.refresh()
    settled()
    assert "another program has changed its journal mode" in said(page)
    fake.standing.value = KeptClean(str(PROJECT), False, False, False, "wal", possible=False)
    page.refresh()
    settled()
    assert not page.turn.isVisible()  # nothing is offered that could not be done
    assert "They need a keychain." in said(page)
    assert "journal mode is changed" not in said(page)
    page.clear()
    assert not page.now.text()


def test_everything_is_told_part_by_part_beside_the_agents_own_clear(fake, shown, settled):
    fake.everything.found = tuple(Ref(PROJECT, "memory", (f"{n:08x}",)) for n in range(3))
    fake.everything.planned = PARTS
    fake.everything.done = tuple(replace(part, erased=part.found) for part in PARTS)
    fake.erasing.plan_value = scene.plan()
    fake.erasing.result = scene.result()
    page = shown(ErasePage, Whole(PROJECT, pair=True))
    assert fake.called("everything") == [[PROJECT, {"pair": True, "scope": ""}]]
    assert "memories in the trash: 2" in said(page)
    page.erase.click()
    settled()
    assert "memories in the trash: 2 of 2 erased" in said(page)
    assert "own “clear” would have left memories readable in the file: 5" in said(page)
    page.clear()
    assert "in the trash" not in said(page)


def test_of_everything_there_may_be_nothing(shown):
    page = shown(ErasePage, Whole(PROJECT))
    assert page.frame.state == "error"


def test_records_that_are_back_are_named_until_something_is_done(fake, qtbot, context, settled):
    banner = Banner()
    qtbot.addWidget(banner)
    fake.returned.back = (Ref(PROJECT, "memory", ("0000000a",)),)
    notice = ReturnedNotice(context, banner, banner)
    went = []
    notice.erase_wanted.connect(lambda name, refs: went.append((name, refs)))
    notice.follow(fake.library.stores())
    settled()
    assert "1 record that was erased is back. Erased is to stay erased." in banner.text
    banner.findChild(QWidget, "banner.action0").click()
    assert went == [("erase", fake.returned.back)]
    refs = fake.returned.back
    banner.findChild(QWidget, "banner.action1").click()
    settled()
    assert fake.called("let_stay") == [[refs]]
    assert not banner.text
    notice.clear()
    notice.look([PROJECT])
    assert not context.bridge.busy
