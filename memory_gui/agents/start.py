# SPDX-License-Identifier: MIT
"""Runs in the agent's own Python, as a file: finds our parts, then starts the agent over them.

``python -P start.py probe PLACES [ARG…]`` prints what is there as JSON; ``python -P start.py run
PLACES HANDOVER [ARG…]`` starts the agent. PLACES is JSON: package name -> the folder that holds
it, asked only for what the agent's environment does not have itself. HANDOVER is the number of a
descriptor behind which keys and paths lie; they are in no argument and no environment. Imports
nothing of ours before the places are known.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any, Final

_OWN_NAME: Final = "memory_gui"
_NEEDED: Final = ("sqlcipher3", "babel")
_TALK: Final = ("prompt_toolkit", "rich")
"""What Agentao's conversation in the terminal needs beyond its package (its extra ``cli``)."""


class LentParts(MetaPathFinder):
    """Finds the named packages in the app's environment, after the agent's own places."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A top-level package of PLACES; its parts are found by Python itself."""
        if path is not None or name not in self._places:
            return None
        return PathFinder.find_spec(name, [self._places[name]], target)


def probe(arguments: list[str]) -> dict[str, Any]:
    """What this environment has, and what the arguments ask Agentao for."""
    found: dict[str, Any] = {"python": list(sys.version_info[:2]), "executable": sys.executable}
    try:
        found["agentao"] = version("agentao")
    except PackageNotFoundError:
        found["agentao"] = None
    found["talks"] = all(_can_import(name) for name in _TALK)
    found["lacks"] = [name for name in _NEEDED if not _can_import(name)]
    if found["agentao"] is not None and found["talks"]:
        try:
            found["asked"] = asked(arguments)
        except (ImportError, AttributeError):
            found["asked"] = None  # an Agentao of another make
    return found


def asked(arguments: list[str]) -> dict[str, str]:
    """What Agentao's own parser makes of the arguments: ``what`` is talk, cannot, elsewhere, …."""
    parser = import_module("agentao.cli._light")._build_parser()
    try:
        args, extras = parser.parse_known_args(arguments)
    except SystemExit as end:
        return {"what": "unknown" if end.code else "elsewhere", "name": " ".join(arguments)}
    cannot = (("run", args.subcommand == "run"), ("-p", args.prompt is not None))
    elsewhere = (("--login", args.login), ("--help", args.show_help))
    served = (("--acp", args.acp or args.stdio),)
    asks: list[tuple[str, tuple[tuple[str, bool], ...]]] = [
        ("cannot", cannot),
        ("elsewhere", elsewhere),
        ("cannot", served),
        ("elsewhere", ((str(args.subcommand), args.subcommand is not None),)),
        ("unknown", ((" ".join(extras), bool(extras)),)),
    ]
    for what, names in asks:
        for name, is_asked in names:
            if is_asked:
                return {"what": what, "name": name}
    return {"what": "talk", "name": ""}


def _can_import(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def main(arguments: list[str]) -> int:
    """Do what the first argument says."""
    act, places, *rest = arguments
    lent = json.loads(places)
    # The app's own package before any other version of it; of the rest the agent's own first.
    sys.meta_path.insert(0, LentParts({_OWN_NAME: lent.pop(_OWN_NAME)}))
    sys.meta_path.append(LentParts(lent))
    if act == "probe":
        # What is imported to look may print; only the last line is ours.
        sys.stdout.write("\n" + json.dumps(probe(rest)) + "\n")
        return 0
    with os.fdopen(int(rest[0]), "rb") as stream:
        handover = json.loads(stream.read())
    return int(import_module(f"{_OWN_NAME}.agents.running").run(handover, rest[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
