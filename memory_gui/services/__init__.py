# SPDX-License-Identifier: MIT
"""Use cases: library, editing, review, erasing, protection, export, checks, lock, settings.

Window and terminal call the same. Synchronous, callable from any thread; database work happens on
each store's two own threads inside.
"""

from memory_gui.services.build import Services, build_services
from memory_gui.services.values import (
    BulkResult,
    CheckLine,
    KeyPlace,
    KnownStore,
    Listing,
    OpenedStore,
)

__all__ = [
    "BulkResult",
    "CheckLine",
    "KeyPlace",
    "KnownStore",
    "Listing",
    "OpenedStore",
    "Services",
    "build_services",
]
