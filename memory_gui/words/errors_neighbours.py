# SPDX-License-Identifier: MIT
"""The words of errors between running copies of the app."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

_COMES_BACK = N_("It comes back by itself when that is done.")

NEIGHBOURS_ERRORS: dict[str, ErrorWords] = {
    "store.let_go": ErrorWords(
        N_("The store is in use by the terminal (memory-cli, pid {pid})."), _COMES_BACK
    ),
    "store.let_go_window": ErrorWords(
        N_("The store is in use by another window (memory-gui, pid {pid})."), _COMES_BACK
    ),
    "neighbours.held": ErrorWords(
        N_("Another copy of this app keeps the store: {name} (pid {pid})."),
        N_("Nothing was changed. Finish what goes on there or close it, then try again."),
    ),
    "neighbours.silent": ErrorWords(
        N_("{name} (pid {pid}) does not answer."),
        N_("It may not be locked. Close that window, or end the process."),
    ),
    "neighbours.none": ErrorWords(
        N_("Running copies of this app cannot be reached from here."),
        N_(
            "This system has no sockets for it, or the runtime folder is not yours alone. Lock the"
            " window in the window itself."
        ),
    ),
}
