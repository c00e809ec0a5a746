# SPDX-License-Identifier: MIT
"""The Python that an agent's program runs in, what is installed there, and what we lend it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import memory_gui
from memory_gui.domain.errors import UserError

START: Final = Path(memory_gui.__file__).parent / "agents" / "start.py"
OLDEST: Final = (3, 11)
_LENT: Final = ("sqlcipher3", "babel")
_LOOK_S: Final = 60.0
"""Seconds that looking may take; importing on a busy machine."""
_QUOTED: Final = re.compile(r"^'''exec' \"?(?P<python>[^\"\n]+?)\"? \"\$0\"", re.MULTILINE)
"""How pip begins a script whose interpreter's path is long or has blanks."""


def places() -> dict[str, str]:
    """Package name -> folder: what an agent's Python may take from our environment.

    Raises:
        UserError: ``agent.bundle`` in a packaged program, whose parts are no folders.
    """
    found = {"memory_gui": str(START.parents[2])}
    for name in _LENT:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            found[name] = str(Path(spec.origin).parents[1])
    return found


def python_of(name: str, given: str | None, environment: Mapping[str, str]) -> Path:
    """The interpreter of an agent's program: the given one, else the one its script names.

    Raises:
        UserError: ``agent.not_found``, ``agent.no_python``.
    """
    if given is not None:
        python = shutil.which(given, path=environment.get("PATH"))
        if python is None:
            raise UserError("agent.no_python", python=given)
        return Path(python)
    script = shutil.which(name, path=environment.get("PATH"))
    if script is None:
        if find_spec(name) is not None:
            return Path(sys.executable)
        raise UserError("agent.not_found")
    python = _interpreter(Path(script))
    if python is None or not os.access(python, os.X_OK):
        raise UserError("agent.no_python", python=str(python or script))
    return Path(python)


def _interpreter(script: Path) -> str | None:
    """What a script says it runs in. A program for Windows does not say it in its first line."""
    try:
        with script.open("rb") as stream:
            text = stream.read(4096).decode("utf-8", "replace")
    except OSError:
        return None
    if not text.startswith("#!"):
        return None
    line = text[2:].partition("\n")[0].strip()
    if line.startswith("/bin/sh"):
        found = _QUOTED.search(text)
        return found["python"] if found else None
    if line.startswith("/usr/bin/env"):
        return shutil.which(line.split()[-1])
    return line.split(maxsplit=1)[0] if line else None


def look(python: Path, arguments: Sequence[str]) -> dict[str, Any]:
    """What that Python has, and what the arguments ask the agent for (``start.probe``).

    Raises:
        UserError: ``agent.bundle``, ``agent.no_python``, ``agent.old_python``,
            ``agent.not_there``, ``agent.no_library``, ``agents.unknown_agentao``.
    """
    if getattr(sys, "frozen", False):
        raise UserError("agent.bundle", python=str(python))
    old = UserError("agent.no_python", python=str(python))
    try:
        done = subprocess.run(  # noqa: S603 - our own file, and the agent's own Python
            [python, "-P", START, "probe", json.dumps(places()), *arguments],
            capture_output=True,
            timeout=_LOOK_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        found: dict[str, Any] = json.loads(done.stdout.decode("utf-8", "replace").splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise old from error
    except (ValueError, IndexError) as error:
        raise _too_old(python) or old from error
    if found["agentao"] is None or not found["talks"]:
        raise UserError("agent.not_there", python=str(python))
    if found["lacks"]:
        raise UserError("agent.no_library", python=str(python))
    if found["asked"] is None:
        raise UserError("agents.unknown_agentao", version=str(found["agentao"]))
    return found


def _too_old(python: Path) -> UserError | None:
    """A Python before 3.11 knows no ``-P`` and cannot run our parts."""
    show = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(  # noqa: S603 - the agent's own Python
            [python, "-c", show], capture_output=True, timeout=_LOOK_S, check=False, text=True
        )
        found = tuple(int(part) for part in done.stdout.strip().split("."))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if not found or found >= OLDEST:
        return None
    return UserError("agent.old_python", python=str(python), found=".".join(map(str, found)))
