# SPDX-License-Identifier: MIT
"""Words of LangGraph's stores and checkpoints."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

STORE: Final = FormatWords(
    name="langgraph-store",
    title=N_("LangGraph store"),
    kinds={
        "item": KindWords(N_("item"), N_("items"), NN_("{n} item", "{n} items")),
        "vector": KindWords(
            N_("vector left over"),
            N_("vectors left over"),
            NN_("{n} vector left over", "{n} vectors left over"),
        ),
    },
    fields={
        "langgraph.namespace": N_("Namespace"),
        "langgraph.key": N_("Key"),
        "langgraph.value": N_("Value (JSON)"),
        "expires_at": N_("Expires (UTC)"),
        "ttl_minutes": N_("Kept for (minutes)"),
        "vectors": N_("Vectors (numbers in each)"),
        "field_name": N_("Made from"),
    },
    reasons={
        "langgraph.no_trash": N_("LangGraph has no trash: what it forgets is deleted."),
        "langgraph.no_tags": N_("LangGraph keeps no tags."),
        "langgraph.no_review": N_("LangGraph saves at once; nothing waits for a decision."),
    },
    told={
        "langgraph.left": N_(
            "Vectors of deleted items that LangGraph left in the file: {n}. They were made from "
            "the items' words; delete or erase them like any record."
        ),
        "langgraph.swept_late": N_(
            "Items that have expired and are still in the file: {n}. LangGraph still gives them "
            "out until its next sweep."
        ),
        "langgraph.broken_rows": N_(
            "Items that are no JSON: {n}. With one of them LangGraph cannot search its namespace."
        ),
        "langgraph.vectors": N_(
            "Items have vectors beside them. One whose value is changed here loses its vectors, "
            "until the agent saves it again; until then a search by likeness does not find it."
        ),
        "langgraph.expired": N_("Expired. LangGraph still gives it out until its next sweep."),
        "langgraph.broken": N_(
            "Its value is no JSON: LangGraph cannot read it, nor search its namespace as long as "
            "it is there. Correct the value and save, or delete the item."
        ),
        "langgraph.as_text": N_("Stored as text; LangGraph itself stores bytes, and reads both."),
        "langgraph.alone": N_(
            "The item was deleted, and LangGraph left this vector, made from its words."
        ),
    },
)
