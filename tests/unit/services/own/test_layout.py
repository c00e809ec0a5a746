# SPDX-License-Identifier: MIT
"""The file of the window's place: numbers, private, and harmless whatever stands in it."""

import json
import stat

import pytest

from memory_gui.services.own.layout import LayoutFile, WindowLayout

LAYOUT = WindowLayout(10, 20, 1200, 800, maximized=True, panes={"window.split": (212, 988)})


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "window.json"


def test_it_comes_back(file):
    LayoutFile(file).save(LAYOUT)
    assert LayoutFile(file).read() == LAYOUT
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["window.json"]


def test_there_is_nothing_in_it_but_numbers_and_names_of_ours(file):
    LayoutFile(file).save(LAYOUT)
    found = json.loads(file.read_text())
    assert set(found) == {"version", "x", "y", "width", "height", "maximized", "panes"}
    assert set(found["panes"]) == {"window.split"}


def test_without_a_file_it_is_the_first_time(file):
    assert not LayoutFile(file).read().known
    LayoutFile(file).save(LAYOUT)
    file.unlink()
    assert LayoutFile(file).read() == WindowLayout()


GOOD = {"version": 1, "x": 1, "y": 2, "width": 3, "height": 4, "maximized": False, "panes": {}}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"null", b"{", b"{}", b"[" * 5000,
        *(
            json.dumps({**GOOD, **bad}).encode()
            for bad in (
                {"version": 2}, {"x": "1"}, {"x": 1.5}, {"x": True}, {"width": 10**9},
                {"panes": []}, {"panes": {"a": 1}}, {"panes": {"a": ["x"]}}, {"panes": None},
            )
        ),
        json.dumps({**GOOD, "more": "x" * 70_000}).encode(),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_the_first_time(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    assert LayoutFile(file).read() == WindowLayout()


def test_a_place_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "data").write_text("a file")
    LayoutFile(tmp_path / "data" / "window.json").save(LAYOUT)
    assert (tmp_path / "data").read_text() == "a file"
