# SPDX-License-Identifier: MIT
"""Pages are made beforehand, a step a turn, and are the same as those made when they are wanted."""

from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.warming import Warming


def test_each_page_is_made_in_two_turns_and_shown_as_it_is(window, settled, monkeypatch, qtbot):
    host = window.findChild(PageHost, "pages")
    made = []
    factories = dict(host._factories)
    for name, factory in factories.items():
        factories[name] = lambda context, parent, name=name, factory=factory: (
            made.append(name) or factory(context, parent)
        )
    monkeypatch.setattr(host, "_factories", factories)
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
