# SPDX-License-Identifier: MIT
"""Settings: one typed table, one small file. Never memory text, never a key."""

from __future__ import annotations

import os
import threading
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.services.files import write_whole

SETTINGS_FILE = "settings.toml"
"""Its name in the app's own folder."""

_CHOICES: dict[str, frozenset[str]] = {
    "language": frozenset({"", "en", "zh_CN"}),
    "appearance": frozenset({"system", "light", "dark"}),
    "density": frozenset({"comfortable", "compact"}),
}
_RANGES: dict[str, tuple[int, int]] = {"auto_lock_minutes": (0, 24 * 60), "text_scale": (75, 200)}


@dataclass(frozen=True, slots=True)
class SettingValues:
    """Every setting and its default.

    ``language`` is ``""`` for the system's, ``en`` or ``zh_CN``; ``appearance`` system, light or
    dark; ``auto_lock_minutes`` 0 = never; ``density`` comfortable or compact; ``text_scale`` in
    percent. ``scripts_may_use_keychain`` is a person's permission for the terminal where nobody
    can be asked.
    """

    language: str = ""
    appearance: str = "system"
    auto_lock_minutes: int = 10
    lock_on_screen_lock: bool = True
    lock_on_sleep: bool = True
    density: str = "comfortable"
    text_scale: int = 100
    mask_secrets: bool = True
    remember_stores: bool = True
    look_in_usual_places: bool = True
    scripts_may_use_keychain: bool = False


class Settings:
    """Reads and writes the settings file. Any thread may call."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._values = _read(file)

    @property
    def values(self) -> SettingValues:
        """The settings as they are."""
        return self._values

    def change(self, **values: object) -> SettingValues:
        """Change some settings and save. Raises UserError ``settings.invalid`` (name, value)."""
        for name, value in values.items():
            if not _valid(name, value):
                raise UserError("settings.invalid", name=name, value=str(value))
        with self._guard:
            changed = replace(self._values, **values)  # type: ignore[arg-type]  # checked above
            _write(self._file, changed)
            self._values = changed
        return changed


def _valid(name: str, value: object) -> bool:
    default = {field.name: field.default for field in fields(SettingValues)}.get(name)
    if default is None or type(value) is not type(default):
        return False
    if name in _CHOICES:
        return value in _CHOICES[name]
    if isinstance(value, int) and name in _RANGES:
        low, high = _RANGES[name]
        return low <= value <= high
    return True


def _read(file: Path) -> SettingValues:
    """What the file says; a value that cannot be is left at its default."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return SettingValues()
    good = {name: value for name, value in found.items() if _valid(name, value)}
    return replace(SettingValues(), **good)


def _write(file: Path, values: SettingValues) -> None:
    lines = [f"{field.name} = {_toml(getattr(values, field.name))}" for field in fields(values)]
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(file, os.linesep.join([*lines, ""]).encode())
    except OSError as error:
        raise UserError("settings.not_saved", path=str(file)) from error


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'
