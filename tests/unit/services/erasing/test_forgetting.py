# SPDX-License-Identifier: MIT
"""A correction that forgets: the record has its new text, and the old one is nowhere."""

import json

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState

OLD = "The person's phone number is 13800138000 and nobody else should read it."
NEW = "The person has a phone."


@pytest.fixture
def corrected(pair):
    def run(**more):
        one = pair.add("phone", OLD)
        edit = Edit(Target(one.ref, one.etag), {"text": NEW})
        plan = pair.services.forgetting.plan(edit)
        return one, pair.services.forgetting.edit(edit, plan, **more)

    return run


def test_the_old_text_is_in_no_byte_and_the_record_lives(pair, corrected):
    log = pair.folder / "atlas/agentao.log"
    log.write_text(f"saved: {OLD}")
    one, done = corrected()
    assert (done.erase.state, done.erase.exit_code) == (EraseState.PROVED, 0)
    assert pair.read(one.ref).text == NEW
    pair.services.library.close_all()
    everything = b"".join(p.read_bytes() for p in pair.folder.rglob("*") if p.is_file())
    assert b"13800138000" not in everything
    assert pair.services.editing.undo_text() is None


def test_the_record_itself_and_what_stays_of_it_are_not_in_the_plan(pair):
    one = pair.add("phone", OLD)
    plan = pair.services.forgetting.plan(Edit(Target(one.ref, one.etag), {"text": NEW}))
    assert plan.counts.get("memories", 0) == 0
    assert OLD in plan.texts
    assert "phone" not in plan.texts


def test_a_record_that_changed_meanwhile_is_left_with_no_note(pair):
    one = pair.add("phone", OLD)
    edit = Edit(Target(one.ref, "0" * 16), {"text": NEW})
    plan = pair.services.forgetting.plan(edit)
    with pytest.raises(UserError):
        pair.services.forgetting.edit(edit, plan)
    assert pair.read(one.ref).text == OLD
    assert pair.services.erasing.pending() == ()


def test_the_receipt_says_that_it_was_a_correction(pair, corrected, tmp_path):
    corrected(receipt=tmp_path / "r.json")
    written = (tmp_path / "r.json").read_text("utf-8")
    assert json.loads(written)["kind"] == "correction"
    assert "13800138000" not in written


def test_killed_between_edit_and_erase_it_is_finished_at_the_next_start(pair, monkeypatch):
    one = pair.add("phone", OLD)
    edit = Edit(Target(one.ref, one.etag), {"text": NEW})
    plan = pair.services.forgetting.plan(edit)
    with monkeypatch.context() as patch:
        patch.setattr(type(pair.services.erasing), "run", _killed)
        with pytest.raises(KeyboardInterrupt):
            pair.services.forgetting.edit(edit, plan)
    (entry,) = pair.services.erasing.pending()
    assert OLD not in json.dumps(dict(entry.scheme))
    (done,) = pair.services.erasing.finish_begun(pair.project_file)
    assert done.state is EraseState.PROVED
    pair.services.library.close_all()
    everything = b"".join(p.read_bytes() for p in pair.folder.rglob("*") if p.is_file())
    assert b"13800138000" not in everything


def _killed(*_, **__):
    raise KeyboardInterrupt
