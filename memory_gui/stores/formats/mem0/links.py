# SPDX-License-Identifier: MIT
"""The list of links in an entity that is written as JSON: the places of some of them."""

from __future__ import annotations

from memory_gui.domain.filecuts import Span
from memory_gui.stores.files.jsonspans import cut_of, elements, members, offsets
from memory_gui.stores.formats.mem0.values import LINKS


def links_cut(text: str, at: int, gone: frozenset[str]) -> list[Span]:
    """What of an object goes, in bytes of the text; ``at`` is where the object begins.

    Raises:
        ValueError: it is no JSON.
    """
    for one in members(text, at):
        if one.name == LINKS and isinstance(one.value, list):
            links = elements(text, one.value_start)
            places = offsets(text, [place for link in links for place in (link.start, link.end)])
            spans = list(zip(places[::2], places[1::2], strict=True))
            return cut_of(spans, {i for i, link in enumerate(links) if link.value in gone})
    return []
