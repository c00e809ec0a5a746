# SPDX-License-Identifier: MIT
"""The words of errors about the copy that a person gets, and the letter."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

HANDING_ERRORS: dict[str, ErrorWords] = {
    "copy.exists": ErrorWords(
        N_("There is something at {path} already."), N_("Nothing is written over. Name a new file.")
    ),
    "copy.failed": ErrorWords(
        N_("The file at {path} could not be written: {reason}."),
        N_("What was begun was removed again."),
    ),
    "copy.nothing": ErrorWords(
        N_("Nothing is chosen for the copy."), N_("Choose what was found first.")
    ),
    "copy.passphrase": ErrorWords(
        N_("A passphrase needs at least {least} letters."),
        N_("Whoever gets the file can try as many as they like. Take several words."),
    ),
    "copy.wrong_passphrase": ErrorWords(
        N_("The passphrase does not open this file."), N_("Nothing was written. Try another one.")
    ),
    "copy.not_sealed": ErrorWords(
        N_("This is no file that was encrypted with a passphrase."),
        N_("Choose the copy of a case that ends with “.age”."),
    ),
    "copy.damaged": ErrorWords(
        N_("The file was changed or cut off since it was made."),
        N_("Nothing was written. Get it once more."),
    ),
}
