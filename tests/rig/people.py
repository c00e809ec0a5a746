# SPDX-License-Identifier: MIT
"""An ordinary user, for tests about permissions, owners and other people's programs.

Where the suite is root it makes the user ``mgtest`` and becomes it in child processes; where it is
not, the ordinary user is the one who runs it. Root's own folders (a Python below ``/root``, a
checkout there) are closed to others, so a child gets a mount namespace of its own in which the way
to the interpreter and to this checkout is open, and nothing else is.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NAME = "mgtest"


@dataclass(frozen=True)
class Person:
    """Somebody who is not root, with a folder of their own (0700)."""

    name: str
    uid: int
    gid: int
    folder: Path

    def run(self, argv: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
        """Run a command as this person and wait; output as text. Their HOME is their folder."""
        defaults = {"capture_output": True, "text": True, "timeout": 120, "check": False}
        return subprocess.run(  # noqa: PLW1510 - check is among the defaults
            self.command(argv), **{**self._place(), **defaults, **options}
        )

    def start(self, argv: Sequence[str | Path], **options: Any) -> subprocess.Popen[str]:
        """Start a command as this person, with pipes as text; its pid is that of the command."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        return subprocess.Popen(self.command(argv), **{**self._place(), **pipes, **options})

    def python(self, code: str, *args: str | Path, **options: Any) -> str:
        """Run Python code (this suite's interpreter and packages) and return what it printed."""
        done = self.run([sys.executable, "-I", "-c", code, *args], **options)
        if done.returncode:
            raise AssertionError(f"exit {done.returncode}\n{done.stdout}\n{done.stderr}")
        return str(done.stdout)

    def command(self, argv: Sequence[str | Path]) -> list[str]:
        """The argv that runs ``argv`` as this person."""
        words = [str(word) for word in argv]
        if os.geteuid() == self.uid:
            return words
        become = ["setpriv", f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups", "--"]
        script = "\n".join([*_open_the_way(self.folder), f"exec {shlex.join([*become, *words])}"])
        return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script]

    def give(self, *paths: Path) -> None:
        """Make files and folders theirs, with what is in them."""
        if os.geteuid() == self.uid:
            return
        for top in paths:
            for path in [top, *top.rglob("*")]:
                os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def _place(self) -> dict[str, Any]:
        home = str(self.folder)
        env = {"HOME": home, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"}
        return {"cwd": "/", "env": env}


@contextmanager
def ordinary_person() -> Iterator[Person]:
    """A person who is not root, and their folder, which is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="memory-gui-person-", dir="/var/tmp"))
    try:
        if os.geteuid():
            yield Person(pwd.getpwuid(os.getuid()).pw_name, os.getuid(), os.getgid(), folder)
            return
        entry = _user()
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        yield Person(entry.pw_name, entry.pw_uid, entry.pw_gid, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        make = ["useradd", "--system", "--no-create-home", "--shell", "/bin/sh", NAME]
        # Two suites at once may both try: the loser finds the user made.
        subprocess.run(make, check=False, capture_output=True)
        return pwd.getpwnam(NAME)


def _open_the_way(stash: Path) -> list[str]:
    """Shell lines that make the interpreter and the checkout reachable in a private namespace."""
    needed = {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT.resolve()}
    closed: dict[Path, list[Path]] = {}
    for path in sorted(needed):
        barrier = next((up for up in [*reversed(path.parents), path] if _is_closed(up)), None)
        if barrier is not None:
            closed.setdefault(barrier, []).append(path)
    lines: list[str] = []
    for barrier, paths in closed.items():
        lines += [f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(stash))}"]
        for number, path in enumerate(paths):
            lines.append(f"mkdir -p {stash}/{number}")
            lines.append(f"mount --bind {shlex.quote(str(path))} {stash}/{number}")
        lines.append(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(barrier))}")
        for number, path in enumerate(paths):
            lines.append(f"mkdir -p {shlex.quote(str(path))}")
            lines.append(f"mount --bind {stash}/{number} {shlex.quote(str(path))}")
            lines.append(f"umount {stash}/{number}")
        lines.append(f"umount {shlex.quote(str(stash))}")
    return lines


def _is_closed(folder: Path) -> bool:
    return not folder.stat().st_mode & 0o001
