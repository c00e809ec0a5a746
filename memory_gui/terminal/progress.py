# SPDX-License-Identifier: MIT
"""How far an act over several records is, on a terminal's standard error; nowhere else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

from memory_gui.domain.work import Tick, no_tick
from memory_gui.words import Words

_EVERY: Final = 0.1
"""Seconds between two lines."""
_CLEAR: Final = "\r\x1b[K"


@contextmanager
def progress(words: Words, stream: TextIO) -> Iterator[Tick]:
    """A tick that rewrites one line, and takes it away at the end."""
    if not stream.isatty():
        yield no_tick
        return
    shown = time.monotonic()

    def tick(_step: str, done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < _EVERY or total < 2:
            return
        shown = now
        _write(stream, _CLEAR + words.say("{done} of {total}", done=done, total=total))

    try:
        yield tick
    finally:
        _write(stream, _CLEAR)


def _write(stream: TextIO, text: str) -> None:
    with suppress(OSError):
        stream.write(text)
        stream.flush()
