# SPDX-License-Identifier: MIT
"""What a closed store, and a lock, leave in memory."""

import subprocess
import sys
from pathlib import Path

import pytest

RECORDS = 30_000
MORE = 1.10
"""What was in use before it was opened, and a tenth: pieces of memory between others in use."""

SCRIPT = """
import sys
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


@pytest.mark.skipif(sys.platform != "linux", reason="/proc, and malloc_trim of glibc")
def test_a_closed_store_and_a_lock_give_memory_back(tmp_path):
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, tests, str(tmp_path), str(RECORDS)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    tries = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert all(opened > before * MORE for before, opened, _ in tries), tries
    assert all(after <= before * MORE for before, _, after in tries[1:]), tries
