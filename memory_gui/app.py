# SPDX-License-Identifier: MIT
"""``memory-gui``: composes the services and shows the window. Holds no logic."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from memory_gui import __version__
from memory_gui.process.child import WORKERS
from memory_gui.process.worker import seal
from memory_gui.services import build_services
from memory_gui.services.neighbours import neighbours_for
from memory_gui.ui import lazy
from memory_gui.vault.keychain import Keychain, NoKeychain
from memory_gui.words import Words


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window, a worker of a bundle, or the self-test; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--worker"]:
        return _work(given[1:])
    seal()
    words = Words.from_environment()
    options = _parser(words).parse_args(given)
    if options.selftest:
        return int(lazy.window().run_selftest())
    data_dir = Path(os.environ.get("MEMORY_GUI_DATA") or platformdirs.user_data_dir("memory-gui"))
    neighbours = neighbours_for("window", data_dir)
    paths = [os.path.abspath(path) for path in options.store]  # noqa: PTH100 - no link is followed
    if (
        paths
        and not (options.new_window or options.no_keychain or options.sample)
        and neighbours.open(paths)
    ):
        return 0
    services = build_services(
        words=words,
        home=Path.home(),
        data_dir=data_dir,
        keychain=NoKeychain() if options.no_keychain else Keychain(),
        neighbours=neighbours,
    )
    try:
        services.listen()
        language = services.settings.values.language
        if language:
            words.use(language)
        run = lazy.window().run_window
        return int(run(services, words, options.store, sample=options.sample))
    finally:
        services.close()


def _work(names: Sequence[str]) -> int:
    """Be one of the app's own workers: how a bundle without a python command starts them."""
    if len(names) != 1 or names[0] not in WORKERS:
        return 2
    runpy.run_module(WORKERS[names[0]], run_name="__main__")
    return 0


def _parser(words: Words) -> argparse.ArgumentParser:
    say = words.say
    parser = argparse.ArgumentParser(
        prog="memory-gui", description=say("See, correct and erase what AI agents remember.")
    )
    parser.add_argument(
        "store", nargs="*", help=say("a database or a project folder to open"), metavar="STORE"
    )
    parser.add_argument(
        "--new-window",
        action="store_true",
        help=say("open in a window of its own, not in one that runs"),
    )
    parser.add_argument("--sample", action="store_true", help=say("open the sample"))
    parser.add_argument(
        "--no-keychain", action="store_true", help=say("leave the system’s keychain alone")
    )
    parser.add_argument(
        "--selftest", action="store_true", help=say("check that this copy is complete, and end")
    )
    parser.add_argument("--version", action="version", version=f"memory-gui {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
