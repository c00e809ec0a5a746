# SPDX-License-Identifier: MIT
"""The words of errors about open stores, the pair, undo, review, encryption, export, settings."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

SERVICES_ERRORS: dict[str, ErrorWords] = {
    "store.not_open": ErrorWords(N_("That store is not open."), N_("Open it again.")),
    "store.away": ErrorWords(
        N_("The store is being worked on by another part of this app."),
        N_("It comes back by itself when that is done."),
    ),
    "store.foreign_objects": ErrorWords(
        N_("The database has {count} triggers, views or tables that its agent did not make: {sql}"),
        N_("They may act when something is written. Nothing was written; insist if you know them."),
    ),
    "ref.unknown": ErrorWords(
        N_("The store has no record {ref}."), N_("List the records to see their names.")
    ),
    "pair.absent": ErrorWords(
        N_("The agent's memory of you is not there: nothing was found below {path}."),
        N_("What belongs to it cannot be saved until the agent has made it."),
    ),
    "pair.closed": ErrorWords(N_("The agent's other database was closed."), N_("Open it again.")),
    "pair.needed": ErrorWords(
        N_("A record of scope “{scope}” belongs in the agent's other database, which is not open."),
        N_("Nothing was saved. Open the other database, then try again."),
    ),
    "list.sort": ErrorWords(
        N_("A list cannot be sorted by “{sort}”."),
        N_("Sort by updated, created, title, kind, state, type, scope, source or subject."),
    ),
    "undo.nothing": ErrorWords(N_("There is nothing to take back.")),
    "undo.changed": ErrorWords(
        N_("{ref} has been changed since, so that act can no longer be taken back."),
        N_("Nothing was written. Look at the record as it is now."),
    ),
    "undo.lost": ErrorWords(
        N_("That act can no longer be taken back: what it needs is not to be had any more."),
        N_("Nothing was written. The records are as the act left them."),
    ),
    "undo.clash": ErrorWords(
        N_("Another record has taken a key that would come back."),
        N_("Nothing was written. Choose what becomes of the two."),
    ),
    "clash.changed": ErrorWords(
        N_("The other record is not the one that was shown."),
        N_("Nothing was written. Look at the two as they are now."),
    ),
    "clash.way": ErrorWords(N_("That way is not open for {ref}."), N_("Choose another one.")),
    "record.not_read_back": ErrorWords(
        N_("{ref} was written, but reads back otherwise. The move was stopped in its middle."),
        N_("The record is still where it was. Run a check of both databases."),
    ),
    "protect.encrypted": ErrorWords(N_("The store is encrypted already.")),
    "protect.not_encrypted": ErrorWords(N_("The store is not encrypted.")),
    "rotation.in_use": ErrorWords(
        N_("Another program has the store open: {name} (pid {pid})."),
        N_("Nothing was changed. Close it, then try again."),
    ),
    "rotation.differs": ErrorWords(
        N_("The new copy differs from the store in its {what}, so it was not used."),
        N_("Nothing was changed. Run a check of the store."),
    ),
    "rotation.journal": ErrorWords(
        N_("The new copy at {path} could not be given the store's journal mode."),
        N_("Nothing was changed."),
    ),
    "rotation.nothing_begun": ErrorWords(N_("No change of encryption was begun.")),
    "export.exists": ErrorWords(
        N_("There is something at {path} already."), N_("Nothing is written over. Name a new file.")
    ),
    "export.format": ErrorWords(
        N_("“{format}” is not a format to export to."), N_("Use one of these: {formats}.")
    ),
    "export.failed": ErrorWords(
        N_("The export to {path} failed: {reason}."), N_("What was begun was removed again.")
    ),
    "settings.invalid": ErrorWords(N_("The setting {name} cannot be “{value}”.")),
    "settings.not_saved": ErrorWords(
        N_("The settings could not be saved to {path}."),
        N_("Check the folder's permissions and the free space."),
    ),
    "settings.damaged": ErrorWords(
        N_("The settings in {path} cannot be read, so the usual ones are used."),
        N_("As soon as you change one, the damaged file is kept beside it as “.damaged”."),
    ),
    "settings.newer": ErrorWords(
        N_("A newer version of this program wrote the settings in {path}."),
        N_("What is understood of them is used. They can be changed in the newer version only."),
    ),
    "known.not_found": ErrorWords(
        N_("No store is known as {path}."), N_("List the known stores, or give a path.")
    ),
    "known.name_taken": ErrorWords(
        N_("Another store is named “{name}”."), N_("Choose another name.")
    ),
    "known.ambiguous": ErrorWords(
        N_("Several stores are named “{name}”: {paths}."), N_("Give the path.")
    ),
}
