# SPDX-License-Identifier: MIT
"""Settings: one typed table, one small file. Never memory text, never a key."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SettingValues:
    """Every setting and its default.

    ``language`` is ``""`` for the system's, ``en`` or ``zh_CN``; ``appearance`` system, light or
    dark; ``auto_lock_minutes`` 0 = never; ``density`` comfortable or compact; ``text_scale`` in
    percent.
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


class Settings:
    """Reads and writes the settings file. Any thread may call."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def values(self) -> SettingValues:
        """The settings as they are."""
        raise NotImplementedError

    def change(self, **values: object) -> SettingValues:
        """Change some settings and save. Raises UserError ``settings.invalid`` (name, value)."""
        raise NotImplementedError
