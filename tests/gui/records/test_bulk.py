# SPDX-License-Identifier: MIT
"""Acts on many chosen records: the bar below the list, tags, failures, stopping, ranges."""

import threading
from array import array
from dataclasses import replace

import pytest
from fake_services import record
from looking import banner, child, press, press_in_banner, table, titles
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLabel, QLineEdit, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.services import BulkResult
from memory_gui.ui.records.bulk.chosen import Chosen
from memory_gui.ui.records.bulk.tags import tags_in
from memory_gui.ui.records.listing.finding import MOST_RANGES, ranges_again
from memory_gui.ui.views import ACTIVITY, TRASH


def bar(window):
    return child(window, QWidget, "bulk")


def choose(window, *ranges):
    table(window).go_to(ranges[0][0])
    table(window).select_ranges(ranges)


def offered(window):
    names = ("trash", "restore", "tag", "export", "delete", "erase")
    return [name for name in names if child(window, QWidget, f"bulk.{name}").isVisible()]


class TestBar:
    def test_it_comes_with_the_second_record_and_goes_with_it(self, window, settled):
        assert not bar(window).isVisible()
        choose(window, (2, 4))
        assert bar(window).isVisible()
        assert child(window, QLabel, "bulk.count").text() == "3 records selected"
        choose(window, (2, 2))
        assert not bar(window).isVisible()

    def test_it_goes_with_the_last_record(self, window, settled):
        table(window).selectAll()
        assert bar(window).isVisible()
        window.memories.trash_selected()
        settled()
        assert titles(window) == []
        assert not bar(window).isVisible()

    def test_choosing_none_gives_the_keyboard_back_to_the_list(self, window):
        choose(window, (2, 4))
        child(window, QWidget, "bulk.clear").setFocus()
        press(window, "bulk.clear")
        assert table(window).selected_count() == 0
        assert table(window).hasFocus()

    def test_each_view_offers_what_it_allows(self, window, settled):
        choose(window, (0, 2))
        assert offered(window) == ["trash", "tag", "export", "erase"]
        window.choose_view(TRASH)
        settled()
        choose(window, (0, 2))
        assert offered(window) == ["restore", "export", "delete", "erase"]
        window.memories.set_view(ACTIVITY)
        settled()
        choose(window, (0, 2))
        assert offered(window) == ["export"]

    def test_trash_undo_and_where_a_person_is_then(self, window, fake, settled):
        before = titles(window)
        choose(window, (3, 5))
        press(window, "bulk.trash")
        settled()
        assert len(fake.called("trash")[0][0]) == 3
        assert titles(window) == before[:3] + before[6:]
        assert table(window).currentIndex().row() == 3
        press_in_banner(window, "Undo")
        settled()
        assert titles(window) == before

    def test_export_is_of_these_records_alone(self, window, settled):
        choose(window, (0, 1))
        press(window, "bulk.export")
        settled()
        assert window.page_name == "export"
        assert child(window, QLabel, "export.lead").text() == (
            "2 records, with every field: those that you chose."
        )

    def test_erase_goes_to_its_page_with_them(self, window, fake, settled):
        fake.fail_next["plan"] = UserError("record.gone")
        choose(window, (0, 1), (5, 5))
        press(window, "bulk.erase")
        settled()
        assert window.page_name == "erase"
        assert len(fake.called("plan")[0][0]) == 3


