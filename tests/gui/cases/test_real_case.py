# SPDX-License-Identifier: MIT
"""A person is forgotten in the window over a real store: nothing between is faked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from looking import child, text
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from working import opened, press

from memory_gui.stores.sample import HOME, make_sample


def test_from_the_request_to_the_signed_paper(real_window, tmp_path):
    main = make_sample(tmp_path / "sample", None).main
    window = opened(real_window(tmp_path / "sample" / HOME), main)
    window.go("case_new")
    child(window, QLineEdit, "case_new.name").setText("Lin Yue")
    child(window, QPlainTextEdit, "case_new.also").setPlainText("林悦")
    press(window, "case_new.begin")
    assert text(window, "case.title") == "Lin Yue"
    press(window, "case.look")
    page = window._panes.host.page
    finds = page.parts.finds
    assert finds.model.rowCount() > 0
    for heap in range(3):
        finds.heaps.setCurrentIndex(heap)
        if finds.model.rowCount():
            press(window, "case.choose_all")
            press(window, "case.erase")
    copy = page.parts.copy
    copy.form_of.choose("zip")
    copy.path.set_path(str(tmp_path / "copy.zip"))
    press(window, "case.to_copy")
    press(window, "case.copy.write")
    assert (tmp_path / "copy.zip").stat().st_size > 1_000
    press(window, "case.to_plan")
    child(window, QLineEdit, "case.plan.word").setText(page.running.plan.word)
    press(window, "case.run.button")
    assert text(window, "case.result") == "Done, and proved in every store"
    press(window, "case.result.answer")
    page.parts.answer.receipt_path.set_path(str(tmp_path / "receipt.json"))
    press(window, "case.receipt.save")
    receipt = json.loads((tmp_path / "receipt.json").read_text())
    assert (receipt["kind"], receipt["state"]) == ("case", "proved")
    assert (tmp_path / "receipt.pdf").read_bytes().startswith(b"%PDF")
    left = b"".join(path.read_bytes() for path in main.parent.parent.parent.rglob("*.db*"))
    assert "林悦".encode() not in left
    assert b"Lin Yue" not in left
