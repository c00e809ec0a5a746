# SPDX-License-Identifier: MIT
"""Places in which a run found again what it had erased: what waits to be cleaned, or accepted.

Read from what is kept of each run, so that it is known after a restart as well. No content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memory_gui.erasure.proof import Find

Document = Mapping[str, Any]
NOT_CLEANED: Final = "side_files_not_erased"
"""Files that a run was to overwrite, each with what kept it from that."""
BEFORE: Final = "accepted_before"
"""In what is kept of a run: what was accepted of earlier ones at the same store."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """One place. ``where`` is a file's path, a kind of records, or a table, as ``Find`` has it.

    ``error`` is the code of what kept it from being read or cleaned; ``reason`` that for which a
    person accepted it.
    """

    store: str
    agent: str
    where: str
    what: str
    count: int
    error: str = ""
    reason: str = ""

    @property
    def find(self) -> Find:
        """As the erasure knows it."""
        return Find(self.where, self.what, self.count, self.error or None)


def can_be_accepted(document: Document) -> bool:
    """Whether nothing but what stands in other places keeps a store from being proved."""
    proof = document.get("proof")
    if not proof or not document.get("side_files") or proof["hits"]:
        return False
    structure = proof.get("structure", {})
    left = ("nonzero_bytes", "unreadable", "fulltext")
    return proof["by"] == "content" or not any(structure.get(name) for name in left)


def let_stay(store: str, agent: str, document: Document) -> Iterator[LeftOver]:
    """Those that a person has accepted, of this run and of earlier ones."""
    if document.get("accepted"):
        yield from places(store, agent, document)
    for one in document.get(BEFORE, ()):
        yield LeftOver(
            store, agent, str(one["path"]), str(one["what"]), int(one["count"]), reason=one["why"]
        )


def still_let_be(before: Document, now: Document) -> Document:
    """A later run looks for its own texts: what was accepted of an earlier one is there still."""
    earlier = [*now.get(BEFORE, ()), *before.get(BEFORE, ())]
    if before.get("accepted"):
        why = str(before.get("accepted_why", ""))
        earlier += [{**one, "why": why} for one in before.get("side_files", ())]
    if not earlier:
        return now
    known = {(one["path"], one["what"]): one for one in reversed(earlier)}
    limits = [*now.get("not_covered", ())]
    limits += [one for one in before.get("not_covered", ()) if one not in limits]
    return {**now, BEFORE: list(known.values()), "not_covered": limits}


def places(store: str, agent: str, document: Document) -> Iterator[LeftOver]:
    """Those that one store's last run names."""
    kept = {one["path"]: one["error"] for one in document.get(NOT_CLEANED, ())}
    for one in document.get("side_files", ()):
        yield LeftOver(
            store,
            agent,
            str(one["path"]),
            str(one["what"]),
            int(one["count"]),
            str(one.get("error") or kept.get(one["path"], "")),
            str(document.get("accepted_why", "")),
        )
