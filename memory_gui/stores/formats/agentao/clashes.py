# SPDX-License-Identifier: MIT
"""Which record has a key that only one may have, and a key near it that is free.

Agentao's index is unique over scope and key among live memories, and among waiting proposals.
"""

from __future__ import annotations

from typing import Final

from memory_gui.domain.changes import Fields, KeyHolder
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.drafts import one
from memory_gui.stores.formats.agentao.rows import ref_of
from memory_gui.stores.formats.agentao.tables import Tables

WAITING: Final = "scope = ? AND key_normalized = ? AND status = 'pending'"
_LIVE: Final = {
    "memory": "scope = ? AND key_normalized = ? AND deleted_at IS NULL",
    "review": WAITING,
}


def key_holder(
    tables: Tables, kind: str, fields: Fields, but: Ref | None = None
) -> KeyHolder | None:
    """The record with the scope and key of the fields, unless it is ``but``.

    What has no key, or none that the agent would take, has no holder.
    """
    where = _LIVE.get(kind)
    scope, key = one(fields, "scope"), _key(kind, fields)
    if where is None or scope is None or key is None:
        return None
    rows = tables.select(kind, where, (scope, key))
    found = next((ref for ref in (ref_of(tables.store, kind, row) for row in rows)), None)
    if found is None or found == but:
        return None
    return KeyHolder(found, key, free_key(tables, kind, scope, key))


def free_key(tables: Tables, kind: str, scope: str, key: str) -> str:
    """A key near ``key`` that no such record of the scope has."""
    number = 2
    while True:
        ending = f"_{number}"
        proposed = key[: rules.KEY_LIMIT - len(ending)] + ending
        if not tables.select(kind, _LIVE[kind], (scope, proposed)):
            return proposed
        number += 1


def _key(kind: str, fields: Fields) -> str | None:
    given = one(fields, "key")
    if kind == "review":
        return given  # proposals keep keys that no memory could have
    try:
        return rules.normalize_key(given or one(fields, "title") or "")
    except UserError:
        return None
