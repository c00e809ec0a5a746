# SPDX-License-Identifier: MIT
"""Where the app keeps its own files: as platformdirs finds it, in a fraction of its time.

The folder is wanted before the window is painted, and by agents that need not have platformdirs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

_NAME: Final = "memory-gui"


def usual_folder() -> Path:
    """The app's data folder."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / _NAME
    if sys.platform == "darwin":
        return home / "Library/Application Support" / _NAME
    wanted = os.environ.get("XDG_DATA_HOME", "")
    return Path(wanted if os.path.isabs(wanted) else home / ".local/share") / _NAME  # noqa: PTH117 - empty is no path
