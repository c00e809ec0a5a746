# SPDX-License-Identifier: MIT
"""The app's folder is where platformdirs, which is slower, says that it is."""

import pytest
from platformdirs import user_data_path

from memory_gui.usual import usual_folder


@pytest.mark.parametrize("given", [None, "", "/srv/data", "not/absolute", "  "])
def test_the_folder_is_the_one_of_platformdirs(monkeypatch, given):
    if given is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", given)
    assert usual_folder() == user_data_path("memory-gui", appauthor=False)
