# SPDX-License-Identifier: MIT
"""ARCHITECTURE.md shows the imports as they are (``make map`` draws them again)."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def load_map():
    spec = importlib.util.spec_from_file_location("project_map", ROOT / "packaging" / "map.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


drawing = load_map()
each_map = pytest.mark.parametrize("of", drawing.MAPS)


def test_the_maps_are_those_of_the_imports():
    drawn = drawing.drawn_again(PAGE)
    assert drawn == PAGE, f"make map; it should be:\n{drawn}"


@each_map
def test_a_part_that_a_map_leaves_out_is_seen(of):
    drawn = drawing.draw(of, drawing.told(PAGE, of))
    line = drawn.splitlines(keepends=True)[-1]
    assert drawing.drawn_again(drawing.page_with(PAGE, of, drawn.replace(line, ""))) != PAGE


@each_map
def test_every_part_is_explained(of):
    told = drawing.told(PAGE, of)
    assert not [name for name in drawing.imports(of) if not told.get(name)]


def test_every_room_of_the_services_says_what_it_is_for():
    rooms = drawing.imports("memory_gui.services")
    files = [ROOT / "memory_gui/services" / room / "__init__.py" for room in rooms]
    assert not [file for file in files if not ast.get_docstring(ast.parse(file.read_text("utf-8")))]


def test_it_is_one_page():
    assert len(PAGE.splitlines()) < 200


@each_map
def test_a_page_without_its_marks_is_refused(of):
    with pytest.raises(ValueError, match="marks"):
        drawing.page_with("# Nothing\n", of, "")
