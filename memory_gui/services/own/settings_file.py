# SPDX-License-Identifier: MIT
"""The settings file: small, TOML, with its version, whole or not at all.

Keys that this version does not know are kept. A file of a newer version is read as far as it is
understood and never written. A damaged one is put aside before another takes its place.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from memory_gui import lazy
from memory_gui.services.own.files import write_whole

VERSION: Final = 2
"""1 had no ``version`` and wrote every setting; 2 writes what differs from the defaults."""
_LARGEST: Final = 1 << 20
"""Bytes. Whatever is larger is no settings file."""
_ASIDE: Final = ".damaged"


@dataclass(frozen=True, slots=True)
class Found:
    """What the file says. ``state``: ``fine``, ``none``, ``damaged`` or ``newer``."""

    state: str
    version: int = VERSION
    keys: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def read(file: Path) -> Found:
    """Read it, and bring an older version's keys to this one's. Never raises."""
    try:
        seen = file.stat()
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > _LARGEST:
            return Found("damaged")
        keys = lazy.tomllib().loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Found("none")
    except (OSError, ValueError):  # what is no text, or no TOML
        return Found("damaged")
    version = keys.pop("version", 1)
    if type(version) is not int or version < 1:
        return Found("damaged")
    for step in range(version, VERSION):
        keys = _MIGRATIONS[step](keys)
    return Found("newer" if version > VERSION else "fine", version, keys)


def write(file: Path, keys: Mapping[str, Any]) -> None:
    """Put it in place of the old one, 0600. Raises OSError; then the old one is as it was."""
    lines = [f"version = {VERSION}", *(f"{_key(name)} = {_toml(keys[name])}" for name in keys)]
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(file, "\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))


def put_aside(file: Path) -> None:
    """Keep a damaged file under another name; an older one of that name goes."""
    file.replace(file.with_name(file.name + _ASIDE))


def _from_1(keys: dict[str, Any]) -> dict[str, Any]:
    """Version 1 wrote every value, so what stands there is what the person had."""
    return keys


_MIGRATIONS: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = MappingProxyType(
    {1: _from_1}
)


def _key(name: str) -> str:
    bare = name and all(char.isascii() and (char.isalnum() or char in "_-") for char in name)
    return name if bare else _text(name)


def _toml(value: object) -> str:
    """Any value that TOML can hold, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_toml(one)}" for name, one in value.items()) + "}"
    return _text(str(value))


def _text(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04X}" for c in plain) + '"'
