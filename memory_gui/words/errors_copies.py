# SPDX-License-Identifier: MIT
"""The words of errors about stores that keep a memory in several places."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

COPIES_ERRORS: dict[str, ErrorWords] = {
    "store.is_above": ErrorWords(
        N_("{path} is a folder and no store by itself. Stores below it: {n}."),
        N_("Name one of them."),
    ),
    "erase.cell_changed": ErrorWords(
        N_("Another program changed {table} while the erase was prepared; nothing was erased."),
        N_("Try again."),
    ),
    "mem0.old_faiss": ErrorWords(
        N_(
            "{path} is of an old Mem0, a pickle, and holds more than texts and numbers. That is "
            "never run here, so nothing was erased."
        ),
        N_(
            "Somebody may have planted it, and Mem0 may run what is in it. Only if you trust the "
            "file, start a current Mem0 once, which converts it, and erase then; else delete it."
        ),
    ),
    "mem0.faiss_index": ErrorWords(
        N_("{path} is an index that is not laid out as Mem0 makes it; nothing was erased."),
        N_("Delete the memory with Mem0 first, and erase what is left here."),
    ),
    "mem0.chroma_index": ErrorWords(
        N_("{path} is an index of another version of Chroma; nothing was erased."),
        N_("Delete the memory with Mem0 first, and erase what is left here."),
    ),
}
