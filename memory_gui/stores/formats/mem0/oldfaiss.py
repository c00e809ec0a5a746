# SPDX-License-Identifier: MIT
"""The texts of a FAISS index as old releases of Mem0 keep them: a pickle of two dicts.

``(docstore, index_to_id)``; nothing of it is ever unpickled. Source: mem0ai 0.1,
``vector_stores/faiss.py`` (a delete takes the names out, and leaves the vector in the index).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan, Span, merged, without
from memory_gui.engine.plainfile import MOST_BYTES, Content
from memory_gui.stores.formats.mem0.faissindex import index_cut, place
from memory_gui.stores.formats.mem0.vectors import Going
from memory_gui.stores.pickleplaces import Pair, PickleCuts, Placed, placed, without_pairs
from memory_gui.stores.pickles import PickleError, read_pickle


def old_docs(content: Content) -> Mapping[Any, Any]:
    """The payloads by their ids, as they are; none where the pickle cannot be read."""
    try:
        value = read_pickle(content.data, MOST_BYTES)
    except PickleError:
        return {}
    docs = value[0] if isinstance(value, (tuple, list)) and value else None
    return docs if isinstance(docs, dict) else {}


def old_cuts(
    texts: Path, content: Content, index: Path, vectors: Content, going: Going
) -> tuple[FileCut, ...]:
    """What goes of both files; the records that stay, by their places.

    Raises:
        UserError: ``mem0.old_faiss``: the pickle is more than plain values, or what it would say
            afterwards is not just what it says now without them; ``mem0.faiss_index``.
    """
    gone = {entry.id for entry in going.rows}
    if not gone and not going.unlink:
        whole = FileCut(str(texts), place(content), kept=tuple(_kept(content.data)))
        return (whole, FileCut(str(index), place(vectors)))
    try:
        if going.unlink:
            raise PickleError("a list of links")
        found = placed(content.data)
        docs, ids = _parts(found)
        numbers = {int(pair.key.value): pair.value.value for pair in ids}
        made = _taken(found, docs, ids, gone)
        _check(content.data, made, gone)
    except (PickleError, ValueError) as error:
        raise UserError("mem0.old_faiss", path=str(texts)) from error
    kept = tuple(_named(found, [pair for pair in docs if str(pair.key.value) not in gone]))
    cut = FileCut(str(texts), place(content), merged(made.cuts), kept=kept, puts=tuple(made.puts))
    return (cut, index_cut(index, vectors, numbers, gone, some=True))


def _parts(found: Placed) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """The pairs of both dicts, each of which is its own."""
    if [one.made for one in found.top.parts] != ["dict", "dict"]:
        raise PickleError("not the two dicts")
    docs, ids = found.top.parts
    if docs.pairs and docs.pairs is ids.pairs:
        raise PickleError("one dict twice")
    return docs.pairs, ids.pairs


def _taken(found: Placed, docs: Sequence[Pair], ids: Sequence[Pair], gone: set[str]) -> PickleCuts:
    going = [pair for pair in docs if str(pair.key.value) in gone]
    going += [pair for pair in ids if pair.value.value in gone]
    before = sorted(int(pair.key.value) for pair in ids if pair.value.value in gone)
    moved = [
        (pair.key, int(pair.key.value) - bisect_left(before, pair.key.value))
        for pair in ids
        if pair.value.value not in gone
    ]
    return without_pairs(found, going, [(key, n) for key, n in moved if n != key.value])


def _check(data: bytes, made: PickleCuts, gone: set[str]) -> None:
    """What is written must say just what is said now, without what goes."""
    docs, ids = read_pickle(data, MOST_BYTES)
    after = read_pickle(without(data, merged(made.cuts), made.puts), MOST_BYTES)
    before = sorted(number for number, name in ids.items() if name in gone)
    wanted = (
        {name: value for name, value in docs.items() if str(name) not in gone},
        {n - bisect_left(before, n): name for n, name in ids.items() if name not in gone},
    )
    if not _same(after, wanted):
        raise PickleError("something else would be left")


def _same(first: Any, second: Any) -> bool:
    """Whether two values say the same. Each pair of parts is looked at once, however it nests."""
    waiting, seen = [(first, second)], set[tuple[int, int]]()
    while waiting:
        one, two = waiting.pop()
        if type(one) is not type(two):
            return False
        if not isinstance(one, (dict, list, tuple)):
            if one != two:
                return False
            continue
        if (id(one), id(two)) in seen:
            continue
        seen.add((id(one), id(two)))
        if len(one) != len(two):
            return False
        if isinstance(one, dict):
            waiting += zip(one, two, strict=True)
            waiting += zip(one.values(), two.values(), strict=True)
        else:
            waiting += zip(one, two, strict=True)
    return True


def _kept(data: bytes) -> Iterator[KeptSpan]:
    try:
        found = placed(data)
        yield from _named(found, _parts(found)[0])
    except PickleError:
        return


def _named(found: Placed, pairs: Sequence[Pair]) -> Iterator[KeptSpan]:
    """Where records lie, but for the heads of frames between their bytes."""
    heads = [(at, at + 9) for at, _ in found.frames]
    for pair in pairs:
        for start, end in _around((pair.start, pair.end), heads):
            yield KeptSpan(start, end, f"memory:{pair.key.value}")


def _around(span: Span, heads: Sequence[Span]) -> Iterator[Span]:
    at, stop = span
    for start, end in heads:
        if at < start < stop:
            yield (at, start)
            at = end
    if at < stop:
        yield (at, stop)
