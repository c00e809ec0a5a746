# SPDX-License-Identifier: MIT
"""PySide6 6.12.0 loses a reference to None on each void call and aborts the interpreter."""

import subprocess
import sys

CALLS = """
import sys
from PySide6.QtCore import QObject
thing = QObject()
before = sys.getrefcount(None)
for _ in range(20_000):
    thing.setObjectName("x")
    thing.blockSignals(False)
print(sys.getrefcount(None) - before)
"""


def test_twenty_thousand_void_calls_cost_no_reference():
    result = subprocess.run(
        [sys.executable, "-I", "-c", CALLS], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    assert abs(int(result.stdout)) < 100
