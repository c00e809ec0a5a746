# SPDX-License-Identifier: MIT
"""Letter and receipt of a case on paper."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from fakes.cases import RECEIPT
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QPdfWriter, QTextDocument

from memory_gui.ui.cases.papers import page
from memory_gui.ui.paper import print_paper
from memory_gui.ui.pdf import page_layout
from memory_gui.words import Words


@pytest.mark.parametrize("lines", range(33, 39))
def test_no_heading_stands_alone_at_the_end_of_a_page(qapp, lines):
    document = QTextDocument()
    document.setHtml("<p>text</p>" * lines + "<h4>Signature</h4><table><tr><td>x</td></tr></table>")
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageLayout(page_layout())
    print_paper(document, writer)
    buffer.close()
    layout, height = document.documentLayout(), document.pageSize().height()
    block = document.begin()
    while not block.blockFormat().headingLevel():
        block = block.next()
    tops = [layout.blockBoundingRect(one).top() for one in (block, block.next())]
    assert tops[0] // height == tops[1] // height


def test_the_receipt_says_what_was_kept_and_what_nobody_decided(qapp):
    document = json.loads(RECEIPT)
    assert "Kept, or undecided" not in page(Words("en"), document)
    document["kept"] = [{"reason": "keep.not_theirs", "count": 2}, {"reason": None, "count": 1}]
    document["counts"]["left_undecided"] = 1
    made = page(Words("en"), document)
    assert "2 records: it is about somebody else after all" in made
    assert "although 1 find surely about the person was undecided" in made
    assert "/home/ann/&lt;b&gt;atlas&lt;/b&gt;" in made
    found = {"path": "/home/ann/AGENTAO.md", "what": "instructions", "count": 2}
    accepted = {"accepted": True, "accepted_why": "hold.obligation", "side_files": [found]}
    document["parts"][0] |= {"state": "proved", **accepted}
    kept = {"path": "/home/ann/agentao.log", "what": "hold", "reason": "hold.claims", "case": 7}
    kept |= {"store": "x", "agent": "Agentao", "kind": "log", "hits": 4, "finds": 1}
    made = page(Words("en"), document | {"accepted": True, "kept_files": [kept]})
    assert "/home/ann/AGENTAO.md (2 places): a legal obligation or public task" in made
    assert "agentao.log stays as it is: on hold in case 7. The reason: legal claims" in made
    assert made.count("erased, except for what you accepted") == 2
