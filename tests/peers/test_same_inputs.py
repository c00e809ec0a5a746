# SPDX-License-Identifier: MIT
"""The same inputs through Agentao and through us leave the same rows.

Ids and times aside. Where we mean to differ, the difference is in a table below with its reason,
and the test fails when it is not there any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Decision, NewRecord, Outcome, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

INPUTS: list[dict[str, Any]] = [
    {"key": "user_shoe_size", "value": "41"},
    {"key": "Shoe Size", "value": "  41 in Europe, 8 in the UK  ", "tags": ["personal"]},
    {
        "key": "数据库 schema",
        "value": "见 docs/schema.sql 与 models.py",
        "tags": ["语言", "project_fact"],
    },
    {"key": "x" * 120, "value": "a long title gives a cut key"},
    {"key": "typed", "value": "the type is given", "type": "decision", "tags": ["preference"]},
    {"key": "scoped", "value": "the scope is given", "scope": "project", "tags": ["user"]},
    {"key": "from a crystal", "value": "source crystallized", "source": "crystallized"},
    {"key": "by itself", "value": "source auto", "source": "auto"},
    {"key": "limit", "value": "y" * 4000},
    {"key": "nul", "value": "a\x00b"},
    {
        "key": "emoji 🙂",
        "value": "line\nbreak and \u202ebidi",
        "tags": ["🙂", "Ünïcode", "dup", "dup"],
    },
    {
        "key": "stop words",
        "value": "the of and to by is on at be it as are was were in for with an a",
    },
]
REFUSED_BY_BOTH: dict[str, dict[str, Any]] = {
    "record.key_empty": {"key": "只有中文", "value": "x"},
    "record.title_lines": {"key": "two\nlines", "value": "x"},
    "record.text_empty": {"key": "empty", "value": "  \n"},
    "record.text_long": {"key": "long", "value": "y" * 4001},
    "record.secret": {"key": "leak", "value": "the key is sk_test_EXAMPLEONLYNOTAREALKEY00"},
}
REFUSED_BY_US: dict[str, tuple[dict[str, Any], str]] = {
    "record.title_long": ({"key": "z" * 121, "value": "x"}, "Agentao cuts the title"),
    "record.key_taken": (
        {"key": "tech_stack", "value": "x"},
        "Agentao overwrites; we say that it is there and offer to edit it",
    ),
    "record.secret": (
        {"key": "token=EXAMPLEONLY1", "value": "x"},
        "Agentao looks at the text only; we look at title, key and tags too",
    ),
    "record.type_unknown": (
        {"key": "odd", "value": "x", "type": "rumour"},
        "Agentao stores any type, and then never shows it to the model as one",
    ),
}
DIFFERENT_APPROVALS = {
    "Constraint: send the release notes to Marta before noon": (
        "review.hidden",
        "Agentao saves hidden characters; we ask for a second yes",
    ),
    "Decision: the test key for the payment sandbox": ("record.secret", "refused by both"),
    "Decision: structured logs in JSON for all services": (
        Outcome.IDENTICAL,
        "saved word for word: Agentao writes it again with a new time, we only close the item",
    ),
    "Preference: 深色主题": (
        "review.key_clash",
        "Agentao overwrites 'preference', which the item before it made; we refuse",
    ),
}
VOLATILE = {"id", "memory_id", "created_at", "updated_at", "deleted_at", "timestamp"}


@pytest.fixture
def ours(tmp_path: Path) -> Any:
    """Our pair, open; and a function that closes it and says where it is."""
    location = make_sample(tmp_path / "ours", None)
    home = tmp_path / "ours" / HOME
    registry = Registry(formats(home))
    stores = [
        registry.open(where, None, Mode.CHANGE) for where in (location, registry.locate(home))
    ]
    yield stores
    for store in stores:
        store.close()


@pytest.fixture
def theirs(tmp_path: Path, judge: Any) -> Any:
    """The same sample for Agentao."""
    location = make_sample(tmp_path / "theirs", None)
    user = Registry(formats(None)).locate(tmp_path / "theirs" / HOME)
    judge("open", project=str(location.main), user=str(user.main))
    yield location, user
    judge("close")


def rows(judge: Any, place: Location | Store) -> dict[str, list[dict[str, Any]]]:
    """All rows but ids and times, in an order that does not depend on them."""
    path = str(place.main) if isinstance(place, Location) else str(place.id)
    if isinstance(place, Store):
        place._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
    found = judge("dump", path=path)
    plain = {
        table: [{n: v for n, v in row.items() if n not in VOLATILE} for row in table_rows]
        for table, table_rows in found.items()
    }
    return {table: sorted(r, key=repr) for table, r in plain.items()}


def new_record(inputs: dict[str, Any]) -> NewRecord:
    """Agentao's request in our words."""
    fields = {"title": inputs["key"], "text": inputs["value"]}
    fields |= {name: inputs[name] for name in ("scope", "type") if name in inputs}
    if "tags" in inputs:
        fields["tags"] = tuple(inputs["tags"])
    return NewRecord("memory", fields, inputs.get("source", "explicit"))


