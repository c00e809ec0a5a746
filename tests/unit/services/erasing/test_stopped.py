# SPDX-License-Identifier: MIT
"""An erase that another copy of the app finishes: it looks where the first would have."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.queries import Query
from memory_gui.erasure.result import NEW_KEY, OLD_FOR_FILES, OLD_STAYS, EraseState
from memory_gui.ledger import PendingErase
from memory_gui.ledger.keynotes import KEPT_FILES, RETIRING, KeyNotes
from memory_gui.process.child import Child
from memory_gui.services.erasing.keys import EraseKeys

DATA = Path(__file__).parents[3] / "data"
TEXT = "the canary of this test sings at seven every morning"


def note():
    return NewRecord("memory", {"title": "canary", "text": TEXT, "scope": "project"})


def test_beside_a_link_by_which_the_store_was_opened(tmp_path, empty_store, services_in, holder):
    main = empty_store(tmp_path / "atlas/.agentao")
    link = tmp_path / "elsewhere/.agentao/memory.db"
    link.parent.mkdir(parents=True)
    link.symlink_to(main)
    log = tmp_path / "elsewhere/agentao.log"
    log.write_text(f"saved: {TEXT}\n", "utf-8")
    first = services_in(tmp_path)
    store = first.library.open(link)[0]
    ref = first.editing.add(store.id, note()).changes.added[0]
    pid = holder(main)
    held = first.erasing.run(first.erasing.plans.plan([ref]))
    assert held.state is EraseState.NOT_FINISHED
    first.close()
    os.kill(pid, signal.SIGKILL)
    other = services_in(tmp_path)
    (entry,) = other.erasing.pending()
    link.unlink()  # what lies beside it lies there still
    done = other.erasing.resume(entry)
    assert done.state is EraseState.PROVED
    assert [find.where for find in done.cleaned] == [str(log)]
    assert TEXT not in log.read_text("utf-8")


@pytest.fixture
def notes(tmp_path):
    """A note, and a session that repeats it."""
    shutil.copytree(DATA / "notes/home", tmp_path / "home")
    folder = tmp_path / "home/.agent-harness"
    project = folder / "memory/project.md"
    project.write_text(project.read_text("utf-8") + f"\n\n{TEXT}\n", "utf-8")
    session = folder / "memory/sessions/one.jsonl"
    session.parent.mkdir()
    session.write_text(json.dumps({"said": TEXT}) + "\n", "utf-8")
    return project, session


def begun(services, tmp_path):
    """A plan for the note."""
    services.library.open(tmp_path / "home")
    found = services.library.window(services.library.search(Query(TEXT)).ids)
    refs = [one.ref for one in found if one is not None and one.ref.kind == "note"]
    return services.erasing.plans.plan(refs)


@pytest.mark.parametrize("when", ["files-clean", "files-erase", "prove-files"])
def test_of_text_files_wherever_it_was_stopped(tmp_path, services_in, notes, monkeypatch, when):
    project, session = notes
    first = services_in(tmp_path)
    plan = begun(first, tmp_path)
    ask = Child.ask

    def stopped(self, message, **more):
        if message["do"] == when:
            self.kill()
        return ask(self, message, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Child, "ask", stopped)
        held = first.erasing.run(plan)
    assert held.state is EraseState.NOT_FINISHED
    assert (TEXT in project.read_text("utf-8")) == (when != "prove-files")
    first.close()
    other = services_in(tmp_path)
    (entry,) = other.erasing.pending()
    assert TEXT not in json.dumps(dict(entry.scheme))
    done = other.erasing.resume(entry)
    assert done.state is EraseState.PROVED
    assert TEXT not in project.read_text("utf-8") + session.read_text("utf-8")
    assert [find.where for find in done.cleaned] == [str(session)]
    assert "limit.side_files_unsearched" not in [limit.code for limit in done.not_covered]
    assert {table: count.erased for table, count in done.counts.items()} == {"project.md": 1}


@pytest.mark.parametrize(
    ("state", "retires", "said"),
    [
        (RETIRING, True, NEW_KEY),
        (RETIRING, False, OLD_STAYS),  # the keychain did not answer
        (KEPT_FILES, False, OLD_FOR_FILES),
    ],
)
def test_what_is_said_of_a_key_is_what_became_of_it_by_now(tmp_path, state, retires, said):
    """An old key that the run before had only noted for removal goes when this one begins."""
    salt = bytes(range(16))
    notes = KeyNotes(tmp_path)
    note = notes.begin("/p/memory.db", salt, "erase", state=state)

    def finish(*_given):
        if retires:
            notes.remove(note)

    keys = EraseKeys(SimpleNamespace(changes=SimpleNamespace(notes=notes, finish=finish)))
    entry = PendingErase("1", "/p/memory.db", {"salt": salt.hex()}, "", 0, 0.0, "erasing")
    with keys.resuming(entry, {}, None, None, lambda _path: None) as keyed:
        assert keyed.changed == said
