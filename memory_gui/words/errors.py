# SPDX-License-Identifier: MIT
"""The words of every UserError: what happened, why, and what to do next.

A test holds this table against the codes that the source raises.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.words.catalogue import N_, Words


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """Source texts with placeholders: one line that says what happened, and one that helps on."""

    title: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class Explained:
    """An error in a person's language."""

    code: str
    title: str
    next: str

    @property
    def text(self) -> str:
        """Both lines."""
        return f"{self.title} {self.next}".strip()


ERRORS: dict[str, ErrorWords] = {
    "ref.unreadable": ErrorWords(N_("“{ref}” does not name a record.")),
    "key.length": ErrorWords(
        N_("The key has {digits} hex digits."),
        N_("A raw key is exactly 64 hex digits, 0–9 and a–f."),
    ),
    "key.empty": ErrorWords(N_("An empty passphrase opens nothing.")),
    "store.missing": ErrorWords(
        N_("There is no file at {path}."),
        N_("Check the path. An agent makes its database when it first remembers something."),
    ),
    "store.cannot": ErrorWords(N_("Stores of the format {format} cannot do this: {act}.")),
    "vault.slot_taken": ErrorWords(
        N_("The keychain already has a key in slot {slot} of this store."),
        N_("A key is never written over another one. Nothing was changed."),
    ),
    "vault.not_kept": ErrorWords(
        N_("The keychain said the key was stored, but it could not be read back."),
        N_("Nothing was encrypted with it. Check the keychain, then try again."),
    ),
    "vault.not_removed": ErrorWords(
        N_("The keychain still has the key in slot {slot}."),
        N_("Remove the entry in the keychain's own program, or try again."),
    ),
    "vault.locked": ErrorWords(
        N_("The keychain is locked, so no key was written or removed."),
        N_("Unlock it and try again."),
    ),
    "vault.denied": ErrorWords(
        N_("The keychain refused this program, so no key was written or removed."),
        N_("Allow this program in the system's settings and try again."),
    ),
    "vault.unavailable": ErrorWords(
        N_("No keychain answered, so no key was written or removed."),
        N_("Start the keychain and try again."),
    ),
    "vault.silent": ErrorWords(
        N_(
            "The keychain did not answer within 5 seconds. Whether it did what was asked is "
            "not known."
        ),
        N_(
            "Start it anew and try again: what it has is looked at first, and nothing is "
            "written over."
        ),
    ),
    "vault.off": ErrorWords(
        N_("The keychain is switched off for this run."),
        N_("Start without --no-keychain to store or remove keys."),
    ),
    "recovery.empty": ErrorWords(N_("Nothing was entered.")),
    "recovery.letter": ErrorWords(
        N_("Character {place} of group {group} cannot be in a recovery key."),
        N_("It has the digits 0–9 and the letters A–Z without I, L, O and U."),
    ),
    "recovery.group_length": ErrorWords(
        N_("Group {group} has {count} characters; each has 5."),
        N_("Compare this group with the paper."),
    ),
    "recovery.length": ErrorWords(
        N_("That is {count} characters long; a recovery key has 14 groups of 5, together 70."),
        N_("Compare the beginning and the end with the paper."),
    ),
    "recovery.groups": ErrorWords(
        N_("There are slips in {count} groups; the first is group {group}."),
        N_("Compare them with the paper, or look whether a group is missing before."),
    ),
    "recovery.group": ErrorWords(
        N_("There is a slip in group {group}."),
        N_(
            "Compare this group with the paper: a wrong character, two swapped ones, or a "
            "group at the wrong place."
        ),
    ),
    "recovery.sum": ErrorWords(
        N_("Each group is right by itself, but together they are no recovery key."),
        N_("Were groups of two different sheets mixed?"),
    ),
    "recovery.version": ErrorWords(
        N_("This recovery key was made by a newer version of the program."),
        N_("Use that version, or a newer one."),
    ),
    "pending.other": ErrorWords(
        N_("An earlier erase of {path} is not finished."),
        N_("Finish it first: “memory-cli erase --resume”, or open the store in the window."),
    ),
    "pending.unreadable": ErrorWords(
        N_("The note of an unfinished erase cannot be read: {path}."),
        N_("Erase the same records again, then remove this file."),
    ),
    "ledger.folder": ErrorWords(
        N_("The data folder {path} cannot be used: it is no folder, or belongs to another user."),
        N_("Correct its owner, or use another folder."),
    ),
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
        N_("Choose the database file itself, or a project folder that holds .agentao/memory.db."),
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
            "Nothing was changed. Check that the key belongs to this store; if it does, the "
            "beginning of the file may be damaged."
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
    "ref.ambiguous": ErrorWords(
        N_("Records of several kinds have that key: {kinds}."),
        N_("Write the kind before it, as in kind:key."),
    ),
    "record.gone": ErrorWords(
        N_("The record is not in the store any more."),
        N_("It was deleted or erased, here or by the agent."),
    ),
    "record.changed": ErrorWords(
        N_("The record has been changed since it was shown."),
        N_("Nothing was written. Look at the present version, then decide again."),
    ),
    "record.in_trash": ErrorWords(N_("The record is in the trash already.")),
    "record.not_in_trash": ErrorWords(N_("The record is not in the trash.")),
    "record.key_taken": ErrorWords(
        N_("Another live record has the same key."),
        N_("Give this one another title or key, or move the other one to the trash first."),
    ),
    "record.key_empty": ErrorWords(
        N_("The agent makes its key of a–z, 0–9 and _, and nothing of this title is left."),
        N_("Give the record a key with letters of the Latin alphabet; the title may stay."),
    ),
    "record.key_long": ErrorWords(
        N_("The key has {length} characters; {limit} are allowed."), N_("Shorten it.")
    ),
    "record.title_empty": ErrorWords(N_("The title is empty."), N_("Give the record a title.")),
    "record.title_lines": ErrorWords(
        N_("The title has more than one line."), N_("Put further lines into the text.")
    ),
    "record.title_long": ErrorWords(
        N_("The title has {length} characters; {limit} are allowed."), N_("Shorten it.")
    ),
    "record.text_empty": ErrorWords(
        N_("The text is empty."), N_("To take a record away, move it to the trash.")
    ),
    "record.text_long": ErrorWords(
        N_("The text has {length} characters; {limit} are allowed."),
        N_("Shorten it, or split it into two records. Nothing was cut off."),
    ),
    "record.not_unicode": ErrorWords(
        N_("The text holds half a character, which cannot be stored."),
        N_("It often comes from a broken copy. Type the last characters again."),
    ),
    "record.type_unknown": ErrorWords(
        N_("The agent does not know this type."), N_("Its types are: {types}.")
    ),
    "record.source_unknown": ErrorWords(
        N_("The agent does not know this source."), N_("Its sources are: {sources}.")
    ),
    "record.no_such_field": ErrorWords(
        N_("Records of this kind have no field “{field}”."), N_("The fields are: {fields}.")
    ),
    "record.secret": ErrorWords(
        N_("This looks like a password, a key or a token ({kind}). The agent would not save it."),
        N_("Take it out, or insist if it is harmless."),
    ),
    "record.id_taken": ErrorWords(
        N_("The store has another record with the same id."),
        N_("Nothing was changed. Look at that record first."),
    ),
    "scope.unknown": ErrorWords(N_("There is no such scope."), N_("Scopes are: {scopes}.")),
    "scope.other_store": ErrorWords(
        N_("Records with the scope “{scope}” belong to the agent’s other database."),
        N_("Open both databases as a pair; the record is then moved. Nothing was changed."),
    ),
    "scope.partner_missing": ErrorWords(
        N_("The database that this record belongs to is not open."),
        N_("Open or unlock it, then try again. It was not saved to the other one instead."),
    ),
    "scope.columns_differ": ErrorWords(
        N_("The other database has no place for {count} values that are stored with the record."),
        N_("Moving would lose them. Nothing was changed."),
    ),
    "review.not_pending": ErrorWords(
        N_("This item has been decided already."), N_("Open it again to decide anew.")
    ),
    "review.is_pending": ErrorWords(N_("This item still waits for a decision.")),
    "review.proposed_again": ErrorWords(
        N_("The agent has proposed the same again, and that item still waits."),
        N_("Decide on the waiting one."),
    ),
    "review.hidden": ErrorWords(
        N_("The text holds characters that do not show."),
        N_("Look at them, then take them out, or insist."),
    ),
    "review.key_clash": ErrorWords(
        N_("Approving would overwrite another memory: both keys become the same for the agent."),
        N_("Approve it under a key of its own, for example {proposed}."),
    ),
    "review.target_changed": ErrorWords(
        N_("The memory that this would replace is not the one that was shown."),
        N_("Nothing was written. Look at the present one, then decide again."),
    ),
    "store.foreign_log": ErrorWords(
        N_("The log beside the database does not belong to it: {path}"),
        N_(
            "Worked in, it would leave a wreck, so it was not. Files were probably mixed while "
            "copying: copy the database and its log together again, or move the files ending in "
            "-wal, -shm and -journal elsewhere. Nothing was changed."
        ),
    ),
    "store.unfinished": ErrorWords(
        N_("A change over several databases was cut off: {path}"),
        N_(
            "The agent that made it has to finish it. Start the agent once, then open the store "
            "again. Nothing was changed."
        ),
    ),
}


def explain(words: Words, error: UserError | IntegrityError) -> Explained:
    """Say an error; a code without words is said as itself (and fails a test)."""
    entry = ERRORS.get(error.code)
    if entry is None:
        return Explained(error.code, error.code, "")
    return Explained(
        error.code,
        words.say(entry.title, **error.params),
        words.say(entry.next, **error.params) if entry.next else "",
    )
