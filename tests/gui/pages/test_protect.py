# SPDX-License-Identifier: MIT
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from scene import PROJECT, USER

from memory_gui.domain.changes import Capability, OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.ledger.keynotes import KeyNote
from memory_gui.services import KeyPlace
from memory_gui.services.editing.merging import Merged
from memory_gui.services.keys.protect import Stray
from memory_gui.ui.protect import page as pages
from memory_gui.ui.protect.acts import Act, look
from memory_gui.ui.protect.offered import Wanted
from memory_gui.ui.protect.page import ProtectPage

SQL = "CREATE TRIGGER spy AFTER INSERT ON memories BEGIN SELECT 1; END -- \u202ehidden"

OLD = {
    "version": "4.19.0", "kdf_iter": "64000", "cipher_page_size": "1024",
    "cipher_use_hmac": "1", "cipher_plaintext_header_size": "0",
    "cipher_hmac_algorithm": "HMAC_SHA1", "cipher_kdf_algorithm": "PBKDF2_HMAC_SHA1",
}  # fmt: skip


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
    assert page.known.decrypt.isVisible()
    assert not page.known.encrypt.isVisible()


def test_encrypting_needs_a_typed_yes_after_who_loses_access(protect, fake, settled):
    page = protect(USER)
    page.known.encrypt.setFocus()
    QTest.keyClick(page.known.encrypt, Qt.Key.Key_Space)
    settled()
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


def test_it_is_asked_even_where_the_look_is_faster_than_the_store(
    shown, fake, settled, monkeypatch
):
    looked, store = threading.Event(), fake.library.store

    def slow(wanted):
        assert looked.wait(20)
        return store(wanted)

    page = shown(ProtectPage, PROJECT)
    page.clear()
    seen = look(fake, PROJECT, Act.ROTATE)  # the look itself asks for the store, too
    monkeypatch.setattr(pages, "look", lambda *_asked: seen)
    monkeypatch.setattr(fake.library, "store", slow)
    on_looked = page._on_looked
    monkeypatch.setattr(page, "_on_looked", lambda one: (on_looked(one), looked.set()))
    page.show_for(Wanted(PROJECT, Act.ROTATE))
    settled()
    assert looked.is_set()
    assert page.question.isVisible()
    assert page.question.line.hasFocus()


def test_what_was_asked_about_the_store_before_is_not_asked_of_this_one(
    protect, settled, monkeypatch
):
    page, shown = protect(PROJECT), threading.Event()
    on_store = page._on_store
    monkeypatch.setattr(page, "_on_store", lambda one: (on_store(one), shown.set()))
    monkeypatch.setattr(pages, "look", lambda *asked: shown.wait(20) and look(*asked))
    page.known.rotate.click()
    page.show_for(USER)
    settled()
    assert shown.is_set()
    assert not page.question.isVisible()
    assert str(PROJECT) not in said(page)


def test_the_window_hears_of_it_before_the_long_check(protect, fake, settled, monkeypatch):
    page = protect(USER)
    page.known.encrypt.click()
    settled()
    order = []
    page.changed.connect(lambda _changes: order.append("told"))
    monkeypatch.setattr(page, "_check", lambda: order.append("check"))
    QTest.keyClicks(page.question.line, "Yes")
    QTest.keyClick(page.question.line, Qt.Key.Key_Return)
    settled()
    assert order == ["told", "check"]


def test_giving_up_changes_nothing(protect, fake, settled):
    page = protect(USER)
    page.known.encrypt.click()
    settled()
    page.question.cancel.click()
    assert not page.question.isVisible()
    assert page.known.encrypt.isVisible()
    assert not fake.called("encrypt")


def test_decrypting_that_fails_says_why(protect, fake, settled):
    page = protect(PROJECT)
    page.known.decrypt.click()
    settled()
    page.question.line.setText("yes")
    fake.fail_next["decrypt"] = UserError("store.missing", path="/gone")
    page.question.act.click()
    settled()
    assert "/gone" in page.frame.banner.text
    assert page.known.decrypt.isVisible()


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
    page.known.encrypt.click()
    settled()
    page.question.line.setText("yes")
    fake.fail_next["encrypt"] = ZeroDivisionError()
    page.question.act.click()
    settled()
    assert page.may_leave()
    assert page.known.encrypt.isVisible()


