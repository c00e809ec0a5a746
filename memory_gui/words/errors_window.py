# SPDX-License-Identifier: MIT
"""The words of errors that the window itself raises."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

WINDOW_ERRORS: dict[str, ErrorWords] = {
    "pictures.not_written": ErrorWords(
        N_("The picture {path} could not be written."),
        N_("Choose a folder that you may write to, with some space left."),
    ),
}
