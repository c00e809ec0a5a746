# SPDX-License-Identifier: MIT
"""The words of errors about changing keys and encryption."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

ROTATION_ERRORS: dict[str, ErrorWords] = {
    "rotation.not_changed": ErrorWords(
        N_("The database said that it has a new key, but the old one still opens it: {path}."),
        N_("Nothing is lost: the old key is kept. Try again."),
    ),
    "rotation.refused": ErrorWords(
        N_("The database did not take the new key: {path}."),
        N_("Nothing was changed. The old key opens it."),
    ),
    "rotation.cipher": ErrorWords(
        N_("{path} is encrypted with settings of its own ({setting}), so it keeps its key."),
        N_(
            "Make a copy first: “Copy in today’s format…” on the store’s page, or “memory-cli "
            "migrate”."
        ),
    ),
    "rotation.slots_full": ErrorWords(
        N_(
            "The keychain has two keys for {path}: one opens it, the other is kept for other files."
        ),
        N_(
            "Nothing was changed. With --drop-old-key the other one is destroyed, and the files "
            "that need it stay closed."
        ),
    ),
    "rotation.old_key_waits": ErrorWords(
        N_(
            "The last change of the key of {path} is not complete: its old key is kept until the "
            "new recovery key is confirmed."
        ),
        N_(
            "Confirm the recovery key, or give it up with “memory-cli key rotate STORE "
            "--give-up-paper”; then change the key again."
        ),
    ),
    "rotation.running": ErrorWords(
        N_("The key of {path} is being changed by another copy of this program."),
        N_("Wait until it has ended, then try again."),
    ),
    "rotation.not_written": ErrorWords(
        N_("The change could not be written down in {path}, so it was not begun."),
        N_("Check the folder's permissions and the free space."),
    ),
    "rotation.unsettled": ErrorWords(
        N_("Which key {path} has now could not be seen; both are kept."),
        N_("Open the store again: then it is finished or taken back, and said."),
    ),
    "rotation.taken_back": ErrorWords(
        N_("The key of {path} was not changed: the old one still opens it."),
        N_("Nothing is lost. Close other programs that use it, then try again."),
    ),
    "rotation.hard_links": ErrorWords(
        N_(
            "{path} has {names} names in the file system, so it is not rewritten: what is "
            "replaced would stay under the others."
        ),
        N_("Remove the other names, then try again."),
    ),
}
