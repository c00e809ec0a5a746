# SPDX-License-Identifier: MIT
"""What was being typed is sealed before the keys go, and comes back after unlock."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memory_gui.cases.case import CaseState, NewCase
from memory_gui.cases.names import Subject
from memory_gui.domain.changes import NewRecord
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Ref
from memory_gui.ledger.drafts import BY_LEDGER, BY_STORE, MOST, SealedDraft
from memory_gui.services import build_services
from memory_gui.services.locking.drafts import OWN, Draft
from memory_gui.services.own.sealing import seal, unseal
from memory_gui.words import Words

CANARY = "zqx halb getippt 打了一半"
KEY = RawKey(bytes(range(32)))


@pytest.fixture
def open_with(tmp_path, empty_store, memory_keychain):
    """Services with a keychain of their own over one store, encrypted or not."""
    made = []
    file = {}

    def build(key: RawKey | None = None, *, keychain=memory_keychain):
        if not file:
            file["path"] = empty_store(tmp_path / "atlas/.agentao", key)
            if key is not None:
                salt = file["path"].read_bytes()[:16].hex()
                memory_keychain.keys[f"memory-gui/{salt}", "a"] = key
        services = build_services(
            words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
        )
        made.append(services)
        services.library.open(tmp_path / "atlas")
        services.keeper.ledger()
        return services

    yield build
    for services in made:
        services.close()


def a_draft(services, text=CANARY, ref=None):
    store = services.library.stores()[0].id
    fields = {"title": "tea", "text": text, "tags": ("a", "b"), "scope": "project", "type": "note"}
    return Draft(store, fields, ref, "e" * 16 if ref else "")


@pytest.mark.parametrize("key", [None, KEY], ids=["readable", "encrypted"])
def test_it_comes_back_after_unlock(open_with, key):
    services = open_with(key)
    draft = a_draft(services)
    services.lock.lock([draft])
    services.lock.unlock()
    (back,) = services.drafts.waiting()
    assert (back.fields, back.ref, back.store) == (draft.fields, None, draft.store)
    services.drafts.discard([back.id])
    assert services.drafts.waiting() == ()
    assert services.drafts.take_lost() == 0


def test_an_edit_knows_its_record_and_what_it_was(open_with):
    services = open_with()
    store = services.library.stores()[0].id
    changes = services.editing.add(
        store, NewRecord("memory", {"title": "tea", "text": "green", "scope": "project"})
    )
    ref = changes.changes.added[0]
    services.lock.lock([a_draft(services, ref=ref)])
    services.lock.unlock()
    (back,) = services.drafts.waiting()
    assert (back.ref, back.etag) == (ref, "e" * 16)
    assert isinstance(back.ref, Ref)


def test_it_comes_back_after_a_restart(open_with):
    services = open_with(KEY)
    services.lock.lock([a_draft(services)])
    services.close()
    again = open_with(KEY)
    assert [one.fields["text"] for one in again.drafts.waiting()] == [CANARY]


def test_with_the_ledger_alone_it_cannot_be_read(open_with):
    services = open_with(KEY)
    services.lock.lock([a_draft(services)])
    ledger = services.keeper.ledger()
    (sealed,) = ledger.drafts.list()
    assert sealed.sealed_by == BY_STORE
    assert unseal(ledger.secret(), sealed.sealed, b"") is None
    raw = sealed.sealed
    for piece in (CANARY, "tea", "zqx"):
        assert piece.encode() not in raw


def test_a_readable_stores_draft_is_sealed_by_the_ledger(open_with):
    services = open_with()
    services.lock.lock([a_draft(services)])
    (sealed,) = services.keeper.ledger().drafts.list()
    assert sealed.sealed_by == BY_LEDGER


def test_without_a_ledger_nothing_is_kept_and_that_is_known(pair):
    pair.services.keeper.ledger()
    pair.services.lock.lock([a_draft(pair.services)])
    assert not list(Path(pair.folder / "data").glob("**/*.db"))
    pair.services.lock.unlock()
    assert pair.services.drafts.waiting() == ()
    assert pair.services.drafts.take_lost() == 1
    assert pair.services.drafts.take_lost() == 0


def test_locking_never_opens_the_ledger(tmp_path, empty_store, memory_keychain):
    """Opening it may ask the keychain, and a question must not stand in a lock's way."""
    empty_store(tmp_path / "atlas/.agentao")
    services = build_services(
        words=Words(), home=tmp_path, data_dir=tmp_path / "data", keychain=memory_keychain
    )
    services.library.open(tmp_path / "atlas")
    services.keeper.close()
    asked = memory_keychain.asked
    services.lock.lock([a_draft(services)])
    assert memory_keychain.asked == asked
    assert not services.keeper.is_open
    services.close()


