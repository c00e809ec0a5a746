# SPDX-License-Identifier: MIT
"""The window follows the newest answer, and nothing spins on after one that never comes."""

from __future__ import annotations

import threading

import pytest
from looking import child
from PySide6.QtWidgets import QLabel, QWidget

from memory_gui.domain.errors import UserError


def test_a_lock_while_a_store_opens_leaves_no_spinner_behind(window, fake, settled, held):
    opening = held(fake.library, "open")
    window.open_paths(["/x"])
    opening.begun()
    window.lock()
    opening.let_go()
    settled()
    window.unlock()
    settled()
    ended = []
    window._opener.ended.connect(lambda: ended.append(True))
    window.open_paths(["/y"])
    settled()
    assert ended == [True]
    assert not child(window, QWidget, "window.busy").isVisible()


def test_it_is_unlocked_only_once_it_is_locked_away(window, fake, settled, qtbot, monkeypatch):
    go, lock, turns = threading.Event(), fake.lock.lock, []
    monkeypatch.setattr(fake.lock, "lock", lambda drafts=(): go.wait(60) and lock(drafts))
    window.lock()
    window.unlock()
    window.bridge.call(lambda: True, done=turns.append, in_turn=True)
    qtbot.waitUntil(lambda: turns != [])
    go.set()
    settled()
    order = [name for name, *_ in fake.calls if name in ("lock", "unlock")]
    assert order == ["lock", "unlock"]
    assert not window._holding.locked


@pytest.mark.parametrize("error", [UserError("store.io", path="/x"), ValueError("a bug")])
def test_who_unlocks_is_not_kept_out_by_an_error(window, fake, settled, error):
    window.lock()
    settled()
    fake.fail_next["unlock"] = error
    child(window, QWidget, "locked.unlock").click()
    settled()
    assert not window._holding.locked
    assert window._panes.root.currentIndex() == 0
    assert child(child(window, QWidget, "window.banner"), QLabel, "banner.text").text()


def test_the_menu_says_what_undo_would_do_now(window, fake, settled, qtbot, held):
    undoing, actions = window._whole._undoing, window._commands.actions
    look = held(fake.editing, "undo_text")
    undoing.look()
    look.begun()
    fake.editing.undo_text = lambda: ("trash", 1)
    undoing.look()
    qtbot.waitUntil(actions["undo"].isEnabled)
    look.let_go()
    settled()
    assert actions["undo"].isEnabled()


def test_a_store_closed_since_is_not_listed_again(window, fake, settled, qtbot, held):
    look = held(fake.library, "stores")
    window._holding.ask()
    look.begun()
    window._commands.close_stores()
    qtbot.waitUntil(lambda: window.page_name == "start")
    look.let_go()
    settled()
    assert window._holding.opened == ()


def test_other_programs_are_followed_after_a_bug(window, fake, settled, qtbot):
    poll = fake.library.poll

    def broken():
        raise ValueError

    told = []
    window.bridge.bug.connect(told.append)
    fake.library.poll = broken
    window._watch._on_timer_timeout()
    settled()
    assert told
    fake.library.poll = poll
    before = len(fake.called("poll"))
    window._watch._on_timer_timeout()
    settled()
    assert len(fake.called("poll")) > before


@pytest.fixture
def looking(window, fake, settled, held):
    """The first screen while it looks, and the look, which is held."""
    window.go("start")
    settled()
    page = window._panes.host.page
    page._again.stop()  # it looks by itself now and then
    look = held(fake.home, "look")
    page.refresh()
    look.begun()
    return page, look


def test_home_looks_again_after_what_was_done_meanwhile(fake, settled, qtbot, looking):
    page, look = looking
    before = len(fake.called("look"))
    page._then_look(lambda: None)
    qtbot.waitUntil(lambda: page._once_more)
    look.let_go()
    settled()
    assert len(fake.called("look")) == before + 1


def test_what_fails_while_home_looks_ends_no_look(fake, settled, qtbot, looking):
    page, look = looking
    before = len(fake.called("look"))

    def fails():
        raise UserError("store.io", path="/x")

    page._then_look(fails)
    qtbot.waitUntil(lambda: bool(page.banner.text))
    page._on_again_timeout()
    look.let_go()
    settled()
    assert len(fake.called("look")) == before, "never two at a time"
