# SPDX-License-Identifier: MIT
"""The words of every UserError: what happened, why, and what to do next.

A test holds this table against the codes that the source raises. The parts of it stand in modules
of their own; add new codes to the part of their area, or to a new part.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.words import formats
from memory_gui.words.catalogue import N_, Words
from memory_gui.words.error import ErrorWords
from memory_gui.words.errors_agents import AGENTS_ERRORS
from memory_gui.words.errors_cases import CASES_ERRORS
from memory_gui.words.errors_copies import COPIES_ERRORS
from memory_gui.words.errors_engine import ENGINE_ERRORS
from memory_gui.words.errors_files import FILES_ERRORS
from memory_gui.words.errors_filters import FILTERS_ERRORS
from memory_gui.words.errors_formats import FORMATS_ERRORS
from memory_gui.words.errors_handing import HANDING_ERRORS
from memory_gui.words.errors_langgraph import LANGGRAPH_ERRORS
from memory_gui.words.errors_neighbours import NEIGHBOURS_ERRORS
from memory_gui.words.errors_rotation import ROTATION_ERRORS
from memory_gui.words.errors_services import SERVICES_ERRORS
from memory_gui.words.errors_sqlformats import SQLFORMATS_ERRORS
from memory_gui.words.errors_stores import STORES_ERRORS
from memory_gui.words.errors_terminal import TERMINAL_ERRORS
from memory_gui.words.errors_typed import TYPED
from memory_gui.words.errors_vault import VAULT_ERRORS
from memory_gui.words.errors_window import WINDOW_ERRORS

__all__ = ["ERRORS", "ErrorWords", "Explained", "explain"]

_WIDE_ENDS = ("。", "！", "？")
_NARROW_ENDS = (".", "!", "?")
_LINE = "\n"
_COMMAND: Final = "memory-cli "


@dataclass(frozen=True, slots=True)
class Explained:
    """An error in a person's language."""

    code: str
    title: str
    next: str

    @property
    def text(self) -> str:
        """Both, as one text; a title that ends with a path stands on a line of its own."""
        wide, narrow = self.title.endswith(_WIDE_ENDS), self.title.endswith(_NARROW_ENDS)
        return f"{self.title}{'' if wide else ' ' if narrow else _LINE}{self.next}".strip()


