# SPDX-License-Identifier: MIT
"""The app's own worker processes, by the names that ``--worker`` takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

WORKERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "keychain": "memory_gui.vault.helper",
        "eraser": "memory_gui.erasure.eraser",
        "prover": "memory_gui.erasure.prover",
        "rotator": "memory_gui.rotation.rotator",
    }
)
"""Name of a worker -> its module, which has a ``main()`` and runs it as ``__main__``."""
