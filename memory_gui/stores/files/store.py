# SPDX-License-Identifier: MIT
"""A store that is made of text files, each read as a whole: what all of its formats share."""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, Generic, TypeVar

from memory_gui.domain.changes import (
    Capability,
    EraseRows,
    EraseScope,
    StoreInfo,
    Target,
    Told,
)
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan, Span, merged
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.plainfile import Content, Seen, read_file, seen_of
from memory_gui.engine.replacing import replace_file, sweep_beside
from memory_gui.stores.contract import SCAN_ROWS, Mode, Store

_TRIES: Final = 4
"""So often is a change made anew on top of what another program wrote at the same moment."""
_ASK_EACH: Final = 256


@dataclass(frozen=True, slots=True)
class Item:
    """One record and where its own bytes lie. ``texts`` are what an erase of it must leave out."""

    record: Record
    path: Path
    span: Span
    texts: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes of a file that become others."""

    start: int
    end: int
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Doc:
    """One file as it was read, and its records in the order in which they stand."""

    path: Path
    content: Content
    items: tuple[Item, ...] = ()
    told: tuple[Told, ...] = ()

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.content.data


D = TypeVar("D", bound=Doc)

Build = Callable[[D], Sequence[Splice]]
"""What is to become of a file as it is now. Raises what speaks against it."""


def spliced(data: bytes, splices: Sequence[Splice]) -> bytes:
    """The bytes with some of them replaced. Splices do not overlap."""
    parts: list[bytes] = []
    at = 0
    for one in sorted(splices, key=lambda one: (one.start, one.end)):
        parts += (data[at : one.start], one.data)
        at = one.end
    parts.append(data[at:])
    return b"".join(parts)


def etag_of(raw: bytes) -> str:
    """Of a record's own bytes."""
    return sha256(raw).hexdigest()[:16]


