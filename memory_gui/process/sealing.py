# SPDX-License-Identifier: MIT
"""What every process of the app does first: keep others out of its memory and its files."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Final

if sys.platform != "win32":
    import resource

_PR_SET_DUMPABLE: Final = 4


def seal() -> None:
    """No core dumps, no reading of our memory by others, no files that others can read.

    POSIX limits and Linux's ``PR_SET_DUMPABLE`` (prctl(2)); nothing on Windows.
    """
    if sys.platform == "win32":
        return
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
