# SPDX-License-Identifier: MIT
"""Rows of Letta's tables as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.letta.layout import Layout
from memory_gui.stores.formats.letta.texts import every_text, said
from memory_gui.stores.sql.cells import Row, shown
from memory_gui.stores.sql.table import Table

_SHUT: Final = frozenset(
    {
        *("id", "value", "text", "content", "role", "label", "created_at", "updated_at", "tags"),
        *("request_json", "response_json", "is_deleted"),
    }
)


Execute = Callable[[str], Sequence[Sequence[Any]]]


@dataclass(slots=True)
class Names:
    """What rows refer to: agents, by their ids and by block; archives; what blocks once said."""

    agents: dict[str, str] = field(default_factory=dict)
    of_block: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """Archives and sources."""
    earlier: dict[str, list[str]] = field(default_factory=dict)


def names_in(layout: Layout, execute: Execute) -> Names:
    """Read them."""
    names = Names()
    for rows in layout.agents.batches(columns=("id", "name")):
        names.agents.update({row.text("id"): row.text("name") for row in rows})
    if "blocks_agents" in layout.names:
        for agent, block in execute("SELECT agent_id, block_id FROM blocks_agents"):
            names.of_block.setdefault(str(block), []).append(str(agent))
    for table in ("archives", "sources"):
        if table in layout.names:
            for one, name in execute(f"SELECT id, name FROM {table}"):  # noqa: S608 - names of ours
                names.others[str(one)] = str(name)
    for table_ in layout.tables["past"]:
        for rows in table_.batches(columns=("block_id", "value")):
            for row in rows:
                names.earlier.setdefault(row.text("block_id"), []).append(row.text("value"))
    return names


class Reader:
    """Makes records."""

    def __init__(self, store: StoreId, names: Names) -> None:
        self._store = store
        self._names = names

    def record(self, kind: str, table: Table, row: Row) -> Record:
        """One row of one of the kind's tables."""
        made = {
            "block": self._block,
            "passage": self._passage,
            "message": self._message,
            "trace": self._trace,
            "past": self._past,
        }[kind](row)
        del table
        created, updated = row.text("created_at"), row.text("updated_at")
        deleted = row.number("is_deleted") if "is_deleted" in row.cells else 0
        told = list(made.told)
        if deleted:
            told.append("letta.deleted")
        return Record(
            ref=Ref(self._store, kind, (row.text("id"),)),
            etag=row.etag,
            state=State.TRASH if deleted else State.LIVE,
            title=made.title,
            text=made.text,
            subject=made.subject or None,
            source=made.source or None,
            tags=made.tags,
            created_at=created or None,
            updated_at=updated or None,
            created_at_utc=_utc(created),
            updated_at_utc=_utc(updated),
            zone="utc",
            extra={**_others(row), **made.extra},
            told=tuple(told),
        )

    # ---- inside

    def _block(self, row: Row) -> _Made:
        name, names = row.text("id"), self._names
        agents = [names.agents.get(one, one) for one in names.of_block.get(name, ())]
        earlier = [one for one in names.earlier.get(name, ()) if one != row.text("value")]
        extra = {"label": row.text("label")}
        extra |= {"earlier": "\n".join(dict.fromkeys(earlier))} if earlier else {}
        return _Made(
            row.text("template_name"),
            row.text("value"),
            ", ".join(agents),
            extra=extra,
            told=("letta.earlier",) if earlier else (),
        )

    def _passage(self, row: Row) -> _Made:
        agent = self._names.agents.get(row.text("agent_id"), "")
        place = row.text("archive_id") or row.text("source_id")
        tags = _list(row.text("tags"))
        subject = agent or self._names.others.get(place, place)
        return _Made("", row.text("text"), subject, tags=tags, told=("letta.vector",))

    def _message(self, row: Row) -> _Made:
        texts = [said(row.text(name)) for name in ("content", "text")]
        calls = [row.text(name) for name in ("tool_calls", "tool_returns")]
        parts = [one for one in (*texts, *calls) if one not in ("", "null", "[]")]
        subject = self._names.agents.get(row.text("agent_id"), row.text("agent_id"))
        return _Made("", "\n".join(dict.fromkeys(parts)), subject, source=row.text("role"))

    def _trace(self, row: Row) -> _Made:
        parts = [every_text(row.text(name)) for name in ("request_json", "response_json")]
        return _Made("", "\n".join(filter(None, parts)))

    def _past(self, row: Row) -> _Made:
        return _Made(
            row.text("label"), row.text("value"), extra={"memory": row.text("block_id") or None}
        )


@dataclass(frozen=True, slots=True)
class _Made:
    """What differs between the kinds."""

    title: str
    text: str
    subject: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    extra: Mapping[str, str | None] = field(default_factory=dict)
    told: tuple[str, ...] = ()


def _others(row: Row) -> dict[str, str | None]:
    """Every other column that holds anything."""
    return {
        name: text
        for name, cell in row.cells.items()
        if name not in _SHUT and (text := shown(cell)) not in (None, "", "null", "[]", "{}")
    }


def _list(text: str) -> tuple[str, ...]:
    found = every_text(text) if text.startswith("[") else ""
    return tuple(filter(None, found.split("\n")))


def _utc(text: str) -> str | None:
    """``YYYY-MM-DD HH:MM:SS`` is in UTC."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if moment is None:
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.isoformat()
