# SPDX-License-Identifier: MIT
"""Values that travel between the shell and its pages."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """A store that did not open for want of its key; ``error.params["reason"]`` is one of six."""

    path: str
    error: UserError


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Open a store; ``key`` when a person gave one (recovery text or passphrase)."""

    path: str
    key: Key | None = field(default=None, repr=False)
