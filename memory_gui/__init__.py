# SPDX-License-Identifier: MIT
"""See, correct and erase what AI agents remember about people, with proof."""

__version__ = "0.1.0"
