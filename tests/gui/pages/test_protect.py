# SPDX-License-Identifier: MIT
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from scene import PROJECT, USER

from memory_gui.domain.errors import UserError
from memory_gui.ui.pages.protect import ProtectPage

SQL = "CREATE TRIGGER spy AFTER INSERT ON memories BEGIN SELECT 1; END -- \u202ehidden"


def said(page):
    return "\n".join(w.text() for w in page.findChildren(QLabel) if w.isVisible())


@pytest.fixture
def protect(shown):
    return lambda store: shown(ProtectPage, store)


def test_it_says_what_the_store_is_and_how_well(protect):
    page = protect(PROJECT)
    text = said(page)
    for line in (str(PROJECT), "Agentao 0.5.17", "yes, SQLCipher", "WAL", "agentao (4121)", "0644"):
        assert line in text, line
    assert page.decrypt.isVisible()
    assert not page.encrypt.isVisible()


def test_encrypting_needs_a_typed_yes_after_who_loses_access(protect, fake, settled):
    page = protect(USER)
    page.encrypt.setFocus()
    QTest.keyClick(page.encrypt, Qt.Key.Key_Space)
    assert "empty memory, and loses what it learns" in said(page)
    assert page.question.line.hasFocus()
    assert not page.question.act.isEnabled()
    QTest.keyClick(page.question.line, Qt.Key.Key_Return)
    settled()
    assert not fake.called("encrypt")
    QTest.keyClicks(page.question.line, "Yes")
    QTest.keyClick(page.question.line, Qt.Key.Key_Return)
    settled()
    assert fake.called("encrypt") == [[USER]]


def test_giving_up_changes_nothing(protect, fake):
    page = protect(USER)
    page.encrypt.click()
    page.question.cancel.click()
    assert not page.question.isVisible()
    assert page.encrypt.isVisible()
    assert not fake.called("encrypt")


def test_decrypting_that_fails_says_why(protect, fake, settled):
    page = protect(PROJECT)
    page.decrypt.click()
    page.question.line.setText("yes")
    fake.fail_next["decrypt"] = UserError("store.missing", path="/gone")
    page.question.act.click()
    settled()
    assert "/gone" in page.frame.banner.text
    assert page.decrypt.isVisible()


def test_foreign_objects_show_their_sql_and_wait_for_a_yes(protect, fake, settled):
    store = fake.library.opened[PROJECT]
    info = replace(store.info, foreign_sql=(SQL,), writable=False)
    fake.library.opened[PROJECT] = replace(store, info=info)
    page = protect(PROJECT)
    assert "CREATE TRIGGER spy" in page.foreign.sql.toPlainText()
    assert "\u202e" not in page.foreign.sql.toPlainText()
    page.foreign.allow.click()
    settled()
    assert fake.called("allow_writing") == [[PROJECT, True]]


def test_after_the_lock_no_path_is_left(protect):
    page = protect(PROJECT)
    page.clear()
    assert str(PROJECT) not in " ".join(w.text() for w in page.findChildren(QLabel))


def test_a_bug_while_encrypting_leaves_nothing_running(protect, fake, settled):
    page = protect(USER)
    page.encrypt.click()
    page.question.line.setText("yes")
    fake.fail_next["encrypt"] = ZeroDivisionError()
    page.question.act.click()
    settled()
    assert page.may_leave()
    assert page.encrypt.isVisible()
