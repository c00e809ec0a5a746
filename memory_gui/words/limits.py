# SPDX-License-Identifier: MIT
"""What an erase does not reach, by code: said in the plan, the result and the receipt."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_

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
    "limit.old_key_copies": N_(
        "Backups and copies of this database that were made before: they open with the old key, "
        "wherever that was written down."
    ),
    "limit.old_key_given": N_(
        "What lies on a disk under the old key, also in blocks that were freed earlier: whoever "
        "has that key can still read it. It was not in this program's keeping and is not destroyed."
    ),
    "limit.old_key_files": N_("The old key is kept, because {path} needs it."),
    "limit.old_key_paper": N_(
        "The paper of {date} stops working. The old key is kept until a new recovery key is "
        "confirmed, or given up."
    ),
    "limit.large_store": N_(
        "{path} is so large that not all of its texts were looked for in the agent's other files."
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
    "limit.sync_folder": N_(
        "{kind} copies {path} to other places: old versions there cannot be reached from here."
    ),
    "limit.other_database": N_(
        "Other databases of the same agent, which were not open beside {path}."
    ),
    "limit.by_its_agent": N_(
        "{path}: what {agent} holds about the person there (finds: {count}). Only {agent} itself "
        "can take it out."
    ),
    "limit.store_unseen": N_(
        "The folder of {path}, a store that was opened before and is not there now: the agent's "
        "other files in it could not be looked into."
    ),
    "limit.side_file": N_("{path}: still repeats what was erased, accepted ({count})."),
    "limit.kept_file": N_(
        "{path}: is kept, and some of what was erased still stands in it ({count}). The reason: "
        "{reason}."
    ),
    "limit.kept_file_unread": N_("{path}: is kept, and could not be read. The reason: {reason}."),
    "limit.held_file": N_(
        "{path}: is on hold in case {case}, and some of what was erased still stands in it "
        "({count}). The reason: {reason}."
    ),
    "limit.held_file_unread": N_(
        "{path}: is on hold in case {case}, and could not be read. The reason: {reason}."
    ),
    "limit.held_since": N_(
        "What was put on hold or restricted in case {case} only after this erase was begun "
        "({count}): it was finished as it was begun, and that did not stay."
    ),
    "limit.kept_file_passages": N_(
        "{path}: is kept, with what it says of the person ({count}). The reason: {reason}."
    ),
    "limit.held_file_passages": N_(
        "{path}: is on hold in case {case}, with what it says of the person ({count}). The reason: "
        "{reason}."
    ),
    "limit.unread_file": N_(
        "{path} is a link to somewhere else, or could not be read: nothing in it was erased or "
        "looked for."
    ),
    "limit.mem0_vectors": N_(
        "No vector store of this Mem0 was found. If it has one elsewhere, the memories are still "
        "in there: open that one too and erase them there."
    ),
    "limit.mem0_history": N_(
        "No history of this Mem0 was found. It repeats what its memories say and said: open it "
        "too, usually ~/.mem0/history.db, and erase them there."
    ),
    "limit.letta_server": N_(
        "What Letta keeps for its own work: agents, users, tags, files, tools, jobs and steps. It "
        "is searched for these texts, and stays as it is but for copies of them that are named."
    ),
    "limit.letta_held": N_(
        "These tables of Letta hold some of these texts, and stay: {tables}. Change or remove it "
        "in Letta."
    ),
    "limit.side_file_unread": N_("{path}: could not be read, accepted."),
    "limit.table": N_(
        "The table {path}, from which nothing is taken here: still repeats what was erased,"
        " accepted ({count})."
    ),
    "limit.copied": N_(
        "The table {path}: a trigger that is not the agent's copies into it what is taken out, and "
        "it still repeats it, accepted ({count})."
    ),
    "limit.copied_unsearched": N_(
        "The table {path}: a trigger that is not the agent's writes into it when rows go. The "
        "texts were no longer known, so copies could not be looked for in it; accepted."
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
