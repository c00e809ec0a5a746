# SPDX-License-Identifier: MIT
"""An act on many records that a kill stopped: it is told, gone on with, taken back or left so."""

from dataclasses import replace

import pytest
from fake_services import PROJECT
from looking import banner, child, press_in_banner
from PySide6.QtWidgets import QWidget

from memory_gui.services.editing.stopped import StoppedAct


class TestStoppedByAKill:
    LEFT, REACHED = ("00000001", "00000002"), ("00000003",)

    @pytest.fixture
    def stopped(self, window, fake, settled):
        def act(name="trash"):
            ids = {ref.key[0]: ref for ref in fake.library.records if ref.kind == "memory"}
            left = tuple(ids[key] for key in self.LEFT)
            reached = tuple(ids[key] for key in self.REACHED)
            one = StoppedAct(name, 1, 3, left, "2026-11-29T12:00:00+00:00", reached)
            fake.editing.stopped_acts[PROJECT] = [one]
            window._commands.close_stores()
            settled()
            window.open_sample()
            settled()
            return one

        return act

    def test_it_is_told_and_gone_on_with(self, window, fake, settled, stopped):
        one = stopped()
        assert banner(window, "window.stopped") == (
            "atlas: moving to the trash was stopped. 1 of 3 are done."
        )
        press_in_banner(window, "Go on", "window.stopped")
        settled()
        assert fake.called("trash") == [[one.left]]
        assert banner(window, "window.stopped") == ""
        assert banner(window).startswith("2 records are in the trash.")

    def test_it_is_taken_back_and_told_no_more(self, window, fake, settled, stopped):
        one = stopped()
        press_in_banner(window, "Take back", "window.stopped")
        settled()
        assert fake.called("restore") == [[one.reached]]
        assert fake.called("forget_stopped") == [[PROJECT, one]]

    def test_it_is_left_so(self, window, fake, settled, stopped):
        one = stopped("tag")
        where = child(window, QWidget, "window.stopped")
        labels = {b.text() for b in where.findChildren(QWidget) if hasattr(b, "click")}
        assert "Go on" not in labels, "which tags is not known any more"
        press_in_banner(window, "Leave it so", "window.stopped")
        settled()
        assert fake.called("forget_stopped") == [[PROJECT, one]]
        assert not fake.called("tag")

    def test_decisions_go_on_or_are_taken_back_where_they_are_shown(
        self, window, fake, settled, stopped
    ):
        one = stopped("approve")
        assert banner(window, "window.stopped") == (
            "atlas: approving was stopped. 1 of 3 are done."
        )
        window._panes.host.show_page("review")
        assert child(window, QWidget, "window.stopped").isVisible(), "over Review, too"
        window._panes.host.show_page("start")
        assert child(window, QWidget, "window.stopped").isVisible(), "and on the first screen"
        press_in_banner(window, "Go on", "window.stopped")
        settled()
        assert fake.called("go_on") == [[PROJECT, one]]
        assert window._panes.host.name == "review"
        assert banner(window, "window.stopped") == ""
        assert banner(window, "review.banner") == "2 proposals approved."
        stopped("reject")
        both = fake.editing.stopped_acts[PROJECT]
        window.stopped.tell(PROJECT, replace(both[0], act="approve"))
        fake.editing.stopped_acts[PROJECT] = []  # the other one is finished by the same act
        press_in_banner(window, "Take back", "window.stopped")
        settled()
        assert len(fake.called("take_back")) == 1
        assert banner(window, "review.banner") == "1 proposal waits again."
        assert banner(window, "window.stopped") == ""

    def test_it_is_said_in_the_other_language(self, window, settled, stopped):
        stopped()
        window._preferences.use_language("zh_CN")
        settled()
        assert banner(window, "window.stopped").startswith("atlas：移入回收站时被中断")

    def test_the_lock_takes_it_away(self, window, settled, stopped):
        stopped()
        window.lock()
        settled()
        assert banner(window, "window.stopped") == ""
