# SPDX-License-Identifier: MIT
"""What desktops and shops read about the app agrees with the package."""

import configparser
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[3]
LINUX = ROOT / "packaging" / "linux"
NAME = "io.github.memory_gui.MemoryGui"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCRIPTS = set(PROJECT["scripts"]) | set(PROJECT["gui-scripts"])


def entry() -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    parser.read(LINUX / f"{NAME}.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def metainfo() -> ElementTree.Element:
    return ElementTree.parse(LINUX / f"{NAME}.metainfo.xml").getroot()


def test_the_entry_starts_a_program_of_ours_with_an_icon_of_ours():
    assert entry()["Exec"].split()[0] in PROJECT["gui-scripts"]
    assert (LINUX / f"{entry()['Icon']}.svg").is_file()


def test_names_agree():
    about = metainfo()
    assert about.findtext("id") == NAME
    assert about.findtext("launchable") == f"{NAME}.desktop"
    assert about.findtext("name") == entry()["Name"]
    assert {node.text for node in about.iterfind("provides/binary")} == SCRIPTS


def test_the_version_is_told():
    releases = [node.get("version") for node in metainfo().iterfind("releases/release")]
    assert releases[0] == PROJECT["version"]


def test_it_speaks_chinese_too():
    keys = {"Name", "GenericName", "Comment", "Keywords"}
    assert all(f"{key}[zh_CN]" in entry() for key in keys)


def test_every_shipped_licence_is_noticed():
    notices = (ROOT / "packaging" / "NOTICES.md").read_text(encoding="utf-8")
    for licence in (ROOT / "resources").rglob("LICENSE*"):
        assert str(licence.relative_to(ROOT)) in notices


def test_every_installed_package_is_noticed():
    notices = (ROOT / "packaging" / "NOTICES.md").read_text(encoding="utf-8").lower()
    for requirement in PROJECT["dependencies"]:
        name = re.split(r"[^\w-]", requirement)[0].lower()
        assert name in notices, name


def test_the_name_is_that_of_the_window():
    window = (ROOT / "memory_gui" / "ui" / "window.py").read_text(encoding="utf-8")
    assert f'.setWindowTitle(self._context.words.say("{entry()["Name"]}"))' in window
    chinese = (ROOT / "resources" / "words" / "zh_CN" / "window.po").read_text(encoding="utf-8")
    assert f'msgid "{entry()["Name"]}"\nmsgstr "{entry()["Name[zh_CN]"]}"' in chinese
