# SPDX-License-Identifier: MIT
"""The page that shows what the agent is given, over the real services."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtGui import QAction
from waiting import settle

from memory_gui.stores.sample import HOME, make_sample
from memory_gui.ui.agent.page import AgentPage
from memory_gui.words import Words


@pytest.fixture
def page(real_window, tmp_path):
    location = make_sample(tmp_path, None)
    window = real_window(tmp_path / HOME)
    window.open_paths([str(location.main)])
    settle(window.bridge, 30)
    window.findChild(QAction, "act.agent_view").trigger()
    settle(window.bridge, 30)
    return window.findChild(AgentPage)


def say(page, text: str) -> None:
    page.said.setText(text)
    page.said.returnPressed.emit()
    settle(page.bridge, 30)


def test_it_shows_the_block_as_the_agent_sends_it(page):
    (store, *_) = [s for s in page.services.library.stores() if s.info.role == "project"]
    view = page.services.agent_views.view(store)
    assert page.stable.toPlainText() == view.stable.text
    assert page.stable.toPlainText().startswith("<memory-stable>")
    assert page.room.isVisible()
    assert str(len(view.stable.no_room)) in page.room.text()
    assert not page.recall.isVisible()
    assert not page.lone.isVisible()


def test_a_message_recalls(page):
    say(page, "how do we deploy the release?")
    assert page.recall.isVisible()
    assert page.recall.toPlainText().startswith("<memory-context>")
    assert not page.words_apart.isVisible()
    say(page, "我们怎么部署")
    assert page.words_apart.isVisible()
    say(page, "")
    assert not page.recall.isVisible()
    assert page.recall.toPlainText() == ""


def test_hidden_texts_are_not_in_the_page(page):
    say(page, "how do we deploy the release?")
    page.context.privacy.hiding.set_hidden(hidden=True)
    for view in (page.stable, page.recall):
        assert "fact" not in view.toPlainText()
    page.context.privacy.hiding.set_hidden(hidden=False)
    assert "fact" in page.stable.toPlainText()


def test_the_other_language(page):
    page.words = Words("zh_CN")
    page.retranslate()
    assert page.frame.title.text() == "智能体会得到什么"
    assert "条" in page.lead.text()


def test_after_clear_nothing_is_left(page):
    say(page, "how do we deploy the release?")
    page.clear()
    gc.collect()
    texts = [page.stable.toPlainText(), page.recall.toPlainText(), page.said.text()]
    texts += [page.lead.text(), page.room.text(), page.recalled.text()]
    assert texts == [""] * 6
    assert page._view is None


def test_back_leads_to_the_list(page):
    page.back.click()
    settle(page.bridge, 30)
    assert not page.isVisible()


def test_without_a_store_it_says_so(page):
    page._store = None
    page.refresh()
    assert page.frame.state == "empty"