def test_another_key_of_the_store_leaves_it_shut(open_with, monkeypatch):
    services = open_with(KEY)
    services.lock.lock([a_draft(services)])
    services.lock.unlock()
    shelf = services.library.shelves()[0]
    monkeypatch.setattr(shelf, "key", RawKey(bytes(32)))
    assert services.drafts.waiting() == ()


def test_a_store_that_is_not_open_keeps_its_draft_for_later(open_with, tmp_path):
    services = open_with(KEY)
    services.lock.lock([a_draft(services)])
    services.lock.unlock()
    services.library.close_all()
    assert services.drafts.waiting() == ()
    services.library.open(tmp_path / "atlas")
    assert len(services.drafts.waiting()) == 1


def test_only_the_newest_are_kept(open_with):
    rows = open_with().keeper.ledger().drafts
    rows.put(
        SealedDraft(f"{n:02}", "/x", BY_LEDGER, f"2026-11-01T00:00:{n:02}+00:00", b"x")
        for n in range(MOST + 5)
    )
    assert [int(one.id) for one in rows.list()] == list(range(MOST + 4, 4, -1))


class TestSealing:
    def test_it_opens_with_the_same_key_and_purpose_only(self):
        sealed = seal(b"k" * 32, b"text", b"about")
        assert unseal(b"k" * 32, sealed, b"about") == b"text"
        assert unseal(b"x" * 32, sealed, b"about") is None
        assert unseal(b"k" * 32, sealed, b"other") is None

    def test_no_byte_can_be_changed(self):
        sealed = seal(b"k" * 32, b"text", b"about")
        for at in range(len(sealed)):
            broken = bytearray(sealed)
            broken[at] ^= 1
            assert unseal(b"k" * 32, bytes(broken), b"about") is None

    def test_what_is_no_sealed_text_is_none(self):
        for data in (b"", b"\x01", b"\x01" * 44, b"\x02" * 100):
            assert unseal(b"k" * 32, data, b"") is None

    def test_sealing_twice_gives_two_texts_and_takes_ms(self):
        seal(b"k" * 32, b"text", b"")
        started = time.process_time()
        assert seal(b"k" * 32, b"text", b"") != seal(b"k" * 32, b"text", b"")
        assert time.process_time() - started < 0.05


class TestOfACase:
    """What was typed of a case is of no store."""

    def test_it_comes_back_without_a_store_and_is_sealed_by_the_ledger(self, open_with):
        services = open_with()
        services.lock.lock([Draft(OWN, {"name": "Ada", "also": (CANARY,)})])
        (sealed,) = services.keeper.ledger().drafts.list()
        assert (sealed.store_path, sealed.sealed_by) == ("", BY_LEDGER)
        assert CANARY.encode() not in sealed.sealed
        services.lock.unlock()
        services.library.close_all()
        (back,) = services.drafts.waiting()
        assert (back.store, back.fields) == (OWN, {"name": "Ada", "also": (CANARY,)})

    def test_closing_the_case_takes_it_and_nobody_elses(self, open_with):
        services = open_with()
        case = services.cases.new(NewCase(Subject.of("Ada Byron", ["ada@x.example"])))
        typed = [
            Draft(OWN, {"case": str(case.number), "letter.en": "Dear Ada"}),
            Draft(OWN, {"name": " ada byron "}),
            Draft(OWN, {"name": "Ada"}),
            Draft(OWN, {"case": "99", "letter.en": "Dear Ada Byron"}),
        ]
        services.drafts.seal(typed)
        services.cases.close(case, CaseState.WITHDRAWN)
        left = {tuple(one.fields.items()) for one in services.drafts.waiting()}
        assert left == {tuple(one.fields.items()) for one in typed[2:]}

    def test_an_erase_leaves_the_letter_that_tells_of_it(self, open_with):
        services = open_with()
        letter = {"case": "1", "letter.en": f"Dear {CANARY}"}
        half = {"case": "2", "correct.text": f"{CANARY}, or not"}  # a record with other words
        services.drafts.seal([Draft(OWN, letter), Draft(OWN, half)])
        fields = {"title": "x", "text": CANARY, "scope": "project", "type": "note"}
        store = services.library.stores()[0].id
        changes = services.editing.add(store, NewRecord("memory", fields)).changes
        services.erasing.run(services.erasing.plans.plan(changes.added))
        assert [one.fields for one in services.drafts.waiting()] == [letter]
