# SPDX-License-Identifier: MIT
"""What the agent is given of a memory, and of a proposal once it is approved, by its own rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from memory_gui.domain.changes import Outcome, ReviewPreview
from memory_gui.domain.given import Stable
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services.agent.block import AgentBlocks
from memory_gui.services.library.library import Library
from memory_gui.stores.given import GivenRules
from memory_gui.stores.registry import given_by

_NEW: Final = "will be new"
_NEVER: Final[Mapping[State, str]] = {
    State.TRASH: "trash",
    State.PENDING: "pending",
    State.REJECTED: "rejected",
    State.APPROVED: "approved",
    State.EXPIRED: "expired",
}


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
    """``why``: the reason where it is NEVER.

    ``trash``, ``pending``, ``rejected``, ``approved`` (its memory is what is seen), ``expired``,
    ``refused``, ``wordless`` (it has no word that a message could have), ``kind`` (bookkeeping).
    """

    sight: Sight
    why: str = ""


class Outlooks:
    """Any thread. Reads the records of the agent's stores; ask where no window waits."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._blocks = AgentBlocks(library)

    def of(self, seen: ReviewPreview) -> Outlook | None:
        """After approving; None for agents whose rules are not known."""
        read = self._read(seen.item.ref.store)
        if read is None:
            return None
        if seen.item.state is State.REJECTED:
            return Outlook(Sight.NEVER, "rejected")
        if seen.outcome is Outcome.REFUSED and seen.target_store is None:
            return Outlook(Sight.NEVER, "refused")
        return self._found(read, _after(seen))

    def of_record(self, record: Record) -> Outlook | None:
        """Of a record as it is; None for agents whose rules are not known, and of summaries."""
        read = self._read(record.ref.store)
        if read is None or record.kind == "summary":
            return None
        if record.kind not in {"memory", "review", "proposal"}:
            return Outlook(Sight.NEVER, "kind")
        if record.state is not State.LIVE:
            return Outlook(Sight.NEVER, _NEVER.get(record.state, "kind"))
        return self._found(read, record)

    def _read(self, store: StoreId) -> _Read | None:
        """What the agent reads together, and its rules."""
        shelf = self._library.shelf(store)
        rules = given_by(shelf.info.format)
        if rules is None:
            return None
        partner = self._library.partner_of(shelf)
        return _Read((shelf.id,) if partner is None else (shelf.id, partner.id), rules)

    def _found(self, read: _Read, record: Record) -> Outlook:
        block = self._blocks.with_record(read.stores, record, read.rules)
        return sight_of(record, block.stable, read.rules)


@dataclass(frozen=True, slots=True)
class _Read:
    """The stores that an agent reads together, and the rules by which it does."""

    stores: tuple[StoreId, ...]
    rules: GivenRules


def sight_of(record: Record, block: Stable, rules: GivenRules) -> Outlook:
    """How often an agent sees a live memory, from the block of every request. Pure."""
    if record.ref in block.shown:
        return Outlook(Sight.ALWAYS)
    if record.ref in block.no_room:
        return Outlook(Sight.FITS)
    found = rules.can_be_recalled(record)
    return Outlook(Sight.RECALL) if found else Outlook(Sight.NEVER, "wordless")


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
