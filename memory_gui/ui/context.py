# SPDX-License-Identifier: MIT
"""What every page is given: the services, the way to call them, and the words."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_gui.services import Services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.privacy.parts import Privacy
from memory_gui.words import Words


@dataclass(frozen=True, slots=True)
class Context:
    """Made once by the front door, handed to each page by its constructor."""

    services: Services
    bridge: Bridge
    words: Words
    privacy: Privacy = field(default_factory=Privacy)
