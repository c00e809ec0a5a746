# SPDX-License-Identifier: MIT
"""A person is forgotten in the real window with a real keychain: from the request to the end."""

import json
import os
import re
import subprocess
import sys

import pytest
from by_names import Window

pytestmark = pytest.mark.rig


@pytest.fixture
def it(screen, tmp_path):
    """The window on a sample store; its own file is in a folder of the test's."""
    command = [sys.executable, "-I", "-m", "memory_gui.app", "--sample"]
    environment = {**os.environ, "MEMORY_GUI_DATA": str(tmp_path / "data")}
    with (tmp_path / "stderr").open("wb") as log:
        program = subprocess.Popen(command, env=environment, stderr=log)
        try:
            yield Window(screen(), program)
        finally:
            program.terminate()
            program.wait(60)
    told = (tmp_path / "stderr").read_text()
    assert "Traceback" not in told, told


def test_from_the_request_to_the_closed_case(it, tmp_path):
    receipt = tmp_path / "receipt.json"
    it.count()
    it.part("sidebar.people").press()
    it.window.find("push button", "New case…").press()
    it.window.find("text", id="case_new.name").type("Lin Yue")
    it.keys("ctrl+l")  # half typed: sealed with a key of our own file, and there again
    it.says("locked.heading", "Locked")
    it.part("locked.unlock").press()
    it.window.find("push button", "Go on with it", timeout=60).press()
    name = it.window.find("text", id="case_new.name")
    assert name.text == "Lin Yue"
    name.focus()
    it.keys("Return")
    it.part("case.look").press()
    it.says("case.looked", "were read", timeout=60)
    it.part("case.finds").focus()
    it.keys("ctrl+a", "e")
    it.part("case.to_plan").press()
    asked = it.part("case.plan.ask", timeout=60).text
    it.keys(*re.search(r"\d+", asked)[0], "Return")
    it.says("case.result", "Done, and proved in every store", timeout=60)
    it.keys("space")
    assert "Dear Lin Yue," in it.part("case.letter.text").text
    it.window.find("text", id="case.receipt.path").set_text(str(receipt))
    it.part("case.receipt.save").press()
    it.says("case.receipt.saved", str(receipt))
    found = json.loads(receipt.read_text())
    assert (found["kind"], found["state"], found["signed"]) == ("case", "proved", True)
    assert "Lin Yue" not in receipt.read_text()
    assert not it.shows("case.close.leave_undecided")
    it.part("case.close").press()
    it.says("case.banner.banner.text", "The case is closed.", timeout=60)
    it.says("case.title", "Case 1")
    assert "Lin Yue" not in it.part("page.case").tree()
