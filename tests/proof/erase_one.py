# SPDX-License-Identifier: MIT
"""Erase a workload's targets as the app does, from a process of its own; prints the result.

``erase_one.py DATABASE DATA-FOLDER [--key HEX] [--new-key HEX] [--without STEP]``: ``--without``
runs the recipe in this very process with one step of it broken, to show that somebody notices.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import workload  # noqa: E402 - beside this file

from memory_gui.domain.erasing import EraseRows  # noqa: E402
from memory_gui.domain.keys import RawKey  # noqa: E402
from memory_gui.engine.wipe import Wipe  # noqa: E402
from memory_gui.erasure.eraser import Eraser  # noqa: E402
from memory_gui.erasure.messages import key_message, rows_message  # noqa: E402
from memory_gui.erasure.plan import ErasePlan, StorePlan  # noqa: E402
from memory_gui.erasure.run import is_done, resume, run_erase  # noqa: E402
from memory_gui.ledger.pendingfiles import PendingFiles  # noqa: E402
from memory_gui.services.build import opens  # noqa: E402


@dataclass
class Asked:
    """The arguments."""

    path: Path
    data: Path
    key: str | None
    without: str | None
    new_key: str | None = None


def plan_for(built: Any) -> ErasePlan:
    rows = (
        EraseRows("memories", ("id",), tuple((n,) for n in built.ids), "memory"),
        EraseRows("memory_review_queue", ("id",), tuple((n,) for n in built.reviews), "review"),
        EraseRows("memory_events", ("id",), tuple((n,) for n in built.events), "event"),
    )
    path = str(built.path.resolve())
    return ErasePlan((StorePlan(path, "agentao", built.key is not None, rows, tuple(built.texts)),))


def erase(asked: Asked) -> dict[str, Any]:
    key = RawKey.from_hex(asked.key) if asked.key else None
    new_key = RawKey.from_hex(asked.new_key) if asked.new_key else None
    if key and new_key and not opens(asked.path, key):
        asked.key, key, new_key = asked.new_key, new_key, None  # it was changed before the kill
    built = workload.describe(asked.path, asked.key)
    plan = plan_for(built)
    pending = PendingFiles(asked.data)
    entries = [e for e in pending.list(plan.stores[0].path) if not is_done(e)]
    if entries and workload.verify(asked.path, asked.key)["targets"] == 0:
        result = resume(entries[0], key, pending=pending, new_key=new_key)
    else:
        path = plan.stores[0].path
        keys = {path: new_key} if new_key else None
        result = run_erase(plan, {path: key}, pending=pending, new_keys=keys)
    return {**result.as_json(), "exit": result.exit_code}


def erase_without(asked: Asked) -> dict[str, Any]:
    setattr(Wipe, asked.without or "", lambda *_, **__: "skipped")
    built = workload.describe(asked.path, asked.key)
    eraser = Eraser()
    key = key_message(RawKey.from_hex(asked.key)) if asked.key else None
    rows = rows_message(plan_for(built).stores[0].rows)
    opening = {"do": "open", "path": str(asked.path), "key": key, "rows": rows}
    new_key = key_message(RawKey.from_hex(asked.new_key)) if asked.new_key else None
    opening["new_key"] = new_key is not None
    acts = (opening, {"do": "prepare"}, {"do": "erase", "new_key": new_key}, {"do": "close"})
    answers = [eraser.handle(message, _nowhere) for message in acts]
    return {"state": "erased" if answers[-2].get("erased") else "failed", "exit": 0}


def _nowhere(_: dict[str, Any]) -> None:
    return None


def main() -> int:
    path, data, *more = sys.argv[1:]
    options = dict(zip(more[::2], more[1::2], strict=True))
    asked = Asked(Path(path), Path(data), options.get("--key"), options.get("--without"))
    asked.new_key = options.get("--new-key")
    answer = erase_without(asked) if asked.without else erase(asked)
    print(json.dumps(answer))
    return int(answer["exit"])


if __name__ == "__main__":
    sys.exit(main())
