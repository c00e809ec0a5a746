# SPDX-License-Identifier: MIT
"""Deciding what agents proposed, one by one, many at once, by rules."""
