# SPDX-License-Identifier: MIT
"""The words of errors about saved searches."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

FILTERS_ERRORS: dict[str, ErrorWords] = {
    "filters.unknown": ErrorWords(
        N_("No search is saved as “{name}”."),
        N_("“memory-cli list STORE --saved” names those that are."),
    ),
    "filters.no_name": ErrorWords(
        N_("A saved search needs a name of at most {most} letters, on one line."),
        N_("Nothing was saved."),
    ),
    "filters.nothing": ErrorWords(
        N_("There is nothing to save: the list shows everything."),
        N_("Search for something or choose a filter first."),
    ),
    "filters.taken": ErrorWords(
        N_("A search is saved as “{name}” already."),
        N_("Choose another name, or replace it."),
    ),
    "filters.many": ErrorWords(
        N_("{most} searches are saved; more are not kept."), N_("Remove one first.")
    ),
    "filters.no_ledger": ErrorWords(
        N_("Searches are kept in the app's own encrypted file, and that cannot be opened here."),
        N_("It needs a keychain that is there and unlocked. Nothing was saved."),
    ),
}
