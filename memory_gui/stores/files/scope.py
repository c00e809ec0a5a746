# SPDX-License-Identifier: MIT
"""What an erase takes out of text files: by file, where it lies, and where lies what stays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

from memory_gui.domain.changes import Capability
from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.filecuts import FileCut, KeptSpan, Span, merged
from memory_gui.domain.records import Ref
from memory_gui.domain.work import nobody_asks
from memory_gui.stores.contract import Store
from memory_gui.stores.files.document import Doc, Item

_ASK_EACH: Final = 256
D = TypeVar("D", bound=Doc)


class ErasableFiles(Store, Generic[D]):
    """The half of a store of text files that plans erasures."""

    main: Path
    key_columns: Mapping[str, tuple[str, ...]]
    """Kind -> what the parts of its key are."""
    _docs: dict[Path, D]
    _items: dict[Ref, Item]

    @abstractmethod
    def cuts(self, doc: D, items: Sequence[Item]) -> tuple[Span, ...]:
        """The bytes that go with some records of a file, and all others stay as they are."""

    @abstractmethod
    def refresh(self) -> None:
        """Read again what another program has changed."""

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

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        """The bytes that go, by file; every file is searched afterwards, whether it is changed."""
        if Capability.ERASE not in self.capabilities:
            raise self.cannot("erase")
        self.refresh()
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
            unread=tuple(map(str, self.unread())),
        )

    def unread(self) -> tuple[Path, ...]:
        """Files that belong to the store and were not read; most formats have one file."""
        return ()

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

    def _label(self, path: Path) -> str:
        """A file's name as a person knows it, from the store's own folder on."""
        if path == self.main:
            return path.name
        with suppress(ValueError):
            return path.relative_to(self.main).as_posix()
        return path.name