class TestWhoCanOpenIt:
    def test_by_name_with_the_lines_that_connect_them(self, protect, fake, settled):
        page = protect(USER)
        page.known.encrypt.click()
        settled()
        text = said(page)
        assert "agentao and agentao -p" in text
        assert "memory-cli agent agentao" in text
        assert "memory.db.bak beside it stays readable" in text

    def test_programs_that_have_it_open_are_named_first(self, protect, fake, settled):
        fake.protect.open_by = (OpenBy(4121, "agentao"),)
        page = protect(USER)
        page.known.encrypt.click()
        settled()
        assert "agentao (pid 4121)" in said(page)

    def test_a_line_is_copied(self, protect, fake, settled, qapp):
        page = protect(PROJECT)
        button = page.findChild(QPushButton, "protect.connect.copy0")
        assert button.accessibleName().startswith("Copy: cd /home/ann/atlas")
        button.click()
        assert qapp.clipboard().text() == "cd /home/ann/atlas && memory-cli agent agentao"


class TestAReadableCopy:
    def test_goes_where_a_person_says(self, protect, fake, settled):
        page = protect(PROJECT)
        page.known.copy.click()
        settled()
        assert page.question.out.isVisible()
        page.question.out.set_path("")
        page.question.line.setText("yes")
        assert not page.question.act.isEnabled()
        page.question.out.set_path("/tmp/out.db")
        page.question.act.click()
        settled()
        assert fake.called("decrypt") == [[PROJECT, Path("/tmp/out.db")]]
        assert "/tmp/out.db" in page.frame.banner.text


class TestACopyInTodaysFormat:
    @pytest.fixture
    def older(self, protect, fake):
        """A database of another program, which can only be looked at."""
        store = fake.library.opened[PROJECT]
        info = replace(store.info, cipher=OLD, capabilities=Capability.WATCH)
        fake.library.opened[PROJECT] = replace(store, info=info, key_place=KeyPlace.TYPED)
        return protect(PROJECT)

    def test_is_offered_where_the_format_is_older(self, older, fake):
        assert "yes, in the format of SQLCipher 3" in said(older)
        assert older.known.migrate.isVisible()
        assert not older.known.rotate.isVisible()

    def test_not_where_it_is_todays(self, protect):
        assert not protect(PROJECT).known.migrate.isVisible()

    def test_says_what_changes_writes_it_and_opens_it(self, older, fake, settled):
        gone = []
        older.go.connect(lambda *where: gone.append(where))
        older.known.migrate.click()
        settled()
        text = said(older)
        assert "in the format of SQLCipher 3; the copy is in that of SQLCipher 4" in text
        assert "The keychain does not get it" in text
        assert "it stays as it is" in text
        assert not older.question.line.isVisible()  # nothing changes: no yes is typed
        assert older.question.out.line.hasFocus()
        proposed = older.question.out.path
        assert proposed.name == "memory-sqlcipher4.db"
        older.question.out.set_path("")
        assert not older.question.act.isEnabled()
        older.question.out.set_path(str(proposed))
        QTest.keyClick(older.question.out.line, Qt.Key.Key_Return)
        settled()
        assert fake.called("migrate") == [[PROJECT, proposed]]
        assert "31 rows copied to" in older.frame.banner.text
        older.frame.banner.findChild(QPushButton, "banner.action0").click()
        settled()
        assert fake.called("open_copy") == [[PROJECT, proposed]]
        assert [name for name, _ in gone] == ["opened", "protect"]

    def test_what_did_not_work_is_said(self, older, fake, settled):
        older.known.migrate.click()
        settled()
        fake.fail_next["migrate"] = UserError("store.exists", path="/there.db")
        older.question.act.click()
        settled()
        assert "/there.db" in older.frame.banner.text
        assert older.known.migrate.isVisible()


