# SPDX-License-Identifier: MIT
"""What a change leaves in the file, as another program sees it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import ChangeSet, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, State
from memory_gui.engine.database import Connection
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

Opened = Callable[..., Any]
Outside = Callable[..., list[list[list[Any]]]]

OLD = "UPDATE memories SET created_at = '2025-01-02T03:04:05', updated_at = '2025-01-02T03:04:05'"


def memory(store: Any, title: str) -> Record:
    return next(r for batch in store.scan(["memory"]) for r in batch if r.title == title)


def save(store: Any, title: str = "the title", text: str = "the text", **more: Any) -> Record:
    (ref,) = store.add(NewRecord("memory", {"title": title, "text": text, **more})).added
    record = store.fetch([ref])[0]
    assert record is not None
    return record  # type: ignore[no-any-return]


def code(act: Callable[[], object]) -> str:
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


def test_an_addition_row_by_row(fresh: Path, opened: Opened, outside: Outside) -> None:
    store = opened(fresh)
    record = save(store, "The Title 标题", " about main.py ", tags=("Workflow", "发布"))
    ident = record.ref.key[0]
    (rows, events, counter) = outside(
        fresh,
        "SELECT scope, type, key_normalized, title, content, tags_json, keywords_json, source,"
        " confidence, sensitivity, created_at = updated_at, deleted_at FROM memories",
        "SELECT memory_id, event_type, detail FROM memory_events",
        "SELECT value FROM schema_meta WHERE key = 'memories_change'",
    )
    assert rows == [
        [
            "project",
            "workflow",
            "the_title",
            "The Title 标题",
            "about main.py",
            '["Workflow", "\\u53d1\\u5e03"]',
            rows[0][6],
            "explicit",
            "explicit_user",
            "normal",
            1,
            None,
        ]
    ]
    assert json.loads(rows[0][6]) == ["about", "main", "main.py", "title", "workflow", "发布"]
    assert events == [[ident, "create", None]]
    assert counter == [["1"]]
    assert len(ident) == 8
    assert int(ident, 16) >= 0


def test_an_edit_keeps_what_it_does_not_name(fresh: Path, opened: Opened, outside: Outside) -> None:
    store = opened(fresh)
    record = save(store, text="first words", tags=("one",))
    outside(
        fresh, OLD, "ALTER TABLE memories ADD COLUMN pinned", "UPDATE memories SET pinned = x'ff'"
    )
    outside(fresh, "UPDATE memories SET source = 'auto', confidence = 'auto_summary', type = 'odd'")
    store.close()
    store = opened(fresh)
    store.apply(Edit(Target(record.ref), {"text": "second words"}))
    (rows, events) = outside(
        fresh,
        "SELECT content, source, confidence, type, hex(pinned), created_at,"
        " updated_at > created_at, keywords_json FROM memories",
        "SELECT event_type FROM memory_events ORDER BY id",
    )
    assert rows[0][:7] == [
        "second words",
        "auto",
        "auto_summary",
        "odd",
        "FF",
        "2025-01-02T03:04:05",
        1,
    ]
    assert "first" not in rows[0][7]
    assert "second" in rows[0][7]
    assert events == [["create"], ["update"]]


def test_an_edit_that_changes_nothing_writes_nothing(
    fresh: Path, opened: Opened, outside: Outside
) -> None:
    store = opened(fresh)
    record = save(store, tags=("a",))
    outside(fresh, OLD)
    before = outside(fresh, "SELECT * FROM memories", "SELECT * FROM schema_meta")
    same = {"title": record.title, "text": record.text, "tags": record.tags, "type": record.type}
    assert store.apply(Edit(Target(record.ref), same)) == ChangeSet()
    assert outside(fresh, "SELECT * FROM memories", "SELECT * FROM schema_meta") == before


def test_the_counter_moves_only_where_agentao_made_it_move(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    """0.5.12 and older have no triggers; we add none."""
    path = samples / "agentao-0.5.12" / "project" / ".agentao" / "memory.db"
    before = outside(path, "SELECT type, name, sql FROM sqlite_master ORDER BY name")
    store = opened(path)
    save(store)
    assert outside(path, "SELECT type, name, sql FROM sqlite_master ORDER BY name") == before
    assert outside(path, "SELECT key FROM schema_meta") == [[["version"]]]


def test_a_new_title_gives_a_new_key(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    record = save(store, "Old Title")
    store.apply(Edit(Target(record.ref), {"title": "New Title"}))
    assert memory(store, "New Title").extra["key_normalized"] == "new_title"


def test_a_key_of_its_own_stays_when_the_title_changes(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    record = save(store, "深色主题", key="dark_theme")
    store.apply(Edit(Target(record.ref), {"title": "浅色主题"}))
    assert memory(store, "浅色主题").extra["key_normalized"] == "dark_theme"


def test_a_title_without_latin_letters_needs_a_key(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    record = save(store, "theme")
    edit = Edit(Target(record.ref), {"title": "主题"})
    assert code(lambda: store.apply(edit)) == "record.key_empty"
    store.apply(Edit(Target(record.ref), {"title": "主题", "key": "theme"}))
    assert memory(store, "主题").extra["key_normalized"] == "theme"


def test_key_clashes(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    one, two = save(store, "one"), save(store, "two")
    assert code(lambda: save(store, "ONE!")) == "record.key_taken"
    assert code(lambda: store.apply(Edit(Target(two.ref), {"title": "One"}))) == "record.key_taken"
    store.trash(Target(one.ref))
    three = save(store, "one", "a second life of the key")
    assert code(lambda: store.restore(Target(one.ref))) == "record.key_taken"
    store.trash(Target(three.ref))
    store.restore(Target(one.ref))
    assert store.fetch([one.ref])[0].state is State.LIVE


def test_reinstating_over_a_new_owner_of_the_key_is_refused(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    one = save(store, "one")
    saved = store.snapshot([one.ref])
    store.delete(Target(one.ref))
    save(store, "one", "somebody else")
    assert code(lambda: store.reinstate(saved)) == "record.key_taken"


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"text": "token=EXAMPLEONLY1"}, "text"),
        ({"title": "token=EXAMPLEONLY1"}, "title"),
        ({"tags": ("ok", "sk_test_EXAMPLEONLYNOTAREALKEY00")}, "tags"),
        # Its key is sk_proj_…: lower case and underscores, no shape of a secret any more.
        ({"key": "sk-proj-EXAMPLEONLYEXAMPLEONLY0000"}, "key"),
    ],
)
def test_secrets_are_refused_in_every_field(
    fresh: Path, opened: Opened, fields: dict[str, Any], where: str
) -> None:
    store = opened(fresh)
    new = {"title": "a title", "text": "a text", **fields}
    assert code(lambda: store.add(NewRecord("memory", new))) == "record.secret"
    record = save(store, "harmless")
    assert code(lambda: store.apply(Edit(Target(record.ref), fields))) == "record.secret"
    insist = frozenset({"secret"})
    store.apply(Edit(Target(record.ref), fields, insist))
    store.delete(Target(record.ref))
    store.add(NewRecord("memory", {**new, "title": "another " + str(new["title"])}, despite=insist))


def test_a_secret_that_is_there_does_not_stand_in_the_way(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    new = NewRecord(
        "memory", {"title": "leak", "text": "token=EXAMPLEONLY1"}, despite=frozenset({"secret"})
    )
    (ref,) = store.add(new).added
    store.apply(Edit(Target(ref), {"tags": ("to_do",)}))
    assert store.fetch([ref])[0].tags == ("to_do",)


def test_an_error_never_holds_the_text(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    secret = "password=EXAMPLEONLY1"
    with pytest.raises(UserError) as caught:
        save(store, text=secret)
    assert secret not in repr(caught.value.params) + str(caught.value)


def test_the_other_files_scope_is_refused(samples: Path, opened: Opened) -> None:
    base = samples / "agentao"
    project = opened(base / "project-ginkgo" / ".agentao" / "memory.db")
    user = opened(base / "home" / ".agentao" / "memory.db")
    fields = {"title": "t x", "text": "x"}
    for store, wrong in ((project, "user"), (user, "project")):
        new = NewRecord("memory", {**fields, "scope": wrong})
        assert code(lambda: store.add(new)) == "scope.other_store"  # noqa: B023 - called at once
        record = next(r for b in store.scan(["memory"]) for r in b if r.state is State.LIVE)
        edit = Edit(Target(record.ref), {"scope": wrong})
        assert code(lambda: store.apply(edit)) == "scope.other_store"  # noqa: B023
    # Also when the classification says so.
    personal = NewRecord("memory", {**fields, "tags": ("preference",)})
    assert code(lambda: project.add(personal)) == "scope.other_store"
    assert user.add(personal).added


def test_a_move_keeps_id_created_time_and_unknown_columns(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    base = samples / "agentao"
    paths = [base / name / ".agentao" / "memory.db" for name in ("project-ginkgo", "home")]
    for path in paths:
        outside(
            path, "ALTER TABLE memories ADD COLUMN pinned", "UPDATE memories SET pinned = 'yes'"
        )
    project, user = map(opened, paths)
    record = next(r for b in project.scan(["memory"]) for r in b if r.state is State.LIVE)
    (ref,) = user.take_in(record).added
    (moved,) = user.fetch([ref])
    assert (moved.ref.key, moved.scope) == (record.ref.key, "user")
    for name in ("title", "text", "type", "tags", "source", "created_at"):
        assert getattr(moved, name) == getattr(record, name)
    assert moved.extra["pinned"] == "yes"
    # Stopped here and repeated: nothing twice.
    assert user.take_in(record) == ChangeSet(changed=(ref,))
    project.delete(Target(record.ref, record.etag))
    assert outside(
        paths[0], ("SELECT count(*) FROM memories WHERE id = ?", [record.ref.key[0]])
    ) == [[[0]]]


def test_a_move_that_would_lose_a_column_is_refused(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    base = samples / "agentao"
    path = base / "project-ginkgo" / ".agentao" / "memory.db"
    outside(path, "ALTER TABLE memories ADD COLUMN pinned", "UPDATE memories SET pinned = 'yes'")
    project, user = opened(path), opened(base / "home" / ".agentao" / "memory.db")
    record = next(r for b in project.scan(["memory"]) for r in b if r.state is State.LIVE)
    assert code(lambda: user.take_in(record)) == "scope.columns_differ"


def test_other_kinds_are_not_the_persons_to_change(samples: Path, opened: Opened) -> None:
    store = opened(samples / "agentao" / "project-ginkgo" / ".agentao" / "memory.db")
    by_kind = {r.kind: r for batch in store.scan() for r in batch}
    for kind in ("review", "summary", "event", "meta"):
        target = Target(by_kind[kind].ref)
        assert code(lambda: store.trash(target)) == "store.cannot"  # noqa: B023 - called at once
        assert code(lambda: store.apply(Edit(target, {"text": "x"}))) == "store.cannot"  # noqa: B023
    for kind in ("event", "meta"):
        target = Target(by_kind[kind].ref)
        assert code(lambda: store.delete(target)) == "store.cannot"  # noqa: B023
    for kind in ("review", "summary"):
        record = by_kind[kind]
        saved = store.snapshot([record.ref])
        store.delete(Target(record.ref))
        store.reinstate(saved)
        assert store.fetch([record.ref]) == (record,)


def test_a_failure_in_the_middle_leaves_nothing(
    fresh: Path, opened: Opened, outside: Outside
) -> None:
    """The event cannot be written: the memory is not there either."""
    outside(
        fresh,
        "CREATE TRIGGER no BEFORE INSERT ON memory_events BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    store = opened(fresh)
    assert code(lambda: save(store)) == "store.constraint"
    assert outside(fresh, "SELECT count(*) FROM memories") == [[[0]]]


def test_two_writers_at_once_lose_nothing(fresh: Path, opened: Opened) -> None:
    """Each from its own thread and connection, on the same record: one of each pair wins."""
    first = opened(fresh)
    record = save(first)
    lost: list[str] = []

    def write(name: str) -> None:
        store = Registry(formats(None)).open(Location((fresh.resolve(),)), None, Mode.CHANGE)
        for number in range(20):
            (seen,) = store.fetch([record.ref])
            assert seen is not None
            try:
                store.apply(
                    Edit(Target(seen.ref, seen.etag), {"tags": (*seen.tags, f"{name}{number}")})
                )
            except UserError as error:
                lost.append(error.code)
        store.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (after,) = first.fetch([record.ref])
    assert set(lost) <= {"record.changed"}
    assert len(after.tags) == 40 - len(lost), "every tag that was said to be written is there"


def test_each_change_is_one_transaction(
    fresh: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(fresh)
    record = save(store)
    seen: list[str] = []
    real = Connection.execute

    def spy(self: Connection, sql: str, params: Any = ()) -> list[Any]:
        seen.append(sql if sql.startswith("BEGIN") else sql.split(maxsplit=1)[0])
        return real(self, sql, params)

    monkeypatch.setattr(Connection, "execute", spy)
    store.apply(Edit(Target(record.ref), {"text": "other"}))
    assert seen[0] == "BEGIN IMMEDIATE"
    assert seen[-1] == "COMMIT"
    assert seen.count("COMMIT") == 1
    assert [s for s in seen if s in {"UPDATE", "INSERT"}] == ["UPDATE", "INSERT"]


def test_what_the_agents_log_says(fresh: Path, opened: Opened, outside: Outside) -> None:
    """The agent saw a live record go; one from the trash it had not seen for long."""
    store = opened(fresh)
    alive, trashed = save(store, "alive"), save(store, "trashed")
    saved = store.snapshot([alive.ref])
    store.delete(Target(alive.ref))
    store.reinstate(saved)
    store.trash(Target(trashed.ref))
    store.restore(Target(trashed.ref))
    store.trash(Target(trashed.ref))
    store.delete(Target(trashed.ref))
    (events,) = outside(fresh, "SELECT memory_id, event_type FROM memory_events ORDER BY id")
    by_record = {
        record.title: [event for ident, event in events if ident == record.ref.key[0]]
        for record in (alive, trashed)
    }
    assert by_record == {
        "alive": ["create", "soft_delete", "create"],
        "trashed": ["create", "soft_delete", "update", "soft_delete"],
    }
