# SPDX-License-Identifier: MIT
"""Pictures of the open editor: what will be saved, another writer, a taken key, two that clash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.records import Record
from memory_gui.services import Services
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.records.page import MemoriesPage
from memory_gui.ui.records.pictures import Scene

_SOON = 0.5


def editing_pictures(
    scene: Scene,
    page: MemoriesPage,
    services: Services,
    go: Callable[[str, object], object],
) -> Iterator[Path]:
    """Draw them. Some records of the sample are others afterwards."""
    first, other = _two(page)
    words = first.text.split()
    at = len(words) // 2
    mine = " ".join((*words[:at], "always", *words[at + 1 :]))
    page.edit_current()
    _type(page, first.title, mine)
    scene.pause(_SOON)
    yield scene.take("edit-diff")
    services.editing.edit(Edit(Target(first.ref), {"text": f"2027: {first.text}"}))
    page.stores_changed()
    scene.pause(_SOON)
    yield scene.take("edit-both")
    page.right.clear()
    page.refresh()
    scene.pause(_SOON)
    page.edit_current()
    _type(page, other.title, page.right.editor.draft().text)
    scene.pause(_SOON)
    yield scene.take("edit-taken")
    page.right.clear()
    services.editing.trash([other.ref])
    fields = {"title": other.title, "text": f"{other.text} 2027.", "scope": other.scope or ""}
    services.editing.add(other.ref.store, NewRecord("memory", fields))
    go("clash", ClashRequest("restore", (other.ref,)))
    scene.pause(_SOON)
    yield scene.take("clash")
    scene.press("clash.cancel")
    scene.pause(_SOON)


def _two(page: MemoriesPage) -> tuple[Record, Record]:
    """The chosen record and another one of the same scope, whose key comes from its title."""
    first = page.right.detail.record
    assert first is not None  # noqa: S101 - a row was chosen before
    records = (page.model.record(row) for row in range(page.model.rowCount()))
    other = next(
        one
        for one in records
        if one is not None
        and one.ref != first.ref
        and one.scope == first.scope
        and one.title == one.extra.get("key_normalized")
    )
    return first, other


def _type(page: MemoriesPage, title: str, text: str) -> None:
    editor = page.right.editor
    editor.put(replace(editor.draft(), title=title, text=text))
