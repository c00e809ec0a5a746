# SPDX-License-Identifier: MIT
"""A record of a million characters: its beginning at once, and all of it where that is wanted."""

from dataclasses import replace

import pytest
from beating import LONGEST_MS, longest_pause
from looking import child, row_of
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QPlainTextEdit

from memory_gui.domain.hidden import kinds_in
from memory_gui.findings.secrets import DOTS
from memory_gui.ui.pages.text_view import MOST_SHOWN
from memory_gui.ui.shell.interpreter import Interpreter
from memory_gui.words import unseen

LONG = "abc 密码 d\u200be\n" * 4_000
MEGABYTE = "The service listens on 8080 behind the proxy. Ask Ben first.\n" * 17_000
SECRET = "hunter2-and-more"


def test_no_more_is_looked_at_than_is_shown(window, fake, settled, monkeypatch):
    """A count and not a time: machines differ."""
    ref = next(ref for ref, one in fake.library.records.items() if one.title == "deploy_port_1")
    text = "abc 密码 d\u200be\n" * 100_000
    fake.library.put(replace(fake.library.records[ref], text=text))
    window.memories.go_to(0)
    window.memories.refresh()
    settled()
    looked = []

    def count(found):
        looked.append(len(found))
        return kinds_in(found)

    monkeypatch.setattr(unseen, "kinds_in", count)
    window.memories.go_to(row_of(window, "deploy_port_1"))
    settled()
    shown = child(window, QPlainTextEdit, "detailText").toPlainText()
    assert shown.startswith("abc 密码 d⟦U+200B⟧e")
    assert shown.endswith(f"⟦… +{len(text) - MOST_SHOWN}⟧")
    assert looked
    assert max(looked) <= MOST_SHOWN


@pytest.fixture
def holding(window, fake, settled, qtbot):
    """Give the record at the top another text, choose it, and have all of it shown if asked."""

    def hold(text, *, whole=True, etag="e1"):
        ref = next(r for r, one in fake.library.records.items() if one.title == "deploy_port_1")
        one = replace(fake.library.records[ref], text=text, etag=etag)
        fake.library.put(one)
        window.memories.refresh()
        settled()
        window.memories.go_to(row_of(window, "deploy_port_1"))
        settled()
        view = child(window, QPlainTextEdit, "detailText")
        if whole:
            child(window, QAbstractButton, "detail.all").click()
            settled()
            said = child(window, QLabel, "detail.more")
            qtbot.waitUntil(lambda: said.text().startswith("All "), timeout=20_000)
        return view, one

    return hold


@pytest.fixture
def interpreter(window):
    """As in the app: else Python's collector stops the loop, the longer the more tests ran."""
    made = Interpreter(window)
    yield made
    made.close()


