# SPDX-License-Identifier: MIT
"""The six results of a look-up, as they travel between the helper's process and the app.

The helper answers ``{"result": name, …}``; the name is the result's class in lower case. Secrets
that are not 64 hex digits are no keys: a slot that holds one counts as a mismatch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    Absent,
    CipherSettings,
    Denied,
    KeyResult,
    Locked,
    Mismatch,
    Present,
    RawKey,
    Unavailable,
)

Answer = dict[str, Any]


def found(backend: str, secrets: Mapping[str, str | None], provider: str = "") -> Answer:
    """Present with each slot's secret, or absent."""
    slots = {slot: secret for slot, secret in secrets.items() if secret is not None}
    who = {"provider": provider} if provider else {}
    if not slots:
        return {"result": "absent", "backend": backend, **who}
    return {"result": "present", "backend": backend, "slots": slots, **who}


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
            return _keys(backend, answer["slots"], str(answer.get("provider", "")))
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


def write_secret(key: RawKey) -> str:
    """A key as an entry holds it: 64 hex digits, with the cipher's settings behind where special.

    ``<64 hex>`` or ``<64 hex>;page_size=1024;hmac=sha1``. Windows keeps at most 1,280 characters.
    """
    said = [f"{name}={value}" for name, value in asdict(key.settings).items() if value]
    return ";".join([key.hex(), *said])


def read_secret(text: str) -> RawKey:
    """The other way.

    Raises:
        UserError: ``key.length``, also for settings that are none.
    """
    digits, *said = text.split(";")
    values: dict[str, Any] = {}
    for one in said:
        name, _, value = one.partition("=")
        if name not in _SETTINGS or not (name in _TEXTS or value.isdecimal()):
            raise UserError("key.length", digits=len(text))
        values[name] = value if name in _TEXTS else int(value)
    return RawKey(bytes(RawKey.from_hex(digits)), CipherSettings(**values))


_SETTINGS: Final = frozenset(one.name for one in fields(CipherSettings))
_TEXTS: Final = frozenset({"hmac", "kdf", "salt"})


def _keys(backend: str, slots: Mapping[str, str], provider: str = "") -> list[Present] | KeyResult:
    keys: list[Present] = []
    for slot, secret in slots.items():
        try:
            keys.append(Present(read_secret(secret), slot, backend, provider))
        except UserError:
            continue
    return keys or Mismatch(backend, tuple(slots))
