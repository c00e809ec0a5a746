# SPDX-License-Identifier: MIT
"""Many changes in a row, by us and by Agentao in turn on one pair; both agree all the way."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, State
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

SEEN = (
    "scope", "type", "key_normalized", "title", "content", "tags", "source", "confidence",
    "created_at", "updated_at",
)  # fmt: skip


def live(stores: list[Store]) -> dict[str, tuple[Any, ...]]:
    """Our live memories as the judge would list them."""
    return {
        r.ref.key[0]: (
            r.scope, r.type, r.extra["key_normalized"], r.title, r.text, list(r.tags), r.source,
            r.extra["confidence"], r.created_at, r.updated_at,
        )
        for store in stores
        for batch in store.scan(["memory"])
        for r in batch
        if r.state is State.LIVE
    }  # fmt: skip


def some(rng: random.Random, store: Store, kind: str) -> Record | None:
    """A record by chance."""
    records = [r for batch in store.scan([kind]) for r in batch]
    return rng.choice(records) if records else None


def our_turn(rng: random.Random, stores: list[Store], step: int) -> None:
    """One change by us; refusals are fine."""
    place = rng.randrange(2)
    store, scope = stores[place], ("project", "user")[place]
    record = some(rng, store, "memory")
    name = rng.choice(["add", "edit", "title", "trash", "restore", "delete", "move", "review"])
    text = f"step {step}: {rng.choice(['plain', '中文', 'src/app.py', 'x' * 3000])}"
    if name == "add" or record is None:
        fields = {"title": f"ours {step % 40}", "text": text, "scope": scope, "tags": ("soak",)}
        store.add(NewRecord("memory", fields))
        return
    target = Target(record.ref, record.etag)
    if name == "edit":
        store.apply(Edit(target, {"text": text, "tags": ("soak", str(step))}))
    elif name == "title":
        store.apply(Edit(target, {"title": f"renamed {step % 40}"}))
    elif name == "trash":
        store.trash(target)
    elif name == "restore":
        store.restore(target)
    elif name == "delete":
        store.delete(target)
    elif name == "move":
        stores[1 - place].take_in(record)
        store.delete(target)
    else:
        decide(rng, stores)


def decide(rng: random.Random, stores: list[Store]) -> None:
    """Some verdict on some item."""
    item = some(rng, stores[0], "review")
    assert item is not None
    goal = stores[1 if item.scope == "user" else 0]
    preview = stores[0].preview(item.ref, goal)
    stores[0].review(
        Decision(
            Target(item.ref, item.etag),
            rng.choice(list(Verdict)),
            replaces=preview.existing.etag if preview.existing else None,
        ),
        goal,
    )


def their_turn(rng: random.Random, judge: Any, step: int) -> None:
    """One change by Agentao; refusals are fine."""
    state = judge("state")
    name = rng.choice(["save", "overwrite", "delete", "approve", "reject", "crystallize"])
    if name == "save":
        judge("save", key=f"theirs {step % 40}", value=f"step {step}", tags=["soak"])
    elif name == "overwrite" and state["entries"]:
        entry = rng.choice(state["entries"])
        judge("save", key=entry["title"], value=f"again {step}", scope=entry["scope"])
    elif name == "delete" and state["entries"]:
        judge("delete", ident=rng.choice(state["entries"])["id"])
    elif name in {"approve", "reject"}:
        judge(name, ident=rng.choice(state["reviews"])["id"])
    else:
        words = rng.choice(["tabs", "spaces", "深色主题", "short lines", "简洁的回答"])
        message = {"role": "user", "content": f"I prefer {words}. 我喜欢{words}。"}
        judge("crystallize", messages=[message])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_taking_turns(judge: Any, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    location = make_sample(tmp_path, None)
    home = tmp_path / HOME
    registry = Registry(formats(home))
    user = registry.locate(home)
    stores = [registry.open(where, None, Mode.CHANGE) for where in (location, user)]
    judge("open", project=str(location.main), user=str(user.main))
    try:
        for step in range(150):
            try:
                if rng.random() < 0.6:
                    our_turn(rng, stores, step)
                else:
                    their_turn(rng, judge, step)
            except UserError:
                continue
            except Exception as error:
                # The judge's own refusals come as text that begins with Agentao's exception.
                if not str(error).startswith(("ValueError", "SensitiveMemoryError")):
                    raise
                continue
            state = judge("state")
            theirs = {e["id"]: tuple(e[name] for name in SEEN) for e in state["entries"]}
            assert theirs == live(stores), f"seed {seed}, step {step}"
            assert state["problems"] == []
    finally:
        judge("close")
        for store in stores:
            store.close()
