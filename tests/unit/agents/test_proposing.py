# SPDX-License-Identifier: MIT
"""What proposing needs of an agent's environment."""

import subprocess
import sys

import pytest
from platformdirs import user_data_path

from memory_gui.agents.proposing import usual_folder


@pytest.mark.parametrize("given", [None, "", "/srv/data"])
def test_the_folder_is_the_apps_own(monkeypatch, given):
    if given is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", given)
    assert usual_folder() == user_data_path("memory-gui", appauthor=False)


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
