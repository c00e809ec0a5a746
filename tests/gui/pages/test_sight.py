# SPDX-License-Identifier: MIT
"""What is said of a record and of a typed text: how often, and how much, the agent reads."""

from __future__ import annotations

from dataclasses import replace

from fake_services import record
from PySide6.QtWidgets import QPlainTextEdit

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ui.activity.history import HistoryView
from memory_gui.ui.agent.reach import ReachLine
from memory_gui.ui.agent.sight import SightLine
from memory_gui.words import Words


def test_each_record_says_how_often_the_agent_sees_it(context, settled):
    line = SightLine(context)
    for state, scope, told in (
        (State.LIVE, "user", "sees it always"),
        (State.LIVE, "project", "only on recall"),
        (State.TRASH, "user", "never sees it, because it is in the trash"),
    ):
        line.show_for(replace(record(1), state=state, scope=scope))
        line._asking._timer.timeout.emit()
        settled()
        assert told in line.label.text()
        assert not line.isHidden()
    line.clear()
    assert line.label.text() == ""
    assert line.isHidden()


def test_while_a_store_is_read_nobody_waits_for_all_of_it(context, settled):
    library = context.services.library
    line = SightLine(context)
    library.being_read = ("far from done",)
    line.show_for(record(1))
    line._asking._timer.timeout.emit()
    assert not context.bridge.busy, "a thread that waits would keep the list from its rows"
    assert line._asking._timer.isActive(), "it is asked again by itself"
    library.being_read = ()
    line._asking._timer.timeout.emit()
    settled()
    assert line.label.text()
    line.clear()


def test_the_history_of_a_pale_record_is_asked_again_once_all_of_it_is_there(context, settled):
    fake = context.services
    view = HistoryView(context)

    def asked(one):
        view.show_for(one)
        view._asking._timer.timeout.emit()
        settled()
        return len(fake.called("activity"))

    whole = record(1)
    assert asked(replace(whole, pale=True, text="")) == 1
    assert asked(whole) == 2
    assert asked(whole) == 2, "the same record tells nothing new"
    fake.fail_next["activity"] = UserError("store.io", path="/x")
    assert asked(record(2)) == 3
    assert asked(record(2)) == 4, "it was not answered"
    view.clear()


def test_below_a_typed_text_stands_how_much_of_it_is_read(qapp):
    text = QPlainTextEdit()
    line = ReachLine(Words(), text, "reach")
    line.set_format("agentao")
    for length, told in (
        (200, ""),
        (201, "every request shows them all; recalled, the agent reads the first 200"),
        (241, "every request shows the first 240"),
        (501, "What stands after 500 is never searched"),
    ):
        text.setPlainText("x" * length)
        assert (told in line.text()) if told else line.isHidden()
    assert line.text().startswith("501 characters")
    text.setPlainText("  " + "x" * 200 + "\n\n")
    assert line.isHidden(), "blanks around it are not saved"
    text.setPlainText("x" * 300)
    line.set_format("notes")
    assert line.isHidden(), "nothing is said of agents whose habits are not known"
