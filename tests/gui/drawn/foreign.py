# SPDX-License-Identifier: MIT
"""Stores of other agents as they are drawn over the real services, at places with fixed names."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QLabel

sys.path.insert(0, str(Path(__file__).parents[2]))

from langgraph_file import one_file

from drawn.stage import Stage
from memory_gui.ui.views import MEMORIES

DATA = Path(__file__).parents[2] / "data"
HOME = "/home/ann"
"""What stands for the folder of the test."""


@dataclass(frozen=True)
class Shot:
    """One picture of a store: the first record that a search finds.

    ``filters`` shows the panel of them; ``edits`` opens the record, ``erases`` plans its erase.
    """

    name: str
    query: str = ""
    filters: bool = False
    edits: bool = False
    erases: bool = False


@dataclass(frozen=True)
class Foreign:
    """A store, in which palette and language it is drawn, and what of it."""

    ending: str
    put: Callable[[Path], Path]
    shots: tuple[Shot, ...]

    @property
    def files(self) -> set[str]:
        return {f"{shot.name}-{self.ending}.png" for shot in self.shots}


def _copied(name: str, opened: str) -> Callable[[Path], Path]:
    def put(folder: Path) -> Path:
        left = shutil.ignore_patterns("*-shm", "*-wal")
        shutil.copytree(DATA / name, folder / name, ignore=left)
        return folder / name / opened

    return put


STORES = {
    "langgraph-store": Foreign(
        "light-en",
        _copied("langgraph", "store-with-vectors.sqlite"),
        (Shot("langgraph-tree", filters=True), Shot("langgraph-json", "editor Helix", edits=True)),
    ),
    "langgraph-checkpoints": Foreign(
        "dark-zh",
        _copied("langgraph", "checkpoints.sqlite"),
        (Shot("langgraph-thread", "kind:thread Ginkgo"),),
    ),
    "langgraph": Foreign(
        "light-zh", one_file, (Shot("langgraph-erase", "kind:message Ginkgo", erases=True),)
    ),
    "mem0": Foreign("dark-en", _copied("mem0", "chroma"), (Shot("mem0", "Ginkgo"),)),
    "letta": Foreign(
        "light-zh",
        _copied("letta-old", "0.11.7/home/.letta/sqlite.db"),
        (Shot("letta", "kind:block"),),
    ),
}


def draw(stage: Stage, folder: Path, store: Foreign) -> None:
    """Take its pictures; the folder of the test is called as another one in each."""
    place = folder / "work" / "agent"
    place.mkdir(parents=True)
    window, memories = stage.window, stage.window.memories
    window.open_paths([str(store.put(place))])
    stage.settle()
    for shot in store.shots:
        window.choose_view(MEMORIES)
        memories.set_text(shot.query)
        memories.list.head.show_filters(shown=shot.filters)
        stage.settle()
        memories.go_to(0)
        stage.settle()
        if shot.edits:
            memories.edit_current()
        if shot.erases:
            window.go("erase", (memories.model.record(0).ref,))
        stage.settle()
        for label in window.findChildren(QLabel):
            if str(folder) in label.text():
                label.setText(label.text().replace(str(folder), HOME))
        stage.take(shot.name)
        memories.may_leave()
