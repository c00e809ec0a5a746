# SPDX-License-Identifier: MIT
"""A memory as it would be saved: what a person or a review item gives, made Agentao's way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import UserError
from memory_gui.stores.fields import refuse_others
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.rows import list_of
from memory_gui.stores.guard import first_secret
from memory_gui.stores.sql.cells import Cell, Row

EDITABLE = frozenset({"title", "key", "text", "scope", "type", "tags"})
SOURCES = frozenset({"explicit", "auto", "crystallized"})


@dataclass(frozen=True, slots=True)
class Draft:
    """Checked and classified values of one memory."""

    key: str
    title: str
    text: str = field(repr=False)
    scope: str
    type: str
    tags: tuple[str, ...]
    source: str = "explicit"
    confidence: str = "explicit_user"
    typed: tuple[str, ...] = field(default=(), repr=False)
    """The values as a person gave them: making a key of one may take a secret's shape away."""

    @property
    def keywords(self) -> list[str]:
        """Agentao's keywords."""
        return rules.keywords_for(self.title, self.tags, self.text)

    def guard(self, despite: Collection[str]) -> None:
        """Refuse a secret in any field.

        Raises:
            UserError: ``record.secret``.
        """
        if "secret" in despite:
            return
        kind = first_secret((self.text, self.title, self.key, *self.tags, *self.typed))
        if kind:
            raise UserError("record.secret", kind=kind)

    def cells(self) -> dict[str, Cell]:
        """The columns that these values fill."""
        return {
            "scope": self.scope,
            "type": self.type,
            "key_normalized": self.key,
            "title": self.title,
            "content": self.text,
            "tags_json": rules.json_list(self.tags),
            "keywords_json": rules.json_list(self.keywords),
            "source": self.source,
            "confidence": self.confidence,
        }

    def fields(self) -> dict[str, str | tuple[str, ...]]:
        """The values as Fields, for a preview."""
        return {
            "key": self.key,
            "title": self.title,
            "text": self.text,
            "scope": self.scope,
            "type": self.type,
            "tags": self.tags,
            "source": self.source,
            "confidence": self.confidence,
        }


def one(fields: Fields, name: str) -> str | None:
    """A field's text, or None when it is not given."""
    value = fields.get(name)
    return value if isinstance(value, str) or value is None else " ".join(value)


def many(fields: Fields, name: str) -> tuple[str, ...] | None:
    """A field's texts; one text is split at commas."""
    value = fields.get(name)
    if isinstance(value, str):
        return tuple(value.replace("，", ",").split(","))
    return value


def check_names(fields: Mapping[str, object], allowed: Collection[str] = EDITABLE) -> None:
    """Refuse fields that an Agentao record does not have.

    Raises:
        UserError: ``record.no_such_field``.
    """
    refuse_others(fields, sorted(allowed))


def new_draft(fields: Fields, source: str = "explicit") -> Draft:
    """A new memory from fields, classified as Agentao's ``upsert`` does.

    ``title`` alone gives the key, ``key`` alone gives the title, as Agentao has only one of them.
    """
    check_names(fields)
    if source not in SOURCES:
        raise UserError("record.source_unknown", sources=", ".join(sorted(SOURCES)))
    given_title, given_key = one(fields, "title"), one(fields, "key")
    title = rules.clean_title(given_title or given_key or "")
    key = rules.chosen_key(given_key) if given_key else rules.normalize_key(title)
    tags = rules.clean_tags(many(fields, "tags") or ())
    return Draft(
        key=key,
        title=title,
        text=rules.clean_text(one(fields, "text") or ""),
        scope=rules.scope_for(key, tags, checked_scope(one(fields, "scope"))),
        type=rules.type_for(tags, one(fields, "type")),
        tags=tags,
        source=source,
        confidence=rules.confidence_for(source),
        typed=as_typed(fields),
    )


def as_typed(fields: Fields) -> tuple[str, ...]:
    """Every value of the fields as it was given, before it is cleaned and normalised."""
    given = (one(fields, "title"), one(fields, "key"), one(fields, "text"))
    return (*(text for text in given if text), *(many(fields, "tags") or ()))


def checked_scope(scope: str | None) -> str | None:
    """The scope as given; None when it is left to the rules.

    Raises:
        UserError: ``scope.unknown``.
    """
    if not scope:
        return None
    if scope not in rules.SCOPES:
        raise UserError("scope.unknown", scopes=", ".join(rules.SCOPES))
    return scope


def edited_cells(row: Row, fields: Fields, despite: Collection[str]) -> dict[str, Cell]:
    """The columns that an edit changes, and only those; keywords always follow.

    What is not named is kept as it is stored, also where it could not be written anew. A title
    takes the key along only where the key came from the title.
    """
    check_names(fields)
    cells: dict[str, Cell] = {}
    title, text = row.text("title"), row.text("content")
    if (given := one(fields, "title")) is not None and given != title:
        cells["title"] = title = rules.clean_title(given)
    key = _edited_key(row, fields, title)
    if key != row.cells["key_normalized"]:
        cells["key_normalized"] = key
    if (given := one(fields, "text")) is not None and given != text:
        cells["content"] = text = rules.clean_text(given)
    tags = list_of(row.cells["tags_json"]) or ()
    if (given_tags := many(fields, "tags")) is not None and given_tags != tags:
        tags = rules.clean_tags(given_tags)
        cells["tags_json"] = rules.json_list(tags)
    _edit_filing(row, fields, tags, cells)
    if cells and "secret" not in despite:
        _guard(cells, tags, key=one(fields, "key"))
    if cells:
        cells["keywords_json"] = rules.json_list(rules.keywords_for(title, tags, text))
    return {name: cell for name, cell in cells.items() if row.cells[name] != cell}


def _edit_filing(row: Row, fields: Fields, tags: Sequence[str], cells: dict[str, Cell]) -> None:
    scope = checked_scope(one(fields, "scope"))
    if scope and scope != row.cells["scope"]:
        cells["scope"] = scope
    kind = one(fields, "type")
    if kind is not None and kind != row.cells["type"]:
        cells["type"] = rules.type_for(tags, kind)


def _edited_key(row: Row, fields: Fields, title: str) -> Cell:
    old = row.cells["key_normalized"]
    given = one(fields, "key")
    if given is not None:
        return old if given == old else rules.chosen_key(given)
    if "title" not in fields or rules.bare_key(row.text("title")) != old:
        return old
    return rules.normalize_key(title)


def _guard(cells: Mapping[str, Cell], tags: Sequence[str], key: str | None) -> None:
    """Only what is new is refused: a secret that is there already is not written by this edit.

    The key also as it was typed: without its case and dashes a secret has lost its shape.
    """
    texts = [str(cells[name]) for name in ("content", "title", "key_normalized") if name in cells]
    if key and "key_normalized" in cells:
        texts.append(key)
    kind = first_secret((*texts, *(tags if "tags_json" in cells else ())))
    if kind:
        raise UserError("record.secret", kind=kind)
