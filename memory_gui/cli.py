# SPDX-License-Identifier: MIT
"""The terminal's front door, ``memory-cli``."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from memory_gui import __version__, lazy
from memory_gui.process.sealing import seal

if TYPE_CHECKING:  # loaded when there is a verb to do
    from memory_gui.terminal.session import Streams


def main() -> int:
    """Do one verb; the exit status of CLI.md."""
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--worker":
        lazy.worker().run_worker(arguments[1])
        return 0
    if arguments == ["--version"] and sys.stdout is not None:
        sys.stdout.write(f"memory-cli {__version__}\n")
        return 0
    seal()
    gc.disable()  # nothing of what is loaded can be collected, and looking takes a sixth of it
    terminal = lazy.terminal()
    gc.enable()
    return int(terminal.run(arguments, _streams(terminal.Streams), os.environ))


def _streams(kind: type[Streams]) -> Streams:
    """The three streams. One that was closed reads as empty, and fails when it is written to.

    Its number must be taken: the next file that is opened, a database perhaps, would get it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDONLY)
            if null != number:
                os.dup2(null, number)
                os.close(null)
    return kind(
        sys.stdin or open(0, encoding="utf-8"),
        sys.stdout or open(1, "w", encoding="utf-8"),
        sys.stderr or open(2, "w", encoding="utf-8"),
    )


if __name__ == "__main__":
    sys.exit(main())
