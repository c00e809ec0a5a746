# SPDX-License-Identifier: MIT
"""ARCHITECTURE.md shows the imports as they are (``make map`` draws them again)."""

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


def test_the_map_is_that_of_the_imports():
    drawn = drawing.draw()
    assert drawing.page_with(PAGE, drawn) == PAGE, f"make map; it should be:\n{drawn}"


def test_a_part_that_the_map_leaves_out_is_seen():
    drawn = drawing.draw()
    line = drawn.splitlines(keepends=True)[-1]
    assert drawing.page_with(PAGE, drawn.replace(line, "")) != PAGE


def test_every_part_is_explained():
    missing = [name for name in drawing.imports() if f"**{name}**" not in PAGE]
    assert not missing


def test_it_is_one_page():
    assert len(PAGE.splitlines()) < 200


def test_a_page_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="marks"):
        drawing.page_with("# Nothing\n", "")
