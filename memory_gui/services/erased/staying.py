# SPDX-License-Identifier: MIT
"""Knowing without a ledger that the rows of a stopped erase are gone, where nothing names them."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from memory_gui.domain.erasing import EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, key_message
from memory_gui.domain.records import StoreId
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.run import is_unnamed
from memory_gui.services.library.library import Library
from memory_gui.stores.contract import Store

_SALT: Final = ""


def with_stays(plan: ErasePlan, library: Library) -> ErasePlan:
    """The same plan, with what tells the keys that stay in stores whose keys are content."""
    stores = []
    for store in plan.stores:
        if _is_told(store):
            with suppress(UserError):  # of a store that is not open nothing is told
                shelf = library.shelf(StoreId(store.path))
                salt = secrets.token_hex(16)
                found = shelf.work(
                    lambda one, key=shelf.key, of=store, salt=salt: _stays(one, of, key, salt)  # type: ignore[misc]  # mypy knows no defaults of a lambda
                )
                store = replace(store, stays=found)  # noqa: PLW2901 - the same one, with more
        stores.append(store)
    return replace(plan, stores=tuple(stores))


def _is_told(store: StorePlan) -> bool:
    """Whether its keys are content, and all of them texts: numbers of rows come again."""
    content = not (store.opaque_ids or store.files)
    return content and bool(store.rows) and all(rows.is_named for rows in store.rows)


def of_what_stays(plan: StorePlan, library: Library, key: Key | None) -> EraseScope | None:
    """A scope without rows where all of a plan's are gone; None where that cannot be told."""
    salt = plan.stays.get(_SALT)
    if salt is None or not is_unnamed(plan):
        return None
    with suppress(UserError), library.looked_at(plan.path, key) as store:
        if _stays(store, plan, key, salt) == plan.stays:
            return EraseScope(store.id, (), ())
    return None


def _stays(store: Store, plan: StorePlan, key: Key | None, salt: str) -> dict[str, str]:
    """By table. With the store's key, so that it tells nothing to who has the note alone."""
    known = json.dumps([salt, key_message(key)]).encode()
    secret = blake2b(known, digest_size=64).digest()
    found = {rows.table: store.staying(rows, secret) for rows in plan.rows}
    return {_SALT: salt, **found} if all(found.values()) else {}
