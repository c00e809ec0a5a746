# SPDX-License-Identifier: MIT
"""The four keychains that the app trusts, by class. Imported in the helper's process only.

``keyring.get_keyring()`` and keyring's module-level functions are never called: they follow the
environment, ``keyringrc.cfg`` and entry points, and run planted code before any check
(``PYTHON_KEYRING_BACKEND`` and ``keyring-path`` are read before any limit; keyring 25.7 core.py).
"""

from __future__ import annotations

import configparser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, Protocol

from keyring.backends import SecretService, Windows, kwallet, macOS
from keyring.util import platform_


class Entries(Protocol):
    """What we use of a keyring class. Each call may block for as long as a prompt is open."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret, or None."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Write it."""

    def delete_password(self, service: str, username: str) -> None:
        """Remove it."""


SECRET_SERVICE: Final = "SecretService.Keyring"  # noqa: S105 - the name of a class
KWALLET: Final = "kwallet.DBusKeyring"
MACOS: Final = "macOS.Keyring"
WINDOWS: Final = "Windows.WinVaultKeyring"

TRUSTED: Final[Mapping[str, type[Entries]]] = {
    SECRET_SERVICE: SecretService.Keyring,
    KWALLET: kwallet.DBusKeyring,
    MACOS: macOS.Keyring,
    WINDOWS: Windows.WinVaultKeyring,
}
"""Names as they are recorded and shown, and the classes, in the order they are tried."""

NATIVE: Final[Mapping[str, tuple[str, ...]]] = {
    "darwin": (MACOS,),
    "win32": (WINDOWS,),
}
"""The ones that can exist on a system; everywhere else the two of the freedesktop world."""

ELSEWHERE: Final = (SECRET_SERVICE, KWALLET)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The keychain that will be asked, if any, and why the ones before it will not."""

    name: str
    entries: Entries | None
    reasons: tuple[str, ...]


def choose(recorded: str, platform: str, classes: Mapping[str, type[Entries]] = TRUSTED) -> Chosen:
    """Take the first class that works here, the recorded one first.

    Reasons are ``code:class``: ``unknown`` (a recorded name that is none of ours), ``foreign``
    (recorded on another system), ``not-there`` (the class says it cannot work here).
    """
    here = NATIVE.get(platform, ELSEWHERE)
    reasons: list[str] = []
    if recorded and recorded not in here:
        reasons.append(f"{'foreign' if recorded in classes else 'unknown'}:{recorded}")
    order = sorted(here, key=lambda name: name != recorded)
    for name in order:
        cls = classes[name]
        if getattr(cls, "viable", False):
            return Chosen(name, cls(), tuple(reasons))
        reasons.append(f"not-there:{name}{_why_not(cls)}")
    return Chosen("", None, tuple(reasons))


def _why_not(cls: type[Entries]) -> str:
    """Keyring's own words, which it hides behind ``viable``. They name programs, never entries."""
    try:
        getattr(cls, "priority")  # noqa: B009 - the attribute raises where the class cannot work
    except RuntimeError as error:
        return f": {error}"
    except Exception as error:  # noqa: BLE001 - another library's failure, said by its type
        return f": {type(error).__name__}"
    return ""


def ignored(
    asked: str,
    config_folder: Path | None = None,
    points: Sequence[EntryPoint] | None = None,
) -> tuple[str, ...]:
    """What asks for another back end and is not listened to, one line per request.

    ``asked`` is the app's own PYTHON_KEYRING_BACKEND. Nothing is imported: packages are known by
    their metadata, the configuration file is read as text.
    """
    found = [f"PYTHON_KEYRING_BACKEND={asked}"] if asked else []
    folder = platform_.config_root() if config_folder is None else config_folder
    found += _configured(folder / "keyringrc.cfg")
    if points is None:
        points = tuple(entry_points(group="keyring.backends"))
    found += sorted({p.module for p in points if p.module.partition(".")[0] != "keyring"})
    return tuple(found)


def _configured(file: Path) -> Iterator[str]:
    config = configparser.RawConfigParser()
    try:
        if not config.read(file, encoding="utf-8"):
            return
    except (configparser.Error, OSError, UnicodeDecodeError):
        yield f"{file}: unreadable"
        return
    for option in ("default-keyring", "keyring-path"):
        if config.has_option("backend", option):
            yield f"{file}: {option}={config.get('backend', option).strip()}"
