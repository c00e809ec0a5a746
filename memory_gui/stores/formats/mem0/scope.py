# SPDX-License-Identifier: MIT
"""What an erase takes of a Mem0 store: of each file what is of the memories, and nothing else.

A memory goes with its rows in every vector store, what a log says of them, its history, the talk
that it is from (Mem0 keeps the last ten messages) and the names that pointed to it alone. Names
that point to others as well lose the link.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.erasing import ErasePart, EraseScope
from memory_gui.domain.kinds import without_repeats
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.stores.formats.mem0.content import Content, Opened
from memory_gui.stores.formats.mem0.records import KINDS
from memory_gui.stores.formats.mem0.values import Entry, Memory
from memory_gui.stores.formats.mem0.vectors import Going
from memory_gui.stores.sql.windows import Windows

_LABEL_BYTES: Final = 12
"""Shorter names are words of the trade, which prove nothing."""
_BATCH: Final = 500


@dataclass(slots=True)
class _Chosen:
    """What refs name, and what goes along."""

    memories: dict[str, Memory] = field(default_factory=dict)
    entities: dict[str, list[tuple[int, Entry]]] = field(default_factory=dict)
    unlinked: dict[str, frozenset[str]] = field(default_factory=dict)
    events: dict[str, None] = field(default_factory=dict)
    messages: dict[str, None] = field(default_factory=dict)
    missing: list[Ref] = field(default_factory=list)


class Planner:
    """Plans one erase over what was read. ``record_of`` reads a record."""

    def __init__(
        self, store: StoreId, opened: Opened, record_of: Callable[[Content, Ref], Record | None]
    ) -> None:
        self._store = store
        self._opened = opened
        self._content = opened.content()
        self._record_of = record_of
        self._chosen = _Chosen()

    def scope(
        self, main: Path, refs: Sequence[Ref], also: Sequence[str], check: Callable[[], object]
    ) -> EraseScope:
        """What goes, by file. Files from which nothing goes are searched all the same."""
        self._choose(refs)
        self._along()
        texts, names = self._texts()
        texts = list(dict.fromkeys([*texts, *(text for text in also if text.strip())]))
        still_in, held = self._kept(texts, names, check)
        parts = self._parts()
        mine = next((part for part in parts if part.path == str(main)), ErasePart(str(main)))
        return EraseScope(
            self._store,
            mine.rows,
            tuple(dict.fromkeys((*texts, *(name for name in names if name not in held)))),
            missing=tuple(self._chosen.missing),
            still_in=still_in,
            unread=self._opened.unread,
            files=mine.files,
            cells=mine.cells,
            locks=mine.locks,
            parts=tuple(part for part in parts if part.path != str(main)),
            beyond=self._beyond(),
        )

    def _beyond(self) -> tuple[Told, ...]:
        """Files that a Mem0 has, and that were not found for this one."""
        if not self._opened.vectors:
            return (Told("limit.mem0_vectors"),)
        return () if self._opened.histories else (Told("limit.mem0_history"),)

    def _choose(self, refs: Sequence[Ref]) -> None:
        content, chosen = self._content, self._chosen
        for ref in refs:
            if ref.store != self._store:
                continue
            name = named(self._opened, ref)
            if ref.kind in ("memory", "embedding") and name in content.memories:
                chosen.memories[name] = content.memories[name]
            elif ref.kind in ("entity", "embedding") and name in content.entities:
                chosen.entities[name] = content.entities[name]
            elif ref.kind == "history" and name in content.events:
                chosen.events[name] = None
            elif ref.kind == "message" and name in content.messages:
                chosen.messages[name] = None
            else:
                chosen.missing.append(ref)

    def _along(self) -> None:
        """Talks of the memories; names that pointed to nothing else; single rows are in theirs."""
        content, chosen = self._content, self._chosen
        gone = frozenset(chosen.memories)
        scopes = {scope for memory in chosen.memories.values() if (scope := memory.scope)}
        for message in content.messages.values():
            if message.scope in scopes:
                chosen.messages[message.id] = None
        for memory in chosen.memories.values():
            for _, entry in memory.entities:
                links = {link for _, one in content.entities[entry.id] for link in one.links}
                if links <= gone:
                    chosen.entities[entry.id] = content.entities[entry.id]
                elif entry.id not in chosen.entities:
                    chosen.unlinked[entry.id] = frozenset(links & gone)
        for name in [one for one in chosen.events if content.events[one].memory in gone]:
            del chosen.events[name]

    def _texts(self) -> tuple[list[str], list[str]]:
        """What must be gone; and names, which must where nobody else has them."""
        content, chosen = self._content, self._chosen
        found = [text for memory in chosen.memories.values() for text in memory.texts]
        for name in chosen.events:
            event = content.events[name]
            present = content.memories[event.memory].text
            found += [text for text in (event.before, event.after) if text != present]
        found += [content.messages[name].content for name in chosen.messages]
        texts = dict.fromkeys(text.strip() for text in found if text.strip())
        said = [entry.text().strip() for some in chosen.entities.values() for _, entry in some]
        said += [label.strip() for one in chosen.memories.values() for label in one.labels]
        names = [name for name in said if len(name.encode(errors="replace")) >= _LABEL_BYTES]
        return list(texts), list(dict.fromkeys(name for name in names if name not in texts))

    def _kept(
        self, texts: Sequence[str], names: Sequence[str], check: Callable[[], object]
    ) -> tuple[tuple[Ref, ...], set[str]]:
        """Records that stay and carry a text, and the names that they have."""
        found: list[Ref] = []
        held: set[str] = set()
        if not texts and not names:
            return (), held
        windows = Windows(texts, check)
        staying = list(self._staying())
        for start in range(0, len(staying), _BATCH):
            check()
            refs = staying[start : start + _BATCH]
            said = ["\n".join(self._said(ref)) for ref in refs]
            found += [refs[place] for place in sorted(windows.in_texts(said))]
            every = "\n".join(said).casefold()
            held |= {name for name in names if name.casefold() in every}
        return tuple(found), held

    def _said(self, ref: Ref) -> tuple[str, ...]:
        record = self._record_of(self._content, ref)
        return () if record is None else without_repeats(record, KINDS).searchable()

    def _staying(self) -> Iterator[Ref]:
        content, chosen = self._content, self._chosen
        there: Sequence[tuple[str, Iterable[str], Collection[str]]] = (
            ("memory", content.memories, chosen.memories),
            ("message", content.messages, chosen.messages),
            ("entity", content.entities, chosen.entities),
            ("history", content.events, chosen.events),
        )
        for kind, names, going in there:
            for name in names:
                event = content.events.get(name) if kind == "history" else None
                if name not in going and (event is None or event.memory not in chosen.memories):
                    yield Ref(self._store, kind, (name,))

    def _parts(self) -> list[ErasePart]:
        chosen = self._chosen
        counts = {name: len(memory.events) for name, memory in chosen.memories.items()}
        events, messages = list(chosen.events), list(chosen.messages)
        parts = [one.part(counts, events, messages) for one in self._opened.histories]
        for vectors, going in zip(self._opened.vectors, self._going(), strict=True):
            parts += vectors.parts(going)
        return parts

    def _going(self) -> list[Going]:
        """What goes of each vector store."""
        chosen = self._chosen
        going = [Going() for _ in self._opened.vectors]
        for memory in chosen.memories.values():
            for number, entry in memory.rows:
                going[number].rows.append(entry)
            for number, entry in memory.past:
                going[number].past.append(entry)
        for some in chosen.entities.values():
            for number, entry in some:
                (going[number].past if entry.past else going[number].rows).append(entry)
        for name in chosen.unlinked.keys() - chosen.entities.keys():
            for number, entry in self._content.entities[name]:
                gone = chosen.unlinked[name] & set(entry.links)
                going[number].unlink.append((entry, gone))
        return going


def named(opened: Opened, ref: Ref) -> str:
    """The id that a ref means; a vector store's own key stands for what it is the row of."""
    if ref.kind == "embedding":
        for one in opened.vectors:
            if name := one.row_of(ref.key):
                return name
    return ref.key[0] if len(ref.key) == 1 else ""
