# SPDX-License-Identifier: MIT
"""All that the README promises a person in one go, in the window, in each language.

Open a store, find a memory, correct it, approve one, reject one, trash and restore, encrypt, erase
with proof, lock, unlock: with a real keychain, by the names of the parts, without coordinates.
With MEMORY_GUI_SHOTS=FOLDER a picture of each step is kept there.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from by_names import Window

pytestmark = pytest.mark.rig

DATA = Path(__file__).parents[1] / "data" / "agentao"
WORDS = {
    "en": {
        "title": "Agent Memory",
        "Memories": "Memories",
        "Review": "Review",
        "Trash": "Trash",
        "page": "Health and encryption…",
        "proved": "Proved gone",
        "encrypted": "Encrypted",
        "of": r"of (\d+)",
    },
    "zh": {
        "title": "智能体记忆",
        "Memories": "记忆",
        "Review": "审核",
        "Trash": "回收站",
        "page": "状况与加密…",
        "proved": "已证实擦除",
        "encrypted": "已加密",
        "of": r"(\d+)\D*$",
    },
}
NEW = "Deploys go through GitHub Actions, checked by hand. 已核对。"


class Steps(Window):
    """The window in one language; its list by its name, which no language changes."""

    def __init__(self, desktop, program, language):
        self.said = WORDS[language]
        self.desktop, self.program = desktop, program
        self.window = desktop.window(self.said["title"], timeout=60)
        self._shots = os.environ.get("MEMORY_GUI_SHOTS")
        self._language = language
        self._number = 0

    def shot(self, name):
        if self._shots:
            self._number += 1
            file = Path(self._shots) / f"{self._language}-{self._number:02}-{name}.png"
            self.desktop.picture(str(file))

    def rows(self):
        tables = self.window.find_all("table", id="memories.list")
        return tables[0].size[0] if tables else 0

    def rows_are(self, number):
        fits = self.desktop.wait(lambda: self.rows() == number, 60)
        assert fits, f"{self.rows()} rows\n{self.window.tree()}"

    def look_for(self, text):
        self.keys("ctrl+f")
        self.window.find("text", id="search").type(text)

    def go(self, view):
        self.view(self.said[view])

    def waiting(self):
        found = re.search(self.said["of"], self.part("review.place").text)
        return int(found[1]) if found else 0

    def waiting_are(self, number):
        fits = self.desktop.wait(lambda: self.waiting() == number, 60)
        assert fits, self.part("review.place").text


@pytest.fixture
def steps(screen, tmp_path, request):
    language = request.param
    project = tmp_path / "ginkgo"
    shutil.copytree(DATA / "project-ginkgo", project)
    locale = {"en": "en_US.UTF-8", "zh": "zh_CN.UTF-8"}[language]
    environment = {**os.environ, "LANG": locale, "LC_ALL": locale, "LANGUAGE": ""}
    environment["MEMORY_GUI_DATA"] = str(tmp_path / "data")
    command = [sys.executable, "-I", "-m", "memory_gui.app", str(project)]
    with (tmp_path / "stderr").open("ab") as log:
        program = subprocess.Popen(command, env=environment, stderr=log)
    try:
        yield Steps(screen(), program, language), project / ".agentao" / "memory.db"
    finally:
        program.terminate()
        program.wait(60)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


@pytest.mark.parametrize("steps", ["en", pytest.param("zh", marks=pytest.mark.soak)], indirect=True)
def test_everything_in_one_go(steps):
    it, file = steps
    assert it.desktop.wait(lambda: it.rows() > 3, 60)
    everything = it.rows()
    it.shot("opened")

    it.look_for("deploy")
    assert it.desktop.wait(lambda: 0 < it.rows() < everything, 60)
    found = it.rows()
    it.keys("Down")
    it.says("detailText", re.compile("deploy"))
    it.shot("found")
    it.keys("F2")
    it.window.find("text", id="editor.text").type(NEW)
    it.shot("editing")
    it.keys("ctrl+Return")
    it.says("detailText", "已核对")
    it.shot("corrected")

    it.keys("ctrl+f", "ctrl+a", "BackSpace")
    it.rows_are(everything)
    it.go("Review")
    assert it.desktop.wait(lambda: it.waiting() > 1, 60)
    waiting = it.waiting()
    it.shot("review")
    it.window.find("text", id="review.text").focus()
    it.keys("a")
    it.waiting_are(waiting - 1)
    it.keys("r")
    it.waiting_are(waiting - 2)
    it.shot("decided")

    it.go("Memories")
    it.look_for("已核对")
    it.rows_are(1)
    it.window.find("table", id="memories.list").select_row(0)
    it.keys("Delete")
    it.rows_are(0)
    it.shot("trashed")
    it.go("Trash")
    it.rows_are(1)
    it.window.find("table", id="memories.list").select_row(0)
    it.part("detail.restore").press()
    it.rows_are(0)
    it.go("Memories")
    it.rows_are(1)
    it.shot("restored")

    it.menu(it.said["page"])
    it.part("protect.encrypt").press()
    it.says("protect.afterwards2", re.compile("Agentao"))
    it.shot("encrypt-asks")
    it.window.find("text", id="protect.yes").type("yes")
    it.keys("Return")
    it.says("protect.banner.banner.text", it.said["encrypted"], timeout=60)
    assert not file.read_bytes().startswith(b"SQLite format 3")
    it.shot("encrypted")
    it.part("protect.leave").press()

    it.rows_are(1)
    it.window.find("table", id="memories.list").select_row(0)
    it.part("detail.erase").press()
    it.says("erase.lead", re.compile("1"))
    it.shot("erase-plan")
    it.part("erase.run").press()
    it.says("erase.result", it.said["proved"], timeout=90)
    it.shot("erased")
    it.part("erase.done").press()
    it.rows_are(0)

    it.keys("ctrl+l")
    it.says("locked.heading", re.compile(r"\S"), timeout=60)
    assert "已核对" not in it.window.tree(showing=False)
    it.shot("locked")
    it.part("locked.unlock").press()
    it.desktop.wait(lambda: it.rows() > 0, 60)
    it.shot("unlocked")
    assert found >= 1
