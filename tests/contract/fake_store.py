# SPDX-License-Identifier: MIT
"""A store without a file: text keys, composite keys, two kinds. It keeps the contract honest.

Several FakeStores may share one Backend, as several connections share one file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
    Edit,
    Fields,
    NewRecord,
    Snapshot,
    StoreInfo,
    Target,
)
from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import nobody_asks
from memory_gui.stores.contract import SCAN_ROWS, Store
from memory_gui.stores.format import Mode

KINDS = ("note", "link")
_NOTE_KEY = ("owner", "name")


@dataclass(slots=True)
class Row:
    """What is kept of a record; ``key`` has two parts for notes, one for links."""

    kind: str
    key: tuple[str, ...]
    title: str
    text: str
    tags: tuple[str, ...] = ()
    trashed: bool = False
    times: tuple[str, str] = ("2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00")

    def copy(self) -> Row:
        """Another one with the same values."""
        return Row(self.kind, self.key, self.title, self.text, self.tags, self.trashed, self.times)


@dataclass(slots=True)
class Backend:
    """The "server": rows, and who committed how often."""

    rows: dict[tuple[str, tuple[str, ...]], Row] = field(default_factory=dict)
    commits: dict[int, int] = field(default_factory=dict)
    guard: threading.Lock = field(default_factory=threading.Lock)
    clock: int = 0

    def put(self, kind: str, key: tuple[str, ...], title: str, text: str, **more: object) -> None:
        """A row that was there before anybody connected."""
        self.rows[kind, key] = Row(kind, key, title, text, **more)  # type: ignore[arg-type]


class FakeStore(Store):
    """Notes named by owner and name, links named by their address."""

    format = "fake"
    kinds = KINDS
    capabilities = (
        Capability.ADD
        | Capability.EDIT
        | Capability.TRASH
        | Capability.RESTORE
        | Capability.DELETE
        | Capability.TAG
        | Capability.ERASE
        | Capability.WATCH
    )

    def __init__(self, backend: Backend, mode: Mode = Mode.CHANGE, name: str = "fake:one") -> None:
        self.id = StoreId(name)
        self._backend = backend
        self._mode = mode
        self._stopped = threading.Event()

    # ---- reading

    def info(self) -> StoreInfo:
        counts: dict[str, dict[State, int]] = {kind: {} for kind in KINDS}
        for record in self._records():
            states = counts[record.kind]
            states[record.state] = states.get(record.state, 0) + 1
        return StoreInfo(
            id=self.id,
            path=str(self.id),
            format=self.format,
            agent="Fake",
            agent_version="1",
            role="alone",
            encrypted=False,
            cipher={},
            journal_mode="",
            writable=self._mode is Mode.CHANGE,
            capabilities=self.capabilities,
            counts=counts,
            kinds=KINDS,
        )

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        records = [r for r in self._records() if not kinds or r.kind in kinds]
        for start in range(0, len(records), SCAN_ROWS):
            if self._stopped.is_set():
                self._stopped.clear()
                raise Cancelled
            yield tuple(records[start : start + SCAN_ROWS])

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        return tuple(self._record_at(ref) for ref in refs)

    def resolve(self, ref: RefText) -> Ref | None:
        kinds = KINDS if ref.kind is None else (ref.kind,)
        found = [
            Ref(self.id, kind, ref.key) for kind in kinds if (kind, ref.key) in self._backend.rows
        ]
        if len(found) > 1:
            raise UserError("ref.ambiguous", kinds=", ".join(r.kind for r in found))
        return found[0] if found else None

    def change_token(self) -> int:
        return sum(n for who, n in self._backend.commits.items() if who != id(self))

    def classify(self, fields: Fields) -> Fields:
        title, text = str(fields.get("title", "")).strip(), str(fields.get("text", "")).strip()
        if not title:
            raise UserError("record.title_empty")
        if not text:
            raise UserError("record.text_empty")
        return {"title": title, "text": text, "tags": _tags(fields)}

    # ---- changing

    def may_add(self, new: NewRecord) -> Addition:
        values = self.classify(new.fields)
        taken = (new.kind, _key(new.kind, values)) in self._backend.rows
        holder = Ref(self.id, new.kind, _key(new.kind, values)) if taken else None
        return Addition(new.kind, values, holder)

    def add(self, new: NewRecord) -> ChangeSet:
        self._must_change()
        values = self.classify(new.fields)
        title, key = str(values["title"]), _key(new.kind, values)
        if (new.kind, key) in self._backend.rows:
            raise UserError("record.key_taken")
        self._commit(
            Row(new.kind, key, title, str(values["text"]), _tags(values), times=self._now())
        )
        return ChangeSet(added=(Ref(self.id, new.kind, key),))

    def apply(self, edit: Edit) -> ChangeSet:
        row = self._wanted(edit.target)
        values = self._edited(row, edit.fields)
        after = row.copy()
        after.title, after.text, after.tags = (
            str(values["title"]),
            str(values["text"]),
            _tags(values),
        )
        if after == row:
            return ChangeSet()
        after.times = (row.times[0], self._now()[1])
        self._commit(after)
        return ChangeSet(changed=(edit.target.ref,))

    def _edited(self, row: Row, fields: Fields) -> Fields:
        unknown = set(fields) - {"title", "text", "tags"}
        if unknown:
            raise UserError("record.no_such_field", field=min(unknown), fields="title, text, tags")
        return self.classify({"title": row.title, "text": row.text, "tags": row.tags, **fields})

    def trash(self, target: Target) -> ChangeSet:
        return self._set_trash(target, trashed=True)

    def restore(self, target: Target) -> ChangeSet:
        return self._set_trash(target, trashed=False)

    def _set_trash(self, target: Target, *, trashed: bool) -> ChangeSet:
        row = self._wanted(target).copy()
        self._must_differ(row, trashed=trashed)
        row.trashed = trashed
        self._commit(row)
        return ChangeSet(changed=(target.ref,))

    @staticmethod
    def _must_differ(row: Row, *, trashed: bool) -> None:
        if row.trashed is trashed:
            raise UserError("record.in_trash" if trashed else "record.not_in_trash")

    def delete(self, target: Target) -> ChangeSet:
        row = self._wanted(target)
        del self._backend.rows[row.kind, row.key]
        self._committed()
        return ChangeSet(removed=(target.ref,))

    def may(self, act: str, target: Target, fields: Fields | None = None) -> None:
        row = self._wanted(target)
        if act == "edit":
            self._edited(row, fields or {})
        elif act in {"trash", "restore"}:
            self._must_differ(row, trashed=act == "trash")

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        rows = [
            self._backend.rows[r.kind, r.key] for r in refs if (r.kind, r.key) in self._backend.rows
        ]
        columns = ("key", "title", "text", "tags", "trashed", "times")
        return Snapshot(
            self.id,
            tuple(
                (r.kind, columns, (r.key, r.title, r.text, r.tags, r.trashed, r.times))
                for r in rows
            ),
        )

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        self._must_change()
        added = []
        for kind, _columns, values in snapshot.rows:
            row = Row(kind, *values)  # type: ignore[arg-type]
            if (kind, row.key) in self._backend.rows:
                if self._backend.rows[kind, row.key] == row:
                    continue
                raise UserError("record.id_taken")
            self._commit(row)
            added.append(Ref(self.id, kind, row.key))
        return ChangeSet(added=tuple(added))

    # ---- erasing

    def erase_scope(
        self,
        refs: Sequence[Ref],
        also_texts: Sequence[str] = (),
        check: Callable[[], object] = nobody_asks,
    ) -> EraseScope:
        found = [(ref, self._record_at(ref)) for ref in refs if ref.store == self.id]
        texts = [r.text for _ref, r in found if r is not None] + list(also_texts)
        rows = []
        for kind in KINDS:
            keys = tuple(ref.key for ref, r in found if r is not None and ref.kind == kind)
            if keys:
                rows.append(
                    EraseRows(kind, _NOTE_KEY if kind == "note" else ("address",), keys, kind)
                )
        chosen = {ref for ref, _ in found}
        return EraseScope(
            self.id,
            tuple(rows),
            tuple(texts),
            missing=tuple(ref for ref, r in found if r is None),
            still_in=tuple(
                r.ref
                for r in self._records()
                if r.ref not in chosen and any(text in r.text for text in texts)
            ),
        )

    # ---- ending

    def interrupt(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        pass

    # ---- inside

    def _records(self) -> list[Record]:
        return [self._record(row) for row in list(self._backend.rows.values())]

    def _record_at(self, ref: Ref) -> Record | None:
        row = self._backend.rows.get((ref.kind, ref.key)) if ref.store == self.id else None
        return None if row is None else self._record(row)

    def _record(self, row: Row) -> Record:
        stored = repr((row.key, row.title, row.text, row.tags, row.trashed, row.times))
        return Record(
            ref=Ref(self.id, row.kind, row.key),
            etag=sha256(stored.encode()).hexdigest()[:16],
            state=State.TRASH if row.trashed else State.LIVE,
            title=row.title,
            text=row.text,
            tags=row.tags,
            created_at=row.times[0],
            updated_at=row.times[1],
            created_at_utc=row.times[0],
            updated_at_utc=row.times[1],
            zone="utc",
            extra={"owner": row.key[0]} if row.kind == "note" else {},
        )

    def _must_change(self) -> None:
        if self._mode is not Mode.CHANGE:
            raise UserError("store.read_only", path=str(self.id))

    def _wanted(self, target: Target) -> Row:
        self._must_change()
        record = self._record_at(target.ref)
        if record is None:
            raise UserError("record.gone", ref=target.ref.text)
        if target.etag is not None and target.etag != record.etag:
            raise UserError("record.changed", ref=target.ref.text)
        return self._backend.rows[target.ref.kind, target.ref.key]

    def _commit(self, row: Row) -> None:
        with self._backend.guard:
            self._backend.rows[row.kind, row.key] = row
        self._committed()

    def _committed(self) -> None:
        with self._backend.guard:
            self._backend.commits[id(self)] = self._backend.commits.get(id(self), 0) + 1

    def _now(self) -> tuple[str, str]:
        self._backend.clock += 1
        hours, seconds = divmod(self._backend.clock, 3600)
        now = f"2026-01-02T{hours:02}:{seconds // 60:02}:{seconds % 60:02}+00:00"
        return now, now


def _key(kind: str, values: Fields) -> tuple[str, ...]:
    title = str(values["title"])
    return ("me", title) if kind == "note" else (title,)


def _tags(fields: Fields) -> tuple[str, ...]:
    value = fields.get("tags", ())
    return tuple(value.split(",")) if isinstance(value, str) else tuple(value)
