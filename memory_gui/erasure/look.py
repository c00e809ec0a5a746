# SPDX-License-Identifier: MIT
"""Looking into a database, its logs and the files beside it, as they lie on the disk."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.work import Tick
from memory_gui.engine.pages.btree import PageError, PageMap
from memory_gui.engine.pages.cipher import MAGIC, find_cipher
from memory_gui.engine.pages.file import LARGEST_PAGE, PageFile
from memory_gui.engine.pages.fts5 import stray_entries
from memory_gui.engine.pages.survey import TREE, Chain, Survey, nonzero
from memory_gui.engine.pages.wal import Image, journal_images, wal_images
from memory_gui.erasure.places import Places, Wanted, full_text_in
from memory_gui.erasure.probes import (
    WINDOW,
    Batch,
    Span,
    batches,
    is_short,
    is_word,
    short_batch,
)
from memory_gui.erasure.proof import Find, Proof, Structure
from memory_gui.erasure.rowsleft import rows_left

_CHUNK: Final = 1 << 20
_UTF_8: Final = 1
"""In a file's header."""
_LONGEST_FORM: Final = 1 << 12
"""Chunks overlap by this much, so that no short text is cut (longer ones are found by windows)."""

_Read = TypeVar("_Read", bound=tuple[Any, ...])


