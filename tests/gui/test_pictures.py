# SPDX-License-Identifier: MIT
"""The pictures of all main screens, drawn by the front door's own way on a real sample.

The long form of ``test_picture_baselines``, which draws the same screens over fakes.
"""

import os
import subprocess
import sys

import pytest
from drawn.tour import TOUR
from PySide6.QtGui import QImage

SCRIPT = """
import sys
from pathlib import Path
from memory_gui.services import build_services
from memory_gui.ui.pictures import draw
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words
folder = Path(sys.argv[1])
services = build_services(
    words=Words("en"), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
)
print(len(draw(services, folder / "pictures")), len(services.library.stores()))
services.close()
"""
pytestmark = pytest.mark.soak
ENDINGS = [f"{mode}-{language}" for mode in ("light", "dark") for language in ("en", "zh")]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "home").mkdir()
    environment = {**os.environ, "TMPDIR": str(folder), "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env=environment, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "propagateSizeHints" not in result.stderr
    assert result.stdout.split() == [str(len(TOUR) * len(ENDINGS)), "0"]
    assert [p.name for p in folder.iterdir() if "sample" in p.name] == []
    return {path.stem: QImage(str(path)) for path in (folder / "pictures").iterdir()}


def test_every_screen_in_both_palettes_and_languages(pictures):
    assert set(pictures) == {f"{name}-{end}" for name in TOUR for end in ENDINGS}
    assert {(p.width(), p.height()) for p in pictures.values()} == {(1180, 760)}


def test_none_is_blank_and_no_two_are_alike(pictures):
    seen = {}
    for name, picture in pictures.items():
        inks = {picture.pixel(x, y) for x in range(0, 1180, 7) for y in range(0, 760, 3)}
        assert len(inks) > 8, name
        seen.setdefault(bytes(picture.constBits()), []).append(name)
    assert [names for names in seen.values() if len(names) > 1] == []


@pytest.mark.parametrize("screen", TOUR)
def test_dark_is_dark(pictures, screen):
    def brightness(ending):
        small = pictures[f"{screen}-{ending}"].scaled(1, 1)
        return small.pixelColor(0, 0).lightness()

    assert brightness("light-en") > 200
    assert brightness("dark-en") < 70


@pytest.mark.parametrize("name", [one for one in TOUR if one not in ("start", "locked")])
def test_each_shows_the_open_sample(pictures, name):
    for end in ENDINGS:
        names = pictures[f"{name}-{end}"].copy(36, 88, 150, 112)
        ground = names.pixel(149, 0)
        inked = sum(names.pixel(x, y) != ground for x in range(150) for y in range(112))
        assert inked > 800, f"{name}-{end}: no stores in the left pane"
