# SPDX-License-Identifier: MIT
"""Giving memory back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Have the C library give back what was freed: it held texts, and counts as ours until then.

    glibc only (malloc_trim(3)); others give large pieces back by themselves.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
