# SPDX-License-Identifier: MIT
"""A page under test: fake services, a real bridge, English words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_services import FakeServices
from scene import ITEMS, PREVIEWS

from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.pages.page import Page
from memory_gui.ui.review.page import ReviewPage
from memory_gui.words import Words


@pytest.fixture
def fake() -> FakeServices:
    services = FakeServices()
    services.library.open("/home/ann/atlas")
    services.calls.clear()
    return services


@pytest.fixture
def context(qtbot, fake) -> Iterator[Context]:
    bridge = Bridge()
    yield Context(fake, bridge, Words("en"))
    bridge.close()


@pytest.fixture
def shown(qtbot, context) -> Callable[..., Page]:
    """Make a page, show it in a window of a common size and go there."""

    def show(factory: Callable[[Context], Page], argument: object = None) -> Page:
        # Without a layout of its own: offscreen warns of a window that hints at its size.
        host = QWidget()
        qtbot.addWidget(host)
        host.resize(960, 640)
        page = factory(context)
        page.setParent(host)
        page.resize(960, 640)
        page.show()
        with qtbot.waitExposed(host):
            host.show()
        host.activateWindow()
        page.host = host  # type: ignore[attr-defined]  # lives as long as the page
        page.show_for(argument)
        settle(qtbot, context)
        return page

    return show


def settle(qtbot, context: Context) -> None:
    """Wait until no call is on its way, and what came back is on screen."""
    qtbot.waitUntil(lambda: not context.bridge.busy, timeout=30_000)
    QApplication.processEvents()  # rows that were added are shown by the layout


@pytest.fixture
def settled(qtbot, context) -> Callable[[], None]:
    return lambda: settle(qtbot, context)


@pytest.fixture
def review(fake, shown, settled):
    """The review page over the proposals of the scene, at one of them."""
    fake.library.fill(ITEMS)
    fake.review.previews.update(PREVIEWS)

    def begin(item=None, items=ITEMS):
        if items is not ITEMS:
            fake.library.records.clear()
            fake.library.fill(items)
        page = shown(ReviewPage, item.ref if item else None)
        settled()
        return page

    return begin
