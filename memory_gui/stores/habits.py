# SPDX-License-Identifier: MIT
"""What an agent does by itself that an erase must reckon with, by its format. Measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

TEXT: Final = "text"
"""The agent's own "clear" leaves the text readable in the rows."""
BYTES: Final = "bytes"
"""It takes the rows out; their bytes stay in free pages."""


@dataclass(frozen=True, slots=True)
class Habits:
    """``wait_s``: how long it waits for a database that another program holds, before it gives up.

    ``own_clear``: what its own "clear" leaves of each kind of record (TEXT, BYTES). ``programs``:
    under which names it runs. ``keeps_prompt``: it puts memories into a session's prompt once, and
    again after its own next save.
    """

    wait_s: float = 5.0
    own_clear: Mapping[str, str] = field(default_factory=dict)
    programs: tuple[str, ...] = ()
    keeps_prompt: bool = False


HABITS: Final[Mapping[str, Habits]] = MappingProxyType(
    {
        # agentao 0.5.17: ``clear`` and ``wipe_all`` set deleted_at and leave queue and change log;
        # summaries are deleted. A save that meets a held database for 5 s is lost.
        "agentao": Habits(
            5.0,
            {"memory": TEXT, "review": TEXT, "event": TEXT, "summary": BYTES},
            ("agentao", "agentao-cli"),
            keeps_prompt=True,
        ),
        # The "persistent memory" app waits 0.3 s; a plain DELETE leaves bytes in free pages.
        "persistent-memory": Habits(0.3, {"memory": BYTES}),
    }
)
"""By format; one that is not here waits as long as SQLite does by default."""


def habits_of(format_: str) -> Habits:
    """Those of a format."""
    return HABITS.get(format_, Habits())
