# SPDX-License-Identifier: MIT
"""Folders that a program copies to other computers, by the marks that it leaves. Reads no content.

Marks: Dropbox ``.dropbox``/``.dropbox.cache`` and the paths in ``~/.dropbox/info.json``;
Syncthing ``.stfolder``; Nextcloud and ownCloud ``.sync_*.db`` or ``._sync_*.db``; Resilio
``.sync``; Google Drive ``.tmp.driveupload``; OneDrive by its folder's name, iCloud by its place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MARKS: Final = (
    ("Dropbox", (".dropbox", ".dropbox.cache")),
    ("Syncthing", (".stfolder",)),
    ("Nextcloud", (".sync_*.db", "._sync_*.db", ".nextcloudsync.log", ".owncloudsync.log")),
    ("Resilio Sync", (".sync/ID",)),
    ("Google Drive", (".tmp.driveupload", ".tmp.drivedownload")),
    ("OneDrive", (".849C9593-D756-4E56-8D6E-42412F2A707B",)),
)
"""Program, and what lies in the folder that it copies."""
_DROPBOX_PLACES: Final = (".dropbox/info.json", "AppData/Local/Dropbox/info.json")
_HOME_MARK: Final = (".dropbox",)
"""In the home folder itself these are settings of the program, no mark."""


@dataclass(frozen=True, slots=True)
class Synced:
    """A folder that is copied, and by which program."""

    program: str
    folder: Path


def sync_folder(path: Path, home: Path | None = None) -> Synced | None:
    """The folder above ``path`` that a program copies elsewhere, the nearest one."""
    home = home or Path.home()
    dropbox = _dropbox_folders(home)
    for folder in path.resolve().parents:
        if folder in dropbox:
            return Synced("Dropbox", folder)
        if program := _by_name(folder) or _by_mark(folder, home):
            return Synced(program, folder)
    return None


def _by_name(folder: Path) -> str:
    name = folder.name
    if name == "OneDrive" or name.startswith(("OneDrive - ", "OneDrive-")):
        return "OneDrive"
    if name in ("Mobile Documents", "iCloud Drive", "iCloudDrive") or name.startswith(
        "com~apple~CloudDocs"
    ):
        return "iCloud"
    if folder.parent.name == "CloudStorage" and folder.parent.parent.name == "Library":
        return name.partition("-")[0]
    return ""


def _by_mark(folder: Path, home: Path) -> str:
    for program, marks in _MARKS:
        for mark in marks:
            if folder == home and mark in _HOME_MARK:
                continue
            try:
                found = any(folder.glob(mark)) if "*" in mark else (folder / mark).exists()
            except OSError:
                continue
            if found:
                return program
    return ""


def _dropbox_folders(home: Path) -> frozenset[Path]:
    found = set()
    for place in _DROPBOX_PLACES:
        try:
            accounts = json.loads((home / place).read_text("utf-8"))
            found |= {Path(one["path"]).resolve() for one in accounts.values() if "path" in one}
        except (OSError, ValueError, AttributeError, TypeError):
            continue
    return frozenset(found)
