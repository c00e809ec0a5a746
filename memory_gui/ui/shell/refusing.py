# SPDX-License-Identifier: MIT
"""Which acts of the menu none of the chosen stores can do, and why: as their formats say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.changes import Capability
from memory_gui.services import OpenedStore
from memory_gui.services.agent.starting import start_line
from memory_gui.services.agent.view import is_known
from memory_gui.words import Words, formats


@dataclass(frozen=True, slots=True)
class _Need:
    """What one of the stores must be able to do, and under which names its reason is."""

    any_of: Capability
    reasons: tuple[str, ...]


_NEEDS: Final[Mapping[str, _Need]] = {
    "new": _Need(Capability.ADD, ("add",)),
    "edit": _Need(Capability.EDIT, ("edit",)),
    "trash": _Need(Capability.TRASH | Capability.DELETE, ("delete", "trash")),
    "erase": _Need(Capability.ERASE, ("erase",)),
    "clean": _Need(Capability.ERASE, ("erase",)),
}
REFUSABLE: Final = (*_NEEDS, "agent_view", "agent_line")


def refusals(words: Words, stores: Collection[OpenedStore]) -> dict[str, str]:
    """Act -> a sentence, for those that are not possible in any of these stores."""
    if not stores:
        return {}
    found = {
        act: _why(words, stores, need.reasons)
        for act, need in _NEEDS.items()
        if not any(need.any_of & one.info.capabilities for one in stores)
    }
    if not any(map(is_known, stores)):
        found["agent_view"] = words.say("No store is open of an agent whose rules are known")
    if not any(start_line(one.info) for one in stores):
        found["agent_line"] = words.say("No agent can be started over this store.")
    return found


def _why(words: Words, stores: Collection[OpenedStore], names: Collection[str]) -> str:
    codes = (one.info.reasons.get(name, "") for one in stores for name in names)
    said = next((text for code in codes if (text := formats.reason(words, code))), "")
    return said or words.say("Nothing can be written here: it can only be read.")