ERRORS: dict[str, ErrorWords] = {
    **VAULT_ERRORS,
    **ROTATION_ERRORS,
    **ENGINE_ERRORS,
    **STORES_ERRORS,
    **FILES_ERRORS,
    **COPIES_ERRORS,
    **SQLFORMATS_ERRORS,
    **LANGGRAPH_ERRORS,
    **SERVICES_ERRORS,
    **FILTERS_ERRORS,
    **NEIGHBOURS_ERRORS,
    **TERMINAL_ERRORS,
    **WINDOW_ERRORS,
    **AGENTS_ERRORS,
    **CASES_ERRORS,
    "erase.rowids": ErrorWords(
        N_("The table “{table}” cannot be erased from: {path}"),
        N_(
            "It has no key of its own, something refers to its row numbers, and writing the file"
            " anew would change them. Nothing was changed."
        ),
    ),
    "erase.rowid_reference": ErrorWords(
        N_("The table “{table}” cannot be erased from: {path}"),
        N_(
            "The table “{by}” refers to the numbers of its rows, and writing the file anew may"
            " change them. Nothing was changed."
        ),
    ),
    "erase.more_rows": ErrorWords(
        N_("More would have gone from the table “{table}” than the plan says: {path}"),
        N_(
            "{gone} rows instead of {planned}: something in the database that its agent did not"
            " make acts when rows go. Everything was taken back; nothing was changed."
        ),
    ),
    "erase.nothing": ErrorWords(
        N_("There is nothing to erase."),
        N_("No record that can be erased was chosen. Nothing was changed."),
    ),
    "erase.step": ErrorWords(
        N_("The step “{step}” did not come out as it must ({answer})."),
        N_("Nothing is claimed. Close other programs that use the database, then try again."),
    ),
    "returned.no_ledger": ErrorWords(
        N_(
            "Whether an erased record is back is known from this app’s own records, "
            "and there are none."
        ),
        N_("They need a keychain."),
    ),
    "standing.no_ledger": ErrorWords(
        N_(
            "Whether a store is kept clean is remembered in this app’s own records, "
            "and there are none."
        ),
        N_("They need a keychain."),
    ),
    "standing.journal": ErrorWords(
        N_("{path}: keeping it clean changes its journal mode, now {mode}."),
        N_("Say yes to that, or leave it as it is."),
    ),
    "standing.not_done": ErrorWords(
        N_("{path} could not be wiped, so it is kept as before."),
        N_("Look at it with “check”, then try again."),
    ),
    "erase.disk_space": ErrorWords(
        N_(
            "Erasing from {path} needs about {needed} MB on its disk for a while, and {free} MB "
            "are free. Nothing was changed."
        ),
        N_("Make room, then try again."),
    ),
    "erase.contentless": ErrorWords(
        N_(
            "{path}: the full-text index {table} keeps words without their texts, and nothing in "
            "the database tells it what to let go of. Nothing was erased."
        ),
        N_("Delete the records by their own agent first; it knows how to tell the index."),
    ),
    "erase.cascade": ErrorWords(
        N_(
            "{path}: rows of the table {table} belong to what would go, and are not in the plan. "
            "Nothing was erased."
        ),
        N_("Erase those records too, or delete them by their own agent first."),
    ),
    "erase.in_use": ErrorWords(
        N_("Another program has the database open: {path}"),
        N_("Nothing was changed. Close that program; the erase is written down and can go on."),
    ),
    "erase.running": ErrorWords(
        N_("Another copy of this app is erasing from {path}."),
        N_("It is process {pid}. Wait until it is done, then try again."),
    ),
    "erase.other_store": ErrorWords(
        N_("Another database lies at this path now; none of the records to be erased is in it."),
        N_(
            "It was left as it is. A backup of the earlier database that is put back here can "
            "still be erased from."
        ),
    ),
    "erase.rows_unnamed": ErrorWords(
        N_("Which records were to go is not written down: their names are content. {path}"),
        N_("Choose them again and erase them: then this is finished, too. Nothing was changed."),
    ),
    "erase.numbered_rows": ErrorWords(
        N_("This may be another database than the one that was to be erased from."),
        N_(
            "Entries that are known by their number only were left alone. Choose the records "
            "again and erase them."
        ),
    ),
    "erase.failed": ErrorWords(
        N_("The erase was stopped by an error: {path}"),
        N_("Nothing is claimed; it is written down and can be finished. Try again."),
    ),
    "erase.cancelled": ErrorWords(
        N_("The erase was stopped before this database."),
        N_("It is written down and can be finished."),
    ),
    "erase.log_unreadable": ErrorWords(
        N_("The log beside the database cannot be read: {path}"),
        N_("It may be a link or another user's file. Nothing is claimed about it."),
    ),
    "receipt.exists": ErrorWords(
        N_("There is a file at {path} already."), N_("Choose another name for the receipt.")
    ),
    "receipt.failed": ErrorWords(
        N_("The receipt cannot be written: {path}"),
        N_("Choose a folder that exists and that you may write to."),
    ),
    "edit.forget_and_move": ErrorWords(
        N_("{ref}: its scope and its text cannot be given up in one act."),
        N_("Change the scope first; then edit it and forget the old text."),
    ),
    "edit.nothing_new": ErrorWords(
        N_("{ref} has that text already: nothing was changed or erased."),
    ),
    "receipt.missing": ErrorWords(N_("There is no receipt to be read at {path}.")),
    "receipt.unreadable": ErrorWords(N_("That file is no receipt of this app.")),
    "receipt.no_key": ErrorWords(
        N_("There is no keychain that keeps a key for signing."),
        N_("Receipts are written without a signature then, and say so."),
    ),
    "side_file.unreadable": ErrorWords(N_("could not be read")),
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
    "store.cannot": ErrorWords(N_("Not possible in a store of the kind “{format}”: {act}.")),
    **FORMATS_ERRORS,
    **HANDING_ERRORS,
}


_ACTS: Final[Mapping[str, str]] = {
    "add": N_("adding a record"),
    "edit": N_("changing a record"),
    "trash": N_("moving to the trash"),
    "restore": N_("taking out of the trash"),
    "delete": N_("deleting"),
    "tag": N_("changing tags"),
    "review": N_("deciding on proposals"),
    "move": N_("moving to another store"),
    "erase": N_("erasing"),
    "encrypt": N_("encrypting"),
    "convert": N_("making a database of it"),
    "graph": N_("showing relations"),
    "together": N_("several acts as one"),
    "agent-view": N_("showing what the agent is given"),
}
"""What ``store.cannot`` calls an act."""


def explain(words: Words, error: UserError | IntegrityError) -> Explained:
    """Say an error; a code without words is said as itself (and fails a test)."""
    entry = ERRORS.get(error.code)
    if entry is None:
        return Explained(error.code, error.code, "")
    params = dict(error.params)
    if error.code == "store.cannot":
        act = str(params.get("act", ""))
        params["format"] = formats.format_name(words, str(params.get("format", "")))
        params["act"] = words.say(_ACTS[act]) if act in _ACTS else act
    if why := formats.reason(words, str(params.get("why") or "")):
        return Explained(error.code, words.say(entry.title, **params), why)
    step = TYPED.get(error.code, entry.next) if words.typed else entry.next
    return Explained(
        error.code,
        words.say(entry.title, **params),
        words.say(step, **_for_a_shell(step, params)) if step else "",
    )


def _for_a_shell(step: str, params: dict[str, object]) -> dict[str, object]:
    """What names a command is copied into a shell: a path with a blank stays one word there."""
    if _COMMAND not in step or "path" not in params:
        return params
    return params | {"path": shlex.quote(str(params["path"]))}
