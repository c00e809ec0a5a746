# SPDX-License-Identifier: MIT
"""Records as plain data: what JSON documents of the terminal and exports hold. Never localized."""

from __future__ import annotations

from typing import Any

from memory_gui.domain.changes import Capability, StoreInfo
from memory_gui.domain.records import Record


def record_data(record: Record) -> dict[str, Any]:
    """Every field of a record, by the names of CLI.md."""
    return {
        "ref": record.ref.text,
        "id": record.ref.plain,
        "etag": record.etag,
        "kind": record.kind,
        "state": record.state.value,
        "title": record.title,
        "text": record.text,
        "subject": record.subject,
        "scope": record.scope,
        "type": record.type,
        "tags": list(record.tags),
        "source": record.source,
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "created_at_utc": record.created_at_utc,
        "updated_at_utc": record.updated_at_utc,
        "zone": record.zone,
        "extra": dict(record.extra),
        **({"told": list(record.told)} if record.told else {}),
    }


def counts_data(info: StoreInfo) -> dict[str, dict[str, int]]:
    """Kind -> state -> number."""
    return {
        kind: {state.value: number for state, number in states.items()}
        for kind, states in info.counts.items()
    }


def capability_names(capabilities: Capability) -> list[str]:
    """``["add", "edit", …]``."""
    return [one.name.lower() for one in Capability if one in capabilities and one.name]
