# SPDX-License-Identifier: MIT
"""Proposing a memory to the person, for agents whose store has no queue: nothing is saved by it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.ledger.ledger import Ledger
from memory_gui.usual import usual_folder
from memory_gui.vault.keychain import AnyKeychain, Keychain


def propose(
    store: str | os.PathLike[str],
    fields: Mapping[str, str | tuple[str, ...]],
    evidence: str = "",
    *,
    session: str = "",
    keychain: AnyKeychain | None = None,
    data_dir: str | os.PathLike[str] | None = None,
) -> str:
    """Put a proposal into the app's own encrypted file; Review shows it. Gives its id.

    ``store`` is the store's main file, ``fields`` are text and title, type, scope, tags (a tuple),
    key, subject and source, as far as the format has them (a memory graph: an entity's name as
    title, and its type); what the store could not save is told in review. ``evidence`` is what it
    was concluded from. Only a person's approval writes the store. Blocks while the keychain is
    asked.

    Raises:
        UserError: ``propose.no_text``; ``propose.nowhere`` where the app keeps no file of its own
            (no keychain, or locked).
    """
    if not str(fields.get("text") or "").strip():
        raise UserError("propose.no_text")
    folder = data_dir or os.environ.get("MEMORY_GUI_DATA") or usual_folder()
    asked = keychain or Keychain()
    try:
        ledger = Ledger.open(Path(folder), asked)
        rows = ledger.proposals
        if rows is None:
            ledger.close()
            raise UserError("propose.nowhere")
        try:
            return rows.propose(str(Path(store).resolve()), fields, evidence, session)
        finally:
            ledger.close()
    finally:
        if keychain is None:
            asked.close()
