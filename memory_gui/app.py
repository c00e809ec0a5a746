# SPDX-License-Identifier: MIT
"""``memory-gui``: composes the services and shows the window. Holds no logic."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from memory_gui import __version__
from memory_gui import lazy as heavy
from memory_gui.process.names import WORKERS
from memory_gui.process.sealing import seal
from memory_gui.services.layout import LAYOUT_FILE, LayoutFile
from memory_gui.services.settings import SETTINGS_FILE, Settings
from memory_gui.ui import lazy
from memory_gui.words import Words

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.services import Services


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
    paths = [os.path.abspath(path) for path in options.store]  # noqa: PTH100 - no link is followed
    if (
        paths
        and not (options.new_window or options.no_keychain or options.sample)
        and heavy.neighbours().neighbours_for("window", data_dir).open(paths)
    ):
        return 0
    look = Settings(data_dir / SETTINGS_FILE).values
    if look.language:
        words.use(look.language)
    made: list[Services] = []
    make = _maker(words, data_dir, made, keychain=not options.no_keychain)
    layout = LayoutFile(data_dir / LAYOUT_FILE)
    try:
        run = lazy.window().run_window
        return int(run(make, words, look, layout, options.store, sample=options.sample))
    finally:
        for services in made:
            services.close()


def _maker(
    words: Words, data_dir: Path, made: list[Services], *, keychain: bool
) -> Callable[[], Services]:
    """What composes the services once the window is painted; they stand in ``made`` from then."""

    def make() -> Services:
        vault = heavy.keychain()
        services: Services = heavy.services().build_services(
            words=words,
            home=Path.home(),
            data_dir=data_dir,
            keychain=vault.Keychain() if keychain else vault.NoKeychain(),
            neighbours=heavy.neighbours().neighbours_for("window", data_dir),
        )
        made.append(services)
        services.listen()
        return services

    return make


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
