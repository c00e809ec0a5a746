# SPDX-License-Identifier: MIT
"""Destroying a whole database: held alone, its key removed, then overwritten and removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keys import Key
from memory_gui.domain.work import Tick
from memory_gui.erasure.filecuts import cut_message
from memory_gui.erasure.messages import Message, key_message, open_by_from, step_from
from memory_gui.erasure.result import EraseState, Step
from memory_gui.process.child import Child, ChildGone


@dataclass(frozen=True, slots=True)
class Gone:
    """How far it came: PROVED where neither bytes nor a name are left of the file."""

    state: EraseState
    steps: tuple[Step, ...] = ()
    open_by: tuple[OpenBy, ...] = ()
    reason: str | None = None


def destroy_files(files: Sequence[FileCut], tick: Tick) -> Gone:
    """The same of a store that is made of text files: none of them, and no name, is left.

    Raises:
        UserError: nothing was changed.
    """
    going = [replace(file, whole=True, cuts=()) for file in files]
    child = Child.start("eraser")
    try:
        opening: Message = {"do": "files-open", "files": [cut_message(file) for file in going]}
        answer = child.ask(opening, tick=tick)
        if "blocked" in answer:
            holders = open_by_from(answer["open_by"])
            return Gone(EraseState.NOT_FINISHED, (), holders, answer["blocked"])
        return _ended(child.ask({"do": "files-erase"}, tick=tick))
    except ChildGone as error:
        raise UserError("process.gone", worker="eraser") from error
    finally:
        child.close()


def destroy_file(path: str, key: Key | None, remove_key: Callable[[], None], tick: Tick) -> Gone:
    """Hold the database alone, let ``remove_key`` do its part, overwrite and remove the file.

    When ``remove_key`` raises, nothing was changed. Afterwards there is no way back: what is not
    overwritten then cannot be read without the key.

    Raises:
        UserError: nothing was changed.
    """
    child = Child.start("eraser")
    try:
        opening: Message = {"do": "open", "path": path, "key": key_message(key), "rows": []}
        answer = child.ask(opening, tick=tick)
        if "blocked" not in answer:
            answer = child.ask({"do": "prepare"}, tick=tick)
        if "blocked" in answer:
            steps = tuple(step_from(step) for step in answer["steps"])
            holders = open_by_from(answer["open_by"])
            return Gone(EraseState.NOT_FINISHED, steps, holders, answer["blocked"])
        try:
            remove_key()
        except BaseException:
            child.ask({"do": "stop"})
            raise
        return _ended(child.ask({"do": "destroy"}, tick=tick))
    except ChildGone as error:
        raise UserError("process.gone", worker="eraser") from error
    finally:
        child.close()


def _ended(answer: Message) -> Gone:
    steps = tuple(step_from(step) for step in answer["steps"])
    if "failed" in answer:
        return Gone(EraseState.NOT_FINISHED, steps, reason=answer["failed"])
    return Gone(EraseState.PROVED, steps)
