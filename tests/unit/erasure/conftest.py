# SPDX-License-Identifier: MIT
"""A workload to erase from, and where unfinished erasures are written down."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import EraseRows, SideFile
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind
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
