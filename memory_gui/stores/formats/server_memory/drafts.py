# SPDX-License-Identifier: MIT
"""What a person wants to save in a memory graph, and what speaks against it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref
from memory_gui.stores.fields import refuse_others
from memory_gui.stores.formats.server_memory.layout import BROKEN, ENTITY, RELATION, Line, judged
from memory_gui.stores.formats.server_memory.records import LINE, OBSERVATION

_KNOWN: Final = ("title", "type", "subject", "text", "from", "to")
_OF: Final[Mapping[str, tuple[str, ...]]] = {
    ENTITY: ("title", "type"),
    OBSERVATION: ("subject", "text"),
    RELATION: ("from", "type", "to"),
}
_INSTEAD: Final[Mapping[str, tuple[str, ...]]] = {
    ENTITY: ("text",),
    OBSERVATION: ("title",),
    RELATION: (),
}
"""What is taken besides: an entity's first observation, and a name in place of ``subject``."""


def saved(kind: str, fields: Fields) -> Fields:
    """The values of a new record as they would be stored, by the names that a person gives.

    Raises:
        UserError: as ``draft``.
    """
    draft(kind, fields)
    values = {name: value for name, value in _cleaned(fields).items() if value}
    if kind == OBSERVATION and "title" in values:
        values["subject"] = values.pop("title")
    return dict(values)


def _cleaned(fields: Fields) -> dict[str, str]:
    """Texts without the blanks around them."""
    refuse_others((name for name, value in fields.items() if value), _KNOWN)
    return {name: _text(value) for name, value in fields.items() if isinstance(value, str)}


def draft(kind: str, fields: Fields) -> Mapping[str, Any]:
    """The values of a new record by the server's names.

    Raises:
        UserError: ``store.cannot``, ``record.*``.
    """
    if kind not in _OF:
        raise UserError("store.cannot", act="add", format="mcp-server-memory", why="")
    values = _cleaned(fields)
    given = (name for name, value in values.items() if value)
    refuse_others(given, _OF[kind], also=_INSTEAD[kind])
    if kind == ENTITY:
        said = str(values.get("text", ""))
        return {
            "name": _needed(values, "title"),
            "entityType": _needed(values, "type"),
            "observations": [said] if said else [],
        }
    if kind == OBSERVATION:
        if values.get("subject") and values.get("title"):
            refuse_others(["title"], _OF[kind])
        about = values.get("subject") or values.get("title") or ""
        if not about:
            raise UserError("record.field_empty", field="subject")
        if not values.get("text"):
            raise UserError("record.text_empty")
        return {"name": str(about), "text": str(values["text"])}
    return {
        "from": _needed(values, "from"),
        "to": _needed(values, "to"),
        "relationType": _needed(values, "type"),
    }


def key_of(kind: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """What the new record is called."""
    if kind == ENTITY:
        return (str(values["name"]),)
    return (str(values["from"]), str(values["relationType"]), str(values["to"]))


def kind_of(fields: Fields, entities: Mapping[str, str]) -> str:
    """The kind that a new record of these values is. ``entities`` are names with their types.

    What is said of an entity that is there is an observation of it.
    """
    values = {name: value for name, value in fields.items() if value}
    if "from" in values or "to" in values:
        return RELATION
    title, type_ = _text(values.get("title", "")), _text(values.get("type", ""))
    if not title or "subject" in values:
        return OBSERVATION
    known = "text" in values and title in entities
    return OBSERVATION if known and type_ in {"", entities[title]} else ENTITY


def entity_line(lines: Sequence[Line], name: str) -> Line:
    """The line of an entity; of several the first, to which the server adds.

    Raises:
        UserError: ``record.no_entity``.
    """
    found = next((one for one in lines if one.kind == ENTITY and one.value["name"] == name), None)
    if found is None:
        raise UserError("record.no_entity")
    return found


def must_have(lines: Sequence[Line], values: Mapping[str, Any]) -> None:
    """Both ends of a relation. Raises ``record.no_entity``."""
    entity_line(lines, str(values["from"]))
    entity_line(lines, str(values["to"]))


def check_edit(record: Record, old: Fields, fields: Fields, items: Collection[Ref]) -> None:
    """What speaks against new values.

    Raises:
        UserError: ``record.*``.
    """
    new = {name: _text(value) for name, value in fields.items() if value != old.get(name)}
    if record.kind == OBSERVATION:
        if "subject" in new:
            raise UserError("record.changed_name")
        if "text" in new and not new["text"]:
            raise UserError("record.text_empty")
    elif record.kind == ENTITY:
        _check_name(record, new, items)
    elif record.kind == LINE and "text" in new:
        text = new["text"]
        if "\n" in text or judged(text.encode())[0] == BROKEN:
            raise UserError("record.not_a_line")


def _check_name(record: Record, new: Mapping[str, str], items: Collection[Ref]) -> None:
    for name, value in new.items():
        if not value:
            code = "record.title_empty" if name == "title" else "record.field_empty"
            raise UserError(code, **({} if name == "title" else {"field": name}))
    if "title" in new and Ref(record.ref.store, ENTITY, (new["title"],)) in items:
        raise UserError("record.key_taken")


def _needed(values: Fields, name: str) -> str:
    value = str(values.get(name, ""))
    if not value:
        if name == "title":
            raise UserError("record.title_empty")
        raise UserError("record.field_empty", field=name)
    return value


def _text(value: str | tuple[str, ...]) -> str:
    text = value if isinstance(value, str) else ", ".join(value)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error
    return text.strip()
