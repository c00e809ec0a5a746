# SPDX-License-Identifier: MIT
"""How the window lay when it was last closed: numbers only, in a small file of its own.

No path, no name, no text. Taking the file away is harmless: the window begins as the first time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from memory_gui import lazy
from memory_gui.services.own.files import write_whole

LAYOUT_FILE: Final = "window.json"
"""Its name in the app's own folder."""
_VERSION: Final = 1
_MOST: Final = 100_000
"""No screen has so many pixels."""
_LARGEST: Final = 64 * 1024
_NONE: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """Pixels. ``panes`` maps a splitter's object name to the sizes of its parts."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    maximized: bool = False
    panes: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: _NONE)

    @property
    def known(self) -> bool:
        """Whether there is any."""
        return self.width > 0 and self.height > 0


class LayoutFile:
    """Reads and writes it. Any thread but the window's own."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> WindowLayout:
        """What was saved; the first layout where nothing was, or nothing that makes sense."""
        try:
            if self._file.stat().st_size > _LARGEST:
                return WindowLayout()
            found = lazy.json().loads(self._file.read_text(encoding="utf-8"))
            return _layout(found)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return WindowLayout()

    def save(self, layout: WindowLayout) -> None:
        """Keep it. Where that cannot be, the window begins as it did before."""
        values = {"version": _VERSION, **asdict(layout)}
        values["panes"] = {name: list(sizes) for name, sizes in layout.panes.items()}
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._file, lazy.json().dumps(values, sort_keys=True).encode())
        except OSError:
            return


def _layout(found: Any) -> WindowLayout:
    if found["version"] != _VERSION:
        return WindowLayout()
    panes = {
        str(name): tuple(_number(size) for size in sizes)
        for name, sizes in found["panes"].items()
        if len(name) < 40 and len(sizes) < 10
    }
    return WindowLayout(
        x=_number(found["x"]),
        y=_number(found["y"]),
        width=_number(found["width"]),
        height=_number(found["height"]),
        maximized=found["maximized"] is True,
        panes=MappingProxyType(panes),
    )


def _number(value: object) -> int:
    if type(value) is not int or abs(value) > _MOST:
        raise ValueError(value)
    return value
