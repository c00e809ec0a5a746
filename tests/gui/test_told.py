# SPDX-License-Identifier: MIT
"""What the window tells: calmly where nothing is wrong, no longer than it matters."""

from dataclasses import replace

import pytest
from fake_services import PROJECT
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.services import KnownStore
from memory_gui.ui.views import SUMMARIES, TRASH


def told(window):
    where = window.findChild(QWidget, "window.banner")
    return where.findChild(QLabel, "banner.text").text() if where.isVisible() else ""


def tone(window):
    return window._panes.banner._kind


@pytest.fixture
def alone(window, fake, settled):
    """A project whose agent keeps nothing about the person."""

    def open_it(code="pair.absent"):
        one = fake.library.opened[PROJECT]
        error = UserError(code, path="/home/ann/.agentao")
        fake.library.opened = {PROJECT: replace(one, partner_problem=error)}
        window.open_paths(["/home/ann/atlas"])
        settled()
        return window

    return open_it


def test_that_nothing_is_saved_about_a_person_is_no_warning(alone):
    window = alone()
    assert told(window) == "The agent has saved nothing about you yet, only this project."
    assert tone(window) == "info"


def test_another_database_that_was_closed_is_one(alone):
    assert tone(alone("pair.closed")) == "warn"


def test_it_goes_when_one_goes_on(alone, settled):
    window = alone()
    window.choose_view(TRASH)
    window.choose_view(SUMMARIES)
    settled()
    assert told(window) == ""


def test_a_warning_stays(alone, settled):
    window = alone("pair.closed")
    window.choose_view(TRASH)
    window.choose_view(SUMMARIES)
    settled()
    assert told(window)


def test_what_a_page_tells_as_it_leaves_is_seen(window, settled):
    window.go("settings")
    window._panes.host.page.told.emit("ok", "Written.")
    window._panes.host.page.closed.emit()
    settled()
    assert told(window) == "Written."
    window.go("settings")
    assert told(window) == ""


def test_it_is_told_in_the_language_that_is_chosen(alone, settled):
    window = alone()
    window._preferences.use_language("zh_CN")
    settled()
    assert told(window).startswith("智能体尚未")
    window._panes.banner.tell("ok", "Written.")
    window._preferences.use_language("en")
    settled()
    assert told(window) == ""


def test_the_sample_is_called_one(window):
    stores = window.findChild(QListWidget, "sidebar.stores")
    spoken = [stores.item(n).data(Qt.ItemDataRole.AccessibleTextRole) for n in (1, 2)]
    assert spoken[0] == "atlas, sample, encrypted"
    assert spoken[1].startswith("You, everywhere, sample, ")


def test_what_was_opened_before_is_listed_after_closing_all(window, fake, settled):
    fake.library.known_stores = (
        KnownStore("/a/atlas", "atlas", "agentao", "2026-11-29T12:00:00Z"),
    )
    window._commands.close_stores()
    settled()
    assert window.page_name == "start"
    assert window.findChild(QWidget, "start.card0").isVisible()
