# SPDX-License-Identifier: MIT
"""Answers of the bridge in an order of chance, as on a busy machine, but one that can be repeated.

With ``MEMORY_GUI_SHUFFLE=<seed>`` each call that keeps no order (``in_turn`` does) waits up to
25 ms before its work and again before its answer. The waits of a test hang on the seed and on its
name alone. ``make shuffle`` runs the tests of the window so.
"""

from __future__ import annotations

import functools
import os
import random
import time
from collections.abc import Callable
from typing import Any

from memory_gui.ui.bridge import Bridge, Handle

MOST = 0.025  # seconds
SEED = os.environ.get("MEMORY_GUI_SHUFFLE", "")


def shuffled(call: Callable[..., Handle], name: str) -> Callable[..., Handle]:
    """``Bridge.call`` with the waits of a test."""
    chance = random.Random(f"{SEED} {name}")

    @functools.wraps(call)
    def asked(bridge: Bridge, fn: Callable[..., Any], *args: Any, **told: Any) -> Handle:
        before, after = chance.uniform(0, MOST), chance.uniform(0, MOST)
        if told.get("in_turn"):
            return call(bridge, fn, *args, **told)

        def late(*given: Any, **named: Any) -> Any:
            time.sleep(before)
            try:
                return fn(*given, **named)
            finally:
                time.sleep(after)

        return call(bridge, late, *args, **told)

    return asked
