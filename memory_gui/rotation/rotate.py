# SPDX-License-Identifier: MIT
"""Turning encryption on and off, from the app's side: asks the rotator's process."""

from __future__ import annotations

import glob
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey, key_message
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.holders import family, open_by
from memory_gui.process.child import Child
from memory_gui.rotation.names import has_leftovers, is_swapped, new_name, old_name, part_name

SWAPPED: Final = "swapped"
"""The new file was in the store's place already."""
NOT_SWAPPED: Final = "not-swapped"

KeepKey = Callable[[bytes], None]
"""Called with the new file's salt before it is put in place: keep the key, or raise."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """What was done: rows carried over, and the new file's salt."""

    rows: int
    salt: bytes


def encrypt_store(
    path: Path, key: RawKey, *, keep: KeepKey, old_key: Key | None = None, tick: Tick = no_tick
) -> Rotated:
    """Encrypt a readable store in place. The caller has no connection on it.

    The key must be kept (``keep`` is called with the new salt) before anything is swapped. The
    old file is overwritten with zeros.

    Raises:
        UserError: ``rotation.in_use`` (params ``pid``, ``name``), ``store.*``, ``vault.*``:
            nothing was changed.
        IntegrityError: ``rotation.differs``: nothing was changed.
    """
    return _in_place(path, old_key, key, keep, tick)


def decrypt_store(
    path: Path, key: Key, out: Path | None = None, *, tick: Tick = no_tick
) -> Rotated:
    """Make a readable copy at ``out``, or (None) make the store itself readable.

    Raises:
        UserError: as ``encrypt_store``; ``store.exists`` for ``out``.
    """
    if out is None:
        return _in_place(path, key, None, lambda _salt: None, tick)
    path, out = path.absolute(), out.absolute()  # the child works in another folder
    with Child.start("rotator") as child:
        message = {"op": "copy", "path": str(path), "key": key_data(key), "out": str(out)}
        answer = child.ask(message, tick=tick)
    return Rotated(int(answer["rows"]), b"")


def migrate_store(path: Path, key: Key, out: Path, *, tick: Tick = no_tick) -> Rotated:
    """Make a copy at ``out`` that the same key opens and that is encrypted in today's settings.

    Raises:
        UserError: as ``decrypt_store``; ``key.not_encrypted``, ``store.unsteady``.
    """
    path, out = path.absolute(), out.absolute()  # the child works in another folder
    message = {"op": "migrate", "path": str(path), "key": key_data(key), "out": str(out)}
    with Child.start("rotator") as child:
        return Rotated(int(child.ask(message, tick=tick)["rows"]), b"")


def finish_leftovers(path: Path) -> str:
    """Finish what a killed change of encryption left beside a store: SWAPPED or NOT_SWAPPED.

    Empty when there was nothing, or somebody has one of the files open. The caller has no
    connection on it.
    """
    if not has_leftovers(path) or not path.exists():
        return ""
    path = path.absolute()
    names = (path, new_name(path), old_name(path))
    if open_by([name for name in names if name.exists()], excluding=family()):
        return ""  # another copy of the app may be at it now
    how = SWAPPED if is_swapped(path) else NOT_SWAPPED
    with Child.start("rotator") as child:
        return how if child.ask({"op": "finish", "path": str(path)})["done"] else ""


def sweep_part(out: Path) -> bool:
    """Remove what a killed copy left beside ``out``; False: there was nothing, or it is open."""
    part = part_name(out.absolute())
    there = part.parent.is_dir() and any(part.parent.glob(f"{glob.escape(part.name)}*"))
    if not there or part.is_symlink() or open_by([part], excluding=family()):
        return False
    with Child.start("rotator") as child:
        return bool(child.ask({"op": "sweep", "path": str(part)})["done"])


def _in_place(
    path: Path, key: Key | None, new_key: Key | None, keep: KeepKey, tick: Tick
) -> Rotated:
    path = path.absolute()
    refuse_holders(path)
    with Child.start("rotator") as child:
        begin = {
            "op": "begin",
            "path": str(path),
            "key": key_data(key),
            "new_key": key_data(new_key),
        }
        answer = child.ask(begin, tick=tick)
        salt = bytes.fromhex(str(answer["salt"])) if new_key is not None else b""
        try:
            keep(salt)
            refuse_holders(path)
        except BaseException:
            child.ask({"op": "drop", "path": str(path)})
            raise
        child.ask({"op": "swap", "path": str(path)}, tick=tick)
    return Rotated(int(answer["rows"]), salt)


def refuse_holders(path: Path) -> None:
    """Raise UserError ``rotation.in_use`` when another program has the store open."""
    holders = open_by([path], excluding=family())
    if holders:
        raise UserError("rotation.in_use", path=str(path), pid=holders[0].pid, name=holders[0].name)


def key_data(key: Key | None) -> dict[str, Any] | None:
    """A key for the pipe to the child."""
    return key_message(key)