class FilesStore(Store, Generic[D]):
    """The records as they were when the files were last looked at. One thread."""

    agent: str
    agent_version = ""
    key_columns: Mapping[str, tuple[str, ...]]
    """Kind -> what the parts of its key are."""
    follows_path = True

    def __init__(self, main: Path, mode: Mode) -> None:
        self.id = StoreId(str(main))
        self.main = main
        self._mode = mode
        self._stopped = threading.Event()
        self._docs: dict[Path, D] = {}
        self._items: dict[Ref, Item] = {}
        self._known: dict[Path, Seen | None] = {}
        self._foreign = 0
        if mode is Mode.CHANGE:
            sweep_beside(main)
        self._read_all()

    # ---- what a format says

    @abstractmethod
    def members(self) -> tuple[Path, ...]:
        """The files that are read, whether they are there or not."""

    @abstractmethod
    def parse(self, path: Path, content: Content) -> D:
        """A file's records. Raises ``store.*`` where it is no file of this format."""

    @abstractmethod
    def cuts(self, doc: D, items: Sequence[Item]) -> tuple[Span, ...]:
        """The bytes that go with some records of a file, and all others stay as they are."""

    def read(self, path: Path) -> Content:
        """A file as it lies there."""
        return read_file(path)

    def along(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """The records that go with others of themselves, those included: as their agent does it."""
        return tuple(items)

    def sameness(self, item: Item) -> object:
        """What is the same for exact repetitions, which go together; None for what is no text."""
        if self.goes_whole(item.path) or not any(item.texts):
            return None
        return item.record.kind, item.texts

    def kept_spans(self, doc: D, gone: set[Ref]) -> tuple[KeptSpan, ...]:
        """Where the records of a file lie that stay."""
        return tuple(
            KeptSpan(*item.span, item.record.ref.text)
            for item in doc.items
            if item.record.ref not in gone
        )

    def goes_whole(self, path: Path) -> bool:
        """Whether a record of that file is the file."""
        del path
        return False

    # ---- reading

    def info(self) -> StoreInfo:
        """As any store."""
        self._refresh()
        counts: dict[str, dict[State, int]] = {kind: {} for kind in self.kinds}
        for item in self._items.values():
            states = counts[item.record.kind]
            states[item.record.state] = states.get(item.record.state, 0) + 1
        writable = self._may_be_written()
        return StoreInfo(
            id=self.id,
            path=str(self.main),
            format=self.format,
            agent=self.agent,
            agent_version=self.agent_version,
            role="alone",
            encrypted=False,
            cipher={},
            journal_mode="",
            writable=self._mode is Mode.CHANGE,
            capabilities=self.capabilities,
            counts=counts,
            kinds=self.kinds,
            notes=() if writable else ("opened.read_only",),
            declared=self.declared,
            reasons=self.reasons,
            told=self.told(),
        )

    def told(self) -> tuple[Told, ...]:
        """What a person should know of this very store."""
        return tuple(one for doc in self._docs.values() for one in doc.told)

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All records, file after file, in the order in which they stand."""
        self._refresh()
        records = [
            item.record for item in self._items.values() if not kinds or item.record.kind in kinds
        ]
        for start in range(0, len(records), SCAN_ROWS):
            if self._stopped.is_set():
                self._stopped.clear()
                raise Cancelled
            yield tuple(records[start : start + SCAN_ROWS])

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The records in the order asked."""
        self._refresh()
        found = [self._items.get(ref) for ref in refs]
        return tuple(None if item is None else item.record for item in found)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when records of several kinds have that key.
        """
        self._refresh()
        kinds = self.kinds if ref.kind is None else (ref.kind,)
        found = [one for kind in kinds if (one := Ref(self.id, kind, ref.key)) in self._items]
        if len(found) > 1:
            raise UserError("ref.ambiguous", kinds=", ".join(one.kind for one in found))
        return found[0] if found else None

    def change_token(self) -> int:
        """How often another program was seen to have changed a file."""
        self._look()
        return self._foreign

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """The bytes that go, by file; every file is searched afterwards, whether it is changed."""
        if Capability.ERASE not in self.capabilities:
            raise self.cannot("erase")
        self._refresh()
        chosen = [item for ref in refs if (item := self._items.get(ref)) is not None]
        going = self._going(chosen, check)
        texts = [text for item in going for text in item.texts if text]
        texts = list(dict.fromkeys([*texts, *also_texts]))
        return EraseScope(
            self.id,
            self._rows(going),
            tuple(texts),
            missing=tuple(ref for ref in refs if ref not in self._items),
            still_in=self._still_in(going, texts, check),
            files=self._file_cuts(going),
        )

    def _going(self, chosen: Sequence[Item], check: Callable[[], object]) -> list[Item]:
        """The chosen ones, what goes with them, and exact repetitions of the same text."""
        going = {item.record.ref: item for item in self.along(chosen)}
        said = {self.sameness(item) for item in going.values()} - {None}
        for place, item in enumerate(self._items.values()):
            if place % _ASK_EACH == 0:
                check()
            if said and self.sameness(item) in said:
                going.setdefault(item.record.ref, item)
        return list({i.record.ref: i for i in self.along(list(going.values()))}.values())

    def _still_in(
        self, going: Sequence[Item], texts: Sequence[str], check: Callable[[], object]
    ) -> tuple[Ref, ...]:
        gone = {item.record.ref for item in going}
        folded = [text.casefold() for text in texts]
        found = []
        for place, (ref, item) in enumerate(self._items.items()):
            if place % _ASK_EACH == 0:
                check()
            if ref not in gone and folded and not self.goes_whole(item.path):
                own = "\n".join((*item.texts, *item.record.searchable())).casefold()
                if any(text in own for text in folded):
                    found.append(ref)
        return tuple(found)

    def _rows(self, going: Sequence[Item]) -> tuple[EraseRows, ...]:
        by_place: dict[tuple[str, str], list[tuple[str | int, ...]]] = {}
        for item in going:
            ref = item.record.ref
            by_place.setdefault((self._label(item.path), ref.kind), []).append(ref.key)
        return tuple(
            EraseRows(table, self.key_columns[kind], tuple(keys), kind)
            for (table, kind), keys in by_place.items()
        )

    def _file_cuts(self, going: Sequence[Item]) -> tuple[FileCut, ...]:
        """Every file that is there; one that is a record by itself only where it goes.

        Of those that stay the text is overwritten, as in the agent's other files.
        """
        paths = {item.path for item in going}
        return tuple(
            self._file_cut(doc, going)
            for doc in self._docs.values()
            if doc.content.seen and (doc.path in paths or not self.goes_whole(doc.path))
        )

    def _file_cut(self, doc: D, going: Sequence[Item]) -> FileCut:
        seen = doc.content.seen
        assert seen is not None  # noqa: S101 - only files that are there
        gone = {item.record.ref for item in going if item.path == doc.path}
        mine = [item for item in doc.items if item.record.ref in gone]
        place = (seen.device, seen.inode, seen.size, seen.changed)
        if mine and self.goes_whole(doc.path):
            return FileCut(str(doc.path), place, whole=True)
        return FileCut(
            str(doc.path),
            place,
            merged(self.cuts(doc, mine)) if mine else (),
            kept=self.kept_spans(doc, gone),
        )

    # ---- ending

    def interrupt(self) -> None:
        """Stop a running scan."""
        self._stopped.set()

    def close(self) -> None:
        """Forget the records."""
        self._docs, self._items = {}, {}

    # ---- for formats

    def wanted(self, target: Target) -> Item:
        """The record that an act is meant for, as it is now.

        Raises:
            UserError: ``record.gone``, ``record.changed``.
        """
        self._refresh()
        item = self._items.get(target.ref)
        if item is None:
            raise UserError("record.gone", ref=target.ref.text)
        if target.etag is not None and target.etag != item.record.etag:
            raise UserError("record.changed", ref=target.ref.text)
        return item

    def must_change(self) -> None:
        """Raise ``store.read_only`` in a store that is only looked at."""
        if self._mode is not Mode.CHANGE:
            raise UserError("store.read_only", path=str(self.main))

    def rewrite(self, path: Path, build: Build[D], settle: Callable[[D], object]) -> bool:
        """Write a file anew; what another program writes at the same moment is kept.

        ``build`` sees the file as it is now. ``settle`` is told of the file before the change when
        it was made, and before it is read again. False where there was nothing to change.
        """
        for _ in range(_TRIES):
            self._refresh()
            doc = self._docs[path]
            splices = build(doc)
            after = spliced(doc.data, splices)
            if after == doc.data:
                return False
            try:
                content = replace_file(path, doc.content, after)
            except UserError as error:
                if error.code == "file.changed":
                    continue
                if error.code == "file.not_wiped":
                    self._read_all()
                raise
            settle(doc)
            self._known[path] = content.seen
            self._docs[path] = self.parse(path, content)
            self._index()
            return True
        raise UserError("file.changed", path=str(path))

    def create(self, path: Path, raw: bytes) -> None:
        """A file that is not there.

        Raises:
            UserError: ``file.changed``: there is one now; ``store.*``.
        """
        replace_file(path, Content(), raw)
        self.reread()

    def reread(self) -> None:
        """After a change of our own to which files there are."""
        self._known = {path: seen_of(path) for path in self.members()}
        self._read_all()

    def doc(self, path: Path) -> D:
        """A file as it is now."""
        self._refresh()
        return self._docs[path]

    @property
    def items(self) -> dict[Ref, Item]:
        """The records by their refs, as they were last read."""
        return self._items

    # ---- inside

    def _label(self, path: Path) -> str:
        """A file's name as a person knows it, from the store's own folder on."""
        if path == self.main:
            return path.name
        with suppress(ValueError):
            return path.relative_to(self.main).as_posix()
        return path.name

    def _look(self) -> bool:
        """Whether another program has changed a file since it was read."""
        now = {path: seen_of(path) for path in self.members()}
        if now == self._known:
            return False
        self._foreign += 1
        self._known = now
        return True

    def _refresh(self) -> None:
        if self._look() or self._known != {p: d.content.seen for p, d in self._docs.items()}:
            self._read_all()

    def _read_all(self) -> None:
        docs = {}
        for path in self.members():
            before = self._docs.get(path)
            if before is not None and before.content.seen == self._known.get(path) is not None:
                docs[path] = before
            else:
                docs[path] = self.parse(path, self.read(path))
        self._docs = docs
        self._known = {path: doc.content.seen for path, doc in docs.items()}
        self._index()

    def _index(self) -> None:
        self._items = {item.record.ref: item for doc in self._docs.values() for item in doc.items}

    def _may_be_written(self) -> bool:
        there = [path for path in self.members() if path.exists()]
        folders = {path.parent for path in there} or {self.main}
        return all(os.access(path, os.W_OK) for path in there) and all(
            os.access(folder, os.W_OK | os.X_OK) for folder in folders
        )
