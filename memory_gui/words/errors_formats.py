# SPDX-License-Identifier: MIT
"""The words of errors about which format a store is of, and about looking for stores."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

FORMATS_ERRORS: dict[str, ErrorWords] = {
    "store.two_formats": ErrorWords(
        N_("This could be a store of several formats: {formats}."),
        N_("Say which one it is. In the terminal: --format NAME."),
    ),
    "discover.no_folder": ErrorWords(N_("There is no folder at {path}.")),
    "discover.too_many": ErrorWords(
        N_("There are {most} folders in the list already."), N_("Take one of them off first.")
    ),
    "store.no_such_format": ErrorWords(
        N_("There is no format of the name {name}."), N_("These are known: {formats}.")
    ),
}
