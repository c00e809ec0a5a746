# SPDX-License-Identifier: MIT
"""Keys of open stores: changed by a wish or with an erase, kept as long as something needs them."""

from __future__ import annotations

import shutil

import pytest
from places import Place

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState, StoreResult
from memory_gui.ledger.keynotes import KeyNotes
from memory_gui.rotation import rekey
from memory_gui.services import KeyPlace
from memory_gui.services.erasing.keys import keeping_keys
from memory_gui.services.home.view import Cause

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(bytes(range(32, 64)))


def opens(path, key) -> bool:
    try:
        open_database(path, key, write=False).close()
    except UserError:
        return False
    return True


@pytest.fixture
def place(tmp_path, file_keychain):
    it = Place(tmp_path, file_keychain(tmp_path / "chain"), "atlas", KEY)
    yield it
    it.services.close()


def test_a_rotated_store_goes_on_under_its_new_key(place):
    place.add()
    done = place.services.rotating.rotate(place.store.id)
    assert done.old == "retired"
    assert done.store.key_place is KeyPlace.KEYCHAIN
    (slot,) = place.slots()
    assert slot == "b"
    assert not opens(place.path, KEY)
    assert place.titles() == ["port"]
    place.add("second")
    assert sorted(place.titles()) == ["port", "second"]


def test_a_given_key_goes_to_the_slot_where_the_old_one_was(place):
    done = place.services.rotating.rotate(place.store.id, new_key=OTHER)
    assert place.slots() == {"b": OTHER}
    assert done.store.key_place is KeyPlace.KEYCHAIN
    assert opens(place.path, OTHER)


def test_a_copy_beside_it_is_named_and_keeps_the_old_key(place):
    shutil.copy(place.path, place.path.with_name("memory.db.bak"))
    plan = place.services.rotating.plan(place.store.id)
    assert plan.others == (str(place.path.with_name("memory.db.bak")),)
    done = place.services.rotating.rotate(place.store.id)
    assert done.old == "kept-files"
    assert set(place.slots()) == {"a", "b"}
    done = place.services.rotating.rotate(place.store.id, drop_old=True)
    assert done.old == "retired"
    assert len(place.slots()) == 1


class TestTheRecoveryKey:
    def sheet(self, place):
        recovery = place.services.recovery
        sheet = recovery.make(place.store.id)
        assert recovery.confirm(place.store.id, sheet.text)
        return sheet

    def test_the_old_key_waits_for_the_new_paper(self, place):
        sheet = self.sheet(place)
        plan = place.services.rotating.plan(place.store.id)
        assert plan.paper == sheet.date[:10]
        done = place.services.rotating.rotate(place.store.id)
        assert done.old == "kept-recovery"
        (note,) = place.services.rotating.waiting()
        assert note.store_path == str(place.path)
        assert set(place.slots()) == {"a", "b"}
        (waits,) = place.services.home.look().problems  # one line, not one more for the paper
        assert (waits.cause, waits.store) == (Cause.OLD_KEY, place.store.id)
        self.sheet(place)
        assert place.services.rotating.waiting() == ()
        assert set(place.slots()) == {"b"}

    def test_or_for_the_word_that_none_is_wanted(self, place):
        self.sheet(place)
        place.services.rotating.rotate(place.store.id)
        assert place.services.rotating.recovery_given_up(place.path).old == "retired"
        assert set(place.slots()) == {"b"}
        assert place.services.rotating.recovery_given_up(place.path) is None

    def test_given_up_at_once(self, place):
        self.sheet(place)
        assert place.services.rotating.rotate(place.store.id, give_up_paper=True).old == "retired"


