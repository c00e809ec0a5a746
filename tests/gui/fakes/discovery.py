# SPDX-License-Identifier: MIT
"""Looking for stores, as a test wants it answered."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_gui.services.home.discovery import Discovered

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeDiscovery:
    """``view`` is what is at hand, ``result`` what a look finds; ``hold`` keeps a look waiting."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.view = Discovered(asked=True, looks=True, roots=(), done=True)
        self.result = self.view
        self.hold: threading.Event | None = None

    def at_hand(self) -> Discovered:
        return self.view

    def answer(self, *, looks: bool) -> Discovered:
        self._fake.note("answer", looks)
        self.view = replace(self.view, asked=True, looks=looks, done=False)
        return self.view

    def add_root(self, folder: str) -> Discovered:
        self._fake.note("add_root", folder)
        self.view = replace(self.view, asked=True, roots=(*self.view.roots, folder), done=False)
        return self.view

    def remove_root(self, folder: str) -> Discovered:
        self._fake.note("remove_root", folder)
        roots = tuple(root for root in self.view.roots if root != folder)
        self.view = replace(self.view, roots=roots, done=False)
        return self.view

    def look(self, tick=None, cancel=None) -> Discovered:
        self._fake.note("discover")
        while self.hold is not None and not self.hold.wait(0.01):
            if cancel is not None and cancel.cancelled:
                return replace(self.result, stopped=True)
            if tick is not None:
                tick("discover", 1234, 20_000)
        return self.result

    def clear(self) -> None:
        self._fake.note("forget_found")
