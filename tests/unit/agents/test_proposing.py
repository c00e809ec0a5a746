# SPDX-License-Identifier: MIT
"""What proposing needs of an agent's environment."""

import subprocess
import sys


def test_no_module_is_needed_that_an_agent_may_lack():
    lacking = "platformdirs", "psutil", "PySide6", "numpy", "stringzilla", "cryptography"
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({lacking!r}));"
        " from memory_gui.agents import propose"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
