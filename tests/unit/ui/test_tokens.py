# SPDX-License-Identifier: MIT
"""Colours can be read, and are written down in one place only."""

import ast
import re
from pathlib import Path

import pytest

from memory_gui.ui import tokens
from memory_gui.ui.tokens import DARK, LIGHT, SHAPE_PAIRS, TEXT_PAIRS, contrast

PACKAGE = Path(tokens.__file__).parent
RESOURCES = PACKAGE.parents[1] / "resources"
BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")


@BOTH
@pytest.mark.parametrize(("front", "back"), TEXT_PAIRS, ids=lambda name: name)
def test_text_can_be_read(palette, front, back):
    assert contrast(getattr(palette, front), getattr(palette, back)) >= 4.5


@BOTH
@pytest.mark.parametrize(("front", "back"), SHAPE_PAIRS, ids=lambda name: name)
def test_outlines_can_be_seen(palette, front, back):
    assert contrast(getattr(palette, front), getattr(palette, back)) >= 3


def test_every_colour_is_in_a_pair_or_only_decorates():
    paired = {name for pair in (*TEXT_PAIRS, *SHAPE_PAIRS) for name in pair}
    assert set(tokens.colour_names()) - paired == {"line"}


def test_the_dark_window_is_lighter_than_what_lies_in_it():
    # Fusion draws outlines from Window.darker: they vanish when it is the darkest colour.
    assert tokens.luminance(DARK.raised) > tokens.luminance(DARK.surface)


def test_distances_and_sizes():
    assert tokens.SPACES == (4, 8, 12, 16, 24)
    assert tokens.RADIUS == 6
    assert len({tokens.TITLE_PT, tokens.BODY_PT, tokens.SMALL_PT}) == 3


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def test_no_colour_is_written_down_elsewhere():
    hexes = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|rgba?\(")
    found = [
        f"{path.name}: {node.value}"
        for path in modules()
        if path.name != "tokens.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and hexes.search(node.value)
    ]
    assert found == []
    assert hexes.search((RESOURCES / "style.qss").read_text(encoding="utf-8")) is None


def test_the_style_sheet_is_small_and_leaves_rows_alone():
    lines = (RESOURCES / "style.qss").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    assert not [line for line in lines if "::item" in line and "QMenu" not in line]


def calls(name):
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.Attribute):
                used = node.id if isinstance(node, ast.Name) else node.attr
                if used == name:
                    yield f"{path.name}:{node.lineno}"


def test_no_modal_box_but_for_erasing():
    assert list(calls("QMessageBox")) == []


def test_no_group_boxes():
    assert list(calls("QGroupBox")) == []


def test_danger_is_the_colour_of_erasing_only():
    allowed = {"tokens.py", "palette.py", "banner.py", "buttons.py"}
    found = {
        path.name
        for path in modules()
        if "erase" not in path.name and "pending" not in path.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value == "danger"
    }
    menus = {"actions.py", "rowmenu.py"}
    assert found - allowed <= menus | {"finds_delegate.py"}, "Erase in the menus and for a find"
