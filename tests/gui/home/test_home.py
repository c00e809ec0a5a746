# SPDX-License-Identifier: MIT
"""Home over a fake service: cards, problems with their one act each, and what is said of itself."""

import time
from dataclasses import replace

import pytest
from fake_services import PROJECT, USER
from fakes.home import FakeHome
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget
from waiting import settle

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.ledger import LastSeen
from memory_gui.services.home.glances import Glance
from memory_gui.services.home.view import Card, Cause, HomeView, Problem
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.home.card import StoreCard
from memory_gui.ui.home.page import HomePage
from memory_gui.words import Words

ATLAS, GONE = "/home/ann/atlas/.agentao/memory.db", "/mnt/old/.agentao/memory.db"
OPEN = Card(
    ATLAS,
    "atlas",
    "Agentao",
    Glance(encrypted=True, writable=True, changed_at=time.time() - 7200),
    store=PROJECT,
    seen=LastSeen(1204, 7, 12, ""),
    live=True,
    holders=(OpenBy(4121, "agentao"),),
)
CLOSED = Card(
    "/home/ann/beta/.agentao/memory.db",
    "beta",
    "Agentao",
    Glance(encrypted=False, writable=True),
    seen=LastSeen(3, 0, 1, "2026-01-01T00:00:00+00:00"),
)
LOST = Card(GONE, "old", "Agentao", Glance(error=UserError("store.missing", path=GONE)))
KEY = UserError("key.needed", path=ATLAS, reason="locked", backend="SecretService.Keyring")
PROBLEMS = {
    Cause.GONE: Problem(Cause.GONE, GONE, "old", error=UserError("store.missing", path=GONE)),
    Cause.UNREADABLE: Problem(
        Cause.UNREADABLE, ATLAS, "atlas", error=UserError("store.no_permission", path=ATLAS)
    ),
    Cause.CANNOT_OPEN: Problem(
        Cause.CANNOT_OPEN, ATLAS, "atlas", error=UserError("store.damaged", path=ATLAS)
    ),
    Cause.SILENT: Problem(Cause.SILENT, ATLAS, "atlas"),
    Cause.KEY: Problem(Cause.KEY, ATLAS, "atlas", error=KEY),
    Cause.READ_ONLY: Problem(Cause.READ_ONLY, ATLAS, "atlas"),
    Cause.IN_USE: Problem(Cause.IN_USE, ATLAS, "atlas", holders=(OpenBy(4121, "agentao"),)),
    Cause.LENT: Problem(Cause.LENT, ATLAS, "atlas", error=UserError("store.let_go", pid="5")),
    Cause.PARTNER: Problem(
        Cause.PARTNER, ATLAS, "atlas", error=UserError("store.damaged", path=ATLAS)
    ),
    Cause.ERASE: Problem(Cause.ERASE, ATLAS, "atlas", count=2),
    Cause.NOT_PROVED: Problem(Cause.NOT_PROVED, ATLAS, "atlas", count=1),
    Cause.NO_RECOVERY: Problem(Cause.NO_RECOVERY, ATLAS, "atlas", PROJECT, code="none"),
    Cause.LEDGER: Problem(Cause.LEDGER, code="mismatch"),
    Cause.OLD_KEY: Problem(Cause.OLD_KEY, ATLAS, "atlas", code="2026-11-02"),
    Cause.STRAY: Problem(Cause.STRAY, ATLAS, "atlas", code="/home/ann/mine.db"),
    Cause.STOPPED: Problem(Cause.STOPPED, ATLAS, "atlas", code="approve", done=12, count=40),
}


@pytest.fixture
def home(fake) -> FakeHome:
    fake.home.view = HomeView((OPEN, CLOSED), (), True, True)
    fake.home.at_hand_view = HomeView()
    return fake.home


@pytest.fixture
def page(qtbot, fonts, fake, home):
    bridge = Bridge()
    made = HomePage(Context(fake, bridge, Words("en")))
    qtbot.addWidget(made)
    made.resize(980, 700)
    made.show()
    made.show_for(None)
    settle(bridge)
    yield made
    made.hide()
    bridge.close()