class TestErasing:
    def test_the_key_is_ours_so_it_is_changed(self, place):
        ref = place.add()
        plan = place.services.erasing.plans.plan([ref])
        assert [store.key_policy for store in plan.stores] == ["new"]
        codes = {limit.code for limit in plan.not_covered}
        assert "limit.old_key_copies" in codes
        assert not codes & {"limit.key_kept", "limit.freed_earlier"}
        result = place.services.erasing.run(plan)
        assert result.state is EraseState.PROVED
        assert result.key == "new"
        assert result.proof.clean
        assert "new-key" in [step.name for step in result.steps]
        assert not opens(place.path, KEY)
        assert set(place.slots()) == {"b"}
        assert place.titles() == []
        place.add("after")
        assert place.titles() == ["after"]

    def test_unless_a_person_keeps_it(self, place):
        plan = keeping_keys(place.services.erasing.plans.plan([place.add()]))
        assert "limit.key_kept" in {limit.code for limit in plan.not_covered}
        result = place.services.erasing.run(plan)
        assert (result.state, result.key) == (EraseState.PROVED, "kept")
        assert place.slots() == {"a": KEY}
        assert opens(place.path, KEY)

    def test_a_key_that_was_typed_is_kept(self, place):
        place.services.close()
        place.services = place.start()
        (place.store,) = place.services.library.open(place.path, key=KEY)
        plan = place.services.erasing.plans.plan([place.add()])
        assert [store.key_policy for store in plan.stores] == ["keep"]

    def test_with_a_key_of_the_callers(self, place):
        plan = place.services.erasing.plans.plan([place.add()], policy="new")
        result = place.services.erasing.run(plan, new_key=OTHER)
        assert (result.state, result.key) == (EraseState.PROVED, "new")
        assert opens(place.path, OTHER)
        assert place.slots() == {"b": OTHER}  # where the one before was

    def test_the_paper_is_named_and_keeps_the_old_key(self, place):
        sheet = place.services.recovery.make(place.store.id)
        place.services.recovery.confirm(place.store.id, sheet.text)
        plan = place.services.erasing.plans.plan([place.add()])
        assert plan.stores[0].paper == sheet.date[:10]
        assert "limit.old_key_paper" in {limit.code for limit in plan.not_covered}
        result = place.services.erasing.run(plan)
        assert result.key == "new-old-kept-until-recovery"
        assert set(place.slots()) == {"a", "b"}

    def test_in_use_leaves_key_and_rows(self, place, monkeypatch):
        ref = place.add()
        plan = place.services.erasing.plans.plan([ref])
        monkeypatch.setattr(
            "memory_gui.erasure.run._held",
            lambda plan, _stores: [_not_done(store) for store in plan.stores],
        )
        result = place.services.erasing.run(plan)
        assert result.state is EraseState.NOT_FINISHED
        assert place.slots() == {"a": KEY}
        assert KeyNotes(place.folder / "data").list() == ()
        assert place.titles() == ["port"]


def _not_done(store):
    return StoreResult(store.path, EraseState.NOT_FINISHED, reason="erase.in_use")


def test_a_stopped_change_is_taken_back_and_said_at_the_next_start(place, monkeypatch):
    def die(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(rekey, "rekey_file", die)
    monkeypatch.setattr(rekey.KeyChanges, "_settle_after_error", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        place.services.rotating.rotate(place.store.id)
    monkeypatch.undo()
    assert set(place.slots()) == {"a", "b"}
    place.services.close()
    place.services = place.start()
    (place.store,) = place.services.library.open(place.path)
    (news,) = place.services.rotating.news()
    assert (news.code, news.path) == ("taken-back", str(place.path))
    assert place.slots() == {"a": KEY}
    assert place.services.rotating.news() == ()


def test_another_copy_of_the_app_that_let_go_comes_back_under_the_new_key(place):
    """Same file, same salt, another key: it is looked for in the keychain again."""
    place.add()
    window = place.start()
    try:
        (opened,) = window.library.open(place.path)
        shelf = window.library.shelf(opened.id)
        shelf.let_go()
        place.services.rotating.rotate(place.store.id)
        window.library.rejoin(shelf)
        assert shelf.key == place.slots()["b"]
        query = Query(stores=frozenset({opened.id}), kinds=frozenset({"memory"}))
        assert window.library.search(query).total == 1
    finally:
        window.close()