class TestAllOfIt:
    def test_a_row_holds_the_beginning_and_knows_how_much_more_there_is(self, window, holding):
        holding(LONG, whole=False)
        row = window.memories.model.record(row_of(window, "deploy_port_1"))
        assert (row.text, row.more) == (LONG[:MOST_SHOWN], len(LONG) - MOST_SHOWN)
        text = child(window, QLabel, "detail.more").text()
        assert text == f"The first 20,000 of {len(LONG):,} characters are shown."

    def test_every_letter_is_there(self, holding):
        view, _ = holding(LONG + "the end")
        assert view.toPlainText() == (LONG + "the end").replace("\u200b", "⟦U+200B⟧")

    @pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.soak)])
    @pytest.mark.usefixtures("interpreter")
    def test_the_loop_never_stands_still(self, window, holding, settled, qtbot, times):
        view, _ = holding(MEGABYTE * times + "the end", whole=False)
        said, button = (
            child(window, QLabel, "detail.more"),
            child(window, QAbstractButton, "detail.all"),
        )

        def show_all():
            if button.text() == "Show less":
                button.click()
            button.click()
            qtbot.waitUntil(lambda: said.text().startswith("All "), timeout=60_000)

        assert longest_pause(show_all, tries=3) <= LONGEST_MS
        assert view.document().lastBlock().text() == "the end"

    def test_it_is_remembered_for_that_record_only(self, window, holding, fake, settled):
        view, one = holding(LONG)
        fake.library.put(replace(one, text=LONG + "more", etag="e2"))
        window.memories.refresh()
        settled()
        assert child(window, QAbstractButton, "detail.all").text() == "Show less"
        other = row_of(window, "deploy_port_1") + 1
        window.memories.go_to(other)
        settled()
        assert not child(window, QAbstractButton, "detail.all").isVisible()
        window.memories.go_to(row_of(window, "deploy_port_1"))
        settled()
        assert child(window, QAbstractButton, "detail.all").text() == "Show all"
        assert len(view.toPlainText()) < 3 * MOST_SHOWN

    def test_secrets_far_in_are_covered_shown_while_held_and_covered_again(self, window, holding):
        text = "x" * 30_000 + f" password: {SECRET} " + "y" * 30_000
        view, _ = holding(text)
        covered = view.toPlainText()
        assert SECRET not in covered
        assert DOTS in covered
        assert child(window, QLabel, "detail.secrets").text() == "Covered: a password or key"
        cursor = view.document().find(DOTS)
        cursor.setPosition(cursor.selectionStart())
        view.setTextCursor(cursor)
        view.ensureCursorVisible()
        QApplication.processEvents()
        view.reveal(on=True)
        assert SECRET in view.toPlainText()
        view.reveal(on=False)
        assert view.toPlainText() == covered

    def test_a_line_without_end_is_broken_for_the_eye_and_copied_whole(self, window, holding):
        view, _ = holding("z" * 50_000)
        assert view.document().blockCount() > 10
        view.selectAll()
        assert view.createMimeDataFromSelection().text() == "z" * 50_000
        cursor = view.textCursor()
        cursor.setPosition(3_990)
        cursor.setPosition(4_010, QTextCursor.MoveMode.KeepAnchor)
        view.setTextCursor(cursor)
        assert view.createMimeDataFromSelection().text() == "z" * 19

    def test_copying_takes_all_of_it_though_the_beginning_is_shown(self, window, holding, settled):
        holding(LONG, whole=False)
        window.memories.copy_current()
        settled()
        assert QApplication.clipboard().text() == LONG
        QApplication.clipboard().clear()

    def test_nothing_of_it_is_left_after_a_lock(self, window, holding, settled):
        view, _ = holding(LONG)
        window.cover()
        assert view.toPlainText() == ""
        assert "密码" not in str(vars(view)), "no letters: an address may hold them"


class TestEditing:
    @pytest.fixture
    def edit(self, window, holding, settled, fake):
        def begin(text, **fields):
            _, one = holding(text, whole=False)
            if fields:
                fake.library.put(replace(one, etag="e3", **fields))
                window.memories.refresh()
                settled()
            window.memories.edit_current()
            settled()
            return one

        return begin

    @pytest.mark.parametrize(
        "text", ["two\r\nlines", "a\u00a0blank that stays", LONG, "x" * 10_000 + "\u2028the end"]
    )
    def test_a_tag_is_added_and_of_the_text_nothing_is_said(
        self, window, fake, settled, edit, text
    ):
        edit(text)
        child(window, QLineEdit, "editor.tags").setText("kept")
        save = child(window, QAbstractButton, "editor.save")
        assert save.isEnabled()
        save.click()
        settled()
        [(change,)] = fake.called("edit")
        assert change.fields == {"tags": ("kept",)}
        assert fake.library.record(change.target.ref).text == text

    def test_a_text_too_long_to_be_typed_in_is_kept_or_written_anew(
        self, window, fake, settled, edit
    ):
        edit(LONG)
        field = child(window, QPlainTextEdit, "editor.text")
        note = child(window, QLabel, "editor.long")
        assert (field.isReadOnly(), note.isVisible()) == (True, True)
        assert len(field.toPlainText()) == MOST_SHOWN
        child(window, QAbstractButton, "editor.anew").click()
        assert (field.isReadOnly(), note.isVisible(), field.toPlainText()) == (False, False, "")
        assert not child(window, QAbstractButton, "editor.save").isEnabled()
        field.setPlainText("short")
        child(window, QAbstractButton, "editor.save").click()
        settled()
        [(change,)] = fake.called("edit")
        assert change.fields == {"text": "short"}

    def test_tags_with_a_comma_and_a_title_without_end_stay_as_they_are(
        self, window, fake, settled, edit
    ):
        edit("short", title="t" * 50_000, tags=("a, b", "c"))
        child(window, QPlainTextEdit, "editor.text").setPlainText("other")
        child(window, QAbstractButton, "editor.save").click()
        settled()
        [(change,)] = fake.called("edit")
        assert change.fields == {"text": "other"}
