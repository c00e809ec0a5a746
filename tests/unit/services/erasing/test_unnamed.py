# SPDX-License-Identifier: MIT
"""An erase that was stopped, of a store whose keys are content: no note names them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.engine.connection import open_database
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.taking import begin_scheme
from memory_gui.ledger import PendingErase
from memory_gui.services import Services, build_services
from memory_gui.vault.keychain import AnyKeychain, NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parents[3] / "data/persistent-memory/workspace/state/memory.sqlite3"
WANTED = ("lin-xiaoyu", "preference", "response_style")


class Place:
    """A copy of the sample, and an erase that was killed before its first statement."""

    def __init__(self, folder: Path, keychain: AnyKeychain) -> None:
        self.path = folder / "state" / "memory.sqlite3"
        self.path.parent.mkdir()
        shutil.copyfile(DATA, self.path)
        self.services: Services = build_services(
            words=Words(), home=folder / "home", data_dir=folder / "data", keychain=keychain
        )
        self.services.library.open(self.path, pair=False)
        self.ref = next(ref for ref in self.refs() if ref.key == WANTED)

    def refs(self) -> list[Ref]:
        library = self.services.library
        return library.refs(library.search(Query(), "created").ids)

    def plan(self) -> ErasePlan:
        return self.services.erasing.plans.plan([self.ref])

    def kill(self) -> PendingErase:
        """What is written down when it begins, and nothing more."""
        erasing = self.services.erasing
        plan = erasing._returned.begin(self.plan())
        entry = PendingErase.begin(plan.stores[0].path, begin_scheme(plan.stores[0]))
        erasing._keeper.ledger().pending.put(entry)
        return entry


@pytest.fixture(params=["keychain"])
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Place]:
    kept = request.param == "keychain"
    place = Place(tmp_path, ManyKeychains(SECRETS) if kept else NoKeychain())
    yield place
    place.services.library.close_all()


def test_the_note_names_nothing(place: Place) -> None:
    noted = json.dumps(place.kill().scheme)
    assert "lin-xiaoyu" not in noted
    assert "response_style" not in noted


def test_it_goes_on_by_marks_and_is_proved_by_content(place: Place) -> None:
    result = place.services.erasing.resume(place.kill())
    assert str(result.state) == "proved"
    (store,) = result.stores
    assert store.counts["memory"].erased == 1
    assert store.proof is not None
    assert store.proof.texts
    assert place.ref not in place.refs()
    assert len(place.refs()) == 27


def test_what_was_written_since_under_the_same_key_stays(place: Place) -> None:
    entry = place.kill()
    with open_database(place.path, None, write=True) as connection, connection.writing():
        connection.execute(
            "UPDATE memory SET value = 'written since then' WHERE user_id = ? AND kind = ?"
            " AND memory_key = ?",
            WANTED,
        )
    result = place.services.erasing.resume(entry)
    assert str(result.state) == "proved"
    kept = place.services.library.record(place.ref)
    assert kept is not None
    assert kept.text == "written since then"


@pytest.mark.parametrize("place", ["no keychain"], indirect=True)
def test_without_marks_it_is_not_finished_and_done_by_the_same_erase(place: Place) -> None:
    before = place.path.read_bytes()
    result = place.services.erasing.resume(place.kill())
    assert str(result.state) == "not-finished"
    assert result.stores[0].reason == "erase.rows_unnamed"
    assert result.stores[0].counts["memory"].found == 1
    assert place.path.read_bytes() == before
    assert str(place.services.erasing.run(place.plan()).state) == "proved"
    assert place.ref not in place.refs()
    assert not [e for e in place.services.erasing.pending() if e.state != "done"]


@pytest.mark.parametrize("place", ["no keychain"], indirect=True)
def test_without_marks_it_is_known_to_be_done_by_what_stays(place: Place) -> None:
    entry = replace(place.kill(), state="erasing")
    assert "lin-xiaoyu" not in json.dumps(entry.scheme)
    place.services.erasing._keeper.ledger().pending.put(entry)
    away = "DELETE FROM memory WHERE user_id = ? AND kind = ? AND memory_key = ?"
    with open_database(place.path, None, write=True) as connection, connection.writing():
        (other,) = connection.execute(f"{away} RETURNING user_id, kind, memory_key", WANTED)
        connection.execute("UPDATE memory SET user_id = 'somebody' WHERE rowid = 3")
    result = place.services.erasing.resume(entry)
    assert result.stores[0].reason == "erase.rows_unnamed"
    with open_database(place.path, None, write=True) as connection, connection.writing():
        connection.execute("UPDATE memory SET user_id = ? WHERE rowid = 3", (other[0],))
    result = place.services.erasing.resume(entry)
    assert str(result.state) == "proved"
    assert result.counts["memory"].erased == 1
    assert result.proof is not None
    assert result.proof.by == "structure"
    assert not [e for e in place.services.erasing.pending() if e.state != "done"]
