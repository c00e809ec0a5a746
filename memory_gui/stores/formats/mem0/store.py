# SPDX-License-Identifier: MIT
"""One open store of Mem0: its history and its vector stores, read together and erased together.

Nothing is changed but by an erase: another text would need another vector, which only a model can
make, and what Mem0 itself deletes stays readable in its history.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import Capability, StoreInfo, Told
from memory_gui.domain.erasing import EraseScope, SideFile
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.stores.contract import SCAN_ROWS, Store
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.mem0.content import Content, Opened
from memory_gui.stores.formats.mem0.records import KINDS, NAME, Reader
from memory_gui.stores.formats.mem0.scope import Planner, named
from memory_gui.stores.naming import the_one

_VECTOR: Final = "mem0.needs_vector"
_LEAVES: Final = "mem0.leaves_text"
Today = Callable[[], date]


def today() -> date:
    """By which Mem0 tells whether a memory has run out."""
    return datetime.now(UTC).date()


class Mem0Store(Store):
    """Readable only: Mem0 has no encrypted files."""

    format = NAME
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    capabilities = Capability.WATCH | Capability.ERASE
    reasons = MappingProxyType(
        {
            "add": _VECTOR,
            "edit": _VECTOR,
            "tag": "mem0.no_tags",
            "trash": _LEAVES,
            "restore": _VECTOR,
            "delete": _LEAVES,
            "review": "mem0.no_review",
            "encrypt": "mem0.several_files",
        }
    )

    def __init__(self, main: Path, opened: Opened, mode: Mode, day: Today = today) -> None:
        """Take over the open files."""
        self.id = StoreId(str(main))
        self.main = main
        self._opened = opened
        self._mode = mode
        self._reader = Reader(self.id, opened, day())
        self._looked = opened.token()
        self._changes = 0

    # ---- reading

    def info(self) -> StoreInfo:
        """As any store."""
        content = self._opened.content()
        counts: dict[str, dict[State, int]] = {kind: {} for kind in self.kinds}
        for memory in content.memories.values():
            state = self._reader.state(memory)
            counts["memory"][state] = counts["memory"].get(state, 0) + 1
        for kind, number in (
            ("message", len(content.messages)),
            ("history", len(content.events)),
            ("entity", len(content.entities)),
        ):
            if number:
                counts[kind][State.LIVE] = number
        foreign = tuple(sql for one in self._opened.histories for sql in one.foreign)
        return StoreInfo(
            id=self.id,
            path=str(self.main),
            format=NAME,
            agent="Mem0",
            agent_version="",
            role="alone",
            encrypted=False,
            cipher={},
            journal_mode=self._journal_mode,
            writable=False,
            capabilities=self.capabilities,
            counts=counts,
            kinds=self.kinds,
            notes=("foreign.objects",) if foreign else (),
            foreign_sql=foreign,
            declared=self.declared,
            reasons=self.reasons,
            told=self.told(),
            parts=tuple(str(path) for path in self._opened.paths if path != self.main),
        )

    def told(self) -> tuple[Told, ...]:
        """Where it is; what Mem0 deleted and left; what cannot be read."""
        content = self._opened.content()
        told = []
        if self._opened.vectors:
            places = [f"{one.label} ({one.path})" for one in self._opened.vectors]
            told.append(Told("mem0.places", {"places": ", ".join(places)}))
        elif not self._opened.unread:
            told.append(Told("mem0.no_vectors"))
        if self._opened.unread:
            told.append(Told("mem0.unread", {"places": ", ".join(self._opened.unread)}))
        if not self._opened.histories:
            told.append(Told("mem0.no_history"))
        left = sum(map(self._reader.is_deleted, content.memories.values()))
        if left:
            told.append(Told("mem0.left", {"n": left}))
        if content.unreadable:
            told.append(Told("mem0.broken", {"n": content.unreadable}))
        return tuple(told)

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records of the kinds, in batches."""
        content = self._opened.content()
        for kind in self.kinds:
            if kinds and kind not in kinds:
                continue
            refs = self._reader.refs(content, kind)
            for start in range(0, len(refs), SCAN_ROWS):
                some = refs[start : start + SCAN_ROWS]
                yield tuple(one for ref in some if (one := self._reader.record(content, ref)))

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        content = self._opened.content()
        return tuple(self._record(content, ref) for ref in refs)

    def _record(self, content: Content, ref: Ref) -> Record | None:
        if ref.kind == "embedding":  # a row of a vector store, as an erase names it
            name = named(self._opened, ref)
            kind = "memory" if name in content.memories else "entity"
            ref = Ref(self.id, kind, (name,))
        return self._reader.record(content, ref)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when records of several kinds have that key.
        """
        content = self._opened.content()
        return the_one(
            ref, self.id, self.kinds, lambda one: self._reader.record(content, one) is not None
        )

    def change_token(self) -> int:
        """How often another program was seen to have changed one of the files."""
        now = self._opened.token()
        if now != self._looked:
            self._looked = now
            self._changes += 1
        return self._changes

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """What goes of each file.

        Raises:
            UserError: ``mem0.old_faiss``, ``mem0.faiss_index``, ``mem0.chroma_index``.
        """
        planner = Planner(self.id, self._opened, self._reader.record)
        return planner.scope(self.main, refs, also_texts, check)

    def layout(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Of the main file, where that is a database; its parts say their own."""
        for one in self._opened.histories:
            if one.path == self.main:
                return {kind: (table, columns) for table, kind, columns in one.tables}
        for other in self._opened.vectors:
            if other.path == self.main:
                return {kind: (table, columns) for table, kind, columns in other.tables}
        return {}

    def side_files(self) -> tuple[SideFile, ...]:
        """Beside the vector stores."""
        found = (file for one in self._opened.vectors for file in one.side_files())
        return tuple(dict.fromkeys(found))

    # ---- ending

    def interrupt(self) -> None:
        """Stop the statement that runs now."""
        self._opened.interrupt()

    def close(self) -> None:
        """Close every file."""
        self._opened.close()

    @property
    def _journal_mode(self) -> str:
        found = (one.connection.journal_mode for one in self._opened.histories)
        return next(found, "")
