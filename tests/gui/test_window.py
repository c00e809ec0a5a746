# SPDX-License-Identifier: MIT
"""The window's daily work over services in memory: list, search, edit, trash, undo, lock."""

import threading
import time
from dataclasses import replace

import pytest
from fake_services import PROJECT, record
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ui.palette import DARK, LIGHT
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.records.listing.table import MemoryTable
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH


def child(window, kind, name):
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def table(window):
    return child(window, MemoryTable, "memories.list")


def titles(window):
    model = window.memories.model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def text(window, name):
    return child(window, QLabel, name).text()


def banner(window, name="memories.banner"):
    where = child(window, QWidget, name)
    return child(where, QLabel, "banner.text").text() if where.isVisible() else ""


def press(window, name):
    button = child(window, QWidget, name)
    assert button.isVisible(), name
    button.click()


def press_in_banner(window, label, name="memories.banner"):
    where = child(window, QWidget, name)
    buttons = {b.text(): b for b in where.findChildren(QWidget) if hasattr(b, "click")}
    buttons[label].click()


def row_of(window, title):
    return titles(window).index(title)


class TestList:
    def test_it_shows_what_is_alive_newest_first(self, window):
        assert window.page_name == "memories"
        assert len(titles(window)) == 40
        assert text(window, "memories.count") == "40 records"
        times = [window.memories.model.record(r).updated_at for r in range(40)]
        assert times == sorted(times, reverse=True)

    def test_its_first_row_is_shown_and_has_the_keyboard(self, window):
        assert table(window).hasFocus()
        assert text(window, "detail.title") == titles(window)[0]

    def test_views_have_their_counts(self, window):
        views = child(window, QListWidget, "sidebar.views")
        spoken = [views.item(n).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(5)]
        assert spoken == ["Memories, 40", "Review, 3", "Summaries, 2", "Trash, 4", "Activity, 5"]

    def test_one_store_alone(self, window, settled):
        stores = child(window, QListWidget, "sidebar.stores")
        stores.setCurrentRow(1)
        settled()
        model = window.memories.model
        assert {model.record(r).ref.store for r in range(model.rowCount())} == {PROJECT}

    def test_another_order(self, window, settled):
        box = child(window, QComboBox, "memories.sort")
        box.setCurrentIndex(box.findData("title"))
        settled()
        assert titles(window) == sorted(titles(window))

    def test_events_have_words_and_name_their_memory(self, window, fake, settled):
        event = replace(record(4_000, kind="event", store=PROJECT), title="update")
        fake.library.put(replace(event, extra={"memory_id": f"{1:08x}"}))
        window.choose_view(ACTIVITY)
        settled()
        assert set(titles(window)) == {"Memory was changed"}
        window.memories.go_to(
            next(r for r in range(5) if window.memories.model.record(r).ref == event.ref)
        )
        settled()
        assert text(window, "detail.about.value") == "deploy_port_1"

    def test_a_click_on_the_view_that_is_chosen_comes_back_to_it(self, qtbot, window, settled):
        views = child(window, QListWidget, "sidebar.views")
        ground = views.grab().toImage().pixelColor(20, 4)
        window.go("settings")
        settled()
        assert window.page_name == "settings"
        assert views.grab().toImage().pixelColor(20, 4) != ground, "one is not in the view now"
        spot = views.visualItemRect(views.item(0)).center()
        qtbot.mouseClick(views.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        settled()
        assert window.page_name == "memories"


class TestSearch:
    def test_where_nothing_is_yet_one_button_begins(self, window, fake, settled):
        fake.library.records.clear()
        window.memories.refresh()
        settled()
        where = child(window, QWidget, "memories.none")
        assert child(where, QLabel, "empty.title").text() == "Nothing here yet"
        press(where, "empty.act")
        assert child(window, QPlainTextEdit, "editor.text").isVisible()

    def test_where_nothing_is_found_one_button_leads_back(self, qtbot, window, settled):
        window.search("nothing has these words")
        qtbot.wait(250)
        settled()
        where = child(window, QWidget, "memories.none")
        assert child(where, QLabel, "empty.title").text() == "Nothing found"
        press(where, "empty.act")
        settled()
        assert child(window, QLineEdit, "search").text() == ""
        assert len(titles(window)) == 40
        assert child(window, QLineEdit, "search").hasFocus()

    def test_typing_finds_parts_of_words_and_says_how_long_it_took(self, qtbot, window, settled):
        qtbot.keyClicks(child(window, QLineEdit, "search"), "erman")
        qtbot.wait(250)
        settled()
        assert titles(window)
        assert all(title.startswith("deutsch") for title in titles(window))
        count = text(window, "memories.count")
        assert count.startswith(f"{len(titles(window))} matches · ")
        assert count.endswith(" ms")

    def test_it_waits_until_typing_stops(self, qtbot, window, fake, settled):
        before = len(fake.called("search"))
        qtbot.keyClicks(child(window, QLineEdit, "search"), "concise", delay=20)
        qtbot.wait(250)
        settled()
        searches = [query.text for query, _ in fake.called("search")[before:]]
        assert searches == ["concise"]

    def test_the_newest_search_wins(self, qtbot, window, fake, settled):
        fake.library.delay = 0.3
        window.memories.set_text("german")
        qtbot.wait(30)
        fake.library.delay = 0.0
        window.memories.set_text("8080")
        settled()
        assert all(title.startswith("deploy_port") for title in titles(window))

    def test_nothing_found_says_so(self, window, settled):
        window.memories.set_text("no such words")
        settled()
        none = child(window, QWidget, "memories.none")
        assert none.isVisible()
        assert child(none, QLabel, "empty.title").text() == "Nothing found"

    def test_escape_empties_and_down_goes_to_the_list(self, qtbot, window, settled):
        box = child(window, QLineEdit, "search")
        box.setFocus()
        qtbot.keyClicks(box, "8080")
        qtbot.keyClick(box, Qt.Key.Key_Escape)
        settled()
        assert box.text() == ""
        assert len(titles(window)) == 40
        qtbot.keyClick(box, Qt.Key.Key_Down)
        assert table(window).hasFocus()


class TestBusy:
    def test_a_first_reading_that_takes_long_is_said(self, qtbot, window, fake, settled):
        window.memories.clear()
        settled()
        fake.library.delay = 0.6
        window.memories.set_stores(frozenset(), tuple(fake.library.opened.values()))
        busy = child(window, QWidget, "memories.busy")
        assert not busy.isVisible(), "what is over in a blink is not worth a word"
        qtbot.waitUntil(busy.isVisible, timeout=500)
        assert child(busy, QLabel, "busy.label").text() == "Reading…"
        settled()
        assert not busy.isVisible()
        assert len(titles(window)) == 40

    def test_opening_that_takes_long_is_said(self, qtbot, window, fake, settled):
        go = threading.Event()
        slow = fake.library.open
        fake.library.open = lambda path, **more: (go.wait(5), slow(path, **more))[1]
        window.open_paths(["/x"])
        busy = child(window, QWidget, "window.busy")
        qtbot.waitUntil(busy.isVisible, timeout=800)
        assert child(busy, QLabel, "busy.label").text() == "Opening…"
        go.set()
        settled()
        assert not busy.isVisible()


class TestEdit:
    def open(self, qtbot, window, settled, title="deploy_port_1"):
        window.memories.go_to(row_of(window, title))
        qtbot.keyClick(table(window), Qt.Key.Key_F2)
        settled()

    @pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_S])
    def test_f2_edits_and_ctrl_return_or_ctrl_s_saves(self, qtbot, window, fake, settled, key):
        self.open(qtbot, window, settled)
        field = child(window, QPlainTextEdit, "editor.text")
        field.setPlainText("The service listens on 9090.")
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.fields == {"text": "The service listens on 9090."}
        assert edit.target.etag == f"{1:016x}"
        assert text(window, "detail.title") == "deploy_port_1"
        assert "9090" in child(window, QPlainTextEdit, "detailText").toPlainText()
        assert banner(window) == "Saved."

    def test_nothing_changed_saves_nothing(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        press(window, "editor.save")
        settled()
        assert fake.called("edit") == []
        assert not child(window, QWidget, "editor").isVisible()

    def test_escape_forgets_what_was_typed(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        field = child(window, QLineEdit, "editor.title")
        field.setText("other")
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert field.text() == "other", "once may be a slip"
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert fake.called("edit") == []
        assert field.text() == ""
        assert not field.isUndoAvailable()

    def test_f2_again_does_not_begin_anew(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        field = child(window, QLineEdit, "editor.title")
        field.setText("other")
        qtbot.keyClick(field, Qt.Key.Key_F2)
        assert field.text() == "other"

    def test_choosing_another_row_ends_an_edit_without_changes(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        window.memories.go_to(0)
        settled()
        assert not child(window, QWidget, "editor").isVisible()
        assert text(window, "detail.title") == titles(window)[0]

    def test_choosing_another_row_keeps_what_was_typed(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("other")
        window.memories.go_to(0)
        settled()
        assert child(window, QLineEdit, "editor.title").text() == "other"

    def test_limits_hold_before_saving(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        save = child(window, QWidget, "editor.save")
        title = child(window, QLineEdit, "editor.title")
        title.setText("x" * 120)
        assert save.isEnabled()
        title.setText("x" * 121)
        assert not save.isEnabled()
        assert text(window, "editor.title.count") == "121 of 120"
        title.setText("x")
        child(window, QPlainTextEdit, "editor.text").setPlainText("y" * 4_001)
        assert not save.isEnabled()

    def test_it_shows_how_the_agent_files_it(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("Deploy Port")
        qtbot.wait(250)
        settled()
        assert text(window, "editor.preview") == "The agent files it as deploy_port (decision)."

    def test_tags_are_split_at_commas_of_both_languages(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.tags").setText("one, two，三、 two")
        press(window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.fields == {"tags": ("one", "two", "三")}

    def test_another_writer_is_shown_in_the_open_editor(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        ref = window.memories.right.detail.record.ref
        theirs = replace(fake.library.records[ref], text="theirs", etag="f" * 16)
        fake.library.foreign_change(theirs)
        editor = child(window, QWidget, "editor")
        qtbot.waitUntil(lambda: banner(editor, "editor.banner") != "", timeout=2_500)
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "mine"
        press_in_banner(editor, "Keep mine", "editor.banner")
        settled()
        assert fake.library.records[ref].text == "mine"

    def test_a_lost_race_writes_nothing_until_a_person_decides(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        ref = window.memories.right.detail.record.ref
        fake.library.put(replace(fake.library.records[ref], text="theirs", etag="f" * 16))
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        press(window, "editor.save")
        settled()
        assert fake.library.records[ref].text == "theirs"
        editor = child(window, QWidget, "editor")
        assert "Another program changed" in banner(editor, "editor.banner")
        press_in_banner(editor, "Take theirs", "editor.banner")
        settled()
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "theirs"

    def test_an_error_stays_in_the_editor(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        fake.fail_next["edit"] = UserError("key.empty")
        child(window, QLineEdit, "editor.title").setText("other")
        press(window, "editor.save")
        settled()
        editor = child(window, QWidget, "editor")
        assert banner(editor, "editor.banner") == "An empty passphrase opens nothing."
        assert child(window, QLineEdit, "editor.title").text() == "other"

    def test_going_elsewhere_with_something_typed_asks(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("other")
        window.go("start")
        assert window.page_name == "memories"
        assert "Save or cancel" in banner(child(window, QWidget, "editor"), "editor.banner")

    def test_ctrl_n_writes_a_new_memory(self, qtbot, window, fake, settled):
        qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        settled()
        child(window, QLineEdit, "editor.title").setText("likes tea")
        child(window, QPlainTextEdit, "editor.text").setPlainText("Ann likes tea.")
        press(window, "editor.save")
        settled()
        [(store, new)] = fake.called("add")
        assert store == PROJECT
        assert new.kind == "memory"
        assert new.fields == {"title": "likes tea", "text": "Ann likes tea.", "scope": "project"}
        assert text(window, "detail.title") == "likes tea"


class TestTrash:
    def test_del_moves_to_the_trash_and_the_next_row_is_shown(self, qtbot, window, fake, settled):
        before = titles(window)
        window.memories.go_to(3)
        ref = window.memories.right.detail.record.ref
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert fake.called("trash") == [[(ref,)]]
        assert titles(window) == before[:3] + before[4:]
        assert text(window, "detail.title") == before[4]
        assert banner(window) == "1 record is in the trash."

    def test_undo_brings_it_back(self, qtbot, window, settled):
        before = titles(window)
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled()
        assert titles(window) == before
        press_in_banner(window, "Redo")
        settled()
        assert len(titles(window)) == 39

    def test_several_at_once(self, qtbot, window, fake, settled):
        table(window).selectAll()
        settled()
        assert child(window, QWidget, "detail.erase").isVisible()
        assert not child(window, QWidget, "detail.edit").isVisible()
        press(window, "detail.trash")
        settled()
        assert len(fake.called("trash")[0][0]) == 40
        assert banner(window) == "40 records are in the trash."

    def test_restore(self, window, fake, settled):
        window.choose_view(TRASH)
        settled()
        window.memories.go_to(0)
        press(window, "detail.restore")
        settled()
        assert len(titles(window)) == 3
        assert [r.state for r in fake.library.records.values()].count(State.TRASH) == 3

    def test_delete_asks_first(self, window, fake, settled):
        window.choose_view(TRASH)
        settled()
        window.memories.go_to(0)
        press(window, "detail.delete")
        assert fake.called("delete") == []
        assert "parts of its text may stay in the file" in banner(window)
        press_in_banner(window, "Delete 1 record")
        settled()
        assert len(titles(window)) == 3

    def test_a_failure_is_said(self, qtbot, window, fake, settled):
        fake.fail_next["trash"] = UserError("key.empty")
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert banner(window) == "An empty passphrase opens nothing."
        assert len(titles(window)) == 40


class TestRowMenu:
    @pytest.mark.parametrize(
        ("view", "texts"),
        [
            (MEMORIES, ["Edit", "Move to trash", "", "Erase…"]),
            (TRASH, ["Restore", "Delete…", "", "Erase…"]),
            (ACTIVITY, []),
        ],
        ids=lambda value: getattr(value, "name", ""),
    )
    def test_it_offers_what_the_view_allows(self, window, settled, view, texts):
        window.choose_view(view)
        settled()
        menu = row_menu(window, window._context.words, view, dict.fromkeys(
            ("edit", "trash", "restore", "erase"), window.memories.restore_selected
        ))  # fmt: skip
        assert [action.text() for action in menu.actions()] == texts
        menu.close()


class TestOtherWriters:
    def test_their_change_shows_within_two_seconds_and_the_place_stays(
        self, qtbot, window, fake, settled
    ):
        window.memories.go_to(20)
        settled()
        chosen = text(window, "detail.title")
        scroll = table(window).verticalScrollBar().value()
        assert scroll > 0
        fake.library.foreign_change(
            replace(record(500), updated_at="2027-01-01T00:00:00", title="just_learnt")
        )
        began = time.monotonic()
        qtbot.waitUntil(lambda: "just_learnt" in titles(window), timeout=2_000)
        assert time.monotonic() - began < 2
        settled()
        assert text(window, "detail.title") == chosen
        assert table(window).currentIndex().row() == 21
        assert table(window).verticalScrollBar().value() == scroll + 56


class TestHostileText:
    BAD = "Ann\u202egnp.exe\u200b <b>bold</b> <img src=file:///etc/passwd>"

    def test_it_is_drawn_not_obeyed(self, window, fake, settled):
        fake.library.put(replace(record(600), title=self.BAD, text=self.BAD))
        window.memories.refresh()
        settled()
        row = next(r for r, title in enumerate(titles(window)) if "gnp" in title)
        window.memories.go_to(row)
        settled()
        shown = text(window, "detail.title")
        assert "\u202e" not in shown
        assert "⟦U+202E⟧" in shown
        assert "<b>bold</b>" in shown
        assert "⟦U+200B⟧" in child(window, QPlainTextEdit, "detailText").toPlainText()
        assert "do not show by themselves" in banner(window, "detail.hidden")

    def test_no_label_guesses_rich_text(self, window):
        for label in window.findChildren(QLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText or not label.text(), (
                label.objectName()
            )


class TestLock:
    def test_it_leaves_no_text_in_any_widget(self, qtbot, window, fake, settled):
        window.memories.go_to(2)
        settled()
        child(window, QLineEdit, "search").setText("german")
        window.choose_view(TRASH)
        settled()
        table(window).selectAll()
        texts = {r.title for r in fake.library.records.values()}
        texts |= {r.text for r in fake.library.records.values()} | {"german", "atlas"}
        qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        assert window.page_name == "locked", "the page first, before any call comes back"
        settled()
        assert fake.lock.is_locked
        left = [f"{w.objectName()}: {t}" for w, t in shown(window) if any(s in t for s in texts)]
        assert left == []
        assert window.memories.model.rowCount() == 0
        assert not child(window, QLineEdit, "search").isUndoAvailable()

    def test_what_is_typed_does_not_stand_in_its_way(self, window, settled):
        window.memories.go_to(2)
        window.memories.edit_current()
        child(window, QPlainTextEdit, "editor.text").setPlainText("half a thought")
        window.lock()
        settled()
        assert window.page_name == "locked"
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == ""
        assert not child(window, QPlainTextEdit, "editor.text").document().isUndoAvailable()

    def test_unlock_shows_it_again(self, window, settled):
        window.lock()
        settled()
        window.unlock()
        settled()
        assert window.page_name == "memories"
        assert len(titles(window)) == 40


def shown(window):
    """Every text that a widget of the window holds."""
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QListWidget | QComboBox):
            rows = range(widget.count())
            yield from ((widget, str(_row_text(widget, row))) for row in rows)
        for name in ("text", "toPlainText", "currentText", "toolTip", "windowTitle"):
            method = getattr(widget, name, None)
            if callable(method):
                yield widget, str(method())


def _row_text(widget, row):
    return widget.itemText(row) if isinstance(widget, QComboBox) else widget.item(row).text()


class TestPreferences:
    def test_the_language_changes_live(self, window, fake, settled):
        window._preferences.use_language("zh_CN")
        settled()
        assert text(window, "memories.count") == "40 条记录"
        assert child(window, QWidget, "detail.edit").text() == "编辑"
        assert child(window, QWidget, "memories.list").accessibleName() == "记录"
        assert fake.settings.values.language == "zh_CN"
        window._preferences.use_language("en")
        settled()
        assert text(window, "memories.count") == "40 records"

    def test_light_and_dark(self, qapp, window, fake, settled):
        before = qapp.palette().window().color().lightness()
        press(window, "top.theme")
        settled()
        assert qapp.palette().window().color().lightness() < before
        assert fake.settings.values.appearance == "dark"
        assert strange_inks(window, DARK) == []
        press(window, "top.theme")
        settled()
        assert qapp.palette().window().color().lightness() == before
        assert strange_inks(window, LIGHT) == []


def strange_inks(window, tokens):
    """Labels whose colour is none of the palette that is worn."""
    inks = {getattr(tokens, name) for name in ("text", "muted", "accent", "danger", "warn", "ok")}
    return [
        (label.objectName(), label.palette().windowText().color().name())
        for label in window.findChildren(QLabel)
        if label.palette().windowText().color().name() not in inks
    ]


class TestOpening:
    def test_a_dropped_folder_opens(self, window, fake, settled, tmp_path):
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path))])
        event = QDropEvent(
            QPoint(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        window.dropEvent(event)
        settled()
        assert fake.called("open")[-1] == [str(tmp_path)]

    def test_what_cannot_be_opened_is_said_in_a_banner(self, window, fake, settled):
        fake.fail_next["open"] = UserError("store.missing", path="/nowhere")
        window.open_paths(["/nowhere"])
        settled()
        assert banner(window, "window.banner").startswith("There is no file at /nowhere.")

    def test_closing_all_stores_goes_back_to_the_start(self, window, fake, settled):
        window._commands.actions["close_stores"].trigger()
        settled()
        assert window.page_name == "start"
        assert fake.called("close_all")
        assert window.memories.model.rowCount() == 0

    def test_a_bug_is_said_without_its_message(self, window, fake, settled, capsys):
        fake.fail_next["open"] = ValueError("Ann grew up in Vienna")
        window.open_paths(["/x"])
        settled()
        assert "Something went wrong in the app itself" in banner(window, "window.banner")
        err = capsys.readouterr().err
        assert "ValueError" in err
        assert "fake_services.py" in err
        assert "Vienna" not in err


@pytest.mark.parametrize("size", [(960, 560), (1180, 760), (1600, 1000)])
def test_no_pane_is_squeezed(window, settled, size):
    window.resize(*size)
    settled()
    assert table(window).width() >= 240
    assert child(window, QWidget, "detail").width() >= 300
    assert child(window, QWidget, "sidebar").width() >= 180
