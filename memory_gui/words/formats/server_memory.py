# SPDX-License-Identifier: MIT
"""Words of memory graphs."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

WORDS: Final = FormatWords(
    name="mcp-server-memory",
    title=N_("Memory graph (MCP server-memory)"),
    kinds={
        "entity": KindWords(N_("entity"), N_("entities"), NN_("{n} entity", "{n} entities")),
        "observation": KindWords(
            N_("observation"), N_("observations"), NN_("{n} observation", "{n} observations")
        ),
        "relation": KindWords(
            N_("relation"), N_("relations"), NN_("{n} relation", "{n} relations")
        ),
        "line": KindWords(N_("odd line"), N_("odd lines"), NN_("{n} odd line", "{n} odd lines")),
    },
    fields={
        "name": N_("Name"),
        "entity_name": N_("Entity"),
        "from": N_("From entity"),
        "to": N_("To entity"),
        "observations": N_("Observations"),
        "line": N_("Line"),
        "missing": N_("Not in the store"),
    },
    reasons={
        "mcp-server-memory.no_trash": N_(
            "The server has no trash: what it deletes is gone from the file."
        ),
        "mcp-server-memory.text": N_(
            "The server reads this text file as it is; encrypted it could not."
        ),
        "mcp-server-memory.no_tags": N_("The server knows no tags."),
    },
    told={
        "mcp-server-memory.one_document": N_(
            "The file is one JSON document over several lines. The server reads line by line, so "
            "each of its calls fails; it can be looked at and erased here."
        ),
        "mcp-server-memory.bom": N_(
            "The file begins with a byte order mark, so each call of the server fails. Delete the "
            "record with the file's name to take it away."
        ),
        "mcp-server-memory.broken": N_(
            "Lines that the server cannot read, so that each of its calls fails: {lines} ({n}). "
            "Correct or delete them under “odd lines”."
        ),
        "mcp-server-memory.dropped": N_(
            "Lines or fields that the server does not know: {n}. They are kept here; the server "
            "drops them when it next writes."
        ),
        "mcp-server-memory.twice": N_(
            "Stored more than once: {n} names, observations or relations."
        ),
        "mcp-server-memory.large": N_(
            "The file has {mb} MB. The server reads and rewrites all of it at each call, which "
            "grows slow from 10 MB on."
        ),
        "mcp-server-memory.loose": N_(
            "Relations that name an entity which is not in the store: {n}."
        ),
    },
)
