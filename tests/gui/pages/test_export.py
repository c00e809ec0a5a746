# SPDX-License-Identifier: MIT
import scene
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.ui.pages.export import ExportPage
from memory_gui.ui.views import REVIEW

QUERY = Query(text="port")


def test_by_keyboard_to_a_file(fake, shown, settled, tmp_path):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, QUERY)
    told = []
    page.told.connect(lambda tone, text: told.append(text))
    assert page.export.text() == "Export 1 record"
    assert page.path.line.hasFocus()
    page.path.set_path(str(tmp_path / "out.json"))
    page.format.setCurrentIndex(2)
    assert page.path.line.text().endswith("out.csv")
    QTest.keyClick(page.path.line, Qt.Key.Key_Return)
    settled()
    assert fake.called("export") == [[QUERY, tmp_path / "out.csv", "csv"]]
    assert "1 record was written to" in told[0]


def test_a_file_that_is_there_is_said(fake, shown, settled):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, QUERY)
    fake.fail_next["export"] = UserError("store.missing", path="/x")
    page.export.click()
    settled()
    assert "/x" in page.frame.banner.text
    assert page.export.isVisible()


def test_nothing_to_export(fake, shown):
    page = shown(ExportPage, Query(text="nowhere"))
    assert not page.export.isEnabled()


def test_what_could_not_be_counted_cannot_be_exported(fake, shown, settled, monkeypatch):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, QUERY)
    assert page.export.isEnabled()

    def breaks(_query):
        raise ValueError("ours to mend")

    monkeypatch.setattr(fake.library, "search", breaks)
    page.show_for(Query(text="proxy"))
    settled()
    assert page.frame.state == "content"
    assert not page.export.isEnabled()


def test_the_lock_closes_the_file_dialog(fake, shown, qtbot):
    page = shown(ExportPage, QUERY)
    page.path.choose.click()
    dialog = page.findChild(QFileDialog, "save.dialog")
    qtbot.waitUntil(dialog.isVisible)
    assert {"In:", "Name:", "Kind:"} <= {one.text() for one in dialog.findChildren(QLabel)}
    page.path.choose.click()  # one is enough
    assert len(page.findChildren(QFileDialog, "save.dialog")) == 1
    page.clear()
    qtbot.waitUntil(lambda: page.findChild(QFileDialog, "save.dialog") is None)
    assert page.path.line.text() == ""
    page.path.choose.click()
    page.findChild(QFileDialog, "save.dialog").reject()


def test_it_says_how_many_of_which_view(fake, shown):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, REVIEW.query("", frozenset()))
    assert page.lead.text() == (
        "5 records, with every field: the view “Review” only. "
        "To export another view, go there first."
    )
    assert page.export.text() == "Export 5 records"


def test_it_says_that_a_search_bounds_it(fake, shown):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, REVIEW.query("port", frozenset()))
    assert "what search and filters show of the view “Review”" in page.lead.text()


def test_chosen_records_and_no_others(fake, shown, settled, tmp_path):
    fake.library.fill(scene.ITEMS)
    refs = tuple(fake.library.records)[:2]
    page = shown(ExportPage, refs)
    assert page.lead.text() == "2 records, with every field: those that you chose."
    page.path.set_path(str(tmp_path / "out.json"))
    page.export.click()
    settled()
    assert fake.called("export") == [[refs, tmp_path / "out.json", "json"]]
