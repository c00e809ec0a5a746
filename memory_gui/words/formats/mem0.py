# SPDX-License-Identifier: MIT
"""Words of Mem0's stores."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

_LINK: Final = KindWords(
    N_("link to a memory"),
    N_("links to memories"),
    NN_("{n} link to a memory", "{n} links to memories"),
)
_LOG: Final = KindWords(
    N_("entry of Chroma's log"),
    N_("Chroma's log"),
    NN_("{n} entry of Chroma's log", "{n} entries of Chroma's log"),
)
_PLACE: Final = KindWords(
    N_("place in Chroma's log"),
    N_("places in Chroma's log"),
    NN_("{n} place in Chroma's log", "{n} places in Chroma's log"),
)
WORDS: Final = FormatWords(
    name="mem0",
    title=N_("Mem0"),
    kinds={
        "message": KindWords(N_("message"), N_("messages"), NN_("{n} message", "{n} messages")),
        "history": KindWords(
            N_("entry of history"),
            N_("history"),
            NN_("{n} entry of history", "{n} entries of history"),
        ),
        "embedding": KindWords(
            N_("row with its vector"),
            N_("rows with their vectors"),
            NN_("{n} row with its vector", "{n} rows with their vectors"),
        ),
        # Tables of Chroma: what belongs to such a row.
        "embedding_metadata": KindWords(
            N_("field of a row"),
            N_("fields of rows"),
            NN_("{n} field of such rows", "{n} fields of such rows"),
        ),
        "embedding_metadata_array": _LINK,
        "embeddings_queue": _LOG,
        # Places in rows that stay.
        "points.point": _LINK,
        **dict.fromkeys(
            (
                *("embeddings_queue.operation", "embeddings_queue.vector"),
                *("embeddings_queue.encoding", "embeddings_queue.metadata"),
            ),
            _PLACE,
        ),
    },
    fields={
        "copies": N_("Lies in"),
        "earlier": N_("Said before"),
        "logged": N_("Said before, in a log"),
        "entities": N_("Names that point to it"),
        "expiration_date": N_("Runs out"),
        "hash": N_("Fingerprint"),
        "session_scope": N_("Talk"),
        "memory": N_("Memory"),
        "old_memory": N_("Said before"),
        "linked_memory_ids": N_("Points to"),
        "text_lemmatized": N_("For searching"),
    },
    reasons={
        "mem0.needs_vector": N_(
            "Mem0 finds a memory by a vector made of its words. Only your model can make one, so "
            "another text would never be found again."
        ),
        "mem0.leaves_text": N_(
            "What Mem0 deletes stays readable in its history. Erase it here: then every copy goes."
        ),
        "mem0.no_tags": N_("Mem0 keeps no tags."),
        "mem0.no_review": N_("Mem0 saves at once; nothing waits for a decision."),
        "mem0.several_files": N_(
            "It is made of several files that Mem0 opens by itself, and it can open none that is "
            "encrypted."
        ),
    },
    told={
        "mem0.places": N_("Its memories are in: {places}"),
        "mem0.no_vectors": N_(
            "No vector store was found beside this history. What it says of memories is shown; "
            "whether Mem0 still has them cannot be told."
        ),
        "mem0.unread": N_(
            "Could not be read: {places}. What it holds is not shown here, and no erase reaches it."
        ),
        "mem0.no_history": N_(
            "No history was found for this vector store: what Mem0 deleted or changed may still be "
            "readable there. Open the history, usually ~/.mem0/history.db, to see all of it."
        ),
        "mem0.left": N_("Deleted by Mem0, and still here: {n}. Erase them to be rid of them."),
        "mem0.broken": N_("Rows that cannot be read: {n}. Nothing in them was carried out."),
        "mem0.deleted": N_("Deleted by Mem0, and still here: its text was left in other places."),
        "mem0.earlier": N_("What it said before is kept as well, and goes with it."),
        "mem0.unreadable": N_("A row of it cannot be read."),
    },
)
