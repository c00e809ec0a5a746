# SPDX-License-Identifier: MIT
"""Rule 10: lock always wins. Within a second no key, no text, no connection is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QWidget

from memory_gui.domain.records import State
from memory_gui.ui.privacy.closing import close_floating
from memory_gui.ui.views import REVIEW
from memory_gui.ui.widgets import Banner

SCRIPT = Path(__file__).with_name("locking.py")


@pytest.fixture(scope="module")
def looked(tmp_path_factory):
    """What a process of its own found before and after its window was locked."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path_factory.mktemp("lock"))],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_before_it_everything_is_there_to_be_found(looked):
    before = looked["before"]
    assert before["widgets"] > 10
    assert before["objects"] > 0
    assert before["keys"] > 0
    assert before["descriptors"] > 0
    assert before["undo"] > 0
    assert before["clipboard"] is True


@pytest.mark.parametrize(
    "where",
    ["widgets", "undo", "objects", "frames", "keys", "descriptors", "dialogs", "timers"],
)
def test_after_it_nothing_is_left(looked, where):
    assert looked["after"][where] == []


def test_the_clipboard_is_empty_and_the_title_names_nothing(looked):
    assert looked["after"]["clipboard"] == ""
    assert looked["after"]["title"] == "Agent Memory"
    assert looked["after"]["page"] == "locked"


def test_it_took_less_than_a_second(looked):
    assert looked["seconds"] < 1.0


# ---- in the window over fake services


