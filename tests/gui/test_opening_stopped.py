# SPDX-License-Identifier: MIT
"""Opening can be given up while the keychain waits for the person, and nothing stays behind."""

import time

import pytest
from fake_services import FakeServices
from PySide6.QtWidgets import QWidget

from memory_gui.domain.errors import Cancelled
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.shell.opening import Opener
from memory_gui.words import Words


@pytest.fixture
def opener(qtbot):
    fake, bridge, window = FakeServices(), Bridge(), QWidget()
    qtbot.addWidget(window)
    waited = []

    def open_(path, *, key=None, cancel=None):
        waited.append(path)
        end = time.monotonic() + 10
        while not cancel.cancelled:
            assert time.monotonic() < end
            time.sleep(0.01)
        raise Cancelled

    def sample():
        waited.append("sample")
        raise Cancelled

    fake.library.open = open_
    made = Opener(Context(fake, bridge, Words("en")), sample, window)
    made.fake, made.waited, made.log = fake, waited, []
    for name in ("ended", "opened", "failed", "key_problem"):
        getattr(made, name).connect(lambda *_args, name=name: made.log.append(name))
    yield made
    bridge.close()


def test_cancel_ends_it_within_a_second(qtbot, opener, stopwatch):
    opener.open("/home/ann/atlas")
    qtbot.waitUntil(lambda: opener.waited == ["/home/ann/atlas"])
    watch = stopwatch()
    opener.stop()
    qtbot.waitUntil(lambda: opener.log == ["ended"])
    assert watch.seconds < 1
    assert opener.fake.called("cancel") == [[]]


def test_several_end_together(qtbot, opener):
    for path in ("/a", "/b"):
        opener.open(path)
    qtbot.waitUntil(lambda: len(opener.waited) >= 1)
    opener.stop()
    qtbot.waitUntil(lambda: opener.log == ["ended"])


def test_a_sample_whose_question_is_given_up_leaves_no_spinner(qtbot, opener):
    opener.open_sample()
    qtbot.waitUntil(lambda: opener.log == ["ended"])
