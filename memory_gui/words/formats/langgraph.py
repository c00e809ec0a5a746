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
        "store_vectors": KindWords(N_("vector"), N_("vectors"), NN_("{n} vector", "{n} vectors")),
    },
    fields={
        "langgraph.namespace": N_("Namespace"),
        "langgraph.key": N_("Item key"),
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

CHECKPOINTS: Final = FormatWords(
    name="langgraph-checkpoints",
    title=N_("LangGraph checkpoints"),
    kinds={
        "thread": KindWords(N_("thread"), N_("threads"), NN_("{n} thread", "{n} threads")),
        "message": KindWords(N_("message"), N_("messages"), NN_("{n} message", "{n} messages")),
        "state": KindWords(N_("state"), N_("states"), NN_("{n} state", "{n} states")),
        "earlier": KindWords(
            N_("earlier text"),
            N_("earlier texts"),
            NN_("{n} earlier text", "{n} earlier texts"),
        ),
        "checkpoints": KindWords(
            N_("checkpoint"), N_("checkpoints"), NN_("{n} checkpoint", "{n} checkpoints")
        ),
        "writes": KindWords(N_("write"), N_("writes"), NN_("{n} write", "{n} writes")),
    },
    fields={
        "langgraph.thread": N_("Thread"),
        "langgraph.talk": N_("Conversation"),
        "checkpoints": N_("Checkpoints"),
        "writes": N_("Writes"),
        "size": N_("Bytes"),
        "name": N_("Name"),
    },
    reasons={
        "langgraph.as_whole": N_(
            "A message lies in many checkpoints of its thread at once, so none is changed or taken "
            "out alone. A thread can be deleted and erased as a whole."
        ),
    },
    told={
        "langgraph.copies": N_(
            "{threads} threads lie in {rows} rows, {size} MB: each message once in every later "
            "checkpoint. Erasing a message takes its whole thread, with every copy."
        ),
        "langgraph.uncounted": N_(
            "Messages are counted when the file has been read; it is a large one."
        ),
        "langgraph.odd_rows": N_("Rows of threads whose name is no text, not shown here: {n}."),
        "langgraph.earlier": N_(
            "Only in earlier checkpoints of its thread: the agent took it out of the conversation."
        ),
        "langgraph.waiting": N_("Written, and not yet part of the conversation."),
        "langgraph.only_earlier": N_(
            "Texts that only earlier checkpoints of the thread have: what was changed or taken out."
        ),
        "langgraph.cut": N_("There is more; an erase takes all of it."),
        "langgraph.talk_cut": N_("The conversation goes on; each message is a record too."),
        "langgraph.sealed_values": N_(
            "Some of its values were encrypted by the agent itself and cannot be read here. "
            "They go with the thread."
        ),
        "langgraph.opaque_values": N_(
            "Some of its values would have to be run to be read (pickle), which is never done "
            "here. They go with the thread."
        ),
        "langgraph.broken_values": N_(
            "Some of its values are damaged or nested too deep; shown is what could be read. "
            "They go with the thread."
        ),
    },
    values={
        "human": N_("person"),
        "ai": N_("agent"),
        "tool": N_("tool"),
        "system": N_("instructions"),
    },
)

SHARED: Final = FormatWords(
    name="langgraph",
    title=N_("LangGraph store and checkpoints"),
)