class TestTags:
    def test_adding_and_taking_away(self, qtbot, window, fake, settled):
        choose(window, (0, 3))
        press(window, "bulk.tag")
        settled()
        add = child(window, QLineEdit, "bulk.add")
        assert add.hasFocus()
        assert not child(window, QWidget, "bulk.tags.apply").isEnabled()
        add.setText("one，two")
        child(window, QLineEdit, "bulk.remove").setText("zh")
        qtbot.keyClick(add, Qt.Key.Key_Return)
        settled()
        [(refs, kwargs)] = fake.called("tag")
        assert len(refs) == 4
        assert (kwargs["add"], kwargs["remove"]) == (("one", "two"), ("zh",))
        assert not child(window, QWidget, "bulk.tags").isVisible()
        assert add.text() == ""
        kept = child(window, QWidget, "bulk.tag")
        assert window.focusWidget() is kept, "in the search Ctrl+Z would undo typing"

    @pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
    def test_the_tags_in_use_are_offered_for_the_last_one(self, qtbot, window, settled):
        choose(window, (0, 3))
        press(window, "bulk.tag")
        settled()
        add = child(window, QLineEdit, "bulk.add")
        qtbot.keyClicks(add, "new, st")
        popup = next(one for one in add.findChildren(QCompleter)).popup()
        qtbot.waitUntil(popup.isVisible)
        qtbot.keyClick(popup, Qt.Key.Key_Down)
        qtbot.keyClick(popup, Qt.Key.Key_Return)
        assert add.text() == "new, style"
        assert not popup.isVisible()

    def test_escape_gives_up_and_forgets(self, qtbot, window, fake, settled):
        choose(window, (0, 3))
        press(window, "bulk.tag")
        add = child(window, QLineEdit, "bulk.add")
        qtbot.keyClicks(add, "half")
        qtbot.keyClick(add, Qt.Key.Key_Escape)
        assert not child(window, QWidget, "bulk.tags").isVisible()
        assert add.text() == ""
        assert not add.isUndoAvailable()
        assert bar(window).isVisible()

    def test_the_lock_forgets_what_was_typed(self, window, settled):
        choose(window, (0, 3))
        press(window, "bulk.tag")
        child(window, QLineEdit, "bulk.add").setText("secret")
        window.lock()
        settled()
        assert child(window, QLineEdit, "bulk.add").text() == ""

    @pytest.mark.parametrize(
        ("typed", "tags"),
        [("", ()), (" , ，", ()), ("a,b，c、a", ("a", "b", "c")), ("two words", ("two words",))],
    )
    def test_what_is_typed(self, typed, tags):
        assert tags_in(typed) == tags


class TestFailures:
    def fail(self, fake, codes):
        def trash(refs, **_):
            failed = [(ref, UserError(code)) for ref, code in zip(refs, codes, strict=False)]
            done = len(refs) - len(failed)
            return BulkResult(ChangeSet(changed=tuple(refs[len(failed) :])), done, tuple(failed))

        fake.editing.trash = trash

    def test_each_cause_stands_once_with_what_it_kept_back(self, window, fake, settled):
        names = titles(window)
        self.fail(fake, ["record.changed", "record.gone", "record.changed"])
        choose(window, (0, 9))
        press(window, "bulk.trash")
        settled()
        assert banner(window).startswith("7 records are in the trash. 3 records were not changed.")
        panel = child(window, QWidget, "bulk.failed")
        assert child(panel, QLabel, "bulk.failed.title").text() == "3 records were not changed"
        first = child(panel, QLabel, "bulk.failed.cause0").text()
        assert names[0] in first
        assert names[2] in first
        assert names[1] in child(panel, QLabel, "bulk.failed.cause1").text()
        press(window, "bulk.failed.show0")
        settled()
        assert list(table(window).selected_rows()) == [(0, 0), (2, 2)]
        press(window, "bulk.failed.close")
        assert not panel.isVisible()

    def test_one_record_alone_says_why_in_the_banner(self, qtbot, window, fake, settled):
        self.fail(fake, ["record.gone"])
        window.memories.go_to(0)
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert banner(window)
        assert not child(window, QWidget, "bulk.failed").isVisible()

    def test_the_next_act_and_the_lock_take_them_away(self, window, fake, settled):
        self.fail(fake, ["record.gone", "record.gone"])
        choose(window, (0, 4))
        press(window, "bulk.trash")
        settled()
        window.lock()
        settled()
        panel = child(window, QWidget, "bulk.failed")
        assert not [one.text() for one in panel.findChildren(QLabel) if one.text()]


class TestStopping:
    def test_stop_is_heard_at_once_and_says_what_was_done(self, qtbot, window, fake, settled):
        started, heard = threading.Event(), threading.Event()

        def trash(refs, *, tick, cancel):
            for done in range(len(refs)):
                tick("trash", done, len(refs))
                started.set()
                if cancel.cancelled or heard.wait(0.02):
                    heard.set()
                    return BulkResult(ChangeSet(changed=tuple(refs[:done])), done, (), True)
            return BulkResult(ChangeSet(changed=tuple(refs)), len(refs))

        fake.library.fill([record(n) for n in range(100, 400)])
        window.memories.refresh()
        settled()
        fake.editing.trash = trash
        table(window).selectAll()
        press(window, "bulk.trash")
        busy = child(window, QWidget, "memories.busy")
        stop = child(busy, QWidget, "busy.cancel")
        qtbot.waitUntil(stop.isVisible, timeout=3_000)
        assert "of 340" in child(busy, QLabel, "busy.label").text()
        stop.click()
        assert heard.wait(30), "long before the last one"
        settled()
        assert "You stopped it: " in banner(window)
        assert not busy.isVisible()


