# SPDX-License-Identifier: MIT
"""Privacy in the window: hiding, masking, clipboard, capture, idle and session watch."""

from memory_gui.ui.privacy.parts import Privacy

__all__ = ["Privacy"]
