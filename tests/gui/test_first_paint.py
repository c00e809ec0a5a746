# SPDX-License-Identifier: MIT
"""The real front door, offscreen: what is loaded at the first paint, what is opened after it."""

import os
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from memory_gui import app
from memory_gui.ui.window import MainWindow

HEAVY = (
    "keyring", "cryptography", "numpy", "psutil", "secretstorage", "PySide6.QtNetwork", "babel",
    "urllib.request", "http.client", "ssl", "asyncio", "multiprocessing", "sqlcipher3",
    "memory_gui.services.build", "memory_gui.stores.registry", "memory_gui.ledger",
    "memory_gui.ui.records.page", "memory_gui.ui.shell.whole", "memory_gui.ui.review.page",
)
seen = []

def painted(self, event, paint=MainWindow.paintEvent):
    if not seen:
        seen.append([name for name in HEAVY if name in sys.modules])
        print("heavy", seen[0], "whole", self.whole)
        QTimer.singleShot(0, lambda: close_when(self))
    paint(self, event)

def close_when(window):
    if {early} or window.whole and window.memories.model.rowCount() >= {rows}:
        QTimer.singleShot({wait}, QApplication.instance().closeAllWindows)
    else:
        QTimer.singleShot(20, lambda: close_when(window))

def close(self, event, close=MainWindow.closeEvent):
    rows = self.memories.model.rowCount() if self.whole else None
    print("rows", rows, "page", self.page_name)
    close(self, event)

MainWindow.paintEvent = painted
MainWindow.closeEvent = close
print("ended", app.main({arguments}))
"""


def script_for(arguments, wait, early=False, rows=0):
    """``wait`` ms after the window is whole (``early``: after its first paint) it is closed.

    It is not closed before so many ``rows`` are listed.
    """
    parts = {"{wait}": str(wait), "{early}": str(early), "{rows}": str(rows)}
    parts["{arguments}"] = repr(arguments)
    script = SCRIPT
    for name, part in parts.items():
        script = script.replace(name, part)
    return script


def run(arguments, tmp_path, wait=50, early=False, rows=0):
    script = script_for(arguments, wait, early, rows)
    return subprocess.run(
        [sys.executable, "-c", script],
        env=environment(tmp_path), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def environment(tmp_path):
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path),
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
    }


def test_nothing_heavy_is_loaded_at_the_first_paint(tmp_path):
    result = run(["--no-keychain"], tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["heavy [] whole False", "rows 0 page start", "ended 0"]


def test_closed_before_it_is_whole_it_ends_as_well(tmp_path):
    result = run(["--no-keychain"], tmp_path, wait=0, early=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[1:] == ["rows None page start", "ended 0"]
    assert result.stderr == ""


def test_the_sample_is_opened_after_it_and_leaves_nothing(tmp_path):
    result = run(["--no-keychain", "--sample"], tmp_path, rows=101)
    assert result.returncode == 0, result.stderr
    first, rows, ended = result.stdout.splitlines()
    assert first == "heavy [] whole False"
    assert int(rows.split()[1]) > 100, rows
    assert rows.endswith("page memories")
    assert ended == "ended 0"
    assert [p.name for p in tmp_path.iterdir() if "sample" in p.name] == []


def test_a_signal_ends_it_as_tidily(tmp_path):
    script = script_for(["--sample"], 50_000)
    script = script.replace("paint(self, event)", "paint(self, event)\n    sys.stdout.flush()")
    process = subprocess.Popen(
        [sys.executable, "-c", script], env=environment(tmp_path), stdout=subprocess.PIPE, text=True
    )
    folders = []
    end = time.monotonic() + 60
    while not folders and time.monotonic() < end:
        folders = [p for p in tmp_path.iterdir() if "sample" in p.name]
        time.sleep(0.05)
    time.sleep(1)
    process.terminate()
    out, _ = process.communicate(timeout=60)
    assert folders
    assert "ended 0" in out
    assert [p.name for p in tmp_path.iterdir() if "sample" in p.name] == []


def test_a_store_that_is_not_there_ends_well(tmp_path):
    result = run(["--no-keychain", "/nowhere/memory.db"], tmp_path, wait=500)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-2:] == ["rows 0 page start", "ended 0"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [(["--version"], 0, "memory-gui 0."), (["--worker", "nobody"], 2, ""), (["--odd"], 2, "")],
)
def test_the_command_line(arguments, code, says):
    result = subprocess.run(
        [sys.executable, "-I", "-m", "memory_gui.app", *arguments],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == code, result.stderr
    assert says in result.stdout


def test_a_worker_is_started_by_name_without_the_window(tmp_path):
    script = (
        "import sys\nfrom memory_gui import app\n"
        "sys.stdin.close()\n"
        "try:\n    app.main(['--worker', 'prover'])\nexcept (SystemExit, ValueError):\n    pass\n"
        "sys.stderr.write('Qt ' + str('PySide6' in sys.modules))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Qt False" in result.stderr


def test_selftest_finds_this_copy_complete():
    result = subprocess.run(
        [sys.executable, "-I", "-m", "memory_gui.app", "--selftest"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout
    assert result.stdout.count("ok  ") == 6