@pytest.fixture
def again(page):
    def look(view=None):
        if view is not None:
            page.services.home.view = view
        page.refresh()
        settle(page.bridge)

    return look


def texts(page):
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def press(page, name):
    page.findChild(QAbstractButton, name).click()
    settle(page.bridge)


class TestCards:
    def test_an_open_one_tells_everything(self, page):
        shown = texts(page)
        for text in (
            "atlas",
            "Agentao",
            "1,204 memories",
            "7 to review · 12 in the trash",
            "encrypted",
            "changed 2 hours ago",
            "in use by agentao (process 4121)",
        ):
            assert text in shown
        button = page.findChild(QAbstractButton, "start.card0.open")
        assert (button.text(), button.accessibleName()) == ("Show", "Show: atlas")
        assert "1,204 memories" in button.accessibleDescription()

    def test_a_closed_one_says_since_when_it_is_not_counted(self, page):
        shown = texts(page)
        assert "readable by anyone" in shown
        assert any(t.startswith("1 in the trash · seen ") for t in shown), "none waits: not said"
        assert page.findChild(QAbstractButton, "start.card1.open").text() == "Open"

    def test_its_button_opens_or_shows(self, qtbot, page):
        with qtbot.waitSignal(page.path_wanted) as opened:
            press(page, "start.card1.open")
        assert opened.args == [CLOSED.path]
        with qtbot.waitSignal(page.store_wanted) as shown:
            press(page, "start.card0.open")
        assert shown.args == [PROJECT]

    def test_its_menu_has_what_makes_sense(self, qtbot, page, fake):
        def entries(number):
            menu = page.findChild(QMenu, f"start.card{number}.menu")
            return {action.text(): action for action in menu.actions()}

        assert list(entries(0)) == ["Health and encryption…", "Close this store"]
        assert list(entries(1)) == ["Take it off the list"]
        entries(1)["Take it off the list"].trigger()
        settle(page.bridge)
        assert fake.called("forget") == [[CLOSED.path]]
        with qtbot.waitSignal(page.go) as gone:
            entries(0)["Close this store"].trigger()
        assert gone.args == ["close_store", PROJECT]
        with qtbot.waitSignal(page.go) as gone:
            entries(0)["Health and encryption…"].trigger()
        assert gone.args == ["protect", PROJECT]

    def test_numbers_change_in_place_and_the_keyboard_stays(self, page, again):
        button = page.findChild(QAbstractButton, "start.card1.open")
        button.setFocus()
        again(HomeView((OPEN, CLOSED), (PROBLEMS[Cause.GONE],), True, True))
        assert page.findChild(QAbstractButton, "start.card1.open") is button
        again(HomeView((CLOSED,), (), True, True))
        assert page.findChild(QAbstractButton, "start.card0.open").text() == "Open"
        assert len(page.findChildren(QAbstractButton, "start.card1.open")) <= 1

    def test_the_sample_is_called_one(self, page):
        page.mark_samples(frozenset({PROJECT}))
        assert "sample, encrypted" in texts(page)

    def test_hidden_characters_in_a_name_are_drawn(self, page, again):
        odd = Card("/x/\u202egnp.db", "a\u202eb", "Agentao", Glance(encrypted=True, writable=True))
        again(HomeView((odd,), (), True, True))
        assert "a⟦U+202E⟧b" in texts(page)


