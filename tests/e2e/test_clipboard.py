# SPDX-License-Identifier: MIT
"""The real X11 clipboard, looked at by another program."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.rig

READER = """
import json, sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QClipboard, QGuiApplication
app = QGuiApplication(["reader"])
board = app.clipboard()
def look():
    modes = {"clipboard": QClipboard.Mode.Clipboard, "primary": QClipboard.Mode.Selection}
    said = {name: board.text(mode) for name, mode in modes.items()}
    hint = board.mimeData().data("x-kde-passwordManagerHint")
    print(json.dumps({**said, "hint": bytes(hint.data()).decode()}), flush=True)
    app.quit()
QTimer.singleShot(200, look)
app.exec()
"""
WRITER = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
app = QGuiApplication(["writer"])
app.clipboard().setText("of another program")
print("there", flush=True)
QTimer.singleShot(20000, app.quit)
app.exec()
"""
OWNER = """
import sys, threading
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.clipboard import Clipboard
app = QApplication(["owner"])
ours = Clipboard()
ours.guard()
line, area, view = QLineEdit("zqx line"), QPlainTextEdit("zqx area"), TextView("view", "View")
label = QLabel("zqx label")
label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
view.show_text("zqx view")
for widget in (line, area, view, label):
    widget.show()
class Order(QObject):
    came = Signal(str)
def obey(order):
    name, _, value = order.partition(" ")
    if name == "copy":
        ours.copy("zqx copied")
    elif name == "seconds":
        ours.set_seconds(int(value))
    elif name == "forget":
        ours.forget()
    elif name == "select":
        line.setFocus()
        line.selectAll()
        QTest.mouseDClick(line, Qt.MouseButton.LeftButton)
        for text in (area, view):
            text.setFocus()
            text.selectAll()
            where = text.viewport().rect().center()
            QTest.mouseDClick(text.viewport(), Qt.MouseButton.LeftButton, pos=where)
            QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=where)
        QTest.mouseDClick(label, Qt.MouseButton.LeftButton)
    elif name == "key":
        area.setFocus()
        area.selectAll()
        QTest.keyClick(area, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    elif name == "quit":
        ours.close()
        app.quit()
    print("done", flush=True)
order = Order()
order.came.connect(obey, Qt.ConnectionType.QueuedConnection)
def listen():
    for text in sys.stdin:
        order.came.emit(text.strip())
threading.Thread(target=listen, daemon=True).start()
print("ready", flush=True)
app.exec()
"""


class Owner:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"

    def tell(self, order):
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"


@pytest.fixture
def owner():
    made = Owner()
    yield made
    if made.process.poll() is None:
        made.process.kill()
    made.process.wait()
    made.process.stdin.close()
    made.process.stdout.close()


def seen():
    done = subprocess.run(
        [sys.executable, "-c", READER], capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


def test_another_program_gets_it_with_the_hint_until_it_is_taken_back(owner):
    owner.tell("copy")
    assert seen() == {"clipboard": "zqx copied", "primary": "", "hint": "secret"}
    owner.tell("forget")
    assert seen()["clipboard"] == ""


def test_it_goes_away_by_itself(owner):
    owner.tell("seconds 1")
    owner.tell("copy")
    for _ in range(10):
        if not seen()["clipboard"]:
            break
    assert seen()["clipboard"] == ""


def test_what_another_program_copied_since_stays(owner):
    owner.tell("copy")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout.readline() == "there\n"
        owner.tell("forget")
        assert seen()["clipboard"] == "of another program"
        owner.tell("quit")
        assert seen()["clipboard"] == "of another program"
        writer.kill()


def test_quitting_takes_it_back(owner):
    owner.tell("copy")
    owner.tell("quit")
    owner.process.wait(60)
    assert seen()["clipboard"] == ""


def test_a_text_field_copies_with_the_hint_too(owner):
    owner.tell("key")
    assert seen() == {"clipboard": "zqx area", "primary": "", "hint": "secret"}


def test_what_is_selected_here_is_on_no_primary_selection(owner):
    owner.tell("select")
    assert seen()["primary"] == ""
