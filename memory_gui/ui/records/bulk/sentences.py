# SPDX-License-Identifier: MIT
"""How an act over records is told when it has ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memory_gui.ui.records.bulk.ending import Ending
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain

CHECKING: Final = frozenset({"prepare", "check"})
"""Steps of an act before anything is written."""
_FAR: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": N_("Checking… {done} of {total}"),
        "trash": N_("Moving to the trash… {done} of {total}"),
        "restore": N_("Restoring… {done} of {total}"),
        "tag": N_("Changing tags… {done} of {total}"),
        "delete": N_("Deleting… {done} of {total}"),
        "undo": N_("Taking back… {done} of {total}"),
        "redo": N_("Doing again… {done} of {total}"),
    }
)
_PLAIN: Final = N_("{done} of {total}")


def progress_phrase(words: Words, name: str, done: int, total: int) -> str:
    """How far an act, undo or redo is; without a name: how far it was checked."""
    return words.say(_FAR.get(name, _PLAIN), done=done, total=total)


def sentence(words: Words, name: str, ending: Ending) -> str:
    """What was done; that it was stopped; why a single record was not."""
    done, failed = ending.result.done, len(ending.result.failed)
    if failed and ending.wanted == 1:
        return explain(words, ending.result.failed[0][1]).text
    if ending.result.stopped and not done and not failed:
        return words.say("Stopped. Nothing was changed.")
    parts = [_done(words, name, done)] if done or not failed else []
    if ending.result.stopped and ending.left:
        parts.append(
            words.many(
                "You stopped it: {n} record is as it was.",
                "You stopped it: {n} records are as they were.",
                ending.left,
            )
        )
    if failed:
        parts.append(
            words.many("{n} record was not changed.", "{n} records were not changed.", failed)
        )
    return _joined(words, parts)


def _joined(words: Words, parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text = words.say("{what} {note}", what=text, note=part)
    return text


def _done(words: Words, name: str, n: int) -> str:
    many = words.many
    if name == "trash":
        return many("{n} record is in the trash.", "{n} records are in the trash.", n)
    if name == "restore":
        return many("{n} record is back.", "{n} records are back.", n)
    if name == "tag":
        return many("{n} record has its new tags.", "{n} records have their new tags.", n)
    if name in ("approve", "reject", "reopen"):
        return many("{n} proposal is decided.", "{n} proposals are decided.", n)
    return many(
        "{n} record is deleted. Parts of its text may stay in the file.",
        "{n} records are deleted. Parts of their text may stay in the file.",
        n,
    )
