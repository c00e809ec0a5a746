# SPDX-License-Identifier: MIT
"""``discover``: which stores there are, in the usual places or below named folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memory_gui.services.home.discovery import Discovered, Found
from memory_gui.terminal.parser import Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words, formats
from memory_gui.words import discovery as say

_MOST_KINDS: Final = 4


def _arguments(parser: Parser, words: Words) -> None:
    parser.add_argument(
        "--in",
        "--root",
        dest="roots",
        metavar="FOLDER",
        action="append",
        default=[],
        help=words.say("look below this folder, and not in the usual places; may be given again"),
    )
    parser.add_argument(
        "--count",
        action="store_true",
        help=words.say("open each store shortly, only to look, and count what is in it"),
    )


def discover(session: Session) -> Exit:
    """Look, and say what was found. No store is opened unless it is to be counted."""
    service = session.services.discovery
    roots = [service.folder(root) for root in session.args.roots]
    with session.progress() as tick:
        seen = service.search(roots, usual=not roots, tick=tick, cancel=session.cancel)
    counts = [
        service.count(one) if session.args.count and not seen.stopped else None
        for one in seen.found
    ]
    session.out.document(
        {
            "stores": [_data(one, n) for one, n in zip(seen.found, counts, strict=True)],
            "folders": seen.folders,
            "unreadable": seen.unreadable,
            "limits": list(seen.limits),
            "stopped": seen.stopped,
        }
    )
    _tell(session, seen, counts)
    return Exit.NOT_FINISHED if seen.stopped else Exit.DONE


def _data(one: Found, counts: Mapping[str, Mapping[str, int]] | None) -> dict[str, Any]:
    return {
        "path": str(one.path),
        "format": one.format,
        "agent": one.agent,
        "encrypted": one.encrypted,
        "counts": counts,
        "opens": one.opens,
        "usual": one.usual,
        "problem": one.problem or None,
    }


def _tell(
    session: Session, seen: Discovered, counts: list[Mapping[str, Mapping[str, int]] | None]
) -> None:
    words, out = session.words, session.out
    if not seen.found:
        out.line(words.say("No store of an agent was found there."))
    else:
        heads = [words.say("Agent"), words.say("State"), words.say("Path")]
        rows = [
            [one.agent, _state(words, one, n), str(one.path)]
            for one, n in zip(seen.found, counts, strict=True)
        ]
        out.table(heads, rows)
    if seen.stopped:
        out.note(words.say("Stopped: this is what was found until then."))
    for code in seen.limits:
        out.note(say.limit(words, code))
    if seen.unreadable:
        out.note(say.unreadable(words, seen.unreadable))


def _state(words: Words, one: Found, counts: Mapping[str, Mapping[str, int]] | None) -> str:
    if counts is not None:
        filled = {kind: sum(states.values()) for kind, states in counts.items()}
        shown = [formats.kind_counted(words, kind, n) for kind, n in filled.items() if n]
        return words.row(shown[:_MOST_KINDS]) or words.say("empty")
    return say.state(
        words,
        opens=one.opens,
        encrypted=one.encrypted,
        problem=one.problem,
        is_database=one.is_database,
    )


VERBS = (Verb("discover", N_("find the stores on this computer"), _arguments),)
RUN = {"discover": discover}
