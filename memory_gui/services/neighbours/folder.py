# SPDX-License-Identifier: MIT
"""Where the sockets lie: a folder that is this person's alone."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import platformdirs

NAME: Final = "memory-gui"
_SOCKET: Final = re.compile(r"(\d{1,10})(-\d{1,3})?\.sock\Z")
_LONGEST: Final = 100
"""Bytes of a socket's path that every system takes (sun_path is 104 to 108)."""
_MOST_OF_US: Final = 100
"""Listeners of one process: only tests have more than one."""


def has_sockets() -> bool:
    """Whether this system has sockets in the file system, and users."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "geteuid")


def runtime_folders() -> tuple[Path, ...]:
    """The folders that sockets may lie in, best first; those are left out that are not ours.

    The system's runtime folder, and one in the folder for temporary files for where that is not
    there or was made by somebody else.
    """
    if not has_sockets():
        return ()
    wanted = []
    with warnings.catch_warnings(), contextlib.suppress(OSError):
        warnings.simplefilter("ignore")  # that the variable is not set is no news to anybody
        wanted.append(Path(platformdirs.user_runtime_dir(NAME, appauthor=False)))
    wanted.append(Path(tempfile.gettempdir()) / f"{NAME}-{os.geteuid()}")
    return tuple(folder for folder in dict.fromkeys(wanted) if make_private(folder))


def make_private(folder: Path) -> bool:
    """Make the folder (0700) if it is missing; whether it is ours alone."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        above = folder.parent.lstat()
    except OSError:
        return False
    return above.st_uid in {0, os.geteuid()} and is_private(folder)


def is_private(folder: Path) -> bool:
    """A real folder, ours, that nobody else may look into."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    mine = found.st_uid == os.geteuid()
    return stat.S_ISDIR(found.st_mode) and mine and not stat.S_IMODE(found.st_mode) & 0o077


def bind(folder: Path) -> tuple[socket.socket, Path]:
    """A listening socket with this process's name, 0600.

    Raises:
        OSError: the folder cannot be written.
    """
    for number in range(1, _MOST_OF_US):
        path = folder / f"{os.getpid()}{'' if number == 1 else f'-{number}'}.sock"
        if path.exists():
            if _answers(path):
                continue
            path.unlink(missing_ok=True)  # of a process that had our number before
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with _short(path) as address:
                made.bind(address)
            path.chmod(0o600)
            made.listen(16)
        except BaseException:
            made.close()
            raise
        return made, path
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def connect(path: Path, timeout: float) -> socket.socket:
    """A connection to a listener. Raises OSError."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(timeout)
        with _short(path) as address:
            made.connect(address)
    except BaseException:
        made.close()
        raise
    return made


def listeners(folder: Path) -> list[tuple[Path, int]]:
    """The sockets of living processes, with the process id that the name says.

    Those that a process left behind when it was killed are removed.
    """
    found = []
    if not is_private(folder):
        return []
    for path in sorted(folder.iterdir()):
        named = _SOCKET.match(path.name)
        if named is None or not _is_our_socket(path):
            continue
        pid = int(named.group(1))
        if not _alive(pid):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            continue
        found.append((path, pid))
    return found


def _is_our_socket(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _answers(path: Path) -> bool:
    try:
        connect(path, 1.0).close()
    except OSError:
        return False
    return True


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """The path, or where it is too long for a socket another way to it."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
