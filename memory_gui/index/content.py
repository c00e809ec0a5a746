# SPDX-License-Identifier: MIT
"""What one open store holds, in memory: found by ordinal, filtered by vectors, searched as text.

A record is an ordinal, never given to another one while the store is open. Its searchable texts
lie folded in an arena, its properties in columns; the record itself stays in the store and is
fetched when it is shown. Some that were fetched last are kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.queries import changed_at, created_at
from memory_gui.domain.recordbatch import RecordBatch
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.times import month_of
from memory_gui.index.arena import Arena
from memory_gui.index.changes import Changes, Moment
from memory_gui.index.columns import NAMED, NO_TIME, Column, Columns
from memory_gui.index.etags import Etags
from memory_gui.index.kept import Kept
from memory_gui.index.kinds import Kinds
from memory_gui.index.laid import STATES, folded, laid_of, title_lengths
from memory_gui.index.masks import Masks
from memory_gui.index.names import Names, TagSets
from memory_gui.index.refs import Refs, raw_id
from memory_gui.index.rows import NO_ROW, Rows

_WASTE: Final = 1 << 20
_BATCH: Final = 4_096

Ordinals = npt.NDArray[np.uint32]
_Row = tuple[int, int]
"""Number and print of the row that a record was read from."""
_UNKNOWN: Final[_Row] = (NO_ROW, 0)


class Content:
    """The records of one store. Any thread."""

    def __init__(self, store: StoreId = StoreId("")) -> None:  # noqa: B008 - an immutable text
        self.store = store
        self.agent = ""
        self.paths: Mapping[str, str] = {}
        """Fields that are places in a tree, with what divides their parts."""
        self.loaded = False
        self.version = 0
        """Grows with every change."""
        self.guard = threading.RLock()
        self.arena = Arena()
        self.columns = Columns()
        self.refs = Refs()
        self.names = {name: Names() for name in NAMED}
        self.tags = TagSets()
        self.kinds = Kinds()
        self._etags = Etags()
        self._kept = Kept()
        self._reading = 0
        """Of a whole reading, an even number; what is put beside it is marked with the next one."""
        self._taking = False
        """A reading has begun and has not ended."""
        self._dropped: set[Ref] = set()
        self._rows = Rows()
        self._masks = Masks()
        self._changes = Changes()

    @property
    def masks(self) -> Masks:
        """Answers to questions about the content as it is now. Call inside the guard."""
        self._masks.follow(self.version)
        return self._masks

    def moment(self) -> Moment:
        """What is there now; asked of it later: ``since``. Call all inside the guard."""
        return self._changes.moment(self.columns.count)

    def changed(self, then: Moment) -> int | None:
        """How many are new, have changed or are gone, at most; None where that is not known."""
        return self._changes.number(then, self.columns.count)

    def since(self, then: Moment) -> Ordinals:
        """The ordinals of those, each once; where ``changed`` knows how many."""
        return self._changes.since(then, self.columns.count)

    def tell(self, told: Callable[[int], object]) -> None:
        """Call it, inside the guard, with each ordinal that changes or goes, at once."""
        self._changes.tell(told)

    # ---- taking records in

    def begin(self, expected: int = 0) -> None:
        """A reading of the whole store begins: ``take`` its batches, then ``end``.

        ``expected`` is how many records it may have; it may have more or fewer.
        """
        with self.guard:
            if not self.loaded:
                self.refs.expect(expected)
                self.columns.expect(expected)
            self._reading += 2
            self._taking = True
            self._dropped.clear()
            self._rows.begin(self.refs.kinds, self.columns["row"])

    def met(self, kind: str, numbers: Sequence[int], prints: Sequence[int]) -> Sequence[int]:
        """Rows that the reading met: at which places those are that are not as they were."""
        with self.guard:
            number = self.kinds.known(kind)
            ordinals = self._rows.find(number, numbers)
            columns = self.columns
            same = ordinals >= 0
            same &= self.refs.kinds[ordinals] == number if len(self.refs) else False
            same &= columns["print"][ordinals] == np.asarray(prints) if len(self.refs) else False
            same &= columns["row"][ordinals] == np.asarray(numbers) if len(self.refs) else False
            there = ordinals[same]
            columns["seen"][there] = np.maximum(columns["seen"][there], self._reading)
            if not same.any():
                return range(len(numbers))  # of which all can be taken without choosing
            places: list[int] = np.flatnonzero(~same).tolist()
            return places

    def take(self, records: Sequence[Record], rows: Sequence[_Row] = ()) -> bool:
        """A batch of the reading, and the rows that they were read from; True when any differed.

        What ``put`` or ``drop`` brought since ``begin`` is newer than what was read, and stays.
        """
        with self.guard:
            return self._put(records, rows or [_UNKNOWN] * len(records), read=True)

    def new_in(self, batch: RecordBatch) -> Sequence[int]:
        """The places of a batch that certainly are new here: the newest came before the rest."""
        with self.guard:
            known = set(self.refs.maybe_known(self.kinds.number(batch.kind), batch.ids))
            return [place for place in range(len(batch)) if place not in known]

    def take_batch(self, batch: RecordBatch, rows: Sequence[int], prints: Sequence[int]) -> bool:
        """As ``take`` of records that are all new; False, and nothing taken, when some are not.

        Their etags are not known until they are fetched.
        """
        with self.guard:
            kind = self.kinds.number(batch.kind)
            hashes = None if self._dropped else self.refs.unknown(kind, batch.ids)
            if hashes is None:
                return False
            laid = laid_of(batch, self.names, self.tags)
            first, number = len(self.refs), len(batch)
            self.refs.add(kind, batch.ids, hashes)
            owners = np.arange(first, first + number, dtype=np.uint32)
            columns: dict[str, Column] = {
                **laid.columns,
                "place": self.arena.add_joined(laid.joined, laid.lengths, owners),
                "seen": self._reading,
                "row": rows,
                "print": prints,
            }
            self.columns.add(columns, number)
            for state, times in enumerate(np.bincount(laid.columns["state"]).tolist()):
                self.kinds.count(kind, state, times)
            self.version += 1
            return True

    def end(self) -> bool:
        """The reading is complete: what it did not meet is gone. True when there was any."""
        with self.guard:
            alive = self.refs.kinds != 0
            gone = np.flatnonzero(alive & (self.columns["seen"] < self._reading))
            for ordinal in gone.tolist():
                self._drop(ordinal)
            if not self.loaded:
                self.columns.fit()
                self.refs.fit()
            self.loaded, self._taking = True, False
            self._dropped.clear()
            self._rows.clear()
            self._tidy()
            return bool(len(gone))

    def put(self, records: Iterable[Record]) -> bool:
        """Add or replace; True when anything differed."""
        with self.guard:
            found = list(records)
            differed = self._put(found, [_UNKNOWN] * len(found), read=False)
            self._tidy()
            return differed

    def drop(self, refs: Iterable[Ref]) -> bool:
        """Take records out; True when one of them was there. Their texts are overwritten."""
        dropped = False
        with self.guard:
            for ref in refs:
                ordinal = self.ordinal(ref)
                if self._taking:
                    self._dropped.add(ref)
                if ordinal is not None:
                    self._drop(ordinal)
                    dropped = True
            self._tidy()
        return dropped

    def _put(self, records: Sequence[Record], rows: Sequence[_Row], *, read: bool) -> bool:
        fresh: dict[Ref, tuple[Record, _Row]] = {}
        differed = False
        for record, row in zip(records, rows, strict=True):
            ordinal = self.ordinal(record.ref)
            if read and record.ref in self._dropped:
                continue
            if ordinal is None:
                fresh.setdefault(record.ref, (record, row))
            elif read and int(self.columns["seen"][ordinal]) > self._reading:
                continue
            else:
                differed |= self._replace(ordinal, record)
                seen = self._reading + (not read)
                known = {"row": row[0], "print": row[1]} if read else {}
                self.columns.set(ordinal, {"seen": seen, **known})
        if fresh:
            self._append(list(fresh.values()), self._reading + (not read))
        if differed or fresh:
            self.version += 1
        return differed or bool(fresh)

    def _append(self, fresh: Sequence[tuple[Record, _Row]], seen: int) -> None:
        records = [record for record, _ in fresh]
        texts = [folded(record) for record in records]
        first = len(self.refs)
        kinds = [self.kinds.number(record.kind) for record in records]
        self.refs.add(kinds, [raw_id(record.ref) for record in records])
        places = self.arena.add(texts, np.arange(first, first + len(texts), dtype=np.uint32))
        rows = [self._row(first + n, record) for n, record in enumerate(records)]
        columns: dict[str, Sequence[int]] = {name: [row[name] for row in rows] for name in rows[0]}
        columns["place"] = places.tolist()
        columns["length"] = [len(text) for text in texts]
        columns["title"] = title_lengths(texts)
        columns["seen"] = [seen] * len(records)
        columns["row"] = [row[0] for _, row in fresh]
        columns["print"] = [row[1] for _, row in fresh]
        self.columns.add(columns, len(records))
        for kind, state in zip(kinds, columns["state"], strict=True):
            self.kinds.count(kind, state, 1)

    def _replace(self, ordinal: int, record: Record) -> bool:
        """Bring one up to date; True when it differed."""
        if self._etag(ordinal) == record.etag:
            return False
        self._changes.note(ordinal)
        old = self.columns.row(ordinal)
        self._release(ordinal, old)
        text = folded(record)
        row = self._row(ordinal, record)
        row["place"] = int(self.arena.add([text], np.array([ordinal], np.uint32))[0])
        row["length"], row["title"] = len(text), title_lengths([text])[0]
        row["row"], row["print"] = _UNKNOWN
        self.columns.set(ordinal, row)
        self.kinds.count(self.refs.kind(ordinal), row["state"], 1)
        return True

    def _drop(self, ordinal: int) -> None:
        self._changes.note(ordinal)
        self._release(ordinal, self.columns.row(ordinal))
        self.refs.drop(ordinal)
        nothing = dict.fromkeys(("state", *NAMED, "tags", "month", "etag", "length", "title"), 0)
        times = {"created": NO_TIME, "updated": NO_TIME}
        self.columns.set(ordinal, {**nothing, **times, "row": NO_ROW, "print": 0})
        self.version += 1

    def _release(self, ordinal: int, row: dict[str, int]) -> None:
        """Forget everything about a record but its name and ordinal."""
        self.arena.blank(row["place"], row["length"])
        for name in NAMED:
            self.names[name].release(row[name])
        self.tags.release(row["tags"])
        self.kinds.count(self.refs.kind(ordinal), row["state"], -1)
        self._etags.forget(ordinal)
        self._kept.forget(ordinal)

    def _row(self, ordinal: int, record: Record) -> dict[str, int]:
        changed, created = changed_at(record), created_at(record)
        month = None if changed is None else month_of(changed)
        return {
            "state": STATES[record.state],
            "type": self.names["type"].take(record.type),
            "scope": self.names["scope"].take(record.scope),
            "source": self.names["source"].take(record.source),
            "confidence": self.names["confidence"].take(record.extra.get("confidence")),
            "subject": self.names["subject"].take(record.subject),
            "tags": self.tags.take(record.tags),
            "created": NO_TIME if created is None else created,
            "updated": NO_TIME if changed is None else changed,
            "month": 0 if month is None else month,
            "etag": self._etags.number(ordinal, record.etag),
        }

    def _etag(self, ordinal: int) -> str | None:
        """None where it is not known yet."""
        return self._etags.text(ordinal, int(self.columns["etag"][ordinal]))

    def _tidy(self) -> None:
        """Forget answers of before; lay the texts anew when most of the memory holds none."""
        self._masks.follow(self.version)
        self.arena.settle()
        if self.arena.dead < max(_WASTE, self.arena.used // 2):
            return
        old, self.arena = self.arena, Arena()
        alive = np.flatnonzero(self.refs.kinds).astype(np.uint32)
        place, length = self.columns["place"], self.columns["length"]
        for at in range(0, len(alive), _BATCH):
            some = alive[at : at + _BATCH]
            texts = map(old.read, place[some].tolist(), length[some].tolist())
            place[some] = self.arena.add(list(texts), some)
        old.clear()

    # ---- what is there

    def ordinal(self, ref: Ref) -> int | None:
        """The ordinal of a record."""
        with self.guard:
            kind = self.kinds.known(ref.kind)
            return self.refs.find(kind, ref) if kind else None

    def ref(self, ordinal: int) -> Ref | None:
        """The name of a record; None when it is gone."""
        with self.guard:
            kind = self.refs.kind(ordinal)
            return self.refs.ref(self.store, self.kinds.names[kind], ordinal) if kind else None

    def etag(self, ref: Ref) -> str | None:
        """The etag of a record as it was last read; None when it is not known."""
        with self.guard:
            ordinal = self.ordinal(ref)
            return None if ordinal is None else self._etag(ordinal)

    def counts(self) -> dict[str, dict[State, int]]:
        """Kind -> state -> number. Waits for no other thread."""
        return self.kinds.counts()

    def count(self) -> int:
        """How many records there are. Waits for no other thread."""
        return self.kinds.total()

    # ---- records that were fetched

    def kept(self, ordinal: int) -> Record | None:
        """A record that was fetched lately and has not changed since."""
        with self.guard:
            return self._kept.get(ordinal)

    def met_again(self, ordinal: int, record: Record, print_: int | None) -> bool:
        """A record was fetched: whether it is the one that is known here.

        ``print_`` is that of its row; by it the etag becomes known where it was not.
        """
        with self.guard:
            if not self.refs.kind(ordinal):
                return False
            etag = self._etag(ordinal)
            if etag is None and print_ is not None:
                if int(self.columns["print"][ordinal]) != print_:
                    return False
                self.columns.set(ordinal, {"etag": self._etags.number(ordinal, record.etag)})
                return True
            return etag == record.etag

    def keep(self, ordinal: int, record: Record, print_: int | None = None) -> None:
        """Remember a record that was fetched, if it is the one that is known here."""
        with self.guard:
            if self.met_again(ordinal, record, print_):
                self._kept.put(ordinal, record)

    def pale(self, ordinal: int) -> Record | None:
        """What is known here of a record that cannot be fetched now: no text, a folded title."""
        with self.guard:
            ref = self.ref(ordinal)
            if ref is None:
                return None
            row = self.columns.row(ordinal)
            title = self.arena.read(row["place"], row["title"]).decode("utf-8", "replace")
            return Record(
                ref,
                self._etag(ordinal) or "",
                list(State)[row["state"]],
                title,
                "",
                type=self.names["type"].text(row["type"]) or None,
                scope=self.names["scope"].text(row["scope"]) or None,
                source=self.names["source"].text(row["source"]) or None,
                tags=self.tags.tags(row["tags"]),
                pale=True,
            )

    @property
    def nbytes(self) -> int:
        """Bytes of texts and columns in memory."""
        with self.guard:
            return self.arena.nbytes + self.columns.nbytes

    def clear(self) -> None:
        """Forget everything."""
        with self.guard:
            self.arena.clear()
            self.columns.clear()
            self.refs.clear()
            for names in self.names.values():
                names.clear()
            self.tags.clear()
            self.kinds.clear()
            self._etags.clear()
            self._kept.clear()
            self._dropped.clear()
            self._rows.clear()
            self._changes.clear()
            self.loaded = False
            self.version += 1
            self._masks.follow(self.version)
