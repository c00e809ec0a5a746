# SPDX-License-Identifier: MIT
"""Ending holds and restrictions of a case that holds no name any more: by the keyed marks alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Decision
from memory_gui.domain.changes import Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State
from memory_gui.domain.work import CancelToken
from memory_gui.ledger.cases import Decided
from memory_gui.services.cases.book.marks import CaseBooks, file_marks, mark_of_ref, once
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.places import Places, Where
from memory_gui.services.editing.editing import Editing
from memory_gui.stores.contract import Store


@dataclass(frozen=True, slots=True)
class Lifted:
    """How many need no longer stay, and how many of them the agent sees again.

    ``missing``: restricted ones that were found nowhere; they stay marked.
    """

    lifted: int = 0
    restored: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class _Named:
    """What a person named; nothing: all."""

    names: frozenset[str]
    file: str

    def __bool__(self) -> bool:
        return bool(self.names or self.file)

    def means(self, ref: Ref) -> bool:
        """Whether a record is among them."""
        return not self or not self.names.isdisjoint({ref.text, ref.id})


@dataclass(slots=True)
class _Wanted:
    """What one store has of it: mark -> what was said; and the records that were found."""

    store: bytes
    said: dict[bytes, Decided]
    found: dict[bytes, tuple[Ref, State]] = field(default_factory=dict)


class Lifting:
    """Lifts. Any thread; it reads the stores that have any."""

    def __init__(
        self,
        books: CaseBooks,
        places: Places,
        looking: Looking,
        editing: Editing,
        changed: Callable[[], object],
    ) -> None:
        """``changed`` is called when something else keeps a record than before."""
        self._books = books
        self._places = places
        self._looking = looking
        self._editing = editing
        self._changed = changed

    def lift(
        self,
        case: Case,
        where: Where,
        names: Collection[str] = (),
        *,
        file: str = "",
        cancel: CancelToken | None = None,
    ) -> Lifted:
        """End those of some records (``kind:key``, or the key alone) and of a file; else all.

        Raises:
            UserError: ``ref.unknown``; what a store says to being opened, or to a restore.
        """
        named = _Named(frozenset(names), file)
        every = [one for one in self._books.rows().lasting() if one.case == case.number]
        rows = once(every)  # what repeats it by a file's number goes with it
        paths = {one.mark: one.store for one in every}
        done, looked = Lifted(), set[tuple[bytes, bytes]]()
        for path in self._places.look(where, cancel=cancel).paths if rows else ():
            try:
                wanted = self._looking.look(path, where, self._reader(rows, named, paths), cancel)
            except UserError:
                if named:
                    raise
                continue
            looked |= {(mark, wanted.store) for mark in wanted.said}
            done = _sum(done, self._end(case, path, where, wanted))
        if named and not done.lifted:
            raise UserError("ref.unknown", ref=", ".join((*names, *filter(None, (file,)))))
        if named:
            return done
        rest = [one for one in rows if (one.mark, one.store) not in looked]
        held = [one for one in rest if one.decision == Decision.HOLD]  # nothing is to be restored
        self._books.rows().lift(case.number, [(one.mark, one.store) for one in held])
        self._changed()
        return _sum(done, Lifted(len(held), 0, len(rest) - len(held)))

    def _reader(
        self, rows: Collection[Decided], named: _Named, paths: Mapping[bytes, bytes]
    ) -> Callable[[Store, bytes], _Wanted]:
        """What is done in a store's own thread: which of its records are meant.

        ``paths``: of a file that is known by its number the mark of its path.
        """
        marker = self._books.marker()

        def read(store: Store, salt: bytes) -> _Wanted:
            info = store.info()
            mine = marker.store((salt.hex() if info.encrypted else "") or info.path)
            wanted = _Wanted(mine, {one.mark: one for one in rows if one.store == mine})
            for batch in store.batches() if wanted.said else ():
                for record in batch.records(range(batch.size)):
                    mark = mark_of_ref(marker, info.format, record.ref)
                    if mark in wanted.said and named.means(record.ref):
                        wanted.found[mark] = (record.ref, record.state)
            if named:
                files = file_marks(marker, named.file) if named.file else set()
                files |= {paths[mark] for mark in files & paths.keys()}
                kept = (wanted.found.keys() | files) & wanted.said.keys()
                wanted.said = {mark: wanted.said[mark] for mark in kept}
            return wanted

        return read

    def _end(self, case: Case, path: str, where: Where, wanted: _Wanted) -> Lifted:
        """Lifted first: what is restricted is not restored."""
        missing = [
            mark
            for mark, one in wanted.said.items()
            if one.decision == Decision.RESTRICT and mark not in wanted.found
        ]
        over = [(mark, wanted.store) for mark in wanted.said if mark not in missing]
        if not over:
            return Lifted(missing=len(missing))
        self._books.rows().lift(case.number, over)
        self._changed()
        back = [
            Target(ref)
            for mark, (ref, state) in wanted.found.items()
            if wanted.said[mark].decision == Decision.RESTRICT and state is State.TRASH
        ]
        if back:
            with self._looking.opened(path, where):
                failed = self._editing.restore(back).failed
            if failed:
                raise failed[0][1]
        return Lifted(len(over), len(back), len(missing))


def _sum(one: Lifted, other: Lifted) -> Lifted:
    return Lifted(
        one.lifted + other.lifted, one.restored + other.restored, one.missing + other.missing
    )
