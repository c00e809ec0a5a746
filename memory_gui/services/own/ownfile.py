# SPDX-License-Identifier: MIT
"""Our own file, wiped by our own recipe: what it freed is zeroed, it is made small, and proved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind
from memory_gui.erasure.result import EraseState
from memory_gui.erasure.run import resume, run_erase
from memory_gui.ledger import AnyLedger, Ledger
from memory_gui.ledger.files import private_folder
from memory_gui.ledger.pendingfiles import PendingFiles

OWN_NOTES: Final = "cleaning"
"""The folder in which an unfinished cleaning of our own file is noted: not in that file."""
_TABLES: Final = (
    TableKind("case_file", "case", ("number",)),
    TableKind("case_act", "case", ("number",)),
    TableKind("proposal", "proposal", ("id",)),
    TableKind("store", "store", ("path",)),
    TableKind("draft", "draft", ("id",)),
)
"""What of our own may go on to hold such a text: another case of the same person."""


class OwnFile:
    """Cleans the ledger. Any thread; it takes about as long as erasing a record."""

    def __init__(self, ledger: Callable[[], AnyLedger], data_dir: Path) -> None:
        self._ledger = ledger
        self._folder = data_dir / OWN_NOTES

    @property
    def is_half_clean(self) -> bool:
        """Whether a cleaning was begun and not finished; asks nobody."""
        return any(self._folder.glob("pending/*.json"))

    def clean(self, texts: Sequence[str] = ()) -> bool:
        """Wipe what our own file has freed, and prove that the texts are gone from it.

        False where another copy of the app has it open at this moment: it is done at the next
        closing, or start.
        """
        ledger = self._ledger()
        if not isinstance(ledger, Ledger):
            return False
        path, key = str(ledger.file), RawKey(ledger.secret())
        private_folder(self._folder)
        notes = PendingFiles(self._folder)
        plan = StorePlan(
            path,
            "ledger",
            encrypted=True,
            rows=(),
            texts=tuple(text for text in texts if text),
            tables=_TABLES,
            anyway=True,
            mode="persist",
        )
        try:
            for entry in notes.list(path):
                result = resume(entry, key, pending=notes, texts=plan.texts)
                if result.state is EraseState.NOT_FINISHED:
                    return False
                notes.remove(entry.id)
            result = run_erase(ErasePlan((plan,)), {path: key}, pending=notes)
            if result.state is not EraseState.NOT_FINISHED:
                for entry in notes.list(path):
                    notes.remove(entry.id)
        except (UserError, Cancelled):
            return False
        return result.state is EraseState.PROVED
