# SPDX-License-Identifier: MIT
"""What a closed store, and a lock, leave in memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECORDS = 30_000
MORE = 1.10
"""What was in use before it was opened, and a tenth: pieces of memory between others in use."""

SCRIPT = """
import sys
import threading
import time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from bigstore import make_big
from memory_gui.domain.queries import Query
from memory_gui.services import build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

home = Path(sys.argv[2])
make_big(home / "few", 200)
make_big(home / "many", int(sys.argv[3]))
services = build_services(
    words=Words(), home=home, data_dir=home / "data", keychain=NoKeychain())
library = services.library

def look(name):
    library.open(str(home / name), pair=False)
    library.search(Query("deploy"))
    ids = library.search(Query(), "title").ids
    library.facets(Query())
    library.window(ids[:300])
    while any(one.name == "orders" for one in threading.enumerate()):
        time.sleep(0.01)  # what sorts behind the lists
    return resident()

def lock():
    services.lock.lock()
    left = resident()
    home.joinpath("many").rename(home / "away")  # unlocking opens nothing
    services.lock.unlock()
    home.joinpath("away").rename(home / "many")
    return left

def close():
    library.close_all()
    return resident()

look("few")
library.close_all()
for end in (close, close, lock, lock):  # the first time makes what stays for good
    before = resident()
    opened = look("many")
    print(before, opened, end(), flush=True)
services.close()
"""

LARGE = 300_000
WINDOW = """
import sys
from pathlib import Path
tests, home, records = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
sys.path[:0] = [tests, tests + "/perf", tests + "/gui"]
from beating import until
from bigstore import KEY, make_big
from PySide6.QtWidgets import QApplication
from inside import app_window, pause

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

make_big(home / "few", 200, encrypted=True)
make_big(home / "many", records, encrypted=True)

def at_rest():
    pause(2)
    until(lambda: not window._context.bridge.busy)

def open_all(name, records):
    window._opener.open(str(home / name), KEY)
    until(lambda: window.memories.model.rowCount() == records - records // 50)
    at_rest()

def begin_to_open(name, records):
    window._opener.open(str(home / name), KEY)
    until(lambda: window.memories.model.rowCount())
    pause(1)

with app_window(QApplication(["test"]), home / "home") as window:
    holding = window._whole.holding
    gone = []
    holding.locked_away.connect(lambda: gone.append(1))
    open_all("few", 200)
    window._commands.close_stores()
    for look in (open_all, open_all, begin_to_open):
        at_rest()
        before = resident()
        look("many", records)
        opened = resident()
        gone.clear()
        window.lock()
        until(lambda: gone)
        at_rest()
        print(before, opened, resident(), flush=True)
        home.joinpath("many").rename(home / "away")
        window.unlock()
        until(lambda: not holding.locked)
        home.joinpath("away").rename(home / "many")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc, and malloc_trim of glibc")
def test_a_closed_store_and_a_lock_give_memory_back(tmp_path):
    tries = tries_of(SCRIPT, tmp_path, RECORDS)
    assert all(opened > before * MORE for before, opened, _ in tries), tries
    assert all(after <= before * MORE for before, _, after in tries[1:]), tries


@pytest.mark.soak
@pytest.mark.timeout(1_200)
@pytest.mark.skipif(sys.platform != "linux", reason="/proc, and malloc_trim of glibc")
def test_a_locked_window_gives_memory_back_also_in_the_middle_of_a_load(tmp_path):
    tries = tries_of(WINDOW, tmp_path, LARGE)
    assert all(opened > before * MORE for before, opened, _ in tries[:2]), tries
    assert all(after <= before * MORE for before, _, after in tries), tries


def tries_of(script, folder, records):
    """What was in use before, while it was open, and after, of each try."""
    done = subprocess.run(
        [sys.executable, "-c", script, str(Path(__file__).parents[1]), str(folder), str(records)],
        capture_output=True, text=True, timeout=1_000, check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
