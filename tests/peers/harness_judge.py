# SPDX-License-Identifier: MIT
"""The harness's own rule for its notes, in a process of its own: reading and appending.

Written from the description of its memory (a public tutorial): where the file is not empty one
newline is written first, then the stripped note and one newline; a missing file reads "(empty)".
``read FILE`` prints a JSON string; ``append FILE`` takes the note from standard input.
"""

import json
import sys
from pathlib import Path


def read(path):
    return path.read_text(encoding="utf-8").strip() if path.exists() else "(empty)"


def append(path, note):
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.exists() and path.stat().st_size > 0
    with path.open("a", encoding="utf-8") as stream:
        if begun:
            stream.write("\n")
        stream.write(note.strip() + "\n")


if __name__ == "__main__":
    verb, name = sys.argv[1], Path(sys.argv[2])
    if verb == "append":
        append(name, sys.stdin.read())
    print(json.dumps(read(name)))
