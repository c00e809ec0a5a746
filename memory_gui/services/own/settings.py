# SPDX-License-Identifier: MIT
"""Settings: one typed table, one small file. Never memory text, never a key."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.services.own import settings_file

SETTINGS_FILE = "settings.toml"
"""Its name in the app's own folder."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "language": ("", "en", "zh_CN"),
        "appearance": ("system", "light", "dark"),
        "density": ("comfortable", "compact"),
        "motion": ("system", "full", "reduced"),
    }
)
_RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"auto_lock_minutes": (0, 24 * 60), "text_scale": (75, 200), "clipboard_seconds": (0, 3600)}
)
REMEMBERED: Final = frozenset({"list_order", "filters_shown", "look_asked"})
"""What is chosen where it is seen, and stands on no page of settings."""
_MOST_FOLDERS: Final = 200


@dataclass(frozen=True, slots=True)
class SettingValues:
    """Every setting and its default.

    ``language`` is ``""`` for the system's, ``en`` or ``zh_CN``; ``appearance`` system, light or
    dark; ``density`` comfortable or compact; ``text_scale`` in percent; ``motion`` system, full or
    reduced. ``auto_lock_minutes`` 0 = never; ``clipboard_seconds`` 0 = only on lock and quit.
    ``look_in`` are folders below which Home looks for stores, absolute; ``look_asked`` is whether
    a person has said if it may look in the agents' usual places.
    ``scripts_may_use_keychain`` is a person's permission for the terminal where nobody can be
    asked. ``list_order`` is a name of ``queries.SORTS``, with ``-`` before it for descending;
    ``filters_shown`` is whether the list's filters stand beside it.
    """

    language: str = ""
    appearance: str = "system"
    density: str = "comfortable"
    text_scale: int = 100
    motion: str = "system"
    auto_lock_minutes: int = 5
    lock_on_screen_lock: bool = True
    lock_on_sleep: bool = True
    hide_at_start: bool = False
    mask_secrets: bool = True
    clipboard_seconds: int = 45
    block_capture: bool = True
    remember_stores: bool = True
    look_asked: bool = False
    look_in_usual_places: bool = False
    look_in: tuple[str, ...] = ()
    scripts_may_use_keychain: bool = False
    list_order: str = "-updated"
    filters_shown: bool = False


_DEFAULTS: Final = SettingValues()
NAMES: Final = tuple(field.name for field in fields(SettingValues))


class Settings:
    """Reads and writes the settings file. Any thread may call."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._guard = threading.Lock()
        found = settings_file.read(file)
        self._values = _values(found.keys)
        self._problem = self._problem_of(found)

    @property
    def values(self) -> SettingValues:
        """The settings as they are."""
        return self._values

    def take_problem(self) -> UserError | None:
        """What was wrong with the file, said once: ``settings.damaged`` or ``settings.newer``."""
        problem, self._problem = self._problem, None
        return problem

    def change(self, **values: object) -> SettingValues:
        """Change some settings and save; what another copy of the app saved meanwhile stays.

        Raises:
            UserError: ``settings.invalid`` (name, value); ``settings.newer`` where a newer version
                wrote the file, ``settings.not_saved``: then nothing is changed.
        """
        for name, value in values.items():
            if not _valid(name, value):
                raise UserError("settings.invalid", name=name, value=str(value))
        with self._guard:
            found = settings_file.read(self._file)
            if found.state == "newer":
                raise UserError("settings.newer", path=str(self._file))
            before = self._values if found.state == "damaged" else _values(found.keys)
            changed = replace(before, **values)  # type: ignore[arg-type]  # checked above
            self._save(found, changed)
            self._values = changed
        return changed

    def _save(self, found: settings_file.Found, values: SettingValues) -> None:
        unknown = {name: value for name, value in found.keys.items() if name not in NAMES}
        own = {name: getattr(values, name) for name in NAMES}
        differ = {name: value for name, value in own.items() if value != getattr(_DEFAULTS, name)}
        try:
            if found.state == "damaged":
                settings_file.put_aside(self._file)
            settings_file.write(self._file, {**differ, **unknown})
        except OSError as error:
            raise UserError("settings.not_saved", path=str(self._file)) from error

    def _problem_of(self, found: settings_file.Found) -> UserError | None:
        path = str(self._file)
        if found.state == "damaged":
            return UserError("settings.damaged", path=path)
        return UserError("settings.newer", path=path) if found.state == "newer" else None


def _values(keys: Mapping[str, Any]) -> SettingValues:
    """A value that cannot be is left at its default."""
    plain = {
        name: tuple(value) if isinstance(value, list) else value for name, value in keys.items()
    }
    good: dict[str, Any] = {name: one for name, one in plain.items() if _valid(name, one)}
    return replace(_DEFAULTS, **good)


def _valid(name: str, value: object) -> bool:
    if name not in NAMES or type(value) is not type(getattr(_DEFAULTS, name)):
        return False
    if name in CHOICES:
        return value in CHOICES[name]
    if isinstance(value, tuple):
        return len(value) <= _MOST_FOLDERS and all(
            isinstance(one, str) and os.path.isabs(one) and "\0" not in one  # noqa: PTH117 - text
            for one in value
        )
    if isinstance(value, int) and name in _RANGES:
        low, high = _RANGES[name]
        return low <= value <= high
    return True
