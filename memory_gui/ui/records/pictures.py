# SPDX-License-Identifier: MIT
"""The states of the list that are drawn: filtered, many chosen, dense, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from memory_gui.domain.errors import UserError
from memory_gui.services.editing.stopped import StoppedAct
from memory_gui.ui.records.bulk.ending import Cause
from memory_gui.ui.records.bulk.stopped import StoppedNotice
from memory_gui.ui.records.page import MemoriesPage


class Scene(Protocol):
    """What draws; as in ``memory_gui.ui.pictures``."""

    def take(self, name: str) -> Path:
        """Draw what is there."""
        ...

    def pause(self, seconds: float) -> None:
        """Let it come to rest."""
        ...

    def press(self, name: str) -> None:
        """Press a button by its object name."""
        ...


def list_pictures(scene: Scene, page: MemoriesPage, stopped: StoppedNotice) -> Iterator[Path]:
    """Draw them; the list is as before afterwards."""
    pane = page.list
    pane.head.show_filters(shown=True)
    pane.narrowing.choose({"type": frozenset({"preference", "workflow"})})
    scene.pause(0.4)
    yield scene.take("filters")
    pane.narrowing.choose({})
    pane.head.show_filters(shown=False)
    scene.pause(0.3)
    page.go_to(1)
    pane.table.select_ranges([(1, 5)])
    scene.press("bulk.tag")
    scene.pause(0.3)
    yield scene.take("bulk")
    scene.press("bulk.tags.cancel")
    pane.looks.show_density(compact=True)
    page.go_to(2)
    scene.pause(0.2)
    yield scene.take("compact")
    pane.looks.show_density(compact=False)
    yield from _what_went_wrong(scene, page, stopped)


def _what_went_wrong(scene: Scene, page: MemoriesPage, stopped: StoppedNotice) -> Iterator[Path]:
    """An act that a kill stopped, and one that could not change two records."""
    records = [page.model.record(row) for row in range(4)]
    shown = [record for record in records if record is not None]
    refs = tuple(record.ref for record in shown)
    stopped.tell(refs[0].store, StoppedAct("trash", 12, 40, refs[:1], "", refs[1:]))
    titles = tuple(record.title for record in shown)
    page.list.failures.show_causes([Cause(UserError("record.changed"), refs[:2], titles[:2])])
    scene.pause(0.2)
    yield scene.take("stopped")
    page.list.failures.clear()
    stopped.clear()
