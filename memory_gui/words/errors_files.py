# SPDX-License-Identifier: MIT
"""The words of errors about stores that are text files."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

FILES_ERRORS: dict[str, ErrorWords] = {
    "file.link": ErrorWords(
        N_("This is a link to somewhere else, so it was not followed: {path}"),
        N_("If the file behind it is meant, open that one by its own path. Nothing was changed."),
    ),
    "file.unsteady": ErrorWords(
        N_("The file changed all the time while it was being read: {path}"),
        N_("Try again when the other program pauses."),
    ),
    "file.changed": ErrorWords(
        N_("Another program wrote to the file at the same moment: {path}"),
        N_("Nothing of yours was written, and nothing of theirs was lost. Try again."),
    ),
    "erase.file_changed": ErrorWords(
        N_("Another program has written to the file since the erase was planned: {path}"),
        N_("Nothing was erased, and nothing of theirs was lost. Plan the erase once more."),
    ),
    "erase.file_on_hold": ErrorWords(
        N_("Case {case} holds passages of a file that would be written: {path}"),
        N_("Nothing was changed. Lift the hold in that case first."),
    ),
    "case.kept_file": ErrorWords(
        N_("A record that would be erased stands in a file that is kept: {path}"),
        N_("Nothing was erased from this store. Keep the record too, or do not keep the file."),
    ),
    "file.not_wiped": ErrorWords(
        N_("The file was written anew, but its old bytes could not be overwritten: {path}"),
        N_(
            "Look at the hidden file beside it whose name ends in .memory-gui-part, then try again."
        ),
    ),
    "file.whole": ErrorWords(
        N_("{path} is not laid out line by line, so its agent cannot read it either."),
        N_("It can be looked at and erased here. Correct it in a text editor."),
    ),
    "file.not_json": ErrorWords(
        N_("The file is not JSON that can be read: {path}"),
        N_(
            "It breaks off, or is nested more deeply than its agent ever writes it. Nothing was "
            "changed. Look at it in a text editor, or for a backup."
        ),
    ),
    "file.other_json": ErrorWords(
        N_("There are no memories in this JSON file: {path}"),
        N_("It has no list called “memories”. Nothing was changed."),
    ),
    "convert.differs": ErrorWords(
        N_("The database does not say the same as the old file, so it was not used: {path}"),
        N_("Nothing was changed and nothing was left behind. Please tell us about this file."),
    ),
    "record.two_notes": ErrorWords(
        N_("A note with an empty line inside would be two notes in this file."),
        N_("Take the empty line out, or save two notes."),
    ),
    "record.note_reserved": ErrorWords(
        N_("“(empty)” is what the agent is told when there are no notes; it is never stored."),
        N_("Write something else. To have no notes, delete them."),
    ),
    "record.scope_unknown": ErrorWords(
        N_("This store has no file of notes called “{scope}”."),
        N_("Choose one of its files."),
    ),
    "record.no_entity": ErrorWords(
        N_("There is no entity of that name in the store."), N_("Add the entity first.")
    ),
    "record.field_empty": ErrorWords(
        N_("“{field}” is empty."), N_("Give it a value; its agent cannot use it without one.")
    ),
    "record.not_a_line": ErrorWords(
        N_("That is not one line of JSON that the agent could read."),
        N_("Correct it, or delete the line. Nothing was changed."),
    ),
    "record.changed_name": ErrorWords(
        N_("That belongs to another entity and cannot be moved there by editing."),
        N_("Add it there, then delete it here."),
    ),
}
