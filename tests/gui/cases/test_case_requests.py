# SPDX-License-Identifier: MIT
"""Requests: a new one, one that is changed, those of a list, and which are due."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

sys.path.insert(0, str(Path(__file__).parents[1]))

from casesteps import NAME, press
from fakes.cases import some_cases
from looking import banner, child, press_in_banner, text

from memory_gui.ui.widgets import Button


def test_time_is_extended_with_a_reason_only(page, fake, settled):
    page.parts.show(0, final=False)
    press(page, "case.extend")
    form = page.parts.request.extend_form
    assert "December 10, 2026" in text(page, "case.extend_form.lead")
    assert not form.give.isEnabled()
    form.reason.setText("many stores")
    form.give.click()
    settled()
    assert fake.called("case_extend") == [["many stores", None]]
    assert "many stores" in page.parts.request.facts.texts


def test_a_new_case_says_how_each_name_is_read(fake, window, settled):
    window.go("case_new")
    settled()
    page = window._panes.host.page
    begin = child(page, Button, "case_new.begin")
    assert not begin.isEnabled()
    child(page, QLineEdit, "case_new.name").setText(NAME)
    child(page, QPlainTextEdit, "case_new.also").setPlainText(
        "zofia.q@example.org\n+48 601 234 567"
    )
    said = text(page, "case_new.read_as")
    assert said == (
        f"Looked for as name: {NAME}, e-mail: zofia.q@example.org, telephone: +48 601 234 567"
    )
    page.form.received.setText("2027-01-31")
    assert page.form.due.day == date(2027, 2, 28)
    page.form.term.choose("45-days")
    assert page.form.due.day == date(2027, 3, 17)
    begin.click()
    settled()
    (wanted,) = fake.called("case_new")[0]
    assert wanted.subject.title == NAME
    assert wanted.due is None
    assert window.page_name == "case"


def test_a_request_is_changed_and_what_was_typed_outlives_a_lock(page, fake, window, settled):
    page.parts.show(0, final=False)
    press(page, "case.change")
    settled()
    changing = window._panes.host.page
    form = changing.form
    assert text(window, "case_new.title") == "Change the request"
    assert form.also.given == ("zofia.q@example.org", "+48 601 234 567", "仇夏莲")
    assert changing.drafts() == ()
    form.also.setPlainText("仇夏莲\nzq_1984")
    form.notes.setPlainText("came by post")
    window.lock()
    settled()
    window.unlock()
    settled()
    press_in_banner(window, "Go on with it", "window.draft")
    settled()
    press(window, "case_new.begin")
    settled()
    (given,) = fake.called("case_edit")[0]
    assert [one.text for one in given["subject"].named] == [NAME, "仇夏莲", "zq_1984"]
    assert (given["notes"], given["identity"].at) == ("came by post", "2026-11-11")
    assert window.page_name == "case"
    assert page.parts.request.isVisible()


def test_home_shows_what_is_due_and_leads_there(fake, window, settled):
    fake.cases.known = some_cases()
    window.go("start")
    settled()
    assert "Mateo Álvarez: a copy of what is held (Art. 15)" in text(window, "start.due0")
    press(window, "start.due1.show")
    settled()
    assert window.page_name == "case"
    assert text(window, "case.title") == NAME


def test_cases_that_cannot_be_read_are_not_passed_over(fake, window, settled):
    fake.cases.known, fake.cases.is_kept = some_cases(), False
    window.go("start")
    settled()
    said = "Secret Service is locked. Cases that may be due cannot be read."
    assert text(window, "start.due.unread") == said
    window.go("cases")
    settled()
    assert text(window, "cases.unkept") == said
    press(window, "cases.again")
    settled()
    assert fake.called("keeper_again") == [[]]
    assert window._panes.host.page.rows.count() == 3
    window.go("start")
    settled()
    assert "Mateo" in text(window, "start.due0")


def test_a_list_of_people_becomes_cases_of_those_who_have_none(fake, window, settled, tmp_path):
    fake.cases.known = some_cases()
    window.go("cases")
    settled()
    page = window._panes.host.page
    press(window, "cases.list_wanted")
    form = page.form
    file = tmp_path / "people.csv"
    file.write_text("subject;also\nAda;ada@x.example\nx\n")
    form.path.set_path(str(file))
    press(window, "cases.from_list.read")
    settled()
    assert "line 3" in text(window, "cases.from_list.told")
    file.write_text(f"subject;also\nAda Byron;ada@x.example\n{NAME};\n李雷;\n")
    press(window, "cases.from_list.read")
    settled()
    said = text(window, "cases.from_list.told")
    assert said == "Ada Byron, 李雷\n1 person has a case already that waits"
    form.right.choose("access")
    press(window, "cases.from_list.make")
    settled()
    made = [one for (one,) in fake.called("case_new")]
    assert [(one.subject.title, one.right) for one in made] == [
        ("Ada Byron", "access"),
        ("李雷", "access"),
    ]
    assert page.rows.count() == 5
    assert banner(window, "cases.banner") == "2 cases were made."
    window.cover()
    assert not form.isVisible()
