# SPDX-License-Identifier: MIT
"""What an agent imports to live in an encrypted store. No Qt.

``connect(path)`` is ``sqlite3.connect`` for a store whose key lies in the keychain;
``agentao_store(path)`` is what Agentao's ``MemoryManager`` takes; ``propose(path, fields,
evidence)`` asks the person to save something. One SQLite library per process
and file: a file that this process has open through another one is refused.
"""

from memory_gui.agents.agentao import agentao_store
from memory_gui.agents.connection import Connection, Cursor
from memory_gui.agents.errors import StoreDamaged, StoreUnavailable
from memory_gui.agents.opening import Opener, connect
from memory_gui.agents.proposing import propose
from memory_gui.engine.dbapi import Row

__all__ = [
    "Connection",
    "Cursor",
    "Opener",
    "Row",
    "StoreDamaged",
    "StoreUnavailable",
    "agentao_store",
    "connect",
    "propose",
]
