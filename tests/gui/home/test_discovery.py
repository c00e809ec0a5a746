# SPDX-License-Identifier: MIT
"""Home's part about stores nobody opened: the question, the search, its end, what was found."""

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from waiting import settle

from memory_gui.domain.errors import UserError
from memory_gui.services.home.discovery import Discovered, Found
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.home.discovery import DiscoveryPanel
from memory_gui.ui.home.discoveryrows import FEW
from memory_gui.words import Words

NOT_ASKED = Discovered(asked=False, looks=False, roots=())


def found(path, format_="agentao", agent="Agentao", **more):
    given = {"opens": True, "encrypted": False, "is_database": True} | more
    return Found(Path(path), format_, agent, **given)


AGENTAO = found("/home/ann/atlas/.agentao/memory.db")
LOCKED = found("/home/ann/beta/.agentao/memory.db", encrypted=True)
MEM0 = found("/home/ann/.mem0/history.db", "mem0", "Mem0", opens=False)
CLAUDE = found(
    "/home/ann/.claude/CLAUDE.md", "claude-code", "Claude Code", opens=False, is_database=False
)
SHUT = found(
    "/home/ann/.letta/sqlite.db", "letta", "Letta", opens=False, encrypted=None,
    is_database=False, problem="store.no_permission",
)  # fmt: skip
ALL = Discovered(True, True, (), (AGENTAO, LOCKED, CLAUDE, SHUT, MEM0), done=True)


@pytest.fixture
def panel(qtbot, fonts, fake):
    bridge = Bridge()
    made = DiscoveryPanel(Context(fake, bridge, Words("en")))
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    yield made
    made.hide()
    bridge.close()


def begin(panel, fake, view, result=None):
    fake.discovery.view, fake.discovery.result = view, result or view
    panel.clear()
    panel.begin()
    settle(panel._context.bridge)


def texts(panel):
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def button(panel, name):
    return panel.findChild(QAbstractButton, f"start.discovery.{name}")


def press(panel, name):
    button(panel, name).click()
    settle(panel._context.bridge)


class TestTheQuestion:
    def test_it_asks_first_and_looks_nowhere(self, panel, fake):
        begin(panel, fake, NOT_ASKED)
        assert "Shall the app look for what your agents remember?" in texts(panel)
        assert "discover" not in [note[0] for note in fake.calls]
        assert not button(panel, "again").isVisible()

    def test_yes_looks_at_once(self, panel, fake):
        begin(panel, fake, NOT_ASKED, ALL)
        press(panel, "yes")
        assert ("answer", True) in fake.calls
        assert "Mem0" in texts(panel)
        assert not button(panel, "yes").isVisible()

    def test_no_is_kept_and_may_be_changed(self, panel, fake):
        begin(panel, fake, NOT_ASKED)
        press(panel, "no")
        assert "Nothing on this computer is searched." in texts(panel)
        assert not button(panel, "yes").isVisible()
        press(panel, "usual")
        assert ("answer", True) in fake.calls


