# SPDX-License-Identifier: MIT
"""The rules of review that a person made: kept in the ledger, per store. None until one is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory_gui.domain.changes import Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.patterns import checked
from memory_gui.domain.records import Ref, StoreId
from memory_gui.ledger.reviewrules import Rule, RuleRows
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import LedgerKeeper

LEAST_SEEN: Final = 2
MOST_SEEN: Final = 1_000


class RuleBook:
    """Any thread. Nothing here makes a ledger but ``add_…``; reading asks nobody without one."""

    def __init__(self, library: Library, keeper: LedgerKeeper | None) -> None:
        self._library = library
        self._keeper = keeper

    @property
    def can_be_kept(self) -> bool:
        """Whether there is a place for rules; may wait for the keychain."""
        return self._keeper is not None and self._keeper.ledger().rules is not None

    def of(self, store: StoreId) -> tuple[Rule, ...]:
        """The rules of a store, the oldest first."""
        rows = self.rows()
        return () if rows is None else rows.list(self.name(store))

    def add_approving(self, store: StoreId, seen: int) -> Rule:
        """Approve by itself what was seen so often, when nothing is odd and nothing is like it.

        Raises:
            UserError: ``rules.seen``, ``rules.nowhere``.
        """
        if not LEAST_SEEN <= seen <= MOST_SEEN:
            raise UserError("rules.seen", least=LEAST_SEEN, most=MOST_SEEN)
        return self.made().add(self.name(store), Verdict.APPROVE.value, seen, "")

    def add_rejecting(self, store: StoreId, pattern: str) -> Rule:
        """Reject what has this in its title, key or text; ``*`` stands for anything between.

        Raises:
            UserError: ``rules.pattern``, ``rules.nowhere``.
        """
        bare = checked(pattern)
        return self.made().add(self.name(store), Verdict.REJECT.value, 0, bare)

    def set_running(self, store: StoreId, ident: str, *, running: bool) -> None:
        """Let a rule decide, or rest. Raises UserError ``rules.unknown``."""
        self.made().set_running(self.one(store, ident).id, running=running)

    def remove(self, store: StoreId, ident: str) -> None:
        """Take a rule away; what it decided stays, and stays listed.

        Raises:
            UserError: ``rules.unknown``.
        """
        self.made().remove(self.one(store, ident).id)

    def one(self, store: StoreId, ident: str) -> Rule:
        """A rule by its id, or by how that begins. Raises UserError ``rules.unknown``."""
        found = [one for one in self.of(store) if one.id.startswith(ident.lower())]
        if len(found) != 1 or not ident:
            raise UserError("rules.unknown", rule=ident)
        return found[0]

    # ---- for the other parts of it

    def rows(self) -> RuleRows | None:
        """None where nothing was ever written down: nobody is asked to learn that."""
        keeper = self._keeper
        return keeper.ledger().rules if keeper is not None and keeper.is_kept else None

    def made(self) -> RuleRows:
        """The rows; the ledger is made for them. Raises UserError ``rules.nowhere``."""
        rows = None if self._keeper is None else self._keeper.ledger().rules
        if rows is None:
            raise UserError("rules.nowhere")
        return rows

    def name(self, store: StoreId) -> str:
        """What outlives moving the file, where there is such a thing."""
        shelf = self._library.shelf(store)
        return shelf.salt.hex() if shelf.salt else str(store)

    def take_out(self, refs: Sequence[Ref]) -> None:
        """A person opened these again: no rule decides on them any more."""
        rows = self.rows()
        for store in dict.fromkeys(ref.store for ref in refs) if rows is not None else ():
            assert rows is not None  # noqa: S101 - looked at above
            rows.take_out(self.name(store), [(r.kind, r.plain) for r in refs if r.store == store])

    def taken_out(self, store: StoreId) -> frozenset[tuple[str, str]]:
        """(kind, id) of those."""
        rows = self.rows()
        return frozenset() if rows is None else rows.taken_out(self.name(store))
