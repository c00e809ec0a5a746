# SPDX-License-Identifier: MIT
"""Every text of window, terminal and receipt, in English and Simplified Chinese. Knows no Qt."""

from memory_gui.words.catalogue import LANGUAGES, N_, Words

__all__ = ["LANGUAGES", "N_", "Words"]
