# SPDX-License-Identifier: MIT
"""The words of every UserError: what happened, why, and what to do next.

A test holds this table against the codes that the source raises. The parts of it stand in modules
of their own; add new codes to the part of their area, or to a new part.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.words.catalogue import N_, Words
from memory_gui.words.error import ErrorWords
from memory_gui.words.errors_engine import ENGINE_ERRORS
from memory_gui.words.errors_services import SERVICES_ERRORS
from memory_gui.words.errors_stores import STORES_ERRORS
from memory_gui.words.errors_terminal import TERMINAL_ERRORS
from memory_gui.words.errors_vault import VAULT_ERRORS

__all__ = ["ERRORS", "ErrorWords", "Explained", "explain"]


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
    **VAULT_ERRORS,
    **ENGINE_ERRORS,
    **STORES_ERRORS,
    **SERVICES_ERRORS,
    **TERMINAL_ERRORS,
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
