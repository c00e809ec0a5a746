# SPDX-License-Identifier: MIT
"""After each of our acts the harness reads its notes and appends one more by its own rule."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.records import Record
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.notes.format import NotesFormat

JUDGE = Path(__file__).parent / "harness_judge.py"


def harness(verb: str, path: Path, note: str = "") -> str:
    """What the harness reads afterwards."""
    done = subprocess.run(
        [sys.executable, "-I", JUDGE, verb, path],
        input=note,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return str(json.loads(done.stdout))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "project.md").touch()
    opened = NotesFormat().open(Location((tmp_path.resolve(),)), None, Mode.CHANGE)
    yield opened
    opened.close()


def notes(store: Store) -> list[Record]:
    return [record for batch in store.scan(["note"]) for record in batch]


def test_each_act_leaves_what_it_reads_and_where_it_appends(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "project.md"
    model: list[str] = []

    def agree(number: int) -> None:
        assert harness("read", path) == "\n\n".join(model)
        note = f"appended {number} 附加"
        assert harness("append", path, f"  {note}\n\n") == "\n\n".join([*model, note])
        model.append(note)
        assert [record.text for record in notes(store)] == model

    agree(0)
    store.add(NewRecord("note", {"text": "ours\nof two lines"}))
    model.append("ours\nof two lines")
    agree(1)
    first = notes(store)[0]
    store.apply(Edit(Target(first.ref, first.etag), {"text": "更正"}))
    model[0] = "更正"
    agree(2)
    for place in (1, -1):
        chosen = notes(store)[place]
        saved = store.snapshot([chosen.ref])
        store.delete(Target(chosen.ref, chosen.etag))
        del model[place]
        agree(10 + place)
        store.reinstate(saved)
        model[:] = [record.text for record in notes(store)]
        agree(20 + place)


def test_a_line_without_an_end_is_mended_before_it_grows(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "project.md"
    path.write_bytes(b"one\n\ntwo")
    edited = notes(store)[0]
    store.apply(Edit(Target(edited.ref), {"text": "ONE"}))
    assert harness("append", path, "three") == "ONE\n\ntwo\n\nthree"
