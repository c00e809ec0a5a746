# SPDX-License-Identifier: MIT
"""A new memory as Agentao's ``upsert`` saves one, and what would become of it."""

from __future__ import annotations

from memory_gui.domain.changes import Addition, ChangeSet, Fields, NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.clashes import free_key, key_holder
from memory_gui.stores.formats.agentao.drafts import Draft, checked_scope, many, new_draft, one
from memory_gui.stores.formats.agentao.memories import Memories
from memory_gui.stores.formats.agentao.tables import Tables


def added(tables: Tables, memories: Memories, new: NewRecord) -> ChangeSet:
    """Save it, and log that.

    Raises:
        UserError: ``record.*``, ``scope.other_store``, ``record.key_taken``.
    """
    draft = _draft(memories, new)
    with tables.writing():
        memories.must_be_free(draft.scope, draft.key)
        ref = memories.create(draft)
        gone = memories.crowded_out(draft.scope) if new.source == "auto" else ()
    return ChangeSet(added=(ref,), changed=gone)


def may_add(tables: Tables, memories: Memories, new: NewRecord) -> Addition:
    """What ``added`` would do; inside a reading transaction.

    Raises:
        UserError: as ``added``; of an empty key with one that is free (``proposed``).
    """
    try:
        draft = _draft(memories, new)
    except UserError as error:
        if error.code != "record.key_empty":
            raise
        raise UserError(error.code, proposed=_key_for(tables, new.fields)) from error
    found = key_holder(tables, "memory", draft.fields())
    if found is None:
        return Addition("memory", draft.fields())
    return Addition("memory", draft.fields(), found.ref, found.free)


def key_by_type(tables: Tables, scope: str, type_: str) -> str:
    """A free key for what says nothing in letters of the Latin alphabet: its type, and a number."""
    with_type = {"scope": scope, "key": type_}
    taken = key_holder(tables, "memory", with_type) is not None
    return free_key(tables, "memory", scope, type_) if taken else type_


def _draft(memories: Memories, new: NewRecord) -> Draft:
    draft = new_draft(new.fields, new.source)
    memories.accept(draft.scope)
    draft.guard(new.despite)
    return draft


def _key_for(tables: Tables, fields: Fields) -> str:
    tags = rules.clean_tags(many(fields, "tags") or ())
    scope = rules.scope_for("", tags, checked_scope(one(fields, "scope")))
    return key_by_type(tables, scope, rules.type_for(tags, one(fields, "type")))