class TestProblems:
    @pytest.mark.parametrize("cause", list(Cause))
    def test_each_is_one_line_with_one_act(self, page, again, cause):
        again(HomeView((OPEN, LOST), (PROBLEMS[cause],), True, True))
        row = page.findChild(QWidget, "start.problem0")
        assert row.isVisible()
        assert page.findChild(QWidget, "start.problem1") is None
        buttons = [b for b in row.findChildren(QAbstractButton) if b.isVisible()]
        assert len(buttons) == 1
        assert buttons[0].text()
        assert buttons[0].accessibleDescription() == row.accessibleName() != ""

    def test_what_each_act_does(self, qtbot, page, again, fake):
        def act(cause):
            again(HomeView((OPEN,), (PROBLEMS[cause],), True, True))
            press(page, "start.problem0.act")

        act(Cause.GONE)
        assert fake.called("forget") == [[GONE]]
        for cause in (Cause.CANNOT_OPEN, Cause.KEY, Cause.PARTNER, Cause.STOPPED):
            with qtbot.waitSignal(page.path_wanted) as opened:
                act(cause)
            assert opened.args == [ATLAS]
        for cause in (Cause.ERASE, Cause.NOT_PROVED):
            with qtbot.waitSignal(page.go) as gone:
                act(cause)
            assert gone.args == ["pending", None]
        with qtbot.waitSignal(page.go) as gone:
            act(Cause.NO_RECOVERY)
        assert gone.args == ["recovery", PROJECT]
        with qtbot.waitSignal(page.path_wanted) as opened:
            act(Cause.OLD_KEY)
        assert opened.args == [ATLAS]
        with qtbot.waitSignal(page.go) as gone:  # while it is open, to what it waits for
            waits = replace(PROBLEMS[Cause.OLD_KEY], store=PROJECT)
            again(HomeView((OPEN,), (waits,), True, True))
            press(page, "start.problem0.act")
        assert gone.args == ["recovery", PROJECT]
        with qtbot.waitSignal(page.go) as gone:
            stray = replace(PROBLEMS[Cause.STRAY], store=PROJECT)
            again(HomeView((OPEN,), (stray,), True, True))
            press(page, "start.problem0.act")
        assert gone.args == ["protect", PROJECT]
        act(Cause.LEDGER)
        assert fake.called("try_ledger_again") == [[]]
        looked = len(fake.called("look"))
        act(Cause.IN_USE)
        assert len(fake.called("look")) == looked + 2

    def test_the_ledger_is_explained(self, page, again):
        again(HomeView((OPEN,), (PROBLEMS[Cause.LEDGER],), True, True))
        shown = texts(page)
        assert "The key in the keychain does not open this program's own records." in shown

    def test_how_far_a_stopped_act_came(self, page, again):
        again(HomeView((CLOSED,), (PROBLEMS[Cause.STOPPED],), True, True))
        told = "atlas: approving was stopped. At least 12 of 40 are done."
        assert told in texts(page)

    def test_they_go_when_they_are_solved(self, page, again):
        again(HomeView((OPEN,), tuple(PROBLEMS.values()), True, True))
        assert page.findChild(QWidget, "start.problems").isVisible()
        again(HomeView((OPEN,), (), True, True))
        assert not page.findChild(QWidget, "start.problems").isVisible()

    def test_the_keyboard_stays_where_it_was(self, page, again):
        two = (PROBLEMS[Cause.IN_USE], PROBLEMS[Cause.GONE])
        again(HomeView((OPEN,), two, True, True))
        page.activateWindow()
        page.findChild(QAbstractButton, "start.problem1.act").setFocus()
        again(HomeView((OPEN,), two, True, True))
        assert page.focusWidget().objectName() == "start.problem1.act"


class TestWhatItSays:
    def test_the_first_time_it_says_what_this_is(self, page, again):
        again(HomeView((), (), True, True))
        shown = texts(page)
        assert "What do your agents remember?" in shown
        assert page.findChild(QAbstractButton, "start.sample").isVisible()
        again(HomeView((CLOSED,), (), True, True))
        assert "What do your agents remember?" not in texts(page)
        assert page.findChild(QAbstractButton, "start.sample").isVisible()

    def test_the_keyboard_stays_on_its_button_when_the_first_store_comes(self, page, again):
        page.activateWindow()
        again(HomeView((), (), True, True))
        page.findChild(QAbstractButton, "start.sample").setFocus()
        again(HomeView((CLOSED,), (), True, True))
        assert page.focusWidget().objectName() == "start.sample"

    def test_that_no_list_is_kept(self, page, again):
        again(HomeView((OPEN,), (), False, True))
        shown = texts(page)
        assert "No list of opened stores is kept: that is switched off in the settings." in shown

    def test_in_chinese(self, page, again):
        page.words.use("zh_CN")
        page.retranslate()
        again(HomeView((OPEN,), (PROBLEMS[Cause.KEY],), True, True))
        shown = " ".join(texts(page))
        assert "1,204 条记忆" in shown
        assert "7 条待审核" in shown
        page.words.use("en")


