# SPDX-License-Identifier: MIT
"""Every text of window, terminal and receipt, in English and Simplified Chinese. Knows no Qt."""

from memory_gui.words.catalogue import LANGUAGES, N_, NN_, Words

__all__ = ["LANGUAGES", "NN_", "N_", "Words"]
