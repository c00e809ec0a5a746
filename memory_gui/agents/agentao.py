# SPDX-License-Identifier: MIT
"""Agentao's own store over SQLCipher: its SQL, its rules, our connection.

Its class sends every access through one method, ``_connect`` (tried with 0.5.12 and 0.5.17), so
that method is all that is put in its place: what Agentao stores and how stays its own. Agentao's
package is looked for when a store is made, not when this module is imported.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from memory_gui.agents.connection import Connection
from memory_gui.agents.errors import understood
from memory_gui.agents.opening import Opener
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.dbapi import Row
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import AnyKeychain

CONTRACT: Final = (
    *("upsert_memory", "get_memory_by_id", "get_memory_by_scope_key", "list_memories"),
    *("search_memories", "filter_by_tag", "soft_delete_memory", "clear_memories"),
    *("save_session_summary", "list_session_summaries", "clear_session_summaries"),
    *("upsert_review_item", "get_review_item", "list_review_items", "update_review_status"),
)
"""The fifteen methods of Agentao's storage protocol (``agentao.capabilities.memory``)."""


def agentao_store(
    path: str | os.PathLike[str],
    *,
    create: bool = False,
    key: Key | None = None,
    keychain: AnyKeychain | None = None,
) -> Any:
    """A store for Agentao's ``MemoryManager``, over an encrypted or a readable database.

    Any thread; each call of its methods opens and closes a connection of its own, as Agentao's
    own store does. ``create`` makes a readable database (0600) where there is none, in the folder
    that must be there or can be made; it becomes an encrypted one by ``memory-cli encrypt``, also
    while this store is in use. An existing file never leads to a new key, nor to another file.

    Raises:
        StoreUnavailable, StoreDamaged: the file cannot be used; Agentao must not go on with a
            store in memory then, in which all that it saves is lost.
        ImportError: Agentao is not installed here.
    """
    with understood():
        opener = Opener(path, key=key, keychain=keychain)
        if create and not os.path.lexists(opener.path):
            opener.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            create_store(opener.path, None)
        stock = import_module("agentao.memory.storage").SQLiteMemoryStore
        _require_known(stock)
        return _over(stock)(opener)


def _require_known(stock: type) -> None:
    """Refuse an Agentao that keeps its memories in some other way.

    Raises:
        UserError: ``agents.unknown_agentao``.
    """
    if all(hasattr(stock, name) for name in (*CONTRACT, "_connect")):
        return
    try:
        found = version("agentao")
    except PackageNotFoundError:
        found = "?"
    raise UserError("agents.unknown_agentao", version=found)


def _over(stock: type) -> type:
    """Agentao's class with our connection in the place of its own."""

    class EncryptedStore(stock):  # type: ignore[misc]  # known at run time only
        """Agentao's store. ``db_path`` names the file; ``close`` ends nothing that is open."""

        def __init__(self, opener: Opener) -> None:
            self._opener = opener
            # As Agentao's own: a read and the write after it are one turn, and turns nest.
            self._turns = threading.RLock()
            super().__init__(str(opener.path))

        @contextmanager
        def _connect(self) -> Iterator[Connection]:
            with self._turns:
                connection = self._opener.connect()
                try:
                    connection.row_factory = Row
                    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
                    if mode != "persist":  # a person has the journal kept (``erase --keep-clean``)
                        connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA foreign_keys=ON")
                    with connection:
                        yield connection
                finally:
                    connection.close()

        def __repr__(self) -> str:
            return f"<{type(self).__name__} {self.db_path}>"

    return EncryptedStore
