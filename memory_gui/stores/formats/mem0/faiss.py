# SPDX-License-Identifier: MIT
"""A flat FAISS index, and the JSON file with its texts.

Sources: mem0ai 2.2.1, ``vector_stores/faiss.py`` (``docstore`` and ``index_to_id``; a delete builds
the index anew and numbers the rest); older releases a pickle of both (``oldfaiss``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.erasing import ErasePart, EraseRows, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan, Put, Span, merged
from memory_gui.engine.plainfile import Content, read_file, seen_of
from memory_gui.stores.files.jsonspans import (
    Member,
    cut_of,
    decoded,
    members,
    offsets,
    whole,
)
from memory_gui.stores.formats.mem0.faissindex import index_cut, place, size_of_vector
from memory_gui.stores.formats.mem0.links import links_cut
from memory_gui.stores.formats.mem0.oldfaiss import old_cuts, old_docs
from memory_gui.stores.formats.mem0.values import LINKS, Entry
from memory_gui.stores.formats.mem0.vectors import Going, Vectors
from memory_gui.stores.pickles import plain

KIND: Final = "embedding"


class Faiss(Vectors):
    """One collection: ``<name>.faiss`` and ``<name>.json`` (``.pkl``)."""

    label = "FAISS"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._index = path.with_suffix(".faiss")
        self._looked = self._stamp()
        self._changes = 0

    def read(self) -> list[Entry]:
        """The texts by their ids."""
        content = read_file(self.path)
        docs = _payloads(old_docs(content)) if self._is_old else self._docs(content)
        sizes = size_of_vector(read_file(self._index).data)
        return [
            Entry(name, (name,), payload, self.path.stem, size=sizes)
            for name, payload in docs.items()
        ]

    def token(self) -> tuple[int, ...]:
        """By the files' numbers and times."""
        now = self._stamp()
        if now != self._looked:
            self._looked = now
            self._changes += 1
        return (self._changes,)

    def row_of(self, key: tuple[str, ...]) -> str:
        """Ids are keys."""
        return key[0] if len(key) == 1 else ""

    def parts(self, going: Going) -> Sequence[ErasePart]:
        """Both files, written anew; everything but what goes stays byte for byte.

        Raises:
            UserError: ``mem0.old_faiss``: a pickle that is more than plain values;
                ``mem0.faiss_index``: an index that is laid out in another way.
        """
        read = (self.path, read_file(self.path), self._index, read_file(self._index))
        files = old_cuts(*read, going) if self._is_old else _Files(*read).cuts(going)
        keys = tuple(entry.key for entry in going.rows)
        rows = (EraseRows(self.path.name, ("id",), keys, KIND),) if keys else ()
        return (ErasePart(str(self.path), rows, files=files),)

    def side_files(self) -> tuple[SideFile, ...]:
        """The pickle that an older release left, which Mem0 no longer reads."""
        old = self.path.with_suffix(".pkl")
        if self._is_old or not old.is_file():
            return ()
        return (SideFile(str(old), "store_copy", cleanable=True),)

    @property
    def _is_old(self) -> bool:
        return self.path.suffix == ".pkl"

    def _docs(self, content: Content) -> Mapping[str, Mapping[str, Any]]:
        try:
            value = whole(decoded(content.data))
        except ValueError as error:
            raise UserError("store.damaged", path=str(self.path)) from error
        return _payloads(value.get("docstore") if isinstance(value, dict) else None)

    def _stamp(self) -> tuple[object, ...]:
        return seen_of(self.path), seen_of(self._index)


def _payloads(docs: object) -> dict[str, Mapping[str, Any]]:
    found = docs if isinstance(docs, dict) else {}
    return {
        str(name): one if isinstance(one := plain(value), dict) else {}
        for name, value in found.items()
    }


class _Files:
    """Both files as they are read, and the places in them."""

    def __init__(self, path: Path, texts: Content, index: Path, vectors: Content) -> None:
        self._path, self._texts = path, texts
        self._index, self._vectors = index, vectors
        self._text = decoded(texts.data)
        try:
            top = {one.name: one for one in members(self._text)}
            self._docs = members(self._text, top["docstore"].value_start)
            self._ids = members(self._text, top["index_to_id"].value_start)
        except (ValueError, KeyError) as error:
            raise UserError("store.damaged", path=str(path)) from error

    def cuts(self, going: Going) -> tuple[FileCut, ...]:
        """What goes of each; the records that stay, by their places."""
        gone = {entry.id for entry in going.rows}
        spans: list[Span] = []
        spans += self._members_cut(self._docs, lambda one: one.name in gone)
        spans += self._members_cut(self._ids, lambda one: one.value in gone)
        unlink = {entry.id: names for entry, names in going.unlink}
        for doc in self._docs:
            if doc.name in unlink and doc.name not in gone:
                spans += links_cut(self._text, doc.value_start, unlink[doc.name])
        puts = self._renumbered(gone) if gone else ()
        kept = [one for one in self._docs if one.name not in gone]
        at = self._bytes([place for one in kept for place in (one.start, one.end)])
        named = tuple(
            KeptSpan(at[2 * i], at[2 * i + 1], f"{_kind(one)}:{one.name}")
            for i, one in enumerate(kept)
        )
        texts = FileCut(str(self._path), place(self._texts), merged(spans), kept=named, puts=puts)
        return (texts, self._index_cut(gone))

    def _members_cut(self, parts: Sequence[Member], goes: Any) -> list[Span]:
        places = self._bytes([place for one in parts for place in (one.start, one.end)])
        spans = list(zip(places[::2], places[1::2], strict=True))
        return cut_of(spans, {i for i, one in enumerate(parts) if goes(one)})

    def _renumbered(self, gone: set[str]) -> tuple[Put, ...]:
        """The numbers that the vectors behind those that go have afterwards."""
        kept = sorted((int(one.name), one) for one in self._ids if one.value not in gone)
        puts = []
        for number, (before, one) in enumerate(kept):
            if number != before:
                start, end = self._bytes([one.start + 1, one.start + 1 + len(one.name)])
                puts.append((start, end, str(number).encode().hex()))
        return tuple(sorted(puts))

    def _index_cut(self, gone: set[str]) -> FileCut:
        try:
            numbers = {int(one.name): one.value for one in self._ids}
        except ValueError:
            numbers = {}
        return index_cut(self._index, self._vectors, numbers, gone, some=False)

    def _bytes(self, places: Sequence[int]) -> list[int]:
        return offsets(self._text, list(places))


def _kind(doc: Member) -> str:
    return "entity" if isinstance(doc.value, dict) and LINKS in doc.value else "memory"
