# SPDX-License-Identifier: MIT
"""Whether an agent started this program: one with a shell is no person, whatever terminal it has.

Seen: the mark that our own ``agent`` verb leaves in the environment, and the programs above this
one (Linux: ``/proc``; elsewhere psutil). Not seen: an agent that hides both, started by a program
that is not above this one any more. It then needs a terminal, and a person's permission without.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Final

from memory_gui import lazy

MARK: Final = "MEMORY_GUI_AGENT"
_AGENTS: Final = frozenset(
    ["agentao", "claude", "codex", "gemini", "aider", "goose", "opencode", "crush", "qwen",
     "hermes", "openclaw", "letta", "cursor-agent", "copilot", "amp", "kimi", "plandex", "cline"]
)  # fmt: skip
"""Programs that run what a model asks for, by the names of their commands."""
_STARTED: Final = "memory_gui/agents/start.py"
_MOST: Final = 64
_LOOKED_AT: Final = 6
"""Words of a command line: an interpreter, its options and the script."""


def agent_above(environment: Mapping[str, str]) -> str:
    """The agent's name, empty where none is seen."""
    marked = environment.get(MARK, "")
    if marked:
        return marked if marked in _AGENTS else "?"
    return next((name for words in _above() if (name := agent_of(words))), "")


def agent_of(words: list[str]) -> str:
    """The agent that a command line runs, empty for none."""
    for word in words[:_LOOKED_AT]:
        if word.endswith(_STARTED):
            return "agentao"
        name = PurePath(word.replace("\\", "/")).name.lower()
        name = name.removesuffix(".exe").removesuffix(".js").removesuffix(".py")
        if name in _AGENTS:
            return name
    return ""


def _above() -> Iterator[list[str]]:
    if sys.platform != "linux":
        for process in lazy.psutil().Process().parents():
            try:
                yield list(process.cmdline())
            except lazy.psutil().Error:
                continue
        return
    pid = os.getppid()
    for _ in range(_MOST):
        if pid <= 1:
            return
        try:
            yield (
                (Path("/proc") / str(pid) / "cmdline")
                .read_bytes()
                .decode(errors="replace")
                .split("\0")
            )
            stat = (Path("/proc") / str(pid) / "stat").read_text()
            pid = int(stat.rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
