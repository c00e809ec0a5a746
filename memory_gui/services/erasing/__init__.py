# SPDX-License-Identifier: MIT
"""Erasing for good, with proof."""
