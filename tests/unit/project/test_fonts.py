# SPDX-License-Identifier: MIT
"""The shipped fonts draw every character of ours, are named by their files, and stay small."""

import importlib.util
import sys
from pathlib import Path

from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "resources" / "fonts"
FILES = {
    "Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf",
    "NotoSansSC-Regular.otf", "NotoSansSC-Bold.otf",
}  # fmt: skip
FAMILIES = {"Inter": "Inter", "NotoSansSC": "Noto Sans SC"}


def load_fonts():
    spec = importlib.util.spec_from_file_location("project_fonts", ROOT / "packaging" / "fonts.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fonts = load_fonts()


def test_the_fonts_and_their_licences_are_there():
    assert {f.name for f in FOLDER.glob("*.otf")} == FILES
    for name in FAMILIES:
        licence = (FOLDER / f"LICENSE-{name}.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_every_character_of_ours_is_drawn():
    missing = {f"U+{point:04X} {chr(point)}" for point in fonts.missing()}
    assert not missing, "make fonts"


def test_a_character_without_a_glyph_is_seen(monkeypatch):
    monkeypatch.setattr(fonts, "our_characters", lambda: {ord("a"), 0x1D11E})
    assert fonts.missing() == {0x1D11E}


def test_both_weights_draw_the_common_chinese():
    common = fonts.common_chinese()
    assert len(common) > 4_000
    for weight in ("Regular", "Bold"):
        assert common - {0x30FB} <= fonts.covered(FOLDER / f"NotoSansSC-{weight}.otf") | {0x30FB}


def test_families_are_as_the_window_asks_for_them():
    for file in FOLDER.glob("*.otf"):
        with TTFont(file, lazy=True) as font:
            names = font["name"]
            family = names.getDebugName(16) or names.getDebugName(1)
        assert family == FAMILIES[file.stem.split("-")[0]]


def test_they_stay_small():
    sizes = {f.name: f.stat().st_size for f in FOLDER.glob("*.otf")}
    assert max(sizes.values()) < 3_000_000
    assert sum(sizes.values()) < 6_000_000
