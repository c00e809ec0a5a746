# SPDX-License-Identifier: MIT
"""Rows of Letta's tables as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.letta.inside import all_inside, values_of
from memory_gui.stores.formats.letta.layout import Layout
from memory_gui.stores.formats.letta.server import ServerTable
from memory_gui.stores.formats.letta.texts import every_text, said, said_of
from memory_gui.stores.sql.cells import Row, shown

_SHUT: Final = frozenset(
    {
        *("id", "value", "text", "content", "role", "label", "created_at", "updated_at", "tags"),
        *("request_json", "response_json", "is_deleted"),
    }
)


Execute = Callable[[str], Sequence[Sequence[Any]]]


@dataclass(slots=True)
class Names:
    """What rows refer to: agents, by their ids and by block; archives; what blocks once said.

    ``inside`` are the agents' blocks that are no copy of a row of ``block``, by agent and label.
    """

    agents: dict[str, str] = field(default_factory=dict)
    of_block: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """Archives and sources."""
    earlier: dict[str, list[str]] = field(default_factory=dict)
    inside: dict[tuple[str, str], Row] = field(default_factory=dict)


def names_in(layout: Layout, execute: Execute) -> Names:
    """Read them."""
    names = Names()
    for rows in layout.agents.batches(columns=("id", "name")):
        names.agents.update({row.text("id"): row.text("name") for row in rows})
    if "blocks_agents" in layout.names:
        for agent, block in execute("SELECT agent_id, block_id FROM blocks_agents"):
            names.of_block.setdefault(str(block), []).append(str(agent))
    for table in {"archives", "sources"} & layout.names:
        for one, name in execute(f"SELECT id, name FROM {table}"):  # noqa: S608 - names of ours
            names.others[str(one)] = str(name)
    _add_earlier(layout, names)
    if layout.has_inside:
        _add_inside(layout, names)
    return names


def _add_earlier(layout: Layout, names: Names) -> None:
    for table in layout.tables["past"]:
        for rows in table.batches(columns=("block_id", "value")):
            for row in rows:
                names.earlier.setdefault(row.text("block_id"), []).append(row.text("value"))


def _add_inside(layout: Layout, names: Names) -> None:
    values = values_of(layout)
    for one in all_inside(layout):
        rows = values.get((one.label, one.value))
        if rows is None:
            names.inside[one.key] = one.row
        for name in rows or ():
            names.of_block.setdefault(name, []).append(one.key[0])


class Reader:
    """Makes records."""

    def __init__(self, store: StoreId, names: Names) -> None:
        self._store = store
        self._names = names

    def record(self, kind: str, row: Row, key: tuple[str, ...] = ()) -> Record:
        """One row of one of the kind's tables; its key, where that is not its id."""
        made = {
            "block": self._block,
            "agent_block": self._inside,
            "passage": self._passage,
            "identity": self._identity,
            "message": self._message,
            "trace": self._trace,
            "past": self._past,
        }[kind](row)
        return self._made(kind, row, key or (row.text("id"),), made)

    def server(self, table: ServerTable, row: Row) -> Record:
        """A row that Letta's server keeps for itself."""
        made = _Made("", "\n".join(table.texts(row)), extra={"table": table.name})
        return self._made("server", Row(row.rowid, row.cells), table.key(row), made, beside=False)

    # ---- inside

    def _made(
        self, kind: str, row: Row, key: tuple[str, ...], made: _Made, *, beside: bool = True
    ) -> Record:
        created, updated = row.text("created_at"), row.text("updated_at")
        deleted = row.number("is_deleted") if "is_deleted" in row.cells else 0
        told = list(made.told)
        if deleted:
            told.append("letta.deleted")
        return Record(
            ref=Ref(self._store, kind, key),
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
            extra={**(_others(row) if beside else {}), **made.extra},
            told=tuple(told),
        )

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

    def _inside(self, row: Row) -> _Made:
        name = row.text("id")
        title = row.text("template_name") or row.text("name")
        extra = {"label": row.text("label"), "name": None}
        return _Made(title, row.text("value"), self._names.agents.get(name, name), extra=extra)

    def _identity(self, row: Row) -> _Made:
        said = [row.text("identifier_key"), *said_of(row.text("properties"))]
        text = "\n".join(filter(None, said))
        return _Made(row.text("name"), text, extra={"properties": None, "name": None})

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
