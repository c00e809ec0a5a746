# SPDX-License-Identifier: MIT
"""The menu's entry that copies what starts the agent over the open stores."""

import shlex

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel
from waiting import settle

from memory_gui.stores.formats.agentao.create import create_store


def test_it_copies_the_line_of_the_open_project(real_window, tmp_path):
    project = tmp_path / "my atlas"
    for folder in (project, tmp_path / "home"):
        (folder / ".agentao").mkdir(parents=True)
        create_store(folder / ".agentao" / "memory.db", None)
    window = real_window(tmp_path / "home")
    act = window.findChild(QAction, "act.agent_line")
    assert not act.isEnabled()
    window.open_paths([str(project)])
    settle(window.bridge)
    assert act.isEnabled()
    act.trigger()
    words = shlex.split(QApplication.clipboard().text())
    assert words == ["cd", str(project), "&&", "memory-cli", "agent", "agentao"]
    assert any("memory-cli agent agentao" in label.text() for label in window.findChildren(QLabel))


def test_a_store_whose_agent_cannot_be_started_says_so(window, fake, settled, monkeypatch):
    QApplication.clipboard().setText("mine")
    monkeypatch.setattr("memory_gui.ui.shell.commands.start_line", lambda _: None)
    window.findChild(QAction, "act.agent_line").trigger()
    assert QApplication.clipboard().text() == "mine"
