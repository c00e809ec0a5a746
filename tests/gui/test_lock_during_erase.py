# SPDX-License-Identifier: MIT
"""An erase outlives the lock; its result is told after the unlock and not before."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from memory_gui.domain.errors import UserError

sys.path.insert(0, str(Path(__file__).parent / "pages"))

import scene


def child(window, name, kind=QWidget):
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def told(window):
    where = child(window, "window.erased")
    return child(where, "banner.text", QLabel).text() if where.isVisible() else ""


@pytest.fixture
def erasing(window, fake, qtbot):
    """An erase that runs and waits at the gate."""
    fake.erasing.plan_value = scene.plan(3)
    fake.erasing.result = scene.result()
    fake.erasing.gate = threading.Event()
    refs = tuple(list(fake.library.records)[:3])
    window.go("erase", refs)
    qtbot.waitUntil(lambda: child(window, "erase.run").isVisible())
    child(window, "erase.run").click()
    qtbot.waitUntil(lambda: bool(fake.called("run")))
    gate = fake.erasing.gate
    yield fake.erasing
    gate.set()


def locked(window, qtbot, fake):
    window.lock()
    qtbot.waitUntil(lambda: fake.lock.is_locked)


def test_what_ends_while_locked_is_told_after_the_unlock(window, fake, erasing, qtbot, settled):
    locked(window, qtbot, fake)
    erasing.gate.set()
    settled()
    texts = [label.text() for label in window.findChildren(QLabel)]
    assert not any("Proved" in text or ".agentao" in text for text in texts)
    assert told(window) == ""
    window.unlock()
    settled()
    assert told(window) == "The erase that was running when you locked has ended: Proved gone."
    child(child(window, "window.erased"), "banner.action0").click()
    settled()
    assert window.page_name == "erase"
    assert child(window, "erase.result", QLabel).text() == "Proved gone"
    assert told(window) == ""
    child(window, "erase.done").click()
    assert window.page_name == "memories"


def test_what_ends_after_the_unlock_is_told_too(window, fake, erasing, qtbot, settled):
    erasing.result = scene.in_use()
    locked(window, qtbot, fake)
    window.unlock()
    qtbot.waitUntil(lambda: window.page_name == "memories")
    assert told(window) == ""
    erasing.gate.set()
    settled()
    assert "Not finished: agentao (pid 4121) has it open" in told(window)
    child(child(window, "window.erased"), "banner.action0").click()
    child(window, "erase.again").click()  # the plan is forgotten: what was begun is written down
    settled()
    assert window.page_name == "pending"


def test_a_second_lock_hides_it_and_a_second_unlock_shows_it(window, fake, erasing, qtbot, settled):
    for _ in range(2):
        locked(window, qtbot, fake)
        erasing.gate.set()
        settled()
        assert told(window) == ""
        window.unlock()
        settled()
        assert "Proved gone" in told(window)


def test_an_erase_that_failed_says_why(window, fake, erasing, qtbot, settled):
    gate, asked = erasing.gate, threading.Event()

    class Breaks:
        def wait(self, seconds):
            asked.set()
            if gate.wait(seconds):
                raise UserError("store.missing", path="/gone")
            return False

    erasing.gate = Breaks()
    locked(window, qtbot, fake)
    assert asked.wait(5)  # it may still have been waiting at the other one
    gate.set()
    settled()
    window.unlock()
    settled()
    assert "did not finish. There is no file at /gone." in told(window)


def test_whoever_goes_back_to_it_sees_it_run_and_end(window, fake, erasing, qtbot, settled):
    locked(window, qtbot, fake)
    window.unlock()
    qtbot.waitUntil(lambda: window.page_name == "memories")
    window.go("erase", tuple(list(fake.library.records)[:1]))
    assert child(window, "erase.steps").isVisible()
    erasing.gate.set()
    settled()
    assert child(window, "erase.result", QLabel).text() == "Proved gone"
    assert told(window) == ""
