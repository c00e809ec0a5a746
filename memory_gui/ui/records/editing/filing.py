# SPDX-License-Identifier: MIT
"""How an agent would file what is typed, and what is wrong with it as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_gui.domain.changes import Fields, KeyHolder
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, StoreId
from memory_gui.services.editing.editing import Editing

_ANY_TEXT = "-"
"""Key, scope and type do not depend on the text, which may be empty or too long as yet."""


class FieldFaultError(UserError):
    """What is wrong with a field as it stands."""


def look(
    editing: Editing, store: StoreId, fields: Mapping[str, Any], record: Record | None, kind: Kind
) -> tuple[Fields, KeyHolder | None, str]:
    """How the agent would file the fields, who has that key, and the scope by the agent's own rule.

    In a thread of the bridge. The last is of a new memory only.

    Raises:
        FieldFaultError: a field that is checked while it is typed.
    """
    for name in kind.checked & set(fields):
        try:
            editing.check_field(store, kind.name, name, str(fields[name]))
        except UserError as error:
            raise FieldFaultError(error.code, **error.params) from error
    if not {"scope", "title"} <= set(fields):  # filed under what is given, and nothing else
        return {}, editing.key_holder(store, fields, None if record is None else record.ref), ""
    fields = {**fields, "text": _ANY_TEXT}
    filed = editing.classify(store, fields)
    if record is None:
        own = editing.classify(store, {**fields, "scope": ""}).get("scope", "")
        return filed, editing.key_holder(store, filed), str(own)
    if "key" not in fields and _keeps_key(editing, store, fields, record):
        filed = {**filed, "key": record.extra.get("key_normalized") or filed.get("key", "")}
        if fields["scope"] == record.scope:
            return filed, None, ""
    return filed, editing.key_holder(store, filed, record.ref), ""


def _keeps_key(editing: Editing, store: StoreId, fields: Mapping[str, Any], record: Record) -> bool:
    """A title takes the key along only where the key came from the title."""
    if fields["title"] == record.title:
        return True
    try:
        derived = editing.classify(store, {**fields, "title": record.title}).get("key")
    except UserError:
        return True
    return derived != record.extra.get("key_normalized")
