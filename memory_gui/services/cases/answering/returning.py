# SPDX-License-Identifier: MIT
"""Somebody who was forgotten is named again: by an older file, or by an agent that learned it anew.

When a case is closed nobody knows the name any more, only a keyed mark of it. So the marks of what
stands in the records are made and compared: of fields that hold a name, of e-mail addresses,
telephone numbers and ids, and of every run of as many words or letters as the name has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.cases.case import CaseState
from memory_gui.cases.names import Form, Named, form_of
from memory_gui.cases.rights import Right
from memory_gui.cases.script import has_spaces
from memory_gui.domain.folding import fold
from memory_gui.domain.recordbatch import FIELD_END
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.result import EraseState
from memory_gui.ledger.cases import LEFT, SubjectMark
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.cases.book.book import CaseBook, today
from memory_gui.services.cases.book.marks import LETTERS, WORDS, CaseBooks, bare, how, mark_of_ref
from memory_gui.services.library.library import Library
from memory_gui.stores.contract import Batch, Store

_EMAIL: Final = re.compile(r"[\w.+\-]{1,64}@[\w\-]+(?:\.[\w\-]+)+")
_PHONE: Final = re.compile(r"\+?\(?\d[\d\s().\-/]{5,24}\d")
_ID: Final = re.compile(r"[\w.:\-]{4,64}")
_WORD: Final = re.compile(r"[^\W_]+")
_FIELD: Final = "\0"
"""Between the fields of a record: no space, and no letter of a word, a number or an address."""
_END: Final = FIELD_END.decode()
_MOST_SEEN: Final = 1 << 18
_STAY: Final = frozenset({LEFT, "keep", "hold", "restrict", "undecided"})
_ENDED: Final = frozenset({CaseState.DONE, CaseState.CLOSED})


@dataclass(frozen=True, slots=True)
class Back:
    """A record that names somebody of an earlier case. ``form`` says by what it was noticed."""

    case: int
    ref: Ref
    form: str


class Returning:
    """Notices it. Any thread; asks nobody where no case was ever made."""

    def __init__(self, books: CaseBooks, book: CaseBook, library: Library) -> None:
        self._books = books
        self._book = book
        self._library = library

    def back(self, store: StoreId, cancel: CancelToken | None = None) -> tuple[Back, ...]:
        """The records of an open store. It is read once for it."""
        marked = self._marked()
        if not marked:
            return ()
        marker, shelf = self._books.marker(), self._library.shelf(store)
        seeker = _Seeker(marker, marked)

        def look(opened: Store) -> list[Back]:
            found = []
            for batch in opened.batches():
                if cancel is not None:
                    cancel.check()
                records = batch.records(seeker.places(batch))
                found += [one for record in records for one in seeker.look(record)]
            return found

        found = shelf.work(look, cancel)
        stayed = self._stayed({one.case for one in found})
        mine = marker.store((shelf.info.encrypted and shelf.salt.hex()) or shelf.info.path)

        def is_news(one: Back) -> bool:
            mark = mark_of_ref(marker, shelf.info.format, one.ref)
            return (one.case, mark, mine) not in stayed

        return tuple(filter(is_news, found))

    def _stayed(self, cases: Collection[int]) -> frozenset[tuple[int, bytes, bytes]]:
        """What named somebody when the case was run: kept, held until a day, not decided on."""
        rows, day = self._books.rows(), today().isoformat()
        every = (one for case in cases for one in rows.decided(case))
        return frozenset(
            (one.case, one.mark, one.store)
            for one in every
            if one.decision in _STAY and not one.is_over(day)
        )

    def _marked(self) -> tuple[SubjectMark, ...]:
        """Of those cases in which everything was erased: of others the name may still be there."""
        rows = self._books.rows_if_any()
        if rows is None:
            return ()
        done = {
            one.number
            for one in self._book.all()
            if one.right is Right.ERASE
            and one.state in _ENDED
            and one.outcome.get("state") == EraseState.PROVED
        }
        return tuple(one for one in rows.marked() if one.case in done)


class _Seeker:
    """Compares marks; what was made once is remembered as long as one store is read."""

    def __init__(self, marker: EraseMarker, marked: tuple[SubjectMark, ...]) -> None:
        self._marker = marker
        self._cases = {(one.form, one.mark): one.case for one in marked}
        self._sizes = {form: {one.size for one in marked if one.form == form} for form in _FORMS}
        self._seen: dict[tuple[str, str], int] = {}

    def places(self, batch: Batch) -> Sequence[int]:
        """The rows of which a record has to be made: those that name somebody, or may."""
        every = range(batch.size)
        laid = batch.columns(every)
        if laid is None:
            return every
        columns, places = laid
        named = []
        for number, text in enumerate(columns.texts):
            fields = text.decode().split(_END)
            if self._cases_in((columns.subjects[number], fields[0]), fields):
                named.append(places[number])
        return [*named, *sorted(frozenset(every).difference(places))]

    def look(self, record: Record) -> Iterator[Back]:
        """Each case once."""
        found = self._cases_in((record.subject, record.title), record.searchable())
        return (Back(case, record.ref, form) for case, form in found.items())

    def _cases_in(self, names: Iterable[str | None], texts: Iterable[str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for value in filter(None, names):
            form = form_of(value)
            told, _ = how(Named(form, value))
            self._note(found, told, bare(Named(form, value)))
        for what, name in self._names(fold(_FIELD.join(texts))):
            self._note(found, what, name)
        return found

    def _names(self, text: str) -> Iterator[tuple[str, str]]:
        if self._sizes[Form.EMAIL] and "@" in text:
            yield from ((Form.EMAIL, one) for one in _EMAIL.findall(text))
        if self._sizes[Form.PHONE]:
            found = _PHONE.findall(text)
            yield from ((Form.PHONE, Named(Form.PHONE, one).plain) for one in found)
        if self._sizes[Form.ID]:
            yield from ((Form.ID, one.strip(".:-")) for one in _ID.findall(text))
        for words in map(_WORD.findall, text.split(_FIELD)):
            for size in self._sizes[WORDS]:
                runs = range(len(words) - size + 1)
                yield from ((WORDS, " ".join(words[at : at + size])) for at in runs)
            for size in self._sizes[LETTERS]:
                long = (word for word in words if len(word) >= size and not has_spaces(word[0]))
                for word in long:
                    runs = range(len(word) - size + 1)
                    yield from ((LETTERS, word[at : at + size]) for at in runs)

    def _note(self, found: dict[int, str], form: str, name: str) -> None:
        key = (form, name)
        case = self._seen.get(key)
        if case is None:
            case = self._cases.get((form, self._marker.subject(form, name)), 0)
            if len(self._seen) > _MOST_SEEN:
                self._seen.clear()
            self._seen[key] = case
        if case:
            found.setdefault(case, form)


_FORMS: Final = (Form.EMAIL, Form.PHONE, Form.ID, WORDS, LETTERS)
