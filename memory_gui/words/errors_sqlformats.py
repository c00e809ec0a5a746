# SPDX-License-Identifier: MIT
"""The words of errors of formats in SQL: persistent memory and facts."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

SQLFORMATS_ERRORS: dict[str, ErrorWords] = {
    "record.subject_change": ErrorWords(
        N_("This would make it a record about somebody, or something, else."),
        N_("If that is meant, say so (--despite subject). Nothing was written."),
    ),
    "record.not_kept": ErrorWords(
        N_("The database took the new record away again at once."),
        N_("A trigger in it does that. Look at what is foreign in the file."),
    ),
    "persistent.whose": ErrorWords(
        N_("It is not said whose record it is."), N_("Give it a user (the field “subject”).")
    ),
    "persistent.user": ErrorWords(
        N_("A user is named by A–Z, a–z, 0–9 and _ . - with at most 64 characters."),
        N_("It begins with a letter or a digit."),
    ),
    "persistent.key": ErrorWords(
        N_("A key is made of a–z, 0–9 and _ . : - and begins with a–z."),
        N_("With any other the app could not read its store any more. Nothing was written."),
    ),
    "persistent.session": ErrorWords(
        N_("A session is named by A–Z, a–z, 0–9 and _ . - with at most 64 characters."),
        N_("With any other the app could not read its store any more. Nothing was written."),
    ),
    "persistent.nul": ErrorWords(
        N_("The text holds a NUL character, which the app refuses to read."), N_("Take it out.")
    ),
    "persistent.key_taken": ErrorWords(
        N_("This user has a record of this kind with that key already."),
        N_("Change that one, or choose another key. Nothing was written."),
    ),
    "persistent.user_full": ErrorWords(
        N_("This user has {limit} records, and the app takes no more."),
        N_("Delete or erase one first. Those that are there can still be changed."),
    ),
    "persistent.full": ErrorWords(
        N_("The store has {limit} records, and the app takes no more."),
        N_("Delete or erase one first. Those that are there can still be changed."),
    ),
    "persistent.file_full": ErrorWords(
        N_("The file would have more than {limit} MiB, and the app would refuse it."),
        N_("Erase what is not needed: that makes the file smaller. Nothing was written."),
    ),
    "persistent.version": ErrorWords(
        N_("The file says version {found}; only version {known} is known here: {path}"),
        N_("It can be looked at, and is not changed."),
    ),
    "facts.whose": ErrorWords(
        N_("It is not said what the fact is about."),
        N_("Give it a subject, such as user:lin or job:report-42."),
    ),
    "facts.subject": ErrorWords(
        N_("A subject is one line of at most {limit} visible characters."), N_("Shorten it.")
    ),
    "facts.short": ErrorWords(
        N_("The fact has {length} characters; the agent keeps none below {limit}."),
        N_("Say it in a whole sentence. Nothing was written."),
    ),
    "facts.same": ErrorWords(
        N_("This subject has this very fact already."),
        N_("The agent would ignore it without a word. Nothing was written."),
    ),
    "facts.vector_fixed": ErrorWords(
        N_("The vector beside the fact may not be empty, and would still say the old words."),
        N_("Add the fact anew with its agent, then delete this one. Nothing was written."),
    ),
}
