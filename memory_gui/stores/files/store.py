# SPDX-License-Identifier: MIT
"""A store that is made of text files, each read as a whole: what all of its formats share."""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from memory_gui.domain.changes import (
    Fields,
    StoreInfo,
    Target,
    Told,
)
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.engine.plainfile import Content, Seen, read_file, seen_of
from memory_gui.engine.replacing import replace_file, sweep_beside
from memory_gui.stores.contract import SCAN_ROWS
from memory_gui.stores.files.document import Doc, Item, Splice, spliced
from memory_gui.stores.files.scope import ErasableFiles
from memory_gui.stores.format import Mode
from memory_gui.stores.naming import the_one

_TRIES: Final = 4
"""So often is a change made anew on top of what another program wrote at the same moment."""


D = TypeVar("D", bound=Doc)

Build = Callable[[D], Sequence[Splice]]
"""What is to become of a file as it is now. Raises what speaks against it."""


class FilesStore(ErasableFiles[D], Generic[D]):
    """The records as they were when the files were last looked at. One thread."""

    agent: str
    agent_version = ""
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

    def read(self, path: Path) -> Content:
        """A file as it lies there."""
        return read_file(path)

    # ---- reading

    def info(self) -> StoreInfo:
        """As any store."""
        self.refresh()
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
        self.refresh()
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
        self.refresh()
        found = [self._items.get(ref) for ref in refs]
        return tuple(None if item is None else item.record for item in found)

    def resolve(self, ref: RefText) -> Ref | None:
        """The record that a person's text names.

        Raises:
            UserError: ``ref.ambiguous`` when records of several kinds have that key.
        """
        self.refresh()
        return the_one(ref, self.id, self.kinds, lambda one: one in self._items)

    def change_token(self) -> int:
        """How often another program was seen to have changed a file."""
        self._look()
        return self._foreign

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
        self.refresh()
        item = self._items.get(target.ref)
        if item is None:
            raise UserError("record.gone", ref=target.ref.text)
        if target.etag is not None and target.etag != item.record.etag:
            raise UserError("record.changed", ref=target.ref.text)
        return item

    def editable(self, target: Target, fields: Fields) -> Item:  # noqa: ARG002 - it says no
        """The record that may be changed to these fields. Raises what speaks against it."""
        raise self.cannot("edit")

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        """What speaks against an act."""
        kind = next((kind for kind in self.declared if kind.name == target.ref.kind), None)
        if kind is None or act not in kind.acts:
            raise self.cannot(act)
        if act == "edit":
            self.editable(target, fields or {})
        else:
            self.wanted(target)

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
            self.refresh()
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
        self.refresh()
        return self._docs[path]

    @property
    def items(self) -> dict[Ref, Item]:
        """The records by their refs, as they were last read."""
        return self._items

    # ---- inside

    def _look(self) -> bool:
        """Whether another program has changed a file since it was read."""
        now = {path: seen_of(path) for path in self.members()}
        if now == self._known:
            return False
        self._foreign += 1
        self._known = now
        return True

    def refresh(self) -> None:
        """Read again what another program has changed."""
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
