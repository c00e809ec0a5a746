# SPDX-License-Identifier: MIT
"""What the agent will be given of a memory once its proposal is approved, by its own rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from memory_gui.domain.changes import Outcome, ReviewPreview
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services.library import Library
from memory_gui.stores.formats.agentao.prompt import all_entries, stable_block

_MOST: Final = 2_000
"""In a larger store the block is not worked out for each proposal: what may be in it, is told."""
_NEW: Final = "will be new"
_ALWAYS: Final = frozenset({"decision", "constraint", "workflow", "profile", "preference"})


class Sight(StrEnum):
    """How often an agent sees a memory."""

    ALWAYS = "always"
    """In every request, as the block is now."""
    FITS = "when it fits"
    """It belongs there, and there is no room for it now."""
    RECALL = "only on recall"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Outlook:
    """``why``: the reason where it is NEVER (``rejected``, ``refused``, ``pending``)."""

    sight: Sight
    why: str = ""


class Outlooks:
    """Any thread. Reads the records of the agent's stores; ask where no window waits."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def of(self, seen: ReviewPreview) -> Outlook | None:
        """After approving; None for agents whose rules are not known."""
        shelf = self._library.shelf(seen.item.ref.store)
        if shelf.info.format != "agentao":
            return None
        if seen.item.state is State.REJECTED:
            return Outlook(Sight.NEVER, "rejected")
        if seen.outcome is Outcome.REFUSED and seen.target_store is None:
            return Outlook(Sight.NEVER, "refused")
        return self._found(seen, shelf.id, shelf.partner)

    def _found(self, seen: ReviewPreview, store: StoreId, partner: StoreId | None) -> Outlook:
        record = _after(seen)
        ids = [store, *([partner] if partner is not None else [])]
        live = frozenset({State.LIVE})
        query = Query(stores=frozenset(ids), kinds=frozenset({"memory"}), states=live)
        found = self._library.search(query, "created").ids
        belongs = record.scope == "user" or record.type in _ALWAYS
        if len(found) > _MOST:
            return Outlook(Sight.FITS if belongs else Sight.RECALL)
        records = [one for one in self._library.window(sorted(found)) if one is not None]
        kept = [one for one in records if one.ref != record.ref]
        summaries = Query(stores=frozenset(ids), kinds=frozenset({"summary"}), states=live)
        tails = self._library.window(sorted(self._library.search(summaries, "created").ids))
        mine = [one for one in (*kept, record) if one.scope != "user"]
        yours = [one for one in (*kept, record) if one.scope == "user"]
        block = stable_block(all_entries(mine, yours), [one for one in tails if one is not None])
        if record.ref in block.shown:
            return Outlook(Sight.ALWAYS)
        return Outlook(Sight.FITS if record.ref in block.no_room else Sight.RECALL)


def _after(seen: ReviewPreview) -> Record:
    """The memory as it will be saved; a new one is the newest of all."""
    fields, old = seen.fields, seen.existing

    def text(name: str) -> str:
        value = fields.get(name)
        return value if isinstance(value, str) else ""

    tags = fields.get("tags") or ()
    extra = {"key_normalized": text("key"), "confidence": text("confidence")}
    latest = "9999-12-31T23:59:59"
    made = Record(
        ref=Ref(seen.target_store or seen.item.ref.store, "memory", (_NEW,)),
        etag="",
        state=State.LIVE,
        title=text("title"),
        text=text("text"),
        scope=text("scope"),
        type=text("type"),
        tags=(tags,) if isinstance(tags, str) else tags,
        created_at=latest,
        updated_at=latest,
        extra=extra,
    )
    return made if old is None else replace(made, ref=old.ref, created_at=old.created_at)
