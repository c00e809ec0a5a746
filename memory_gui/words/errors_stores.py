# SPDX-License-Identifier: MIT
"""The words of errors about records, scopes and the review queue."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

STORES_ERRORS: dict[str, ErrorWords] = {
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
    "record.trash_first": ErrorWords(
        N_("The record is live, and its agent has a trash."),
        N_("Move it to the trash first, or erase it."),
    ),
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
        N_("The text is empty."),
        N_("To take a record away, move it to the trash, or delete it where there is none."),
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
        N_(
            "Open or unlock it first. If there is none yet, the agent makes it when it first "
            "remembers something about you."
        ),
    ),
    "scope.columns_differ": ErrorWords(
        N_("The other database has no place for {count} values that are stored with the record."),
        N_("Moving would lose them. Nothing was changed."),
    ),
    "review.not_pending": ErrorWords(
        N_("This item has been decided already."), N_("Open it again to decide anew.")
    ),
    "review.not_so": ErrorWords(
        N_("This item is not decided like that, so there is nothing to take back."),
    ),
    "review.is_pending": ErrorWords(N_("This item still waits for a decision.")),
    "review.proposed_again": ErrorWords(
        N_("The agent has proposed the same again, and that item still waits."),
        N_("Decide on the waiting one."),
    ),
    "review.no_mark": ErrorWords(
        N_("No single mark begins with {mark}."),
        N_("List them with: review STORE marks"),
    ),
    "review.personal": ErrorWords(
        N_("The proposal holds personal data."),
        N_(
            "Look at it, then correct it, or insist: Shift+A in the window, --despite personal in"
            " the terminal."
        ),
    ),
    "review.key_clash": ErrorWords(
        N_(
            "Approving would overwrite a saved memory that says something else. Of a key the agent"
            " keeps only a–z, 0–9 and _, and without its other letters this one is the same as"
            " that memory’s."
        ),
        N_("Save it under a key of its own, such as {proposed}."),
    ),
    "review.replaced": ErrorWords(
        N_("Approving it has replaced the text of the memory {memory}; the text before is gone."),
        N_("It stays approved. Correct the memory itself."),
    ),
    "review.stays": ErrorWords(
        N_("What it says is saved as {memory}, and would stay saved."),
        N_("It stays approved. Delete that record, then take back again; or only reopen it."),
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
