# SPDX-License-Identifier: MIT
"""What was typed of a case comes back after a lock; until then nothing of it is shown."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fakes.cases import SUBJECT, one_case, some_cases, some_finds
from looking import banner, child, press_in_banner, shown
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision
from memory_gui.services.locking.drafts import OWN

KEPT = "What you were typing when the window locked is still here."


def lock_and_unlock(fake, window, settled) -> None:
    window.lock()
    settled()
    held = [what for _widget, what in shown(window) if "Zofia" in what or "仇夏莲" in what]
    assert held == []
    window.unlock()
    settled()
    assert window.page_name == ("memories" if fake.library.opened else "start")
    assert banner(window, "window.draft") == KEPT
    press_in_banner(window, "Go on with it", "window.draft")
    settled()


def test_a_half_typed_case(fake, window, settled):
    window.go("case_new")
    settled()
    page = window._panes.host.page
    child(window, QLineEdit, "case_new.name").setText(SUBJECT.title)
    child(window, QPlainTextEdit, "case_new.also").setPlainText("仇夏莲\n+48 601")
    page.form.right.choose("access")
    page.form.ground.choose("gdpr.copy")
    page.form.received.setText("2026-11-1")
    page.form.due.setText("2026-12-24")
    window.choose_view(window.memories.view)  # what is typed stays until it is cancelled
    window.go("case_new")
    before = page.drafts()[0].fields
    fake.library.opened.clear()  # nor does it need a store
    assert before["due"] == "2026-12-24"
    lock_and_unlock(fake, window, settled)
    assert window.page_name == "case_new"
    assert page.drafts()[0].fields == before
    assert fake.drafts.kept == []


def test_a_half_written_letter_in_both_languages(fake, window, settled):
    done = one_case(state=CaseState.DONE, outcome={"at": "x"})
    fake.cases.known = [done, *some_cases()[1:]]
    window.go("case", done.number)
    settled()
    page = window._panes.host.page
    page._go(4)
    assert page.drafts() == ()
    answer = page.parts.answer
    answer.text.setPlainText("Dear Zofia, all is")
    answer.language.choose("zh_CN")
    answer.text.setPlainText("仇夏莲:")
    page.parts.request._rows[0].note.setText("told by ph")
    page.parts.request.more_time.click()
    page.parts.request.extend_form.reason.setText("many")
    lock_and_unlock(fake, window, settled)
    assert answer.isVisible()
    assert answer.text.toPlainText() == "仇夏莲:"
    answer.language.choose("en")
    assert answer.text.toPlainText() == "Dear Zofia, all is"
    assert page.parts.request._rows[0].note.text() == "told by ph"
    assert page.parts.request.extend_form.reason.text() == "many"
    (draft,) = page.drafts()
    assert (draft.store, draft.fields["case"]) == (OWN, str(done.number))


def test_the_half_filled_forms_below_the_finds(fake, window, settled):
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    window.go("case", 7)
    settled()
    page = window._panes.host.page
    page.parts.foot.look.click()
    settled()
    finds = page.parts.finds
    finds.list.selectAll()
    finds.acts[Decision.KEEP].click()
    finds.hold.reason.choose("hold.other")
    finds.hold.text.setText("as Ann said")
    lock_and_unlock(fake, window, settled)
    assert len(finds.chosen) == 4
    assert finds.hold.isVisible()
    assert (finds.hold.reason.code, finds.hold.text.text()) == ("hold.other", "as Ann said")
    finds.hold.cancel.click()
    finds.select(1)
    finds.to_correct.click()
    settled()
    finds.correct.text.setPlainText("Nobody is on call.")
    lock_and_unlock(fake, window, settled)
    assert finds.correct.isVisible()
    assert finds.correct.text.toPlainText() == "Nobody is on call."
    assert finds.correct.title.text() == "预算"