def add(stores: list[Store], inputs: dict[str, Any]) -> None:
    """To the store of its scope, as the services do."""
    new = new_record(inputs)
    scope = str(stores[0].classify(new.fields)["scope"])
    stores[1 if scope == "user" else 0].add(new)


def test_saving(judge: Any, ours: list[Store], theirs: tuple[Location, Location]) -> None:
    for inputs in INPUTS:
        add(ours, inputs)
        judge("save", **inputs)
    judge("close")
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)


@pytest.mark.parametrize("code", REFUSED_BY_BOTH)
def test_refused_by_both(
    judge: Any, ours: list[Store], theirs: tuple[Location, Location], code: str
) -> None:
    with pytest.raises(UserError) as caught:
        add(ours, REFUSED_BY_BOTH[code])
    assert caught.value.code == code
    with pytest.raises(Exception, match=r"ValueError|SensitiveMemoryError"):
        judge("save", **REFUSED_BY_BOTH[code])
    judge("close")
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)


@pytest.mark.parametrize("code", REFUSED_BY_US)
def test_refused_by_us_alone(
    judge: Any, ours: list[Store], theirs: tuple[Location, Location], code: str
) -> None:
    inputs, reason = REFUSED_BY_US[code]
    with pytest.raises(UserError) as caught:
        add(ours, inputs)
    assert caught.value.code == code
    assert judge("save", **inputs), reason


def items(store: Store) -> list[Record]:
    """The review items, oldest first."""
    return sorted(
        (r for batch in store.scan(["review"]) for r in batch), key=lambda r: r.created_at or ""
    )


def test_approving(judge: Any, ours: list[Store], theirs: tuple[Location, Location]) -> None:
    """The items that both approve leave the same rows; the others are the listed ones."""
    different = set()
    for item in items(ours[0]):
        target = ours[1 if item.scope == "user" else 0]
        preview = ours[0].preview(item.ref, target)
        said = preview.refusal or preview.outcome
        if item.title in DIFFERENT_APPROVALS:
            expected, reason = DIFFERENT_APPROVALS[item.title]
            assert said == expected, reason
            different.add(item.title)
            continue
        replaces = preview.existing.etag if preview.existing else None
        decision = Decision(Target(item.ref, item.etag), Verdict.APPROVE, replaces=replaces)
        ours[0].review(decision, target)
        assert judge("approve", ident=item.ref.key[0])["key_normalized"] == preview.fields["key"]
    assert different == set(DIFFERENT_APPROVALS)
    judge("close")
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)


def test_insisting_saves_what_agentao_saves(
    judge: Any, ours: list[Store], theirs: tuple[Location, Location]
) -> None:
    """Past our own guards the rows are Agentao's again."""
    titles = ("Constraint: send the release notes to Marta before noon",)
    for item in items(ours[0]):
        if item.title in titles:
            despite = frozenset({"hidden"})
            decision = Decision(Target(item.ref), Verdict.APPROVE, despite=despite)
            ours[0].review(decision, ours[0])
            judge("approve", ident=item.ref.key[0])
    judge("close")
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)


def test_rejecting_and_deleting(
    judge: Any, ours: list[Store], theirs: tuple[Location, Location]
) -> None:
    for item in items(ours[0])[:3]:
        ours[0].review(Decision(Target(item.ref), Verdict.REJECT), None)
        assert judge("reject", ident=item.ref.key[0])
    for store in ours:
        for record in [r for batch in store.scan(["memory"]) for r in batch][:20:4]:
            if record.extra["deleted_at"] is None:
                store.trash(Target(record.ref, record.etag))
                assert judge("delete", ident=record.ref.key[0])
    judge("close")
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)


def test_more_than_fifty_by_itself(
    judge: Any, ours: list[Store], theirs: tuple[Location, Location]
) -> None:
    """Agentao trashes the oldest of what it saved without being asked."""
    for number in range(53):
        inputs = {"key": f"auto {number}", "value": "x", "source": "auto"}
        add(ours, inputs)
        judge("save", **inputs)
    judge("close")
    dead = []
    for place in (str(ours[0].id), str(theirs[0].main)):
        rows_now = judge("dump", path=place)["memories"]
        dead.append(sorted(r["title"] for r in rows_now if r["deleted_at"]))
    assert dead[0] == dead[1]
    assert rows(judge, ours[0]) == rows(judge, theirs[0])