class TestLooking:
    def test_a_slow_keychain_holds_back_only_its_own_list(self, qtbot, page, home, fake):
        gate = []
        page.clear()
        home.at_hand_view = HomeView((OPEN,), (), True, False)
        real = home.look

        def slow():
            while not gate:
                time.sleep(0.01)
            return real()

        home.look = slow
        page.refresh()
        qtbot.waitUntil(lambda: "atlas" in texts(page))
        assert "beta" not in texts(page)
        gate.append(True)
        settle(page.bridge)
        assert "beta" in texts(page)

    def test_it_looks_again_by_itself_only_while_it_is_seen(self, qtbot, page, fake):
        page._again.setInterval(20)
        before = len(fake.called("look"))
        qtbot.waitUntil(lambda: len(fake.called("look")) > before + 2)
        page.hide()
        settle(page.bridge)
        before = len(fake.called("look"))
        qtbot.wait(100)
        assert len(fake.called("look")) == before

    def test_an_error_has_a_way_to_try_again(self, page, fake):
        page.clear()
        fake.fail_next["at_hand"] = UserError("store.io", path="/x")
        page.refresh()
        settle(page.bridge)
        assert page.frame.state == "error"
        page.frame.error.acted.emit()
        settle(page.bridge)
        assert page.frame.state == "content"
        assert "atlas" in texts(page)

    def test_after_a_lock_no_name_is_left(self, page, again):
        again(HomeView((OPEN, LOST), tuple(PROBLEMS.values()), True, True))
        page.clear()
        settle(page.bridge)
        everything = [
            *(label.text() for label in page.findChildren(QLabel)),
            *(w.accessibleName() + w.toolTip() for w in page.findChildren(QWidget)),
        ]
        assert not [text for text in everything if "atlas" in text or "agentao/" in text]
        assert page._view is None


class TestInTheWindow:
    def test_several_stores_opened_from_home_stay_open(self, window, fake, settled):
        window.go("start")
        settled()
        cards = {card.shown.path for card in window.findChildren(StoreCard)}
        assert {str(PROJECT), str(USER)} <= cards
        window.findChild(QAbstractButton, "start.card1.open").click()
        settled()
        assert window.page_name == "memories"
        assert window._panes.sidebar.stores == {USER}
        assert set(fake.library.opened) == {PROJECT, USER}
        names = [name for name, *_ in fake.calls if name in ("open", "write_down")]
        assert names[-2:] == ["open", "write_down"]  # kept from then on, though Home is not seen

    def test_a_store_is_closed_from_its_card(self, window, fake, settled):
        window.go("start")
        settled()
        menu = window.findChild(QMenu, "start.card1.menu")
        next(a for a in menu.actions() if a.text() == "Close this store").trigger()
        settled()
        assert set(fake.library.opened) == {PROJECT}
        assert window.page_name == "start"

    def test_the_sidebar_leads_home(self, window, settled):
        window.findChild(QAbstractButton, "sidebar.home").click()
        settled()
        assert window.page_name == "start"

    def test_alt_0_leads_home_from_anywhere(self, qtbot, window, settled):
        window.go("settings")
        settled()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
        settled()
        assert window.page_name == "start"

    def test_a_failed_opening_is_told_to_home(self, window, fake, settled):
        fake.fail_next["open"] = UserError("store.damaged", path="/b/memory.db")
        window.open_paths(["/b/memory.db"])
        settled()
        assert [error.code for error in fake.home.failures.values()] == ["store.damaged"]
