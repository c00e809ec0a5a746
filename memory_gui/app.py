# SPDX-License-Identifier: MIT
"""``memory-gui``: composes the services and shows the window. Holds no logic."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_gui import lazy as heavy
from memory_gui.process.names import WORKERS
from memory_gui.services.own.layout import LAYOUT_FILE, LayoutFile
from memory_gui.services.own.settings import SETTINGS_FILE, Settings
from memory_gui.ui import lazy
from memory_gui.usual import usual_folder
from memory_gui.words import Words

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.services import Services


class Nothing:
    """Nothing was given on the command line."""

    store: tuple[str, ...] = ()
    new_window = sample = no_keychain = selftest = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window, a worker of a bundle, or the self-test; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--worker"]:
        return _work(given[1:])
    words = Words.from_environment()
    options = lazy.arguments().parse(words, given) if given else Nothing()
    if options.selftest:
        return int(lazy.window().run_selftest())
    data_dir = Path(os.environ.get("MEMORY_GUI_DATA") or usual_folder())
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
    make = maker(words, data_dir, made, keychain=not options.no_keychain)
    layout = LayoutFile(data_dir / LAYOUT_FILE)
    try:
        run = lazy.window().run_window
        return int(run(make, words, look, layout, options.store, sample=options.sample))
    finally:
        for services in made:
            services.close()


def maker(
    words: Words, data_dir: Path, made: list[Services], *, keychain: bool
) -> Callable[[], Services]:
    """What composes the services once the window is painted, in a thread.

    From then on they stand in ``made``, to be closed. Before them nothing secret is in the process.
    """

    def make() -> Services:
        heavy.sealing().seal()  # before there is anything that others must not see
        vault = heavy.keychain()
        services: Services = heavy.services().build_services(
            words=words,
            home=Path.home(),
            data_dir=data_dir,
            keychain=vault.Keychain() if keychain else vault.NoKeychain(),
            neighbours=heavy.neighbours().neighbours_for("window", data_dir),
        )
        made.append(services)
        words.number(0)  # here and not where windows are drawn: its rules take a while to read
        services.listen()
        return services

    return make


def _work(names: Sequence[str]) -> int:
    """Be one of the app's own workers: how a bundle without a python command starts them."""
    if len(names) != 1 or names[0] not in WORKERS:
        return 2
    runpy.run_module(WORKERS[names[0]], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
