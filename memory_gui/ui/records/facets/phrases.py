# SPDX-License-Identifier: MIT
"""What facets and their values are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memory_gui.ui.phrases import SCOPES, SOURCES, TYPES, phrase
from memory_gui.ui.visible import one_line
from memory_gui.words import N_, Words, formats

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "kind": N_("Kind"),
        "subject": N_("About"),
        "scope": N_("Applies to"),
        "type": N_("Type"),
        "tag": N_("Tag"),
        "source": N_("From"),
        "confidence": N_("How sure"),
        "agent": N_("Agent"),
        "month": N_("Changed in"),
    }
)
CONFIDENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "explicit_user": N_("said in so many words"),
        "inferred": N_("concluded"),
        "auto_summary": N_("found in summaries"),
    }
)
ORDERED: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"scope": SCOPES, "type": TYPES, "source": SOURCES, "confidence": CONFIDENCES}
)
"""Facets with few values that are known: these keep their order, whatever is counted."""
_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")


def title_of(words: Words, facet: str) -> str:
    """The facet's name."""
    return words.say(TITLES[facet])


def value_of(words: Words, facet: str, value: str) -> str:
    """A value in words; what has none is shown as it is stored."""
    if not value:
        return words.say("no tags") if facet == "tag" else words.say("not known")
    if facet == "month" and (found := _MONTH.fullmatch(value)) is not None:
        return words.month(int(found[1]), int(found[2]))
    if facet == "kind":
        return formats.kind(words, value)
    return phrase(words, ORDERED.get(facet, {}), value) or one_line(value, 80)