def open_file(path: Path, key: Key | None) -> PageFile:
    """The database's pages, read only.

    Raises:
        UserError: ``store.missing``, ``store.not_a_database``, ``key.needed``, ``key.wrong``,
            ``key.not_encrypted``.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise UserError("store.missing", path=str(path)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UserError("store.not_a_database", path=str(path))
        head = os.pread(descriptor, LARGEST_PAGE, 0)
        cipher = None
        if key is None and head[:16] != MAGIC:
            raise UserError("key.needed", path=str(path), reason="none")
        if key is not None:
            if head[:16] == MAGIC:
                raise UserError("key.not_encrypted", path=str(path))
            cipher = find_cipher(key, head)
            if cipher is None:
                raise UserError("key.wrong", path=str(path))
        return PageFile(descriptor, cipher, str(path))
    except BaseException:
        os.close(descriptor)
        raise


@dataclass(slots=True)
class Logs:
    """What the log and the journal hold."""

    frames: int = 0
    hits: int = 0
    places: dict[str, int] = field(default_factory=dict)


class Look:
    """One database, looked at once for its structure and once per batch of texts."""

    def __init__(self, file: PageFile, path: Path, wanted: Wanted, tick: Tick) -> None:
        self._file = file
        self._path = path
        self._wanted = wanted
        self._tick = tick
        self._hits = 0

    def prove(self, texts: Sequence[str], side_files: Sequence[SideFile]) -> Proof:
        """Structure, content and side files. The time is the caller's to fill in."""
        survey = Survey(self._file)
        places = Places(survey, self._wanted)
        logs = self._log_structure()
        found = [Find(side.path, side.what, 0) for side in side_files]
        walked = False
        shorts = short_batch(texts, words=self._wanted.words)
        for number, batch in enumerate(batches(texts), 1):
            self._tick("prove-content", number, 0)
            if walked:
                self._again(survey, places, batch)
            else:
                self._walk(survey, places, batch)
            walked = True
            logs.hits += self._log_content(batch)
            found = self._side_files(side_files, batch, found)
        if not walked:
            self._walk(survey, places, None)
        if shorts is not None:
            self._tick("prove-content", 0, 0)
            self._scan_values(survey, places, shorts)
            found = self._side_files(side_files, shorts, found)
        places.finish()
        fulltext, unjudged = self._full_text(survey, places)
        left = rows_left(survey, self._wanted)
        by_place = {**survey.residue.places, **logs.places}
        return Proof(
            by="content+structure" if texts else "structure",
            pages=self._file.header.pages,
            frames=logs.frames,
            hits=self._hits + places.hits + unjudged + logs.hits + left,
            kept_hits=places.kept,
            structure=Structure(
                free_pages=survey.free_pages,
                nonzero_bytes=sum(by_place.values()),
                fragments=survey.residue.fragments,
                unreadable=len(survey.residue.unreadable),
                fulltext=fulltext,
                schema_copies=survey.residue.copies,
                by_place=by_place,
            ),
            finds=(*places.apart, *found),
            texts=len(texts),
            cells_only=sum(1 for text in texts if is_short(text)),
            words_only=sum(1 for text in texts if self._wanted.words and is_word(text)),
        )

    def _side_files(
        self, side_files: Sequence[SideFile], batch: Batch, found: Sequence[Find]
    ) -> list[Find]:
        looked = []
        for place, (side, before) in enumerate(zip(side_files, found, strict=True)):
            self._tick("prove-side-files", place, len(side_files))
            looked.append(look_into(side, batch, before))
        return looked

    # ---- the database

    def _walk(self, survey: Survey, places: Places, batch: Batch | None) -> None:
        pages = self._file.header.pages
        seen = 0
        for some in _chunks(survey.walk()):
            seen += len(some)
            self._tick("prove-structure", seen, pages)
            if batch is not None:
                self._scan(survey, places, batch, some)
        if batch is not None:
            self._scan_chains(survey, places, batch)

    def _again(self, survey: Survey, places: Places, batch: Batch) -> None:
        for some in _chunks(self._tree_pages(survey)):
            self._scan(survey, places, batch, some)
        self._scan_chains(survey, places, batch)

    def _tree_pages(self, survey: Survey) -> Iterator[tuple[int, bytes]]:
        for number in range(1, len(survey.role)):
            if survey.role[number] == TREE:
                with contextlib.suppress(PageError):
                    yield number, self._file.page(number)

    def _scan(
        self,
        survey: Survey,
        places: Places,
        batch: Batch,
        pages: Sequence[tuple[int, bytes]],
    ) -> None:
        """Finds within each page of a tree."""
        mine = [(number, page) for number, page in pages if survey.role[number] == TREE]
        for at, spans in batch.scan_all([page for _, page in mine]).items():
            self._place(survey, places, *mine[at], spans)

    def _place(
        self, survey: Survey, places: Places, number: int, page: bytes, spans: Sequence[Span]
    ) -> None:
        """Whose finds they are. A cell that goes on elsewhere is looked at whole, later."""
        found = survey.map_of(page, number)
        tree = survey.trees[survey.owner[number]]
        counts: dict[int, int] = {}
        for span in spans:
            for index in _cells_at(found, span):
                counts[index] = counts.get(index, 0) + 1
        if not counts:
            self._hits += len(spans)  # in no cell: the structure is not clean either
        for index, count in counts.items():
            cell = found.cells[index]
            if cell.overflow or not cell.size:
                continue
            try:
                places.add(tree, cell.rowid, survey.payload(page, cell), count)
            except PageError:
                self._hits += count

    def _scan_chains(self, survey: Survey, places: Places, batch: Batch) -> None:
        for some in _chunks(self._chains(survey)):
            found = batch.scan_all([payload for _, payload in some])
            for at, spans in found.items():
                chain, payload = some[at]
                with contextlib.suppress(PageError):  # counted as unreadable by the walk
                    places.add(survey.trees[chain.tree], chain.cell.rowid, payload, len(spans))

    def _chains(self, survey: Survey) -> Iterator[tuple[Chain, bytes]]:
        for chain in survey.chains:
            with contextlib.suppress(PageError):  # counted as unreadable by the walk
                yield chain, survey.payload(self._file.page(chain.page), chain.cell)

    def _scan_values(self, survey: Survey, places: Places, batch: Batch) -> None:
        """Short texts, row by row: in raw pages they would be found by chance."""
        keys = not self._wanted.words
        for number, tree in enumerate(survey.trees):
            if not places.holds_values(tree):
                continue
            for rows in _chunks(self._values(survey, places, batch, number, keys=keys)):
                for at, spans in batch.scan_all([values for *_, values in rows]).items():
                    rowid, payload, _ = rows[at]
                    places.add(tree, rowid, payload, len(spans))

    def _values(
        self, survey: Survey, places: Places, batch: Batch, tree: int, *, keys: bool
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """(rowid, payload, values) of the rows that can be read and may hold one of the texts."""
        for page in self._pages_with_values(survey, batch, tree):
            with contextlib.suppress(PageError):  # counted as unreadable by the walk
                for rowid, payload in survey.rows_of(page):
                    values = places.values(survey.trees[tree], payload, keys=keys)
                    yield rowid, payload, values

    def _pages_with_values(self, survey: Survey, batch: Batch, tree: int) -> Iterator[int]:
        """Pages whose bytes hold one of the texts, or of which their bytes do not tell it.

        A value that is UTF-8 lies in its page as it is, unless it goes on elsewhere.
        """
        telling = self._file.header.encoding == _UTF_8
        long = {chain.page for chain in survey.chains if chain.tree == tree}
        for pages in survey.pages_of(tree):
            may = batch.may_hold([page for _, page in pages]) if telling else set(range(len(pages)))
            yield from (n for place, (n, _) in enumerate(pages) if place in may or n in long)

    def _full_text(self, survey: Survey, places: Places) -> tuple[int, int]:
        """(entries that belong to no document, finds in segments that could not be judged)."""
        by_name = {tree.name: number for number, tree in enumerate(survey.trees)}
        stray = 0
        unjudged = 0
        for index in full_text_in(survey):
            data = by_name.get(f"{index.name}_data")
            sizes = by_name.get(f"{index.name}_docsize")
            if index.module != "fts5" or data is None or sizes is None:
                unjudged += places.full_text.get(index.name, 0)
                continue
            try:
                documents = {rowid for rowid, _ in survey.rows(sizes)}
                stray += stray_entries(_blocks(survey, data), documents)
            except PageError:
                unjudged += places.full_text.get(index.name, 0)
        return stray, unjudged

    # ---- its logs

    def _log_structure(self) -> Logs:
        logs = Logs()
        for role, data, images in self._log_files():
            logs.places[role] = nonzero(data, 0, len(data))
            logs.frames += sum(1 for _ in images)
        return logs

    def _log_content(self, batch: Batch) -> int:
        hits = 0
        for _, data, images in self._log_files():
            if self._file.cipher is None:
                hits += len(batch.scan(data))
                continue
            for some in _chunks(self._clear(images)):
                found = batch.scan_all([page for (page,) in some])
                hits += sum(map(len, found.values()))
        return hits

    def _clear(self, images: Iterable[Image]) -> Iterator[tuple[bytes]]:
        """The page images that were written under the key."""
        for image in images:
            with contextlib.suppress(PageError):
                yield (self._file.clear(image.page, image.number),)

    def _log_files(self) -> Iterator[tuple[str, bytes, Iterator[Image]]]:
        """The logs that hold anything."""
        size = self._file.header.page_size
        for role, images in (("wal", wal_images), ("journal", journal_images)):
            data = _read_log(Path(f"{self._path}-{role}"))
            if nonzero(data, 0, len(data)):
                yield role, data, images(data, size)


def _chunks(items: Iterable[_Read]) -> Iterator[list[_Read]]:
    """Items whose last part is bytes, in lists of about a chunk each."""
    some: list[_Read] = []
    size = 0
    for item in items:
        some.append(item)
        size += len(item[-1])
        if size >= _CHUNK:
            yield some
            some, size = [], 0
    if some:
        yield some


def _blocks(survey: Survey, tree: int) -> Iterator[tuple[int, bytes]]:
    """(rowid, block) of an FTS5 ``%_data`` table, whose only columns are its rowid and a BLOB."""
    for rowid, payload in sorted(survey.rows(tree), key=lambda row: row[0]):
        # Header: its own length, a NULL for the rowid alias, the type of the block.
        at = payload[0]
        yield rowid, payload[at:]


def _cells_at(found: PageMap, span: tuple[int, int]) -> Iterable[int]:
    start, end = span
    return (i for i, cell in enumerate(found.cells) if cell.start < end and start < cell.end)


def _read_log(path: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UserError("erase.log_unreadable", path=str(path)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UserError("erase.log_unreadable", path=str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            # One that was overwritten is as long as it was, and need not lie in memory.
            while part := stream.read(_CHUNK):
                if nonzero(part, 0, len(part)):
                    stream.seek(0)
                    return stream.read()
            return b""
    finally:
        os.close(descriptor)


def look_into(side: SideFile, batch: Batch, before: Find) -> Find:
    """Search one file beside the store; one that is gone holds nothing.

    A folder stands for files in it that cannot be listed: it is unreadable.
    """
    try:
        descriptor = os.open(
            os.path.realpath(side.path), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
        )
    except FileNotFoundError:
        return before
    except OSError:
        return replace(before, error="side_file.unreadable")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return replace(before, error="side_file.unreadable")
    count = 0
    with os.fdopen(descriptor, "rb") as stream:
        tail = b""
        while part := stream.read(_CHUNK):
            data = tail + part
            # What ends inside the overlap was counted with the chunk before.
            count += sum(1 for span in batch.scan(data) if span[1] > len(tail))
            tail = data[-max(WINDOW, _LONGEST_FORM) :]
    return replace(before, count=before.count + count)


def search_side_files(
    texts: Sequence[str], side_files: Sequence[SideFile], tick: Tick
) -> tuple[Find, ...]:
    """Where side files hold text that an erase would take: for the plan, before anything goes."""
    found = [Find(side.path, side.what, 0) for side in side_files]
    shorts = short_batch(texts, words=True)
    for batch in (*batches(texts), *([shorts] if shorts is not None else [])):
        for place, side in enumerate(side_files):
            tick("prove-side-files", place, len(side_files))
            found[place] = look_into(side, batch, found[place])
    return tuple(find for find in found if find.count or find.error)
