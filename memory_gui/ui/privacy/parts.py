# SPDX-License-Identifier: MIT
"""What keeps texts from eyes and programs they are not meant for, handed to every page."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_gui.ui.privacy.capture import Capture
from memory_gui.ui.privacy.clipboard import Clipboard
from memory_gui.ui.privacy.hiding import Hiding, Masking


@dataclass(frozen=True, slots=True)
class Privacy:
    """Made once by the front door. GUI thread."""

    hiding: Hiding = field(default_factory=Hiding)
    masking: Masking = field(default_factory=Masking)
    clipboard: Clipboard = field(default_factory=Clipboard)
    capture: Capture = field(default_factory=Capture)

    def forget(self) -> None:
        """On lock: nothing of ours stays on the clipboard."""
        self.clipboard.forget()

    def close(self) -> None:
        """On quit."""
        self.clipboard.close()
        self.capture.close()
