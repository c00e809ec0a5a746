# SPDX-License-Identifier: MIT
"""The six results of a look-up, as they travel between the helper's process and the app.

The helper answers ``{"result": name, …}``; the name is the result's class in lower case. Secrets
that are not 64 hex digits are no keys: a slot that holds one counts as a mismatch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    Absent,
    Denied,
    KeyResult,
    Locked,
    Mismatch,
    Present,
    RawKey,
    Unavailable,
)

Answer = dict[str, Any]


def found(backend: str, secrets: Mapping[str, str | None]) -> Answer:
    """Present with each slot's secret, or absent."""
    slots = {slot: secret for slot, secret in secrets.items() if secret is not None}
    if not slots:
        return {"result": "absent", "backend": backend}
    return {"result": "present", "backend": backend, "slots": slots}


def locked(backend: str) -> Answer:
    """The keychain stayed locked."""
    return {"result": "locked", "backend": backend}


def denied(backend: str, reason: str) -> Answer:
    """The keychain refused this program."""
    return {"result": "denied", "backend": backend, "reason": reason}


def unavailable(*reasons: str) -> Answer:
    """No trusted keychain answered."""
    return {"result": "unavailable", "reasons": list(reasons)}


def understand(answer: Answer) -> list[Present] | KeyResult:
    """The answer as a value; a list (never empty) where keys were found."""
    backend = str(answer.get("backend", ""))
    match answer.get("result"):
        case "present":
            return _keys(backend, answer["slots"])
        case "absent":
            return Absent(backend)
        case "locked":
            return Locked(backend)
        case "denied":
            return Denied(backend, str(answer.get("reason", "")))
        case "unavailable":
            return Unavailable(tuple(str(reason) for reason in answer["reasons"]))
        case _:
            return Unavailable(("error:answer",))


def _keys(backend: str, slots: Mapping[str, str]) -> list[Present] | KeyResult:
    keys: list[Present] = []
    for slot, secret in slots.items():
        try:
            keys.append(Present(RawKey.from_hex(secret), slot, backend))
        except UserError:
            continue
    return keys or Mismatch(backend, tuple(slots))
