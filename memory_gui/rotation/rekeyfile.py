# SPDX-License-Identifier: MIT
"""One database from one key to another, in the eraser's process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import Tick, no_tick
from memory_gui.process.child import Child
from memory_gui.rotation.rotate import key_data

Opened = Callable[[str, bool], None]
"""Told the store's journal mode, and whether idle programs of other users cannot be seen."""


def rekey_file(
    path: Path,
    key: Key,
    new: RawKey | None,
    *,
    journal_mode: str = "",
    opened: Opened = lambda _mode, _unseen: None,
    tick: Tick = no_tick,
) -> Sequence[Sequence[Any]]:
    """Run the recipe of ERASURE 4 (b) without a row to erase, with a rekey after its VACUUM.

    In the eraser's process. Without ``new`` it leaves the file clean, in its journal mode, checked.
    The steps: [name, result, ms].

    Raises:
        UserError: ``rotation.in_use``, ``rotation.*``, ``store.*``, ``raw.*``, ``process.gone``.
    """
    with Child.start("eraser") as child:
        opening: dict[str, Any] = {
            "do": "open",
            "path": str(path),
            "key": key_data(key),
            "rows": [],
            "mode": journal_mode or None,
            "new_key": new is not None,
        }
        answer = _checked(path, child.ask(opening, tick=tick))
        opened(str(answer["mode"]), bool(answer["unseen"]))
        _checked(path, child.ask({"do": "prepare"}, tick=tick))
        work = {"do": "erase", "new_key": key_data(new)}
        _checked(path, child.ask(work, tick=tick))
        answer = _checked(path, child.ask({"do": "close"}, tick=tick))
    return tuple(answer["steps"])


def _checked(path: Path, answer: dict[str, Any]) -> dict[str, Any]:
    if "blocked" in answer:
        pid, name = next(iter(answer["open_by"]), (0, "?"))
        raise UserError("rotation.in_use", path=str(path), pid=pid, name=name)
    if "failed" in answer:
        raise UserError(answer["failed"], **answer["params"])
    return answer
