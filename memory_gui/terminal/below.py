# SPDX-License-Identifier: MIT
"""A folder was named that is no store by itself: the stores below it, and how each is opened."""

from __future__ import annotations

import shlex
import threading
from typing import Final

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.services.home.discovery import Found
from memory_gui.terminal.session import Session

_SECONDS: Final = 3.0
"""How long is looked: whoever named a folder by mistake must not wait for a whole disk."""
_LINES: Final = 10
_SHORT: Final = frozenset({"info", "list", "check", "erase", "findings", "retention", "duplicates"})
"""Verbs that can be given again with nothing but another store."""


def tell_error(session: Session, error: UserError | IntegrityError) -> UserError | IntegrityError:
    """Say an error; of a folder also what is below it. Gives what was said."""
    found = _below(session, error)
    if not found:
        session.out.error(error)
        return error
    path = str(error.params["path"])
    told = UserError(
        "store.is_above", path=path, stores=tuple(str(one.path) for one in found), n=len(found)
    )
    session.out.error(told)
    if not session.out.as_json:
        for line in _lines(session, path, found):
            session.out.note(line)
    return told


def _below(session: Session, error: UserError | IntegrityError) -> list[Found]:
    if error.code != "store.is_folder":
        return []
    stop = CancelToken()
    timer = threading.Timer(_SECONDS, stop.cancel)
    timer.start()
    try:
        path = str(error.params["path"])
        seen = session.services.discovery.search([path], usual=False, cancel=stop)
    except UserError:
        return []
    finally:
        timer.cancel()
    return [one for one in seen.found if one.opens]


def _lines(session: Session, path: str, found: list[Found]) -> list[str]:
    verb = session.args.verb if session.args.verb in _SHORT else "list"
    lines = [
        f"  memory-cli {verb} {shlex.quote(str(one.path))}    # {one.agent}"
        for one in found[:_LINES]
    ]
    if len(found) > _LINES:
        more = session.words.many("… and {n} more:", "… and {n} more:", len(found) - _LINES)
        lines += [f"  {more}", f"  memory-cli discover --in {shlex.quote(path)}"]
    return lines
