# SPDX-License-Identifier: MIT
"""The left pane: several stores, each closable by itself, its state by icon and in words."""

from dataclasses import replace

import pytest
from fake_services import PROJECT, USER
from looking import child, table, titles
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMenu, QPlainTextEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State, StoreId
from memory_gui.ui.icons import Icon
from memory_gui.ui.phrases import store_names
from memory_gui.ui.records.editing.homes import homes_of
from memory_gui.ui.shell.siderows import COUNT_ROLE, ICON_ROLE, SECOND_ROLE, cross_of

OTHER = StoreId("/home/ann/work/atlas/.agentao/memory.db")
THIRD = StoreId("/srv/atlas/.agentao/memory.db")


@pytest.fixture
def stores(window):
    return child(window, QListWidget, "sidebar.stores")


@pytest.fixture
def third(window, fake, settled):
    """A second project beside the pair, of the same name."""
    one = fake.library.opened[PROJECT]
    other = replace(one, id=OTHER, partner=USER, info=replace(one.info, id=OTHER, path=OTHER))
    fake.library.opened[OTHER] = other
    window._holding.ask()
    settled()
    return other


def names(stores):
    return [stores.item(row).text() for row in range(stores.count())]


def close_by_cross(qtbot, stores, row):
    spot = cross_of(stores.visualItemRect(stores.item(row))).center().toPoint()
    qtbot.mouseClick(stores.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def test_two_of_one_name_are_told_apart_by_their_folder(stores, third):
    assert names(stores) == ["All stores", "atlas (ann)", "You, everywhere", "atlas (work)"]


def test_names_that_differ_stay_short(fake, window):
    words = window._context.words
    assert list(store_names(words, fake.library.opened.values()).values()) == [
        "atlas", "You, everywhere",
    ]  # fmt: skip


class TestClosing:
    def test_by_its_cross(self, qtbot, window, fake, stores, settled):
        close_by_cross(qtbot, stores, 1)
        settled()
        assert fake.called("close") == [[PROJECT]]
        assert names(stores) == ["You, everywhere"]
        model = window.memories.model
        assert window.page_name == "memories"
        assert model.rowCount()

    def test_a_click_beside_the_cross_chooses(self, qtbot, fake, stores, settled):
        spot = stores.visualItemRect(stores.item(1)).center()
        qtbot.mouseClick(stores.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        settled()
        assert not fake.called("close")
        assert stores.currentRow() == 1

    def test_by_ctrl_w_the_chosen_one(self, qtbot, window, fake, stores, settled):
        stores.setCurrentRow(2)
        assert window._commands.actions["close_stores"].text() == "Close this store"
        qtbot.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
        settled()
        assert fake.called("close") == [[USER]]
        assert names(stores) == ["atlas"]

    def test_by_ctrl_w_all_where_all_are_chosen(self, qtbot, window, fake, settled):
        assert window._commands.actions["close_stores"].text() == "Close all stores"
        qtbot.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
        settled()
        assert fake.called("close_all")
        assert window.page_name == "start"

    def test_the_last_one_leads_to_the_start(self, qtbot, window, fake, stores, settled):
        close_by_cross(qtbot, stores, 1)
        settled()
        close_by_cross(qtbot, stores, 0)
        settled()
        assert window.page_name == "start"
        assert fake.called("close_all")

    def test_not_while_something_typed_would_be_lost(self, qtbot, window, fake, stores, settled):
        window.memories.edit_current()
        child(window, QPlainTextEdit, "editor.text").setPlainText("half a thought")
        close_by_cross(qtbot, stores, 1)
        settled()
        assert not fake.called("close")

    @pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
    def test_by_its_menu_from_the_keyboard(self, qtbot, window, fake, stores, settled):
        stores.setFocus()
        stores.setCurrentRow(2)
        where = stores.visualItemRect(stores.item(2)).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, where, QPoint())
        QApplication.sendEvent(stores.viewport(), event)
        menu = child(window, QMenu, "sidebar.menu")
        assert menu.accessibleName() == "You, everywhere"
        texts = [action.text() for action in menu.actions() if action.text()]
        assert texts == ["Show only this store", "Health and encryption…", "Close this store"]
        assert all(not a.icon().isNull() for a in menu.actions() if a.text())
        menu.actions()[-1].trigger()
        menu.close()
        settled()
        assert fake.called("close") == [[USER]]

    def test_nothing_is_closable_where_all_are_one_list(self, qtbot, fake, stores, settled):
        close_by_cross(qtbot, stores, 0)
        settled()
        assert not fake.called("close")


def test_a_store_in_use_elsewhere_says_so_by_icon_and_in_words(window, fake, stores, settled):
    window._watch.lent_changed.emit({PROJECT: UserError("store.let_go")})
    item = stores.item(1)
    assert item.data(ICON_ROLE) == Icon.UNPLUGGED
    assert item.data(SECOND_ROLE) == "in use by the terminal"
    assert item.data(Qt.ItemDataRole.AccessibleTextRole).endswith("in use by the terminal")
    window._watch.lent_changed.emit({})
    assert stores.item(1).data(ICON_ROLE) != Icon.UNPLUGGED


class TestNew:
    def test_a_pair_is_one_home(self, window, fake):
        assert [one.id for one in homes_of(tuple(fake.library.opened.values()))] == [PROJECT]

    def test_the_chosen_store_is_the_home(self, window, fake):
        opened = tuple(fake.library.opened.values())
        assert [one.id for one in homes_of(opened, {USER})] == [USER]

    def test_what_can_only_be_read_is_none(self, window, fake):
        opened = tuple(
            replace(one, info=replace(one.info, notes=("opened.read_only",)))
            for one in fake.library.opened.values()
        )
        assert homes_of(opened) == ()

    @pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
    def test_of_several_one_is_asked_for_by_keys(self, qtbot, window, fake, third, settled):
        qtbot.keyClick(table(window), Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        menu = child(window, QMenu, "memories.new.menu")
        assert [action.text() for action in menu.actions()] == ["atlas (ann)", "atlas (work)"]
        qtbot.keyClick(menu, Qt.Key.Key_Down)
        qtbot.keyClick(menu, Qt.Key.Key_Return)
        settled()
        child(window, QLineEdit, "editor.title").setText("likes tea")
        child(window, QPlainTextEdit, "editor.text").setPlainText("Ann likes tea.")
        child(window, QWidget, "editor.save").click()
        settled()
        assert fake.called("add")[0][0] == OTHER

    def test_where_one_is_chosen_nothing_is_asked(self, qtbot, window, stores, third, settled):
        stores.setCurrentRow(3)
        settled()
        qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        settled()
        assert child(window, QWidget, "editor").isVisible()
        assert titles(window) == []


def test_the_numbers_follow_a_change_with_the_stores_and_not_with_the_next_search(
    window, fake, settled
):
    """They came a second late: only once the list had searched again."""
    views = child(window, QListWidget, "sidebar.views")
    opened = tuple(fake.library.stores())
    one = next(one for one in opened if one.id == PROJECT)
    counts = {"memory": {State.LIVE: 41}, "review": {State.PENDING: 3}}
    others = [replace(o, info=replace(o.info, counts={})) for o in opened if o.id != PROJECT]
    window._panes.sidebar.hold((replace(one, info=replace(one.info, counts=counts)), *others))
    assert [views.item(row).data(COUNT_ROLE) for row in range(2)] == ["41", "3"]


def test_the_pages_follow_the_store_that_is_chosen(window, stores, settled):
    told = []
    window._panes.host.page.choose_store = told.append
    stores.setCurrentRow(1)
    settled()
    window.go("review")
    settled()
    assert told == [PROJECT]
    assert window._panes.host.page._chosen == PROJECT  # made after it was chosen
    stores.setCurrentRow(0)
    assert told == [PROJECT, None]


class TestTheViewThatIsCurrentAlready:
    """By ear a row is pressed by selecting it: on Home that must lead where Return does."""

    def press(self, views, row):
        cell = QAccessible.queryAccessibleInterface(views).child(row)
        actions = cell.actionInterface()
        assert actions.actionNames() == [QAccessibleActionInterface.toggleAction()]
        actions.doAction(QAccessibleActionInterface.toggleAction())

    def test_it_is_shown_again_from_home(self, window, settled):
        views = child(window, QListWidget, "sidebar.views")
        for row, page in ((0, "memories"), (1, "review"), (1, "review")):
            window.go("start")
            settled()
            assert window.page_name == "start"
            assert not views.selectedItems()
            self.press(views, row)
            settled()
            assert window.page_name == page
            assert [views.row(item) for item in views.selectedItems()] == [row]

    def test_home_stays_when_the_views_are_listed_anew(self, window, fake, settled):
        views = child(window, QListWidget, "sidebar.views")
        window.go("start")
        settled()
        window._panes.sidebar.retranslate()
        window._holding.ask()
        settled()
        assert window.page_name == "start"
        assert not views.selectedItems()
