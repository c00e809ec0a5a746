# SPDX-License-Identifier: MIT
"""Searches that a person saved under a name, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Choices
from memory_gui.ledger.filters import FilterRows, SavedFilter
from memory_gui.services.own.known import LedgerKeeper

LONGEST: Final = 60
"""Letters of a name: it stands in a menu."""
MOST: Final = 200


class Filters:
    """Keeps them in our own encrypted file. Any thread; may wait for the keychain."""

    def __init__(self, keeper: LedgerKeeper) -> None:
        self._keeper = keeper

    def list(self) -> tuple[SavedFilter, ...]:
        """All, by name; nobody is asked where nothing was ever written down."""
        rows = self._keeper.ledger().filters if self._keeper.is_kept else None
        found = () if rows is None else rows.list()
        return tuple(sorted(found, key=lambda one: (one.name.casefold(), one.name)))

    def get(self, name: str) -> SavedFilter:
        """The one of a name.

        Raises:
            UserError: ``filters.unknown``.
        """
        found = next((one for one in self.list() if one.name == name.strip()), None)
        if found is None:
            raise UserError("filters.unknown", name=name)
        return found

    def save(
        self,
        name: str,
        text: str,
        facets: Mapping[str, frozenset[str]] | None = None,
        sort: str = "",
        *,
        replace: bool = False,
    ) -> SavedFilter:
        """Keep a search; with ``replace`` in the place of the one of that name.

        Raises:
            UserError: ``filters.no_name``, ``filters.nothing`` (neither words nor chosen values),
                ``filters.taken``, ``filters.many``, ``filters.no_ledger``.
        """
        one = SavedFilter(" ".join(name.split()), text.strip(), Choices(facets), sort)
        if not one.name or len(one.name) > LONGEST or not one.name.isprintable():
            raise UserError("filters.no_name", most=LONGEST)
        if not one.text and not one.facets:
            raise UserError("filters.nothing")
        rows = self._rows()
        known = {old.name for old in rows.list()}
        if one.name in known and not replace:
            raise UserError("filters.taken", name=one.name)
        if one.name not in known and len(known) >= MOST:
            raise UserError("filters.many", most=MOST)
        rows.put(one)
        return one

    def remove(self, name: str) -> None:
        """Forget one.

        Raises:
            UserError: ``filters.unknown``, ``filters.no_ledger``.
        """
        if not self._rows().remove(name.strip()):
            raise UserError("filters.unknown", name=name)

    def _rows(self) -> FilterRows:
        rows = self._keeper.ledger().filters
        if rows is None:
            raise UserError("filters.no_ledger")
        return rows
