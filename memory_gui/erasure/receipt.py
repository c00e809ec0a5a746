# SPDX-License-Identifier: MIT
"""The receipt: what is kept of an erasure. Marks or opaque ids, numbers, limits; no content."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_gui import __version__
from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import RECIPE, ErasePlan, StorePlan
from memory_gui.erasure.result import EraseResult

Mark = Callable[[str, str, str], str | None]
"""(store, kind, key) -> mark, or None where marks are off (``ledger.Marks.of``)."""


def receipt_of(
    result: EraseResult,
    plan: ErasePlan,
    mark: Mark | None = None,
    *,
    kind: str = "selective",
) -> dict[str, Any]:
    """The receipt as plain JSON values.

    ``kind``: ``selective``, or ``correction`` where a record got another text. Ids stand in it
    only where the adapter declares them opaque; others as marks, or not at all.
    """
    document = result.as_json()
    document.pop("receipt")
    document.pop("stores")
    proof = document.get("proof")
    opaque = all(store.opaque_ids for store in plan.stores)
    if proof and not opaque:
        proof["kept_hits"] = [{"count": hit["count"]} for hit in proof["kept_hits"]]
    return {
        "receipt": 2,
        "id": result.id,
        "kind": kind,
        "standard": "NIST SP 800-88: selective erasure; sanitisation of the medium is not claimed",
        "program": {"name": "memory-gui", "version": __version__},
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "started_at": result.started_at,
        "finished_at": result.finished_at,
        "recipe": next((store.recipe for store in plan.stores if store.files), RECIPE),
        "stores": [_store(store, result, mark) for store in plan.stores],
        **document,
    }


def unsigned(document: Mapping[str, Any], note: str) -> dict[str, Any]:
    """A receipt that nobody can sign here: it says so, in the person's words."""
    return {**document, "signed": False, "note": note}


def refuse_receipt(path: Path | None) -> None:
    """Whether a receipt can be written there, said before anything is erased.

    Raises:
        UserError: ``receipt.exists``, ``receipt.failed``.
    """
    if path is not None and (path.is_symlink() or path.exists()):
        raise UserError("receipt.exists", path=str(path))
    if path is not None and not path.parent.is_dir():
        raise UserError("receipt.failed", path=str(path))


def write_receipt(path: Path, document: Mapping[str, Any]) -> None:
    """Write it where there is nothing yet: 0600, never through a link, durable.

    Raises:
        UserError: ``receipt.exists``, ``receipt.failed``.
    """
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    write_new(path, text.encode("utf-8", "surrogatepass") + b"\n")


def write_new(path: Path, data: bytes) -> None:
    """The same for any bytes of a receipt, such as its printed form."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        number = os.open(path, flags, 0o600)
    except FileExistsError as error:
        raise UserError("receipt.exists", path=str(path)) from error
    except OSError as error:
        raise UserError("receipt.failed", path=str(path)) from error
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise UserError("receipt.failed", path=str(path)) from error


def _store(store: StorePlan, result: EraseResult, mark: Mark | None) -> dict[str, Any]:
    part = next((part for part in result.stores if part.path == store.path), None)
    records = []
    for rows in store.rows:
        for key in rows.keys:
            text = "/".join(str(part) for part in key)
            made = mark(store.salt or store.path, rows.kind, text) if mark is not None else None
            record = {"table": rows.table}
            if made is not None:
                record["mark"] = made
            elif store.opaque_ids:
                record["id"] = text
            records.append(record)
    return {
        "path": store.path,
        "format": store.format,
        "encrypted": store.encrypted,
        "key": part.key if part else "",
        "state": str(part.state) if part else "",
        "recipe": dict(part.recipe) if part else {},
        "records": records,
    }