class TestChangingTheKey:
    def ask(self, page, settled):
        page.known.rotate.click()
        settled()

    def test_says_what_becomes_of_the_old_one(self, protect, fake, settled):
        page = protect(PROJECT)
        self.ask(page, settled)
        assert "The old key is destroyed" in said(page)
        assert page.question.drop_old.isHidden()
        page.question.line.setText("yes")
        page.question.act.click()
        settled()
        wanted = {"drop_old": False, "give_up_paper": False}
        assert fake.called("rotate") == [[PROJECT, wanted]]
        assert "The old key was destroyed" in page.frame.banner.text

    def test_the_paper_and_other_files_are_named_and_may_be_given_up(self, protect, fake, settled):
        fake.rotating.paper, fake.rotating.others = "2026-11-02", ("/backups/memory.db",)
        page = protect(PROJECT)
        self.ask(page, settled)
        text = said(page)
        assert "The paper of November 2, 2026 stops working" in text
        assert "/backups/memory.db opens with the old key" in text
        page.question.no_paper.setChecked(True)
        page.question.drop_old.setChecked(True)
        page.question.line.setText("yes")
        page.question.act.click()
        settled()
        wanted = {"drop_old": True, "give_up_paper": True}
        assert fake.called("rotate") == [[PROJECT, wanted]]

    def test_an_old_key_that_waits_is_shown_until_it_is_given_up(self, protect, fake, settled):
        fake.rotating.notes = (
            KeyNote(
                "1", str(PROJECT), "ab" * 16, "rotate", "a", "b", "", 1, 0.0, paper="2026-11-02"
            ),
        )
        page = protect(PROJECT)
        assert "kept until a new recovery key" in said(page)
        page.waiting.give_up.click()
        settled()
        assert "The paper of November 2, 2026 opens nothing any more" in said(page)
        page.question.line.setText("yes")
        page.question.act.click()
        settled()
        assert fake.called("recovery_given_up") == [[str(PROJECT)]]
        assert not page.waiting.isVisible()


def test_a_readable_store_where_an_encrypted_one_lay_is_told(protect, fake):
    fake.protect.strange = (Stray(str(USER), ("/home/ann/.agentao/memory.db.enc",)),)
    page = protect(USER)
    assert "made it anew" in said(page)
    assert "memory.db.enc" in said(page)


def test_its_records_are_brought_into_the_encrypted_one_and_counted(protect, fake, settled):
    fake.protect.strange = (Stray(str(USER), (str(PROJECT),)),)
    page = protect(USER)
    fake.merging.merged = Merged(
        4, 1, ("port",), left={"summary": 2}, brought={"memory": 2, "trash": 1, "event": 1}
    )
    page.waiting.merge.click()
    settled()
    assert fake.called("merge") == [[USER, PROJECT]]
    text = said(page)
    assert "Brought over: 2 memories, 1 memory in the trash, and 1 line of the agent’s log." in text
    assert "1 record was there already." in text
    assert "Not brought over, as the format has no way: 2 summaries." in text
    assert "1 record stays behind: another one has its key there." in text


def test_without_a_known_place_there_is_nothing_to_bring_them_into(protect, fake):
    fake.protect.strange = (Stray(str(USER), ()),)
    assert not protect(USER).waiting.merge.isVisible()


def test_after_the_lock_no_question_and_no_line_is_left(protect, fake, settled):
    page = protect(PROJECT)
    page.known.rotate.click()
    settled()
    page.clear()
    texts = " ".join(w.text() for w in page.findChildren(QLabel))
    assert str(PROJECT) not in texts
    assert "agent agentao" not in texts
    assert page.question.out.path is None


def test_an_act_that_ends_after_a_lock_is_not_told_of_the_next_store(
    protect, fake, settled, qtbot, held
):
    page = protect(USER)
    page.known.encrypt.click()
    settled()
    act = held(pages, "carry_out")
    page._on_agreed(Act.ENCRYPT)
    act.begun()
    page.clear()  # the lock
    page.show_for(PROJECT)
    qtbot.waitUntil(lambda: page._store is not None, timeout=30_000)
    title = page.frame.title.text()
    act.let_go()
    settled()
    assert page.frame.title.text() == title
    assert page.frame.banner.text == ""


def test_an_act_goes_on_where_something_else_broke(protect, fake, settled, context, held):
    page = protect(USER)
    page.known.encrypt.click()
    settled()
    act = held(pages, "carry_out")
    page._on_agreed(Act.ENCRYPT)
    act.begun()
    context.bridge.bug.emit(ValueError("of something else"))
    assert not page.may_leave()
    act.let_go()
    settled()
    assert page.frame.banner.text.startswith("Encrypted.")
