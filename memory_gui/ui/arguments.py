# SPDX-License-Identifier: MIT
"""What may be given to ``memory-gui`` on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from memory_gui import __version__
from memory_gui.words import Words


def parse(words: Words, given: Sequence[str]) -> argparse.Namespace:
    """``store``, ``new_window``, ``sample``, ``no_keychain``, ``selftest``. May end the process."""
    return _parser(words).parse_args(given)


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
