# SPDX-License-Identifier: MIT
"""Two stores that are one agent: where the other one is."""

from __future__ import annotations

from pathlib import Path

from memory_gui.stores.format import Location
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER, user_database


def pair_of(location: Location, home: Path) -> Location | None:
    """The user database that goes with a project's one; None where there is none.

    Only Agentao has pairs. A user database belongs to every project, so it has no one partner.
    """
    main = location.main
    usual = ((one.parent.name, one.name) for one in (main, *location.names))
    if (FOLDER, FILE) not in usual:
        return None
    try:
        other = user_database(home).resolve(strict=True)
    except OSError:
        return None
    return Location((other,)) if other != main and other.is_file() else None