class TestWhatIsFound:
    def test_grouped_by_agent_each_with_what_can_be_done(self, panel, fake):
        begin(panel, fake, ALL)
        shown = texts(panel)
        for text in (
            "Agentao",
            "2 stores",
            "can be opened",
            "encrypted",
            "seen, not yet opened",
            "cannot be read",
        ):
            assert text in shown
        names = [one.text() for one in panel.findChildren(QAbstractButton) if one.isVisible()]
        assert names.count("Open") == 2
        assert names.count("Look at its tables") == 1

    def test_a_row_opens_its_store(self, panel, fake, qtbot):
        begin(panel, fake, ALL)
        with qtbot.waitSignal(panel.path_wanted) as opened:
            button(panel, "group0.row1.open").click()
        assert opened.args == [str(LOCKED.path)]
        assert button(panel, "group0.row1.open").accessibleName() == f"Open: {LOCKED.path}"

    def test_those_that_stand_above_as_cards_are_left_out(self, panel, fake):
        begin(panel, fake, ALL)
        panel.show_known([str(AGENTAO.path), str(LOCKED.path)])
        assert "Agentao" not in texts(panel)
        panel.show_known([str(one.path) for one in ALL.found])
        assert "No other store was found." in texts(panel)

    def test_many_of_one_agent_come_on_demand(self, panel, fake):
        many = tuple(found(f"/p{n}/.agentao/memory.db") for n in range(FEW + 3))
        begin(panel, fake, Discovered(True, True, (), many, done=True))
        assert len([t for t in texts(panel) if t == "can be opened"]) == FEW
        assert button(panel, "group0.more").text() == "Show 3 more"
        press(panel, "group0.more")
        assert len([t for t in texts(panel) if t == "can be opened"]) == FEW + 3

    def test_nothing_is_said(self, panel, fake):
        begin(panel, fake, Discovered(True, True, (), done=True))
        assert "Nothing was found in the agents’ usual places." in texts(panel)

    def test_how_it_ended_is_said(self, panel, fake):
        end = Discovered(True, True, (), done=True, stopped=True, unreadable=2, limits=("time",))
        begin(panel, fake, end)
        shown = "\n".join(texts(panel))
        assert "You stopped the search" in shown
        assert "2 folders may not be read" in shown
        assert "its time was up" in shown

    def test_hostile_names_are_drawn(self, panel, fake):
        odd = found("/home/ann/\x1b[2J<b>bold</b>\u202e.db", agent="Mem<i>0\n")
        begin(panel, fake, Discovered(True, True, (), (odd,), done=True))
        shown = "\n".join(texts(panel))
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "<b>bold</b>" in shown

    def test_in_chinese_too(self, panel, fake):
        begin(panel, fake, ALL)
        panel._words.use("zh_CN")
        panel.retranslate()
        settle(panel._context.bridge)
        shown = " ".join(texts(panel))
        assert "已发现，尚不能打开" in shown
        assert "2 个记忆库" in shown


def test_what_was_changed_in_the_settings_counts_when_home_is_shown_again(panel, fake):
    begin(panel, fake, Discovered(True, False, (), done=True))
    assert "Nothing on this computer is searched." in texts(panel)
    fake.discovery.view, fake.discovery.result = Discovered(True, True, ()), ALL
    panel.begin()
    settle(panel._context.bridge)
    assert "Mem0" in texts(panel)


class TestFolders:
    def test_one_is_added_shown_and_taken_off(self, panel, fake):
        begin(panel, fake, Discovered(True, False, (), done=True))
        panel.add_root("/home/ann/projects")
        settle(panel._context.bridge)
        assert ("add_root", "/home/ann/projects") in fake.calls
        assert "discover" in [note[0] for note in fake.calls]
        fake.discovery.result = Discovered(True, False, ("/home/ann/projects",), done=True)
        panel.look()
        settle(panel._context.bridge)
        assert "/home/ann/projects" in texts(panel)
        press(panel, "root0.remove")
        assert ("remove_root", "/home/ann/projects") in fake.calls
        assert "/home/ann/projects" not in texts(panel)

    def test_one_that_is_not_there_is_told(self, panel, fake, monkeypatch):
        begin(panel, fake, ALL)

        def gone(folder):
            raise UserError("discover.no_folder", path=folder)

        monkeypatch.setattr(fake.discovery, "add_root", gone)
        panel.add_root("/gone")
        settle(panel._context.bridge)
        assert "There is no folder at /gone." in "\n".join(texts(panel))


class TestStopping:
    def test_cancel_ends_it_within_half_a_second(self, panel, fake, qtbot):
        fake.discovery.hold = threading.Event()
        fake.discovery.view = Discovered(True, True, ())
        fake.discovery.result = ALL
        panel.begin()
        qtbot.waitUntil(
            lambda: button(panel, "busy") is None and "1,234" in " ".join(texts(panel)),
            timeout=3_000,
        )
        cancel = panel.findChild(QAbstractButton, "busy.cancel")
        qtbot.waitUntil(cancel.isVisible, timeout=3_000)
        started = time.monotonic()
        cancel.click()
        qtbot.waitUntil(lambda: "You stopped" in " ".join(texts(panel)), timeout=2_000)
        assert time.monotonic() - started < 0.5
        settle(panel._context.bridge)
        assert "Agentao" in texts(panel), "what was found until then"

    def test_after_a_lock_nothing_is_left(self, panel, fake):
        begin(panel, fake, ALL)
        panel.clear()
        assert "forget_found" in [note[0] for note in fake.calls]
        everything = " ".join(label.text() for label in panel.findChildren(QLabel))
        assert "/home/ann" not in everything
        assert panel._seen is None
