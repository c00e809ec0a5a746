# SPDX-License-Identifier: MIT
"""Believable records of two invented stores."""

from __future__ import annotations

from memory_gui.domain.changes import (
    Capability,
)
from memory_gui.domain.records import Record, Ref, State, StoreId

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
    | Capability.ENCRYPT
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
        extra={"key_normalized": f"{name}_{number}", "confidence": "explicit_user"},
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
