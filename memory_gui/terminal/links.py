# SPDX-License-Identifier: MIT
"""Links are resolved, and that is said: the file itself is meant, whatever name leads to it."""

from __future__ import annotations

import os

from memory_gui.stores.registry import formats
from memory_gui.terminal.session import Session


def tell_link(session: Session, path: str) -> None:
    """Say so where STORE names a link, or a folder in which the store is one."""
    given = os.path.abspath(session.path())  # noqa: PTH100 - links must stay in it
    for below in ("", *(place for one in formats(None) for place in one.places)):
        name = os.path.join(given, below) if below else given  # noqa: PTH118 - as above
        if name != path and os.path.lexists(name) and os.path.realpath(name) == path:
            session.out.line(
                session.words.say("{given} is a link to {path}.", given=name, path=path)
            )
            return
