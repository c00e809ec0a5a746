# SPDX-License-Identifier: MIT
"""Acts over several records that were stopped in their middle, in words of window and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memory_gui.words.catalogue import N_, Words

_TEXTS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "trash": (
            N_("{store}: moving to the trash was stopped. {done} of {total} are done."),
            N_("{store}: moving to the trash was stopped. At least {done} of {total} are done."),
            N_("{store}: moving {total} to the trash was stopped."),
        ),
        "restore": (
            N_("{store}: restoring was stopped. {done} of {total} are done."),
            N_("{store}: restoring was stopped. At least {done} of {total} are done."),
            N_("{store}: restoring {total} was stopped."),
        ),
        "delete": (
            N_("{store}: deleting was stopped. {done} of {total} are done."),
            N_("{store}: deleting was stopped. At least {done} of {total} are done."),
            N_("{store}: deleting {total} was stopped."),
        ),
        "tag": (
            N_("{store}: changing tags was stopped. {done} of {total} are done."),
            N_("{store}: changing tags was stopped. At least {done} of {total} are done."),
            N_("{store}: changing the tags of {total} was stopped."),
        ),
        "approve": (
            N_("{store}: approving was stopped. {done} of {total} are done."),
            N_("{store}: approving was stopped. At least {done} of {total} are done."),
            N_("{store}: approving {total} was stopped."),
        ),
        "reject": (
            N_("{store}: rejecting was stopped. {done} of {total} are done."),
            N_("{store}: rejecting was stopped. At least {done} of {total} are done."),
            N_("{store}: rejecting {total} was stopped."),
        ),
        "reopen": (
            N_("{store}: reopening was stopped. {done} of {total} are done."),
            N_("{store}: reopening was stopped. At least {done} of {total} are done."),
            N_("{store}: reopening {total} was stopped."),
        ),
        "unapprove": (
            N_("{store}: taking approvals back was stopped. {done} of {total} are done."),
            N_("{store}: taking approvals back was stopped. At least {done} of {total} are done."),
            N_("{store}: taking {total} approvals back was stopped."),
        ),
    }
)
_ANY: Final = (
    N_("{store}: an act was stopped. {done} of {total} are done."),
    N_("{store}: an act was stopped. At least {done} of {total} are done."),
    N_("{store}: an act on {total} records was stopped."),
)


_DECIDING: Final = frozenset({"approve", "reject", "reopen"})
_BACK: Final = frozenset({"approve", "reject", "trash", "restore"})
"""Those that the terminal can take back as one."""


def ways_on(words: Words, act: str, done: int, total: int) -> tuple[str, ...]:
    """Lines for the terminal: how far it came, the commands that go on with it or take it back."""
    command = f"review STORE {act}" if act in _DECIDING else f"{act} STORE"
    numbers = {"done": done, "total": total}
    if act == "unapprove":
        text = words.say(
            "Stopped before its end: taking approvals back, {done} of {total} done. "
            "Go on: memory-cli {command} --take-back",
            command="review STORE approve",
            **numbers,
        )
        return (text,)
    text = words.say(
        "Stopped before its end: {verb}, {done} of {total} records done. "
        "Go on: memory-cli {command} --resume",
        verb=act,
        command=command,
        **numbers,
    )
    if act not in _BACK or not done:
        return (text,)
    return text, words.say("Take it back: memory-cli {command} --take-back", command=command)


def how_far(
    words: Words, act: str, *, store: str, done: int, total: int, at_least: bool = False
) -> str:
    """How far it came; ``at_least`` where nobody has counted in the store itself."""
    counted, some, unknown = _TEXTS.get(act, _ANY)
    text = counted if not at_least else some if done else unknown
    return words.say(text, store=store, done=done, total=total)
