# SPDX-License-Identifier: MIT
"""What Home says of keys and encryption that wait for a person."""

from __future__ import annotations

from collections.abc import Iterator

from memory_gui.services.home.view import Cause, Problem
from memory_gui.services.keys.protect import Protect
from memory_gui.services.keys.rotating import Rotating


def key_problems(rotating: Rotating, protect: Protect) -> Iterator[Problem]:
    """One line per store and cause. Looks at notes and heads of files; asks nobody.

    ``code`` is the date of the recovery sheet, or where the encrypted store lies.
    """
    for note in rotating.waiting():
        yield Problem(Cause.OLD_KEY, note.store_path, code=note.paper)
    for stray in protect.strays():
        yield Problem(Cause.STRAY, stray.path, code=next(iter(stray.encrypted), ""))