class TestTwice:
    def test_a_key_pressed_twice_is_one_act(self, qtbot, window, fake, settled, held):
        trash = held(fake.editing, "trash")
        choose(window, (3, 5))
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        trash.begun()
        choose(window, (3, 5))
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        trash.let_go()
        settled()
        assert len(fake.called("trash")) == 1
        assert banner(window).startswith("3 records are in the trash.")

    def test_two_acts_share_the_bar_and_stop_stops_both(self, window, fake, settled, held):
        acts, busy, stops = window.memories._acts, window.memories.list.busy, []
        stop = busy.stop
        busy.stop = lambda: (stops.append(1), stop())
        first, second = ([one.ref] for one in list(fake.library.records.values())[:2])
        trash = held(fake.editing, "trash")
        acts.run("trash", first)
        trash.begun()
        acts.run("trash", second)
        ends = []
        acts.changed.connect(lambda _changes: ends.append(len(stops)))
        trash.let_go()
        settled()
        assert (len(fake.called("trash")), ends) == (2, [0, 1])
        restore = held(fake.editing, "restore")
        acts.run("restore", first)
        restore.begun()
        acts.run("restore", second)
        handles = [handle for handle, _ in acts._under_way]
        busy.cancelled.emit()
        assert [one.token.cancelled for one in handles] == [True, True]
        restore.let_go()
        settled()
        assert not busy.isVisible()

    def test_undo_is_offered_once_for_one_act(self, window, fake, settled, held):
        fake.editing.trash([next(reversed(fake.library.records))])
        choose(window, (3, 3))
        window.memories.trash_selected()
        settled()
        undo = held(fake.editing, "undo")
        press_in_banner(window, "Undo")
        undo.begun()
        assert banner(window) == "", "pressed twice it would take back another act"
        undo.let_go()
        settled()
        assert len(fake.called("undo")) == 1


class TestRanges:
    def test_all_rows_are_one_range_and_no_list(self, window):
        table(window).selectAll()
        chosen = window.memories.list.chosen_rows()
        assert chosen.ranges == ((0, 39),)
        assert chosen.ids is window.memories.model.ids
        assert chosen.count == 40

    def test_they_come_in_bounded_pieces(self):
        chosen = Chosen(window_ids(2_500), ((0, 999), (1_200, 2_499)))
        pieces = [len(piece) for piece in chosen.chunks(500)]
        assert max(pieces) == 500
        assert sum(pieces) == chosen.count == 2_300

    def test_chosen_rows_are_found_again_in_another_order(self):
        ids = window_ids(10)
        other = ids[::-1]
        assert ranges_again(Chosen(ids, ((0, 2), (9, 9))), other) == ((0, 0), (7, 9))

    def test_what_is_too_scattered_is_let_go(self):
        ids = window_ids(4 * MOST_RANGES)
        every_second = tuple((row, row) for row in range(0, len(ids), 2))
        assert ranges_again(Chosen(ids, every_second), ids[::-1]) == ()

    def test_many_chosen_ones_stay_chosen_while_an_agent_writes(self, qtbot, window, fake, settled):
        fake.library.fill([record(n) for n in range(100, 900)])
        window.memories.refresh()
        settled()
        count = len(titles(window))
        table(window).selectAll()
        fake.library.foreign_change(
            replace(record(5_000), updated_at="2027-01-01T00:00:00", title="just_learnt")
        )
        qtbot.waitUntil(lambda: "just_learnt" in titles(window), timeout=3_000)
        settled()
        assert list(table(window).selected_rows()) == [(1, count)], "all but the new one"

    def test_the_scroll_stays_too(self, qtbot, window, fake, settled):
        choose(window, (20, 25))
        table(window).verticalScrollBar().setValue(15 * table(window).row_height + 7)
        top = titles(window)[15]
        fake.library.foreign_change(
            replace(record(5_001), updated_at="2027-01-01T00:00:00", title="just_learnt")
        )
        qtbot.waitUntil(lambda: "just_learnt" in titles(window), timeout=3_000)
        settled()
        bar_now = table(window).verticalScrollBar().value()
        assert divmod(bar_now, table(window).row_height) == (titles(window).index(top), 7)
        assert list(table(window).selected_rows()) == [(21, 26)]


def window_ids(count):
    return array("q", range(1, count + 1))
