# SPDX-License-Identifier: MIT
"""What an erase takes of LangGraph's checkpoints, and who else carries the same text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.records import Ref
from memory_gui.stores.formats.langgraph_checkpoints.layout import CHECKPOINTS, WRITES
from memory_gui.stores.formats.langgraph_checkpoints.records import THREAD
from memory_gui.stores.formats.langgraph_checkpoints.threads import Gathered
from memory_gui.stores.sql.onescope import Elsewhere, Kept, nowhere
from memory_gui.stores.sql.windows import Windows, fold

if TYPE_CHECKING:
    from memory_gui.stores.formats.langgraph_checkpoints.store import CheckpointsStore

TEXT_BYTES: Final = 16
"""From here on a text is somebody's; shorter ones ("success", "weather") may be words of use."""
_LEAST: Final = 4
TABLES: Final = ((WRITES, THREAD, ("thread_id",)),)
"""Beside that of the layout: what is found there of a thread that stays is told by its name."""


def erase_scope(
    store: CheckpointsStore,
    refs: Sequence[Ref],
    also_texts: Sequence[str],
    check: Callable[[], object],
    elsewhere: Elsewhere = nowhere,
) -> EraseScope:
    """The threads of ``refs``. Inside one read transaction."""
    mine = [ref for ref in refs if ref.store == store.id]
    there = dict(zip(mine, store.fetch(mine), strict=True))
    missing = tuple(ref for ref, record in there.items() if record is None)
    threads = threads_of(store, mine)
    texts, names = _said(store, threads, check)
    texts.update(dict.fromkeys(text.strip() for text in also_texts if text.strip()))
    short = [name for name in names if name not in texts]
    still_in, held = kept(store, threads, texts, short, check)
    others, more = elsewhere(list(texts), short)
    held |= more
    return EraseScope(
        store=store.id,
        rows=_rows(store, threads),
        texts=(*texts, *(name for name in short if name not in held)),
        missing=missing,
        still_in=(*still_in, *others),
        tables=TABLES,
    )


def threads_of(store: CheckpointsStore, refs: Sequence[Ref]) -> tuple[str, ...]:
    """The threads that an erase of these records takes."""
    found = zip(refs, store.fetch(refs), strict=True)
    return tuple(dict.fromkeys(ref.key[0] for ref, one in found if one is not None))


def _said(
    store: CheckpointsStore, threads: Sequence[str], check: Callable[[], object]
) -> tuple[dict[str, None], dict[str, None]]:
    """Every text of the threads; those that are short, and what the threads are called."""
    texts: dict[str, None] = {}
    names: dict[str, None] = {}
    for thread in threads:
        found = Gathered(collect=True)
        for _rows in store.source.gather(thread, found):
            check()
        for text in (thread, *found.texts):
            said = text.strip()
            size = len(said.encode(errors="replace"))
            if size >= _LEAST:
                short = size < TEXT_BYTES or text == thread
                (names if short else texts)[said] = None
    return texts, names


def kept(
    store: CheckpointsStore,
    taken: Collection[str],
    texts: Collection[str],
    names: Sequence[str],
    check: Callable[[], object],
) -> Kept:
    """By one pass over the threads that stay: those that carry a text, and the names they have."""
    if not texts and not names:
        return (), set()
    windows, of_names = Windows(texts, check), Windows(names, check)
    held = of_names.newly_held(fold(sql or "" for *_, sql in store.connection.schema()))
    found: dict[str, None] = {}
    for thread in store.source.extents():
        if thread in taken:
            continue
        stays = Gathered(collect=True)
        for _rows in store.source.gather(thread, stays):
            check()
        said = fold([thread, *stays.texts])
        if windows.in_folded(said):
            found[thread] = None
        # Names of fields and classes are no texts, and stay with the thread all the same.
        held |= of_names.newly_held([*said, *fold(store.source.newest(thread))])
    return tuple(Ref(store.id, THREAD, (thread,)) for thread in found), held


def _rows(store: CheckpointsStore, threads: Sequence[str]) -> tuple[EraseRows, ...]:
    """All rows of the threads, in both tables."""
    keys = tuple((thread,) for thread in threads)
    extents = store.source.extents()
    counts = {
        CHECKPOINTS: (THREAD, sum(extents[thread].checkpoints for thread in threads)),
        WRITES: (WRITES, sum(extents[thread].writes for thread in threads)),
    }
    return tuple(
        EraseRows(table, ("thread_id",), keys, kind, number=number)
        for table, (kind, number) in counts.items()
        if number
    )
