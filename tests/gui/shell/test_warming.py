# SPDX-License-Identifier: MIT
"""Pages are made beforehand, a step a turn, and are the same as those made when they are wanted."""

from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.registry import PAGES, PageFactory
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.warming import Warming


def test_each_page_is_made_in_two_turns_and_shown_as_it_is(window, settled, monkeypatch, qtbot):
    host = window.findChild(PageHost, "pages")
    made = []
    make = PageFactory.make

    def making(factory, context, parent):
        made.append(next(name for name, one in PAGES.items() if one is factory))
        return make(factory, context, parent)

    monkeypatch.setattr(PageFactory, "make", making)
    PAGES["review"].load()
    assert host.prepare("review")
    assert (made, "review" in host._pages) == (["review"], False)
    window.go("review")  # wanted in the middle: not made twice
    settled()
    assert (made, window.page_name) == (["review"], "review")
    assert not host.prepare("review")
    warming = Warming(host, window)
    qtbot.waitUntil(lambda: warming.done, timeout=10_000)
    assert len(made) == len(set(made))
    assert {"activity", "erase", "protect"} <= set(host._pages)
    window.go("activity")
    settled()
    assert window.page_name == "activity"
    assert all(factory.loaded for factory in PAGES.values())


def test_each_page_has_its_class():
    assert all(issubclass(factory.load(), Page) for factory in PAGES.values())
