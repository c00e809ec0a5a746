# SPDX-License-Identifier: MIT
"""Taking the rows of a plan out, inside the eraser's transaction, and nothing but those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_gui.domain.erasing import CellCut, EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.engine.wipe import Wipe
from memory_gui.erasure.cells import cell_name


@dataclass(frozen=True, slots=True)
class Deletion:
    """What goes from one database. ``agreed``: a person has seen what is foreign in the file."""

    wipe: Wipe
    rows: Sequence[EraseRows]
    cells: Sequence[CellCut]
    agreed: bool = False

    def take(self, counts: dict[str, list[int]]) -> str:
        """Delete them; ``counts`` gets table -> [found, erased, kept].

        Raises:
            UserError: ``erase.more_rows``, ``erase.cascade``, which roll everything back; as
                ``Wipe.cut_cell``.
        """
        wipe, total = self.wipe, 0
        before, orphans = wipe.table_counts(), wipe.orphans()
        found = [wipe.count(rows) for rows in self.rows]
        for rows in self.rows:
            wipe.delete(rows)
        for rows, number in zip(self.rows, found, strict=True):
            kept = wipe.count(rows)
            three = counts.setdefault(rows.table, [0, 0, 0])
            for place, some in enumerate((number, number - kept, kept)):
                three[place] += some
            total += number - kept
        for cell in self.cells:
            three = counts.setdefault(cell_name(cell), [0, 0, 0])
            changed = wipe.cut_cell(cell)
            three[0] += changed
            three[1] += changed
        self._refuse_more(before, wipe.table_counts(), counts)
        self._refuse_orphans(orphans, wipe.orphans())
        return f"{total} rows"

    def _refuse_more(
        self, before: Mapping[str, int], after: Mapping[str, int], counts: dict[str, list[int]]
    ) -> None:
        """No table may have lost more rows than the plan took.

        The agents' own triggers move a counter's value and no rows. Rows that came to be are
        accepted only where a person agreed to what is foreign in the file.
        """
        for table, number in before.items():
            planned = counts.get(table, [0, 0, 0])[1]
            gone = number - after.get(table, 0)
            if gone > planned or (gone < planned and not self.agreed):
                raise UserError(
                    "erase.more_rows",
                    path=str(self.wipe.path),
                    table=table,
                    planned=planned,
                    gone=gone,
                )

    def _refuse_orphans(self, before: Mapping[str, int], after: Mapping[str, int]) -> None:
        """Rows that the agent has SQLite take with others must be in the plan: else they stay."""
        for table, number in after.items():
            if number > before.get(table, 0):
                raise UserError("erase.cascade", path=str(self.wipe.path), table=table)
