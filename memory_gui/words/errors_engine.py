# SPDX-License-Identifier: MIT
"""The words of errors about files, SQLite, raw access and child processes."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

ENGINE_ERRORS: dict[str, ErrorWords] = {
    "process.gone": ErrorWords(
        N_("The helper program “{worker}” ended before it was done."),
        N_("What it had not finished is still to do; nothing is claimed. Try again."),
    ),
    "process.silent": ErrorWords(
        N_("The helper program “{worker}” has not answered for {seconds} seconds."),
        N_("It may still be working. Wait, or cancel and try again."),
    ),
    "engine.too_old": ErrorWords(
        N_("The database library is SQLite {found}; at least {wanted} is needed."),
        N_(
            "Older ones can damage a database that two programs use at once. Update sqlcipher3 "
            "to 0.6.4 or newer. No store was opened."
        ),
    ),
    "engine.no_cipher": ErrorWords(
        N_("The database library has no encryption."),
        N_("Install sqlcipher3 0.6.4 or newer. No store was opened."),
    ),
    "engine.pragma": ErrorWords(
        N_("The database library did not accept a safety setting ({pragma})."),
        N_("No store was opened. Install sqlcipher3 0.6.4 or newer."),
    ),
    "store.is_folder": ErrorWords(
        N_("{path} is a folder without a memory database."),
        N_("Choose the store's own file, or a folder that an agent keeps its store in."),
    ),
    "store.not_a_file": ErrorWords(
        N_("{path} is not an ordinary file."),
        N_("Choose the database file itself."),
    ),
    "store.empty_file": ErrorWords(
        N_("The file is empty (0 bytes): {path}"),
        N_(
            "There are no memories in it to show. A full disk or an interrupted copy leaves such "
            "files: look for a backup. Nothing was changed."
        ),
    ),
    "store.not_a_database": ErrorWords(
        N_("This is not a database: {path}"),
        N_(
            "It is another kind of file. Choose the database in which your agent keeps its "
            "memories."
        ),
    ),
    "store.no_permission": ErrorWords(
        N_("You may not read or write {path}."),
        N_("Ask its owner for access, or run the program as the user it belongs to."),
    ),
    "store.cannot_open": ErrorWords(
        N_("The database cannot be opened: {path}"),
        N_(
            "The file or its folder does not let this program in. Check the permissions of both. "
            "Nothing was changed."
        ),
    ),
    "store.read_only": ErrorWords(
        N_("This place can only be read: {path}"),
        N_(
            "You can look at everything here. To change something, make the file and its folder "
            "writable, then open it again."
        ),
    ),
    "store.locked": ErrorWords(
        N_("Another program keeps this database busy: {path}"),
        N_("Nothing was changed. Close or pause the agent that uses it, then try again."),
    ),
    "store.disk_full": ErrorWords(
        N_("The disk is full, so nothing could be written to {path}."),
        N_(
            "The database is as it was before. Free some space, about twice the size of the "
            "file, and try again."
        ),
    ),
    "store.damaged": ErrorWords(
        N_("The database is damaged: {path}"),
        N_(
            "Part of the file does not fit the rest. Nothing was changed. Make a copy of the "
            "whole folder first, then look for a backup."
        ),
    ),
    "store.part_damaged": ErrorWords(
        N_("The key is right, but a part of the encrypted file is damaged: {path}"),
        N_(
            "A page is not as it was written: the disk, a copy or another program changed it. "
            "Nothing was changed. Make a copy of the whole folder first, then look for a backup; "
            "the same key opens it."
        ),
    ),
    "store.cut_off": ErrorWords(
        N_("The end of the file is missing: {path}"),
        N_(
            "It is shorter than a database of its kind can be. A full disk or an interrupted copy "
            "leaves such files, or it is no database at all. Nothing was changed. Look for a "
            "backup, or copy it again."
        ),
    ),
    "store.io": ErrorWords(
        N_("The disk reported an error at {path}."),
        N_(
            "Nothing is claimed about what was being done. Check the disk or the connection to "
            "it, then open the store again."
        ),
    ),
    "store.replaced": ErrorWords(
        N_("The file was replaced or removed while it was open: {path}"),
        N_("Nothing more is written to the old one. Open the store again."),
    ),
    "store.forbidden": ErrorWords(
        N_("The database asked for something that is never allowed: {path}"),
        N_("It may have been prepared to do harm. Nothing was changed."),
    ),
    "store.constraint": ErrorWords(
        N_("The database refused the change by a rule of its own: {path}"),
        N_("Nothing was changed."),
    ),
    "store.number": ErrorWords(
        N_("A number is too large for the database: {path}"), N_("Nothing was changed.")
    ),
    "store.unsteady": ErrorWords(
        N_("The database changed all the time while it was being copied for reading: {path}"),
        N_("Try again when the other program pauses."),
    ),
    "store.odd_log": ErrorWords(
        N_("The log beside the database is not an ordinary file, so it was not followed: {path}"),
        N_("Somebody may have put a link there. Look at it before you go on. Nothing was changed."),
    ),
    "store.no_memory_place": ErrorWords(
        N_("There is no place in memory for a private copy of {path}."),
        N_(
            "Copy the database to a folder that you may write to, with the files ending in -wal "
            "and -journal beside it, and open it there."
        ),
    ),
    "store.exists": ErrorWords(
        N_("There is already a file at {path}."),
        N_("Nothing is written over it. Choose another name."),
    ),
    "store.no_folder": ErrorWords(
        N_("There is no folder {path}."),
        N_("Make it first, or choose another place."),
    ),
    "key.needed": ErrorWords(
        N_("This store is encrypted, and its key is needed: {path}"),
        N_(
            "Unlock your keychain, enter the recovery key, or give the passphrase it was made with."
        ),
    ),
    "key.wrong": ErrorWords(
        N_("This key does not open {path}."),
        N_(
            "Nothing was changed. Check that the key belongs to this store. If it does, the file "
            "is damaged all over, or it is no encrypted database: from outside the two look alike."
        ),
    ),
    "store.no_page_checks": ErrorWords(
        N_(
            "This database has no check of its pages (SQLCipher 1), so no erase could be proved: "
            "{path}"
        ),
        N_(
            "Nothing was changed. “Copy in today’s format…” on the store’s page, or “memory-cli "
            "migrate”, makes a copy where erasing works; delete the old file when you do not need "
            "it any more."
        ),
    ),
    "store.half_header": ErrorWords(
        N_("This database shows its first bytes unencrypted, so it can only be looked at: {path}"),
        N_(
            "The salt of its key is not in the file, and one setting forgotten while writing would "
            "make it unreadable for good. “Copy in today’s format…” on the store’s page, or "
            "“memory-cli migrate”, makes a copy that can be changed."
        ),
    ),
    "key.not_encrypted": ErrorWords(
        N_("This store is not encrypted, so a key cannot open it: {path}"),
        N_("Open it without a key."),
    ),
    "raw.link": ErrorWords(
        N_("Not overwritten, because it is a link to somewhere else: {path}"),
        N_("A link there may aim at another of your files. Remove the link, then erase again."),
    ),
    "raw.not_regular": ErrorWords(
        N_("Not overwritten, because it is not an ordinary file: {path}"),
        N_("Look at what was put there before you erase again."),
    ),
    "raw.not_ours": ErrorWords(
        N_("Not overwritten, because it belongs to another user: {path}"),
        N_("Erase as the user that the file belongs to."),
    ),
    "raw.hard_links": ErrorWords(
        N_("Not overwritten, because the same file has {names} names: {path}"),
        N_(
            "Overwriting it would also overwrite what the other names show. Remove the other "
            "names, then erase again."
        ),
    ),
    "raw.other_device": ErrorWords(
        N_("Not overwritten, because it lies on another disk than its database: {path}"),
        N_("Look at what was put there before you erase again."),
    ),
    "raw.not_open": ErrorWords(
        N_("Not overwritten, because it is not the file that the database has open: {path}"),
        N_("Close other programs that use the store, then erase again."),
    ),
    "raw.not_a_log": ErrorWords(
        N_("Not overwritten, because it does not begin like a log of this database: {path}"),
        N_("Look at what was put there before you erase again."),
    ),
    "store.other_schema": ErrorWords(
        N_("This database is not one that the app knows: {path}"),
        N_("It has other tables than the agents the app can read. Nothing was changed."),
    ),
    "store.other_rows": ErrorWords(
        N_("A table in {path} is laid out in a way that its agent never does."),
        N_(
            "Its rows have no numbers of their own (WITHOUT ROWID, or columns in their place), so "
            "the app could not tell them apart safely. Nothing was changed. Let the agent make a "
            "new store and copy the rows into it."
        ),
    ),
    "store.newer_schema": ErrorWords(
        N_("{path} was written by a newer version of its agent (schema {found}, known: {known})."),
        N_("It can be looked at, but not changed: what that version keeps is not known yet."),
    ),
    "store.old_format": ErrorWords(
        N_("{path} is in a format that its agent no longer uses, so it can only be looked at."),
        N_("Start the agent’s present version and let it remember what you want to keep."),
    ),
    "store.too_big": ErrorWords(
        N_("{path} is larger than {limit} MB."),
        N_("Files of this format are read as a whole; one of this size is hardly one of them."),
    ),
}
