# SPDX-License-Identifier: MIT
"""A workload to erase from, and where unfinished erasures are written down."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.erasing import EraseRows, SideFile
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.eraser import Eraser
from memory_gui.erasure.messages import key_message, rows_message
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind
from memory_gui.erasure.prover import prove_files
from memory_gui.ledger.pendingfiles import PendingFiles

PROOF = str(Path(__file__).parents[2] / "proof")
if PROOF not in sys.path:
    sys.path.insert(0, PROOF)

import workload  # noqa: E402 - found there

TABLES = (
    TableKind("memories", "memory", ("id",)),
    TableKind("memory_review_queue", "review", ("id",)),
    TableKind("memory_events", "event", ("id",)),
    TableKind("session_summaries", "summary", ("id",), apart=True),
)


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Each kind of workload is built once."""
    made: dict[str, Path] = {}

    def get(options: dict[str, Any]) -> Path:
        name = json.dumps(options, sort_keys=True)
        if name not in made:
            made[name] = tmp_path_factory.mktemp("workload")
            workload.build(made[name] / "mem.db", **options)
        return made[name]

    return get


@pytest.fixture
def built(tmp_path: Path, templates: Callable[..., Path]) -> Callable[..., Any]:
    """A workload in a folder of its own, with its logs."""

    def run(**options: Any) -> Any:
        for file in templates(options).iterdir():
            if not file.name.endswith("-shm"):
                shutil.copyfile(file, tmp_path / file.name)
        return workload.describe(tmp_path / "mem.db", options.get("key"))

    return run


@pytest.fixture
def pending(tmp_path: Path) -> PendingFiles:
    return PendingFiles(tmp_path / "data")


@pytest.fixture
def plan_of() -> Callable[..., ErasePlan]:
    """The plan for everything that a workload says must go."""

    def make(built: Any, side_files: Sequence[SideFile] = ()) -> ErasePlan:
        rows = (
            EraseRows("memories", ("id",), tuple((name,) for name in built.ids), "memory"),
            EraseRows("memory_review_queue", ("id",), tuple((n,) for n in built.reviews), "review"),
            EraseRows("memory_events", ("id",), tuple((n,) for n in built.events), "event"),
        )
        store = StorePlan(
            path=str(built.path.resolve()),
            format="agentao",
            encrypted=built.key is not None,
            rows=rows,
            texts=tuple(built.texts),
            side_files=tuple(side_files),
            tables=TABLES,
        )
        return ErasePlan((store,))

    return make


@pytest.fixture
def keys_of() -> Callable[[Any], dict[str, RawKey | None]]:
    def make(built: Any) -> dict[str, RawKey | None]:
        key = RawKey.from_hex(built.key) if built.key else None
        return {str(built.path.resolve()): key}

    return make


@pytest.fixture
def look(plan_of):
    def run(built, side_files=(), texts=None):
        store = plan_of(built).stores[0]
        return prove_files(
            built.path,
            RawKey.from_hex(built.key) if built.key else None,
            built.texts if texts is None else texts,
            side_files=side_files,
            tables=store.tables,
            rows=rows_message(store.rows),
        )

    return run


@pytest.fixture
def erase(plan_of):
    """Run the recipe in this process, which ends with no connection open."""

    def run(built):
        eraser = Eraser()
        store = plan_of(built).stores[0]
        key = key_message(RawKey.from_hex(built.key)) if built.key else None
        rows = rows_message(store.rows)
        answers = [
            eraser.handle(message, lambda _: None)
            for message in (
                {"do": "open", "path": str(built.path), "key": key, "rows": rows},
                {"do": "prepare"},
                {"do": "erase"},
                {"do": "close"},
            )
        ]
        return {**answers[-1], **answers[-2]}

    return run
