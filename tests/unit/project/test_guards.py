# SPDX-License-Identifier: MIT
"""The guards of ``tests/conftest.py`` catch what they are for."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = (Path(__file__).parents[2] / "conftest.py").read_text(encoding="utf-8")


@pytest.fixture
def outcome(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run one test file under our conftest in a process of its own."""
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\nmarkers =\n  root: r\n  rig: r\n  soak: s\n")
    monkeypatch.delenv("DESKTOP_TAG", raising=False)
    monkeypatch.delenv("MEMORY_GUI_SOAK", raising=False)

    def run(text: str) -> pytest.RunResult:
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess("-p", "no:randomly", "-rs")

    return run


def test_a_thread_left_alive_is_named(outcome):
    result = outcome(
        "import threading, time\n"
        "def test_it():\n"
        "    threading.Thread(target=time.sleep, args=(4,), name='lingerer', daemon=True).start()\n"
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*threads left alive: lingerer*"])


def test_a_log_line_nobody_looked_at_fails(outcome):
    result = outcome(
        "import logging\n"
        "def test_it():\n    logging.getLogger('x').warning('odd')\n"
        "def test_looks(caplog):\n    logging.getLogger('x').warning('odd')\n"
    )
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*x WARNING: odd*"])


def test_skips_say_why(outcome):
    result = outcome(
        "import pytest\n"
        "@pytest.mark.rig\ndef test_rig(): pass\n"
        "@pytest.mark.soak\ndef test_soak(): pass\n"
    )
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["*tests/rig/desktop*", "*make soak*"])


def test_no_test_sees_the_persons_home(outcome):
    outcome(
        "import os, pathlib\n"
        "def test_it():\n"
        "    assert 'memory-gui-tests-' in str(pathlib.Path.home())\n"
        "    assert 'DBUS_SESSION_BUS_ADDRESS' not in os.environ\n"
        "    assert os.stat(os.environ['XDG_RUNTIME_DIR']).st_mode & 0o777 == 0o700\n"
    ).assert_outcomes(passed=1)
