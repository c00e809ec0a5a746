# SPDX-License-Identifier: MIT
"""What every page is given: the services, the way to call them, and the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_gui.ui.bridge import Bridge
from memory_gui.ui.privacy.parts import Privacy
from memory_gui.words import Words

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.services import Services


class Context:
    """Made once by the front door, handed to each page by its constructor. GUI thread.

    The services may come later (``bring``), once: the window is painted before there are any.
    """

    __slots__ = ("_services", "bridge", "privacy", "words")

    def __init__(self, services: Services | None, bridge: Bridge, words: Words) -> None:
        self._services = services
        self.bridge = bridge
        self.words = words
        self.privacy = Privacy()

    @property
    def ready(self) -> bool:
        """Whether there are services."""
        return self._services is not None

    @property
    def services(self) -> Services:
        """To be asked for once ``ready``."""
        assert self._services is not None  # noqa: S101 - the shell asks for nothing before
        return self._services

    def bring(self, services: Services) -> None:
        """Here they are."""
        self._services = services