def until(true, seconds=30.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true"
        QApplication.processEvents()
        time.sleep(0.005)


def typed(window, text):
    window.memories.edit_current()
    editor = window.memories.right.editor
    field = next(one for one in editor.findChildren(QPlainTextEdit) if not one.isReadOnly())
    field.setPlainText(text)
    return field


def test_it_waits_for_no_job(window, fake, stopwatch):
    gate = threading.Event()
    for _ in range(6):
        window.bridge.call(gate.wait, 20)
    window.bridge.call(gate.wait, 20, in_turn=True)
    watch = stopwatch()
    window.lock()
    assert window.page_name == "locked"
    until(lambda: fake.lock.is_locked, 15.0)
    assert watch.seconds < 1.0
    gate.set()


def test_what_a_job_brings_home_is_not_shown(window, fake):
    gate, shown = threading.Event(), []

    def slow():
        gate.wait(20)
        return "a text of a memory"

    window.bridge.call(slow, done=shown.append)
    until(lambda: window.bridge.busy)
    window.lock()
    gate.set()
    until(lambda: not window.bridge.busy)
    assert shown == []


def test_what_must_end_ends_and_the_locked_page_counts_it(window, fake):
    gate, ended = threading.Event(), []
    window.bridge.call(gate.wait, 20, done=ended.append, outlives=True)
    window.lock()
    label = window.findChild(QLabel, "locked.finishing")
    assert label.isVisible()
    assert label.text().startswith("1 piece of work is finishing.")
    assert not window.findChild(QLabel, "locked.text").isVisible()
    gate.set()
    until(lambda: not label.isVisible())
    assert ended == [True]


def test_no_typed_text_stands_in_the_way_and_it_comes_back(window, fake, settled):
    field = typed(window, "half a thought")
    window.lock()
    assert window.page_name == "locked"
    settled()
    assert field.toPlainText() == ""
    window.unlock()
    settled()
    banner = window.findChild(Banner, "window.draft")
    assert banner.text == "What you were typing when the window locked is still here."
    assert "thought" not in banner.text
    banner.findChild(QWidget, "banner.action0").click()
    settled()
    assert window.memories.right.editing
    assert field.toPlainText() == "half a thought"
    assert window.memories.right.editor.dirty
    assert fake.drafts.kept == []


def test_it_can_be_discarded(window, fake, settled):
    typed(window, "half a thought")
    window.lock()
    settled()
    window.unlock()
    settled()
    banner = window.findChild(Banner, "window.draft")
    banner.findChild(QWidget, "banner.action1").click()
    settled()
    assert fake.drafts.kept == []
    assert not banner.isVisible()


def test_a_second_lock_hides_the_offer(window, fake, settled):
    typed(window, "half a thought")
    for _ in range(2):
        window.lock()
        settled()
        assert not window.findChild(Banner, "window.draft").isVisible()
        window.unlock()
        settled()
    assert window.findChild(Banner, "window.draft").isVisible()
    assert len(fake.drafts.kept) == 1


def test_what_could_not_be_kept_is_told_once(window, fake, settled):
    fake.drafts.lost = 1
    window.lock()
    settled()
    window.unlock()
    settled()
    assert "could not be kept" in window.findChild(Banner, "window.draft").text


def test_a_dialog_that_asks_before_it_closes_is_closed_all_the_same(qtbot):
    class Stubborn(QDialog):
        def reject(self):
            raise AssertionError("asked")

        def closeEvent(self, event):
            event.ignore()

    dialog = Stubborn()
    qtbot.addWidget(dialog, before_close_func=lambda one: one.hide())
    dialog.open()
    close_floating()
    assert not dialog.isVisible()


def test_each_trigger_locks(window, fake, settled):
    guarding = window._guarding
    for trigger in (
        window._idle.went_idle.emit,
        guarding._on_screen_locked,
        guarding._on_sleeping,
        guarding._on_session_ends,
    ):
        trigger()
        assert window.page_name == "locked"
        settled()
        window.unlock()
        settled()
        assert window.page_name != "locked"


def test_screen_lock_and_sleep_can_be_switched_off(window, fake, settled):
    fake.settings.change(lock_on_screen_lock=False, lock_on_sleep=False)
    window._guarding._on_screen_locked()
    window._guarding._on_sleeping()
    assert window.page_name != "locked"


def test_the_computer_sleeps_only_after_the_keys_are_gone(window, fake, settled):
    said = []

    class Session:
        def slept(self):
            said.append(fake.lock.is_locked)

        def close(self):
            pass

    window._guarding._session = Session()
    window._guarding._on_sleeping()
    until(lambda: bool(said))
    assert said == [True]
    window._guarding._on_sleeping()  # locked already: nothing to wait for
    assert said == [True, True]


def test_other_programs_are_followed_again_after_unlock(window, fake, settled):
    """A lock drops the answer that the watch waited for; it must ask again all the same."""
    gate, poll = threading.Event(), fake.library.poll

    def slow():
        gate.wait(10)
        return poll()

    fake.library.poll = slow
    until(lambda: window._watch._call is not None and not window._watch._call.finished)
    window.lock()
    gate.set()
    settled()
    window.unlock()
    settled()
    fake.library.poll = poll
    before = len(fake.called("poll"))
    until(lambda: len(fake.called("poll")) > before)


def correct(window, settled, text):
    window.choose_view(REVIEW)
    settled()
    page = window.findChild(QWidget, "page.review")
    page.bar.edit_wanted.emit()
    page.editor.text.setPlainText(text)
    page.editor.tags.setText("one, two")
    return page


def test_a_correction_in_the_review_comes_back_too(window, fake, settled):
    page = correct(window, settled, "half a correction")
    ref = page._queue.ref
    window.lock()
    settled()
    assert page.editor.text.toPlainText() == ""
    assert not page.editor.tags.isUndoAvailable()
    window.unlock()
    settled()
    window.findChild(Banner, "window.draft").findChild(QWidget, "banner.action0").click()
    settled()
    assert window.page_name == "review"
    assert page._queue.ref == ref
    assert page.editor.isVisible()
    assert page.editor.fields()["text"] == "half a correction"
    assert page.editor.fields()["tags"] == ("one", "two")
    assert fake.drafts.kept == []


def test_of_a_proposal_that_was_decided_meanwhile_the_text_becomes_a_new_memory(
    window, fake, settled
):
    page = correct(window, settled, "half a correction")
    ref = page._queue.ref
    window.lock()
    settled()
    fake.library.put(replace(fake.library.records[ref], state=State.REJECTED))
    window.unlock()
    settled()
    window.findChild(Banner, "window.draft").findChild(QWidget, "banner.action0").click()
    settled()
    assert window.page_name == "memories"
    right = window.memories.right
    assert right.editing
    fields = [one for one in right.editor.findChildren(QPlainTextEdit) if not one.isReadOnly()]
    assert fields[0].toPlainText() == "half a correction"


def test_a_correction_is_hidden_with_the_texts_and_kept(window, settled):
    page = correct(window, settled, "half a correction")
    hiding = window._context.privacy.hiding
    hiding.toggle()
    assert page.editor.text.toPlainText() == "Text is hidden"
    assert "one" not in page.editor.tags.displayText()
    assert page.editor.fields()["text"] == "half a correction"
    hiding.toggle()
    assert page.editor.text.toPlainText() == "half a correction"
    assert not page.editor.text.isReadOnly()


def test_at_the_sessions_end_what_was_typed_is_kept_and_the_window_closes(window, fake, settled):
    typed(window, "half a thought")
    window.end()
    until(lambda: not window.isVisible())
    assert [one.fields["text"] for one in fake.drafts.kept] == ["half a thought"]
    assert fake.lock.is_locked


def test_a_lock_that_hangs_does_not_keep_the_session_from_ending(window, fake, monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(fake.lock, "lock", lambda drafts=(): gate.wait(20))
    window.end()
    until(lambda: not window.isVisible(), 4)
    gate.set()
