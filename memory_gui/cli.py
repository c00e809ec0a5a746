# SPDX-License-Identifier: MIT
"""The terminal's front door, ``memory-cli``."""

from __future__ import annotations

import os
import sys

from memory_gui.process.worker import run_worker, seal
from memory_gui.terminal.run import run
from memory_gui.terminal.session import Streams


def main() -> int:
    """Do one verb; the exit status of CLI.md."""
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--worker":
        run_worker(arguments[1])
        return 0
    seal()
    streams = Streams(sys.stdin, sys.stdout, sys.stderr)
    status = run(arguments, streams, os.environ)
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
