# SPDX-License-Identifier: MIT
"""What keeps texts from eyes and programs they are not meant for, handed to every page."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memory_gui.ui import lazy
from memory_gui.ui.privacy.hiding import Hiding, Masking

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.ui.privacy.capture import Capture
    from memory_gui.ui.privacy.clipboard import Clipboard


class Privacy:
    """Made once by the front door. GUI thread."""

    def __init__(self) -> None:
        self.hiding = Hiding()
        self.masking = Masking()

    @cached_property
    def clipboard(self) -> Clipboard:
        """Made when it is first asked for."""
        made: Clipboard = lazy.clipboard().Clipboard()
        return made

    @cached_property
    def capture(self) -> Capture:
        """Made when it is first asked for."""
        made: Capture = lazy.capture().Capture()
        return made

    def forget(self) -> None:
        """On lock: nothing of ours stays on the clipboard."""
        self.clipboard.forget()

    def close(self) -> None:
        """On quit."""
        self.clipboard.close()
        self.capture.close()
