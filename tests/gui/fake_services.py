# SPDX-License-Identifier: MIT
"""Services without files: the same names and signatures, records in memory.

What a test wants to see is in attributes: ``calls`` (name, arguments), ``fail_next`` (errors to
raise, by method name). Pages may extend the parts they need.
"""

from __future__ import annotations

import itertools
import threading
import time
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memory_gui.domain.changes import (
    Capability,
    ChangeSet,
    Decision,
    Edit,
    NewRecord,
    Outcome,
    ReviewPreview,
    StoreInfo,
    Target,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.erasure.run import accept
from memory_gui.services import BulkResult, CheckLine, KeyPlace, KnownStore, Listing, OpenedStore
from memory_gui.services.settings import SettingValues
from memory_gui.words import Words

PROJECT = StoreId("/home/ann/atlas/.agentao/memory.db")
USER = StoreId("/home/ann/.agentao/memory.db")
ALL = (
    Capability.ADD
    | Capability.EDIT
    | Capability.TRASH
    | Capability.RESTORE
    | Capability.DELETE
    | Capability.TAG
    | Capability.REVIEW
    | Capability.ERASE
    | Capability.WATCH
)
_TEXTS = (
    ("response_style", "preference", "user", "Concise, answer first."),
    ("deploy_port", "decision", "project", "The service listens on 8080 behind the proxy."),
    ("deutsch", "profile", "user", "Ann grew up in Vienna and speaks German with her family."),
    ("回答语言", "preference", "user", "用户希望用中文回答，代码注释保持英文。"),
    ("tests_first", "workflow", "project", "Write the failing test first, then the code."),
    ("no_force_push", "constraint", "project", "Never force-push to main or release branches."),
)


def record(
    number: int,
    *,
    kind: str = "memory",
    state: State = State.LIVE,
    title: str | None = None,
    text: str | None = None,
    store: StoreId | None = None,
) -> Record:
    """A believable record; the number makes it its own."""
    name, type_, scope, said = _TEXTS[number % len(_TEXTS)]
    when = f"2026-11-{number % 28 + 1:02d}T{number % 24:02d}:15:00"
    place = store or (USER if scope == "user" else PROJECT)
    return Record(
        ref=Ref(place, kind, (f"{number:08x}",)),
        etag=f"{number:016x}",
        state=state,
        title=title if title is not None else f"{name}_{number}",
        text=text if text is not None else f"{said} ({number})",
        scope=scope,
        type=type_ if kind != "event" else None,
        tags=("style", "zh") if number % 3 == 0 else (),
        source="explicit",
        created_at=when,
        updated_at=when,
        extra={"key_normalized": name, "confidence": "explicit_user"},
    )


def some_records(count: int = 40) -> list[Record]:
    """Memories, some in the trash, review items, summaries and events."""
    records = [record(n) for n in range(count)]
    records += [record(1000 + n, state=State.TRASH) for n in range(4)]
    records += [
        record(2000 + n, kind="review", state=State.PENDING, store=PROJECT) for n in range(3)
    ]
    records += [record(3000 + n, kind="summary", store=PROJECT) for n in range(2)]
    records += [record(4000 + n, kind="event", title="update", store=PROJECT) for n in range(5)]
    return records


class FakeLibrary:
    """Holds the records; ``delay`` makes each search slow."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._guard = threading.RLock()
        self.records: dict[Ref, Record] = {}
        self.numbers: dict[Ref, int] = {}
        self.by_number: dict[int, Ref] = {}
        self.opened: dict[StoreId, OpenedStore] = {}
        self.foreign: set[StoreId] = set()
        self.lent_stores: dict[StoreId, UserError] = {}
        self.delay = 0.0
        self.key_result: object = Absent("SecretService.Keyring")
        self.known_stores: tuple[KnownStore, ...] = ()
        self._next = itertools.count()

    def fill(self, records: Sequence[Record]) -> None:
        """Put records in."""
        with self._guard:
            for one in records:
                self.put(one)

    def put(self, one: Record) -> None:
        """Add or replace."""
        with self._guard:
            if one.ref not in self.numbers:
                number = 1 << 32 | next(self._next)
                self.numbers[one.ref] = number
                self.by_number[number] = one.ref
            self.records[one.ref] = one

    def drop(self, ref: Ref) -> None:
        with self._guard:
            self.records.pop(ref, None)

    def foreign_change(self, one: Record) -> None:
        """As if another program had written."""
        self.put(one)
        self.foreign.add(one.ref.store)

    def open(self, path: object, **kwargs: Any) -> tuple[OpenedStore, ...]:
        self._fake.note("open", path)
        if not self.opened:
            for store, name, role in ((PROJECT, "atlas", "project"), (USER, "you", "user")):
                self.opened[store] = OpenedStore(
                    store, self._info(store, role), name, None, KeyPlace.NONE
                )
        return tuple(self.opened.values())

    def _info(self, store: StoreId, role: str) -> StoreInfo:
        return StoreInfo(
            store, str(store), "agentao", "Agentao", "0.5.17", role, role == "project", {},
            "wal", True, ALL, {}, ("memory", "review", "summary", "event", "meta"),
        )  # fmt: skip

    def locate(self, path: object) -> object:
        if not (Path(str(path)) / ".agentao" / "memory.db").exists():
            raise UserError("store.is_folder", path=str(path))
        return path

    def key_state(self, path: object) -> object:
        self._fake.note("key_state", path)
        return self.key_result

    def close(self, store: StoreId) -> None:
        self._fake.note("close", store)
        self.opened.pop(store, None)

    def close_all(self) -> None:
        self._fake.note("close_all")
        self.opened.clear()

    def stores(self) -> tuple[OpenedStore, ...]:
        return tuple(self.opened.values())

    def store(self, store: StoreId) -> OpenedStore:
        return self.opened[store]

    def search(self, query: Query, sort: str = "-updated", **kwargs: Any) -> Listing:
        self._fake.note("search", query, sort)
        started = time.monotonic()
        time.sleep(self.delay)
        with self._guard:
            found = [one for one in self.records.values() if query.matches(one)]
        name = {"updated": "updated_at", "created": "created_at"}
        field_name = sort.lstrip("-")
        field_name = name.get(field_name, field_name)
        found.sort(key=lambda one: str(getattr(one, field_name) or ""), reverse=sort[0] == "-")
        ids = array("q", (self.numbers[one.ref] for one in found))
        spent = (time.monotonic() - started) * 1000
        return Listing(query, sort, ids, len(ids), partial=False, ms=spent)

    def window(self, ids: Sequence[int]) -> list[Record | None]:
        with self._guard:
            return [self.records.get(self.by_number[number]) for number in ids]

    def record(self, ref: Ref) -> Record | None:
        return self.records.get(ref)

    def id_of(self, ref: Ref) -> int | None:
        return self.numbers.get(ref)

    def counts(self, stores: Collection[StoreId] = ()) -> dict[str, dict[State, int]]:
        counts: dict[str, dict[State, int]] = {}
        with self._guard:
            for one in self.records.values():
                if not stores or one.ref.store in stores:
                    states = counts.setdefault(one.kind, {})
                    states[one.state] = states.get(one.state, 0) + 1
        return counts

    def poll(self) -> frozenset[StoreId]:
        self._fake.note("poll")
        changed, self.foreign = frozenset(self.foreign), set()
        return changed

    def lent(self) -> dict[StoreId, UserError]:
        return dict(self.lent_stores)

    def allow_writing(self, store: StoreId, *, despite_foreign: bool = False) -> OpenedStore:
        self._fake.note("allow_writing", store, despite_foreign)
        return self.opened[store]

    def known(self) -> tuple[KnownStore, ...]:
        return self.known_stores


class FakeEditing:
    """Edits with one step of undo per act."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._undo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self._redo: list[tuple[str, list[tuple[Ref, Record | None]]]] = []
        self._new = itertools.count(9000)

    def add(self, store: StoreId, new: NewRecord) -> BulkResult:
        self._fake.note("add", store, new)
        one = record(next(self._new), kind=new.kind, store=store)
        one = replace(one, **{k: v for k, v in new.fields.items() if k != "key"})
        self._keep("add", [one.ref])
        self._fake.library.put(one)
        return BulkResult(ChangeSet(added=(one.ref,)), 1)

    def edit(self, edit: Edit) -> BulkResult:
        self._fake.note("edit", edit)
        old = self._fake.library.record(edit.target.ref)
        if old is None:
            raise UserError("record.gone")
        if edit.target.etag is not None and edit.target.etag != old.etag:
            raise UserError("record.changed")
        self._keep("edit", [old.ref])
        fields = {k: v for k, v in edit.fields.items() if k != "key"}
        self._fake.library.put(replace(old, etag=f"{next(self._new):016x}", **fields))
        return BulkResult(ChangeSet(changed=(old.ref,)), 1)

    def trash(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        return self._state("trash", records, State.TRASH)

    def restore(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        return self._state("restore", records, State.LIVE)

    def delete(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        self._fake.note("delete", tuple(records))
        refs = [one.ref if isinstance(one, Target) else one for one in records]
        self._keep("delete", refs)
        for ref in refs:
            self._fake.library.drop(ref)
        return BulkResult(ChangeSet(removed=tuple(refs)), len(refs))

    def tag(self, records: Sequence[Ref | Target], **kwargs: Any) -> BulkResult:
        self._fake.note("tag", tuple(records), kwargs)
        return BulkResult()

    def undo(self) -> ChangeSet:
        return self._swap("undo", self._undo, self._redo)

    def redo(self) -> ChangeSet:
        return self._swap("redo", self._redo, self._undo)

    def undo_text(self) -> tuple[str, int] | None:
        return (self._undo[-1][0], len(self._undo[-1][1])) if self._undo else None

    def redo_text(self) -> tuple[str, int] | None:
        return (self._redo[-1][0], len(self._redo[-1][1])) if self._redo else None

    def classify(self, store: StoreId, fields: Any) -> dict[str, Any]:
        title = str(fields.get("title", ""))
        key = "".join(c if c.isascii() and c.isalnum() else "_" for c in title.lower()).strip("_")
        return {**fields, "key": key, "type": fields.get("type") or "note"}

    def forget(self) -> None:
        self._undo.clear()
        self._redo.clear()

    def _state(self, name: str, records: Sequence[Ref | Target], state: State) -> BulkResult:
        self._fake.note(name, tuple(records))
        refs = [one.ref if isinstance(one, Target) else one for one in records]
        self._keep(name, refs)
        for ref in refs:
            old = self._fake.library.records[ref]
            self._fake.library.put(replace(old, state=state))
        return BulkResult(ChangeSet(changed=tuple(refs)), len(refs))

    def _keep(self, name: str, refs: Sequence[Ref]) -> None:
        self._undo.append((name, [(ref, self._fake.library.records.get(ref)) for ref in refs]))
        self._redo.clear()

    def _swap(self, name: str, source: list[Any], target: list[Any]) -> ChangeSet:
        self._fake.note(name)
        if not source:
            raise UserError("undo.nothing")
        what, before = source.pop()
        target.append((what, [(ref, self._fake.library.records.get(ref)) for ref, _ in before]))
        for ref, old in before:
            if old is None:
                self._fake.library.drop(ref)
            else:
                self._fake.library.put(old)
        return ChangeSet(changed=tuple(ref for ref, _ in before))


class FakeReview:
    """Decides by changing states."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.previews: dict[Ref, ReviewPreview] = {}

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        query = Query(
            stores=frozenset(stores), kinds=frozenset({"review"}), states=frozenset(states)
        )
        return [one for one in self._fake.library.records.values() if query.matches(one)]

    def preview(self, ref: Ref, fields: Any = None) -> ReviewPreview:
        if ref in self.previews:
            return self.previews[ref]
        item = self._fake.library.records[ref]
        fields = {"title": item.title, "text": item.text, "key": item.title, "tags": item.tags}
        return ReviewPreview(item, Outcome.NEW, fields, PROJECT)

    def decide(self, decision: Decision) -> BulkResult:
        self._fake.note("decide", decision)
        states = {
            Verdict.APPROVE: State.APPROVED,
            Verdict.REJECT: State.REJECTED,
            Verdict.REOPEN: State.PENDING,
        }
        ref = decision.target.ref
        self._fake.library.put(
            replace(self._fake.library.records[ref], state=states[decision.verdict])
        )
        return BulkResult(ChangeSet(changed=(ref,)), 1)

    def decide_all(self, decisions: Sequence[Decision], **kwargs: Any) -> BulkResult:
        changes = ChangeSet()
        for decision in decisions:
            changes |= self.decide(decision).changes
        return BulkResult(changes, len(decisions))


class FakeErasing:
    """Plans and results are what a test puts here."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.plan_value: object = None
        self.result: object = None
        self.results: list[object] = []
        self.holders: tuple[object, ...] = ()
        self.entries: tuple[object, ...] = ()
        self.ticks: tuple[tuple[str, int, int], ...] = ()
        self.gate: threading.Event | None = None

    def finish_begun(self, path: str, key: object = None) -> tuple[object, ...]:
        self._fake.note("finish_begun", path)
        return ()

    def plan(self, refs: Sequence[Ref]) -> object:
        self._fake.note("plan", tuple(refs))
        return self.plan_value

    def open_by(self, plan: object) -> tuple[object, ...]:
        return self.holders

    def run(self, plan: object, **kwargs: Any) -> object:
        self._fake.note("run", plan, kwargs)
        return self._work(**kwargs)

    def accept(self, result: object, plan: object) -> object:
        self._fake.note("accept", result, plan)
        return accept(result)  # type: ignore[arg-type]  # tests put results here

    def pending(self, path: object = None) -> tuple[object, ...]:
        self._fake.note("pending")
        return self.entries

    def resume(self, entry: object, **kwargs: Any) -> object:
        self._fake.note("resume", entry, kwargs)
        return self._work(**kwargs)

    def _work(self, tick: Any = None, cancel: Any = None, **kwargs: Any) -> object:
        for step in self.ticks:
            if tick is not None:
                tick(*step)
        while self.gate is not None and not self.gate.wait(0.01):
            if cancel is not None:
                cancel.check()
        return self.results.pop(0) if self.results else self.result


class FakeSettings:
    """Keeps values."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.values = SettingValues(appearance="light", language="en")

    def change(self, **values: Any) -> SettingValues:
        self._fake.note("change", values)
        self.values = replace(self.values, **values)
        return self.values


class FakeLock:
    """Remembers that it was locked."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._locked = False

    def lock(self) -> list[str]:
        self._fake.note("lock")
        self._locked = True
        paths = [str(store) for store in self._fake.library.opened]
        self._fake.library.opened.clear()
        self._fake.editing.forget()
        return paths

    @property
    def is_locked(self) -> bool:
        return self._locked

    def unlock(self) -> list[str]:
        self._fake.note("unlock")
        self._locked = False
        self._fake.library.open(PROJECT)
        return []


@dataclass
class FakeProtect:
    """Notes the calls."""

    fake: FakeServices

    def encrypt(self, store: StoreId, **kwargs: Any) -> OpenedStore:
        self.fake.note("encrypt", store)
        return self.fake.library.opened[store]

    def decrypt(self, store: StoreId, out: object = None, **kwargs: Any) -> OpenedStore | None:
        self.fake.note("decrypt", store, out)
        return self.fake.library.opened[store]


class FakeExporting:
    """Notes what would be written."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake

    def export(self, query: Query, out: object, file_format: str = "json", **kwargs: Any) -> int:
        self._fake.note("export", query, out, file_format)
        return self._fake.library.search(query).total


class FakeChecks:
    """Finds what a test puts into ``lines``."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.lines = [
            CheckLine("check.encrypted", ok=True),
            CheckLine("check.structure", ok=True, params={"count": 0}),
            CheckLine("check.private", ok=None, params={"mode": "0644"}),
            CheckLine("check.free_pages", ok=None, params={"count": 3, "pages": 40}),
            CheckLine("check.open_by", ok=None, params={"count": 1, "names": "agentao (4121)"}),
        ]

    def check(self, store: object) -> list[CheckLine]:
        self._fake.note("check", store)
        return list(self.lines)


@dataclass
class FakeServices:
    """Stands where ``Services`` would."""

    words: Words = field(default_factory=Words)
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    fail_next: dict[str, Exception] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.library = FakeLibrary(self)
        self.editing = FakeEditing(self)
        self.review = FakeReview(self)
        self.erasing = FakeErasing(self)
        self.settings = FakeSettings(self)
        self.lock = FakeLock(self)
        self.protect = FakeProtect(self)
        self.exporting = FakeExporting(self)
        self.checks = FakeChecks(self)

    def note(self, name: str, *args: object) -> None:
        """Write a call down, or fail it when a test asked for that."""
        self.calls.append((name, *args))
        error = self.fail_next.pop(name, None)
        if error is not None:
            raise error

    def called(self, name: str) -> list[tuple[Any, ...]]:
        """The arguments of each call of that name."""
        return [args for called, *args in self.calls if called == name]  # type: ignore[misc]

    def close(self) -> None:
        self.note("close_services")
