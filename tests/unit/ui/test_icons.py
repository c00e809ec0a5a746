# SPDX-License-Identifier: MIT
"""Icons: one set, only those in use, in the colours of the palette."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon

from memory_gui.ui.icons import Icon, icon, svg_text
from memory_gui.ui.palette import DARK, LIGHT, make_palette, tokens_of

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "resources" / "icons"


def test_each_icon_has_its_file_and_each_file_its_icon():
    assert {path.stem for path in FOLDER.glob("*.svg")} == {name.value for name in Icon}


def test_each_icon_is_used():
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "memory_gui" / "ui").rglob("*.py")
        if path.name != "icons.py"
    )
    assert [n.name for n in Icon if not re.search(rf"\bIcon\.{n.name}\b", sources)] == []


@pytest.mark.parametrize("name", list(Icon), ids=lambda name: name.value)
def test_they_are_of_one_set(name):
    text = svg_text(name)
    assert 'viewBox="0 0 24 24"' in text
    assert 'stroke="currentColor"' in text
    assert 'stroke-width="2"' in text


def test_the_licences_of_both_sources_are_there():
    text = (FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert "ISC License" in text
    assert "Cole Bemis" in text


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_they_follow_the_palette(qapp, tokens):
    before = qapp.palette()
    drawn = icon(Icon.SEARCH, "accent")
    qapp.setPalette(make_palette(tokens))
    try:
        image = drawn.pixmap(QSize(32, 32)).toImage()
        colours = {
            image.pixelColor(x, y).name()
            for x in range(32)
            for y in range(32)
            if image.pixelColor(x, y).alpha() == 255
        }
        assert colours == {tokens.accent}
        faded = drawn.pixmap(QSize(32, 32), QIcon.Mode.Disabled).toImage()
        assert max(faded.pixelColor(x, y).alpha() for x in range(32) for y in range(32)) < 230
    finally:
        qapp.setPalette(before)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_a_palette_knows_its_tokens(tokens):
    assert tokens_of(make_palette(tokens)) is tokens
