# SPDX-License-Identifier: MIT
"""The list over services in memory: what it shows, finds and keeps in its place."""

import threading
from dataclasses import replace

import pytest
from fake_services import PROJECT, record
from looking import banner, child, press, table, text, titles
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget

from memory_gui.services.values import Progress
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH


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

    def test_home_and_end_go_to_the_first_and_the_last_row(self, qtbot, window):
        for key, row in ((Qt.Key.Key_End, 39), (Qt.Key.Key_Home, 0)):
            qtbot.keyClick(table(window), key)
            assert table(window).currentIndex().row() == row
        qtbot.keyClick(table(window), Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
        assert table(window).selected_count() == 40

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
        window.memories.set_view(ACTIVITY)
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
        qtbot.keyClicks(child(window, QLineEdit, "search"), "concise")
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

    def test_the_first_rows_are_shown_before_all_are_counted(self, qtbot, window, fake, settled):
        fake.library.counts_first = True
        window.memories.set_text("german")
        qtbot.waitUntil(lambda: text(window, "memories.count") == "Counting…")
        before, row = titles(window), table(window).currentIndex().row()
        assert before
        fake.library.counted.set()
        settled()
        assert text(window, "memories.count").startswith(f"{len(before)} matches")
        assert titles(window) == before
        assert table(window).currentIndex().row() == row

    def test_the_row_that_is_chosen_meanwhile_stays_the_one_that_is_shown(
        self, qtbot, window, fake, settled
    ):
        fake.library.fill(
            [record(5_000 + n, title=f"german {n}", text="german") for n in range(300)]
        )
        window.memories.go_to(3)
        settled()
        fake.library.counts_first = True
        window.memories.set_text("german")
        qtbot.waitUntil(lambda: text(window, "memories.count") == "Counting…")
        window.memories.go_to(2)
        shown = window.memories.right.detail.record
        assert shown is not None
        fake.library.counted.set()
        settled()
        assert len(titles(window)) > 128, "rows came behind the first ones"
        assert window.memories.list.record == window.memories.right.detail.record == shown

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
    def test_a_first_reading_that_takes_long_is_said(self, qtbot, window, fake, settled, held):
        window.memories.clear()
        settled()
        read = held(fake.library, "search")
        window.memories.set_stores(frozenset(), tuple(fake.library.opened.values()))
        busy = child(window, QWidget, "memories.busy")
        assert not busy.isVisible(), "what is over in a blink is not worth a word"
        qtbot.waitUntil(busy.isVisible)
        assert child(busy, QLabel, "busy.label").text() == "Reading…"
        read.let_go()
        settled()
        assert not busy.isVisible()
        assert len(titles(window)) == 40

    def test_opening_that_takes_long_is_said(self, qtbot, window, fake, settled):
        go = threading.Event()
        slow = fake.library.open
        fake.library.open = lambda path, **more: (go.wait(60), slow(path, **more))[1]
        window.open_paths(["/x"])
        busy = child(window, QWidget, "window.busy")
        qtbot.waitUntil(busy.isVisible, timeout=800)
        assert child(busy, QLabel, "busy.label").text() == "Opening…"
        go.set()
        settled()
        assert not busy.isVisible()


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
        acts = ("edit", "trash", "restore", "erase", "erase_subject")
        do = dict.fromkeys(acts, window.memories.restore_selected)
        menu = row_menu(window, window._context.words, view, do)
        assert [action.text() for action in menu.actions()] == texts
        menu.close()
        menu = row_menu(window, window._context.words, view, do, subject="job:a & b")
        more = ["Erase everything about job:a && b…"] if texts else []
        assert [action.text() for action in menu.actions()] == [*texts, *more]
        menu.close()


class TestOtherWriters:
    def test_their_change_shows_within_two_seconds_and_the_place_stays(
        self, qtbot, window, fake, settled, stopwatch
    ):
        window.memories.go_to(20)
        settled()
        chosen = text(window, "detail.title")
        scroll = table(window).verticalScrollBar().value()
        assert scroll > 0
        fake.library.foreign_change(
            replace(record(500), updated_at="2027-01-01T00:00:00", title="just_learnt")
        )
        watch = stopwatch()
        qtbot.waitUntil(lambda: "just_learnt" in titles(window), timeout=20_000)
        assert watch.seconds < 2
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
        mixed = replace(record(600), title="pay", text="pay at p\u0430ypal" + "\n" * 30 + "below")
        fake.library.put(mixed)
        window.memories.refresh()
        settled()
        told = banner(window, "detail.hidden")
        assert "mixes letters of two alphabets" in told
        assert "blank lines" in told
        assert "do not show by themselves" not in told

    def test_no_label_guesses_rich_text(self, window):
        for label in window.findChildren(QLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText or not label.text(), (
                label.objectName()
            )


class TestHints:
    def test_what_was_mistyped_is_said_below_the_search(self, qtbot, window, settled):
        window.search("changed:yesterdayish")
        qtbot.wait(250)
        settled()
        hint = child(window, QLabel, "memories.hint")
        assert hint.isVisible()
        assert "changed:" in hint.text()
        window.search("")
        qtbot.wait(250)
        settled()
        assert not hint.isVisible()

    def test_the_lock_takes_it_away(self, qtbot, window, settled):
        window.search("changed:yesterdayish")
        qtbot.wait(250)
        settled()
        window.lock()
        settled()
        assert child(window, QLabel, "memories.hint").text() == ""

    def test_every_piece_that_was_looked_for_is_marked(self, qtbot, window, settled):
        window.search("german -8080 vienna")
        qtbot.wait(250)
        settled()
        assert set(window.memories.list.delegate.needles) == {"german", "vienna"}

    def test_they_are_marked_in_the_record_too_until_the_search_ends(
        self, qtbot, window, fake, settled
    ):
        fake.library.put(replace(record(601), title="tea", text="STRASSE 7, Straße 8 and a street"))
        view = child(window, QPlainTextEdit, "detailText")

        def marked(document=None):
            block, found = (document or view.document()).firstBlock(), []
            for part in block:
                if part.fragment().charFormat().fontUnderline():
                    found.append(part.fragment().text())
            return found

        window.search("straße 8 -nobody")
        qtbot.waitUntil(lambda: titles(window) == ["tea"])
        settled()
        assert marked() == ["STRASSE", "Straße", "8"]
        window.search('"and a" tea')
        qtbot.waitUntil(lambda: marked() == ["and a"])
        title = child(window, QLabel, "detail.title")
        qtbot.waitUntil(lambda: marked(title.findChild(QTextDocument)) == ["tea"])
        window.search("")
        qtbot.waitUntil(lambda: len(titles(window)) > 1)
        settled()
        window.memories.go_to(titles(window).index("tea"))
        settled()
        assert view.toPlainText()
        assert marked() == []
        qtbot.waitUntil(lambda: marked(title.findChild(QTextDocument)) == [])


class TestReading:
    def test_what_was_read_so_far_is_listed_and_then_the_rest(self, qtbot, window, fake, settled):
        whole, left = fake.library.search, [3]

        def search(query, sort="-updated", **more):
            listing = whole(query, sort, **more)
            if not left[0]:
                return listing
            left[0] -= 1
            half = listing.ids[:20]
            progress = (Progress(PROJECT, 20, 40),)
            return replace(listing, ids=half, total=20, partial=True, progress=progress)

        fake.library.search = search
        window.memories.refresh()
        settled()
        assert text(window, "memories.count") == "Reading… 20 of 40"
        assert len(titles(window)) == 20
        qtbot.waitUntil(lambda: len(titles(window)) == 40, timeout=5_000)
        settled()
        assert text(window, "memories.count") == "40 records"
        assert not window.memories.list._soon.isActive()

    def test_a_lock_stops_looking_again(self, window, fake, settled):
        window.memories.list._soon.start()
        window.lock()
        settled()
        assert not window.memories.list._soon.isActive()
