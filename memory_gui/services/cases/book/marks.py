# SPDX-License-Identifier: MIT
"""Keyed marks of records and people, so that a decision outlives the search it was made in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from memory_gui.cases.finds import CaseFind, Heap
from memory_gui.cases.names import Form, Named, Subject
from memory_gui.cases.script import has_spaces
from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold
from memory_gui.domain.keptfiles import HOLD
from memory_gui.domain.records import Ref
from memory_gui.ledger import AnyLedger
from memory_gui.ledger.cases import CaseRows, Decided, SubjectMark
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.own.known import LedgerKeeper

FLAG: Final = "cases"
"""A file among the app's own: a case was made, so our own file is worth asking."""
FREE: Final = b"free"
"""What it holds while nothing is on hold or restricted. Without it, as an earlier version made it,
nobody knows before our own file was read."""
HELD: Final = "held"
"""An empty file beside it: some record is on hold or restricted, whoever can read which."""
LETTERS: Final = "letters"
WORDS: Final = "words"
_WORD: Final = re.compile(r"[^\W_]+")


class CaseBooks:
    """Our own file as far as cases go. Any thread; the first call may ask the keychain."""

    def __init__(self, keeper: LedgerKeeper, data_dir: Path) -> None:
        self._keeper = keeper
        self._flag = data_dir / FLAG
        self._held = data_dir / HELD

    @property
    def any_yet(self) -> bool:
        """Whether a case was ever made here; asks nobody and opens nothing."""
        return self._flag.exists() and self._keeper.is_kept

    def ledger(self) -> AnyLedger:
        """All of it."""
        return self._keeper.ledger()

    def rows(self) -> CaseRows:
        """The tables. Raises UserError ``case.no_ledger`` where nothing can be kept."""
        rows = self._keeper.ledger().cases
        if rows is None:
            raise UserError("case.no_ledger")
        return rows

    def rows_if_any(self) -> CaseRows | None:
        """The tables where a case was ever made; asks nobody otherwise."""
        return self._keeper.ledger().cases if self.any_yet else None

    def begun(self) -> None:
        """From now on there is something to ask for."""
        if not self._flag.exists():
            self._flag.touch(mode=0o600)
            self.tell_held(any_held=bool(self.rows().lasting()))

    @property
    def any_held(self) -> bool:
        """Whether something may have to stay, as far as that was ever read; asks nobody."""
        return self._held.exists() or (self.any_yet and not self._is_free())

    def tell_held(self, *, any_held: bool) -> None:
        """Kept for calls that may not read what is held."""
        with suppress(OSError):
            if any_held:
                self._held.touch(mode=0o600)
                return
            self._held.unlink(missing_ok=True)
            if self._flag.exists() and not self._is_free():
                self._flag.write_bytes(FREE)

    def _is_free(self) -> bool:
        with suppress(OSError):
            return self._flag.read_bytes() == FREE
        return False

    def marker(self) -> EraseMarker:
        """What makes the marks."""
        return EraseMarker(self._keeper.ledger().secret() or b"")


def mark_of_ref(marker: EraseMarker, format_: str, ref: Ref) -> bytes:
    """Of a record."""
    return marker.record(format_, ref.kind, ref.key)


def marks_of(marker: EraseMarker, find: CaseFind, salt: str) -> tuple[bytes, bytes]:
    """(of the record or file, of its store)."""
    store = marker.store(salt or str(find.store))
    if find.ref is None:
        return _file_mark(marker, find.heap, os.path.realpath(find.path)), store
    return mark_of_ref(marker, find.format, find.ref), store


def file_marks(marker: EraseMarker, path: str, heaps: Iterable[Heap] = Heap) -> set[bytes]:
    """Of the passages of a file: by its path, whatever link leads to it, and by its number.

    A log keeps its number when its agent gives it another name and begins a new one.
    """
    names = {path, os.path.realpath(path), _number(path)} - {""}
    return {_file_mark(marker, heap, one) for heap in heaps for one in names}


def by_number(marker: EraseMarker, find: CaseFind, by_path: Decided) -> Iterator[Decided]:
    """What was said of a file once more, by its number; its ``store`` is the mark of its path."""
    if number := _number(find.path):
        mark = _file_mark(marker, find.heap, number)
        yield replace(by_path, mark=mark, store=by_path.mark)


def says_most(one: Decided) -> tuple[bool, str, int, bytes]:
    """Of what was said of the passages of a file: a hold before the rest, then the latest."""
    return one.decision == HOLD, one.since, one.case, one.mark


def most_of(said: Iterable[Decided]) -> dict[bytes, Decided]:
    """By its mark, what says most of each record and file."""
    found: dict[bytes, Decided] = {}
    for one in said:
        before = found.get(one.mark)
        if before is None or says_most(one) > says_most(before):
            found[one.mark] = one
    return found


def said_of_file(marker: EraseMarker, most: Mapping[bytes, Decided], path: str) -> Decided | None:
    """Which decision governs a file: of ``most_of`` all that was said, what says most of it."""
    said = (most[mark] for mark in file_marks(marker, path) & most.keys())
    return max(said, key=says_most, default=None)


def once(rows: Iterable[Decided]) -> list[Decided]:
    """What was said, without what only repeats it by a file's number."""
    rows = list(rows)
    marks = {(one.case, one.mark) for one in rows}
    return [one for one in rows if (one.case, one.store) not in marks]


def all_of(rows: Iterable[Decided], some: Iterable[Decided]) -> set[tuple[bytes, bytes]]:
    """(mark, store) of some of the rows of one case; of a file by its number and by its path."""
    some = list(some)
    marks, paths = {one.mark for one in some}, {one.store for one in some}
    more = (one for one in rows if one.mark in paths or one.store in marks)
    return {(one.mark, one.store) for one in (*some, *more)}


def _number(path: str) -> str:
    with suppress(OSError):
        status = Path(path).stat()
        return f"{status.st_dev}:{status.st_ino}"
    return ""


def _file_mark(marker: EraseMarker, heap: Heap, path: str) -> bytes:
    return marker.record("file", heap, (path,))


def subject_mark(marker: EraseMarker, subject: Subject) -> str:
    """Of the name on the case, in hex."""
    first = subject.named[0]
    return marker.subject(first.form, first.plain).hex()


def subject_marks(marker: EraseMarker, case: int, subject: Subject) -> Iterator[SubjectMark]:
    """Of every name, with how it can be looked for when nobody knows it any more."""
    for one in subject.named:
        form, size = how(one)
        yield SubjectMark(case, form, size, marker.subject(form, bare(one)))


def how(named: Named) -> tuple[str, int]:
    """(how it is looked for, of how many words or letters it is)."""
    if named.form is not Form.NAME:
        return str(named.form), 0
    name = bare(named)
    if has_spaces(name[:1]):
        return WORDS, len(name.split())
    return LETTERS, len(name)


def bare(named: Named) -> str:
    """A name in the one form in which it is marked."""
    if named.form is not Form.NAME:
        return named.plain
    plain = fold(named.text)
    words = _WORD.findall(plain)
    return " ".join(words) if has_spaces(plain.strip()[:1]) else "".join(words)
