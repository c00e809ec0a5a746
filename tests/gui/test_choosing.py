# SPDX-License-Identifier: MIT
"""Choosing a store: the folder that agents hide it in is shown, and a project can be chosen."""

import pytest
from PySide6.QtCore import QDir, QSize
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QTreeView,
    QWidget,
)

from memory_gui.ui.run import fit

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "boats" / ".agentao"
    folder.mkdir(parents=True)
    (folder / "memory.db").write_bytes(b"")
    return folder.parent


@pytest.fixture
def dialog(window, qtbot):
    window.go("choose_file")
    made = window.findChild(QFileDialog, "open.dialog")
    qtbot.waitUntil(made.isVisible)
    yield made
    if window.findChild(QFileDialog, "open.dialog") is not None:
        made.reject()


def test_hidden_folders_are_listed(dialog, qtbot, project):
    dialog.setDirectory(str(project))
    files = dialog.findChild(QWidget, "listView").model()
    root = dialog.findChild(QWidget, "listView").rootIndex

    def names():
        return [files.index(row, 0, root()).data() for row in range(files.rowCount(root()))]

    qtbot.waitUntil(lambda: ".agentao" in names())


def test_a_project_folder_is_taken_as_it_is(dialog, window, qtbot, project):
    taken = []
    dialog.fileSelected.connect(taken.append)
    dialog.setDirectory(str(project.parent))
    dialog.findChild(QLineEdit, "fileNameEdit").setText("boats")
    dialog.accept()
    qtbot.waitUntil(lambda: window.findChild(QFileDialog, "open.dialog") is None)
    assert taken == [str(project)]


def test_any_other_folder_is_gone_into(dialog, settled, project):
    taken = []
    dialog.fileSelected.connect(taken.append)
    dialog.setDirectory(str(project.parent.parent))
    dialog.findChild(QLineEdit, "fileNameEdit").setText(project.parent.name)
    dialog.accept()
    settled()
    assert taken == []
    assert dialog.isVisible()
    assert dialog.directory().path() == str(project.parent)


def test_inside_a_project_its_store_is_proposed(dialog, window, qtbot, settled, project):
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    taken = []
    dialog.fileSelected.connect(taken.append)
    for folder, proposed in (
        (project.parent, ""),
        (project, ".agentao/memory.db"),
        (project / ".agentao", "memory.db"),
    ):
        line.clear()
        dialog.setDirectory(str(folder))
        dialog.directoryEntered.emit(str(folder))  # as a double click does
        settled()
        assert line.text() == proposed
    dialog.accept()
    qtbot.waitUntil(lambda: window.findChild(QFileDialog, "open.dialog") is None)
    assert taken == [str(project / ".agentao/memory.db")]


def test_its_buttons_have_no_icons_of_another_look(dialog):
    buttons = dialog.findChild(QDialogButtonBox).buttons()
    assert [button.icon().isNull() for button in buttons] == [True, True]


def test_it_begins_at_home_and_no_column_of_it_is_cut(dialog, qtbot, tmp_path):
    assert dialog.directory() == QDir.home()
    (tmp_path / "memory.sqlite3").write_bytes(b"x" * 123_456)
    (tmp_path / "folder").mkdir()
    dialog.setDirectory(str(tmp_path))
    view = dialog.findChild(QTreeView, "treeView")
    model, root = view.model(), view.rootIndex
    qtbot.waitUntil(lambda: model.rowCount(root()) == 2)
    rows = sorted([model.index(row, n, root()).data() for n in range(3)] for row in range(2))
    assert [(row[0], row[2]) for row in rows] == [
        ("folder", "Folder"), ("memory.sqlite3", "Database"),
    ]  # fmt: skip
    dialog.resize(760, 460)
    metrics, header = view.fontMetrics(), view.header()
    assert header.sectionSize(1) > metrics.horizontalAdvance(rows[1][1])
    assert header.sectionSize(2) > metrics.horizontalAdvance("Database")


def test_its_labels_are_ours(dialog):
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert {"In:", "Name:", "Kind:"} <= set(texts)


def test_a_new_window_fits_the_free_part_of_the_screen(window):
    window.resize(1180, 760)
    fit(window, QSize(1280, 772))
    assert window.height() == 716
    fit(window, QSize(2000, 2000))
    assert window.height() == 716, "it never grows"
