# SPDX-License-Identifier: MIT
from dataclasses import replace

import scene
from PySide6.QtWidgets import QLabel, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import scheme_of
from memory_gui.erasure.result import EraseState, StoreResult
from memory_gui.ledger import PendingErase
from memory_gui.ui.pages.pending import PendingPage
from memory_gui.ui.pages.pending_notice import PendingNotice
from memory_gui.ui.widgets import Banner

ENTRY = PendingErase(
    "0123456789abcdef",
    str(scene.PROJECT),
    scheme_of(scene.plan().stores[0]),
    "2026-11-28T21:04:00+00:00",
    4121,
    0.0,
)


def said(page):
    return "\n".join(w.text() for w in page.findChildren(QLabel) if w.isVisible())


def test_nothing_unfinished(shown):
    page = shown(PendingPage)
    assert "No erasure is unfinished" in said(page)


def test_one_is_finished_and_proved_then_the_list_is_empty(fake, shown, settled):
    fake.erasing.entries = (ENTRY,)
    fake.erasing.result = scene.result()
    page = shown(PendingPage)
    assert str(scene.PROJECT) in said(page)
    assert "17 rows, begun" in said(page)
    fake.erasing.entries = ()
    page.findChild(QWidget, "pending.go0").click()
    settled()
    assert fake.called("resume")[0][0] is ENTRY
    assert "Proved gone" in said(page)
    page.back.click()
    settled()
    assert "No erasure is unfinished" in said(page)


def test_one_that_is_not_proved_stays_listed_in_its_own_words(fake, shown, settled):
    finds = [{"path": scene.LOG, "what": "log", "count": 2}]
    entry = replace(ENTRY, state="still-in", scheme={**ENTRY.scheme, "finds": finds})
    fake.erasing.entries = (entry,)
    fake.erasing.result = scene.still_in_log()
    page = shown(PendingPage)
    assert "Not proved: still in agentao.log" in said(page)
    again = page.findChild(QWidget, "pending.go0")
    assert again.text() == "Look again"
    again.click()
    settled()
    page.result_view.accept.click()
    settled()
    assert "Gone, except for what you accepted" in said(page)
    assert len(fake.called("resume")) == 1
    assert fake.called("accept")


def test_of_another_database_at_the_path_nothing_is_claimed(fake, shown, settled):
    entry = replace(ENTRY, state="not-proved", scheme={**ENTRY.scheme, "other": True})
    fake.erasing.entries = (entry,)
    done = scene.result()
    path = done.stores[0].path
    state, code = EraseState.NOT_PROVED, "erase.other_store"
    other = StoreResult(path, state, reason=code, reason_params={"path": path})
    fake.erasing.result = replace(done, state=state, stores=(other,))
    page = shown(PendingPage)
    assert "Not proved: another database lies at this path now" in said(page)
    page.findChild(QWidget, "pending.go0").click()
    settled()
    assert "Not proved: another database lies at this path now" in said(page)
    assert "none of the records to be erased is in it" in said(page)
    assert "The rows are gone" not in said(page)


def test_at_the_start_what_is_not_proved_is_not_called_unfinished(fake, qtbot, settled, context):
    banner = Banner()
    qtbot.addWidget(banner)
    fake.erasing.entries = (replace(ENTRY, state="still-in"),)
    PendingNotice(context, banner, lambda: None, banner).look()
    settled()
    assert "1 erasure is not proved" in banner.text


def test_in_use_again_can_be_tried_again(fake, shown, settled):
    fake.erasing.entries = (ENTRY,)
    fake.erasing.results = [scene.in_use(), scene.result()]
    page = shown(PendingPage)
    page.findChild(QWidget, "pending.go0").click()
    settled()
    assert "agentao (pid 4121) has it open" in said(page)
    page.result_view.try_again.click()
    settled()
    assert "Proved gone" in said(page)


def test_a_key_that_is_missing_is_said(fake, shown, settled):
    fake.erasing.entries = (ENTRY,)
    page = shown(PendingPage)
    fake.fail_next["resume"] = UserError("store.missing", path="/gone")
    page.findChild(QWidget, "pending.go0").click()
    settled()
    assert "/gone" in page.frame.banner.text
    assert page.findChild(QWidget, "pending.go0") is not None


def test_at_the_start_an_unfinished_erase_is_told_with_the_way_to_it(fake, qtbot, settled, context):
    banner = Banner()
    qtbot.addWidget(banner)
    went = []
    notice = PendingNotice(context, banner, lambda: went.append("pending"), banner)
    notice.look()
    settled()
    assert banner.text == ""
    fake.erasing.entries = (ENTRY,)
    notice.look()
    settled()
    assert "1 erasure is not finished" in banner.text
    banner.findChild(QWidget, "banner.action0").click()
    assert went == ["pending"]


def test_what_was_proved_by_structure_only_claims_no_more(fake, shown, settled):
    fake.erasing.entries = (ENTRY,)
    fake.erasing.result = scene.result(proof=replace(scene.PROOF, by="structure"))
    page = shown(PendingPage)
    page.findChild(QWidget, "pending.go0").click()
    settled()
    assert "No text was known that could be searched for" in said(page)
    assert "found nothing of it" not in said(page)
