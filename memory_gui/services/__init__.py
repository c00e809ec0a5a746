# SPDX-License-Identifier: MIT
"""Use cases: library, editing, review, erasing, protection, export, checks, lock, settings.

Window and terminal call the same. Synchronous, callable from any thread; database work happens on
each store's two own threads inside.

What is named here is loaded when it is first asked for: the window is painted before that.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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

_COMPOSED: Final = ("Services", "build_services")
_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {name: f"{__name__}.build" if name in _COMPOSED else f"{__name__}.values" for name in __all__}
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The module that has it is loaded now (PEP 562)."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_PLACES[name]), name)
