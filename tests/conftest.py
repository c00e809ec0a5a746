# SPDX-License-Identifier: MIT
"""What holds for every test: a home of its own, named skips, no thread and no log line left over.

* ``root``: skipped by name where the suite is not root. ``rig`` (all of ``tests/e2e`` by itself):
  skipped outside ``tests/rig/desktop``. ``soak``: skipped unless ``MEMORY_GUI_SOAK`` is set
  (``make soak`` does it).
* A test that leaves a thread alive fails and names it. ``@pytest.mark.leaves_threads("why")``
  allows it.
* A test during which a WARNING or worse is logged fails, unless it looks at the log itself
  (fixture ``caplog``).
* A test during which the package opens, by its path, a database file or sidecar that this process
  has open already fails: closing it would drop SQLite's locks (``tests/faults``).
* HOME, the XDG folders and the session bus are taken away for the whole run, so that no test can
  reach a person's data or keychain. Inside the rig they are the rig's own.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest

IN_RIG = "DESKTOP_TAG" in os.environ
SKIPS = {
    "root": (
        hasattr(os, "geteuid") and os.geteuid() == 0,
        "needs root: it mounts file systems and becomes other users",
    ),
    "rig": (
        IN_RIG,
        "needs a display, a bus and a keychain: run it through tests/rig/desktop (make test does)",
    ),
    "soak": ("MEMORY_GUI_SOAK" in os.environ, "the long form: run it with make soak"),
}
FOLDERS = {
    "HOME": "",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CONFIG_HOME": ".config",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": "run",
}
E2E = Path(__file__).parent / "e2e"
PATIENCE = 2.0  # seconds a thread may take to end after its test

hypothesis.settings.register_profile("suite", deadline=None, print_blob=True)
hypothesis.settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a home of its own, before anything is imported that looks for one."""
    config.addinivalue_line("markers", "leaves_threads(why): threads may outlive this test")
    sys.addaudithook(_note_raw_opening)
    if IN_RIG:
        return
    home = Path(tempfile.mkdtemp(prefix="memory-gui-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name, below in FOLDERS.items():
        folder = home / below
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ[name] = str(folder)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip by name what this place cannot run."""
    for item in items:
        if E2E in item.path.parents:
            item.add_marker("rig")
        for name, (can, why) in SKIPS.items():
            if not can and item.get_closest_marker(name) is not None:
                item.add_marker(pytest.mark.skip(reason=why))


def _living() -> set[threading.Thread]:
    """Threads that Python started; those that Qt or a C library runs are not ours to end."""
    dummy = threading._DummyThread  # type: ignore[attr-defined]  # no public name for them
    return {t for t in threading.enumerate() if not isinstance(t, dummy)}


@pytest.fixture(autouse=True)
def no_thread_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread alive, and say which."""
    before = _living()
    yield
    if request.node.get_closest_marker("leaves_threads") is not None:
        return
    limit = time.monotonic() + PATIENCE
    left = _living() - before
    while left and time.monotonic() < limit:
        time.sleep(0.01)
        left = _living() - before
    if left:
        names = ", ".join(sorted(f"{t.name} ({getattr(t, '_target', None)})" for t in left))
        pytest.fail(f"threads left alive: {names}", pytrace=False)


def _waited() -> dict[str, float]:
    """By thread of ours: for how many seconds it was ready and the system ran something else."""
    found = {}
    for task in Path("/proc/self/task").glob("*"):
        try:
            found[task.name] = int((task / "schedstat").read_text().split()[1]) / 1e9
        except OSError:
            continue
    return found


class Stopwatch:
    """Seconds since it was made, less those that this process waited for a core.

    So a limit on our own doing holds on a machine that is busy with other things, too.
    """

    def __init__(self) -> None:
        self._waited, self._began = _waited(), time.monotonic()

    @property
    def seconds(self) -> float:
        """Those until now."""
        passed = time.monotonic() - self._began
        lost = sum(now - self._waited.get(task, 0.0) for task, now in _waited().items())
        return max(0.0, passed - lost)


@pytest.fixture
def stopwatch() -> type[Stopwatch]:
    """Makes a stopwatch."""
    return Stopwatch


class _Heard(logging.Handler):
    """Keeps what is logged at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_unexpected_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test during which something was logged that it did not look at."""
    if "caplog" in request.fixturenames:
        yield
        return
    heard = _Heard()
    logging.getLogger().addHandler(heard)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(heard)
    if heard.lines:
        pytest.fail("unexpected log lines:\n" + "\n".join(heard.lines), pytrace=False)


RAW_OPENINGS: list[str] = []
PACKAGE = str(Path(__file__).parents[1] / "memory_gui") + os.sep
STORES = (".db", "-wal", "-shm", "-journal")


def _note_raw_opening(event: str, args: tuple[Any, ...]) -> None:
    """Remember when package code opens by path what SQLite has open in this process."""
    if event != "open" or not isinstance(args[0], (str, os.PathLike)):
        return
    path = os.fspath(args[0])
    if not isinstance(path, str) or not path.endswith(STORES):
        return
    frame = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back  # type: ignore[assignment]  # None ends it
    if frame is not None and _is_open_here(path):
        RAW_OPENINGS.append(f"{path} in {frame.f_code.co_filename}:{frame.f_lineno}")


def _is_open_here(path: str) -> bool:
    try:
        wanted = os.stat(path)
        for number in os.listdir("/dev/fd"):
            try:
                seen = os.fstat(int(number))
            except OSError:
                continue
            if os.path.samestat(seen, wanted):
                return True
    except OSError:
        pass
    return False


@pytest.fixture(autouse=True)
def no_raw_opening() -> Iterator[None]:
    """Fail a test during which the package went past SQLite to a file that SQLite has open."""
    RAW_OPENINGS.clear()
    yield
    if RAW_OPENINGS:
        pytest.fail("opened beside SQLite:\n" + "\n".join(RAW_OPENINGS), pytrace=False)


def _rig(name: str) -> ModuleType:
    """A module of ``tests/rig``, which is no package."""
    known = f"rig_{name}"
    if known not in sys.modules:
        file = Path(__file__).parent / "rig" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(known, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


@pytest.fixture
def ordinary_user() -> Iterator[Any]:
    """A ``Person`` of ``tests/rig/people.py`` who is not root, with a folder of their own."""
    with _rig("people").ordinary_person() as person:
        yield person


@pytest.fixture
def peer() -> Iterator[Any]:
    """Start other programs that have a database open (``tests/rig/peer.py``)."""
    started: list[Any] = []

    def start(*args: Any, **options: Any) -> Any:
        started.append(_rig("peer").Peer(*args, **options))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def file_keychain() -> Any:
    """The class of ``tests/rig/keyfile.py``: a keychain that is a folder."""
    return _rig("keyfile").FileKeychain
