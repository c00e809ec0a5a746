# SPDX-License-Identifier: MIT
"""The words of erasing: states, steps of the recipe, what is not covered. English source texts.

``words.say(STEPS[code])``; limits have placeholders: ``words.say(LIMITS[limit.code],
**limit.params)``. Codes come from ``erasure/``; a test holds these tables against it.
"""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_

STATES: Final[dict[str, str]] = {
    "planned": N_("planned; nothing was changed"),
    "proved": N_("erased, and proved gone"),
    "not-finished": N_("not finished"),
    "not-proved": N_("erased, but not proved gone"),
}

STEPS: Final[dict[str, str]] = {
    "settings": N_("Keep temporary data in memory and sync every commit"),
    "secure-delete": N_("Zero what is freed"),
    "no-auto-checkpoint": N_("Move the log only when told"),
    "keep-journal": N_("Keep an old journal so that it can be zeroed"),
    "lock": N_("Hold the database alone"),
    "log-mode": N_("Zero the old journal and write to a log"),
    "zero-tail": N_("Zero the file beyond its last page"),
    "checkpoint": N_("Move the log into the file"),
    "zero-log": N_("Zero the log"),
    "delete": N_("Take the rows out"),
    "full-text": N_("Build full-text indexes anew"),
    "statistics": N_("Renew samples of index keys"),
    "vacuum": N_("Write the file anew without free space"),
    "full-text-again": N_("Build full-text indexes anew once more"),
    "truncate-log": N_("Empty the log"),
    "journal-mode": N_("Put the journal mode back"),
    "sync": N_("Sync file and folder"),
    "check": N_("Check the database through a fresh connection"),
    "wait-for-other": N_("Wait for another copy of this app that works on it"),
    "prove-structure": N_("Look at every byte of the file"),
    "prove-content": N_("Look for the texts"),
    "prove-side-files": N_("Look into the agent's other files"),
}

LIMITS: Final[dict[str, str]] = {
    "limit.freed_earlier": N_(
        "Blocks of this disk that were freed before this erase, by the agent or by anyone else."
    ),
    "limit.snapshots": N_("Snapshots of the file system and copies that other programs made."),
    "limit.backups": N_("Backups, and folders that are synchronised elsewhere."),
    "limit.flash": N_(
        "Spare cells of flash storage (SSD, USB stick, memory card): they cannot be overwritten"
        " from here."
    ),
    "limit.key_kept": N_(
        "The key was kept: old copies of this encrypted database still open with it."
    ),
    "limit.file_system_unknown": N_(
        "This system does not say which file system the database lies on."
    ),
    "limit.copy_on_write": N_(
        "The file system {kind} writes changes to new places: old blocks cannot be reached on it."
    ),
    "limit.network": N_(
        "The database lies on {kind}: what the other computer keeps cannot be reached from here."
    ),
    "limit.data_journal": N_(
        "The file system {kind} keeps contents in its own journal (data=journal)."
    ),
    "limit.other_database": N_(
        "Other databases of the same agent, which were not open beside {path}."
    ),
    "limit.side_file": N_("{path}: still repeats what was erased, accepted ({count})."),
    "limit.side_file_unread": N_("{path}: could not be read, accepted."),
    "limit.table": N_(
        "The table {path}, which is not the agent's: still repeats what was erased, accepted"
        " ({count})."
    ),
    "limit.short_text": N_(
        "Texts of up to three bytes ({count}): they were looked for as whole words only, because"
        " their letters stand in every other text."
    ),
    "limit.side_files_unsearched": N_(
        "The agent's other files ({count}): this erase was finished after an interruption, without"
        " its texts, so nothing could be looked for in them."
    ),
    "limit.unseen_programs": N_(
        "Programs of other users cannot be looked at; one that had the database open without using"
        " it was not seen."
    ),
}
