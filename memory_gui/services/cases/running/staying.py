# SPDX-License-Identifier: MIT
"""Files that a run of a case leaves byte for byte: kept in it, or on hold in any case.

Of a file in which the same case takes out other passages, those that are kept stay.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from memory_gui.cases.finds import STAYING, CaseFind, Finds, Place
from memory_gui.domain.errors import UserError
from memory_gui.domain.keptfiles import HOLD, KeptFile
from memory_gui.erasure.plan import ErasePlan
from memory_gui.services.cases.running.plans import StayingFile


class Staying:
    """Knows them for one plan.

    ``case`` is the number of the plan's own; ``held``, by the real path, are those of other cases.
    """

    def __init__(self, finds: Finds, case: int, held: Mapping[str, KeptFile]) -> None:
        self.held = held
        cut = {os.path.realpath(o.path) for o in finds.ticked if o.place is Place.FILE} - {*held}
        mine: dict[str, KeptFile] = {}
        found: dict[str, StayingFile] = {}
        for one in finds.finds:
            if one.place is not Place.FILE:
                continue
            real = os.path.realpath(one.path)
            if one.decision in STAYING and (real not in mine or one.decision == HOLD):
                what = str(one.decision)
                mine[real] = KeptFile(one.path, what, one.reason, case, real in cut)
            stays = mine[real] if one.decision in STAYING else held.get(real)
            if stays is not None:
                found[real] = _more(found.get(real), stays, one)
        self.files = {**mine, **held}
        """By the real path, those that no erase of this run writes to."""
        self.told = tuple(replace(o, file=self.files[real]) for real, o in found.items())

    def stays(self, find: CaseFind) -> bool:
        """Whether what was chosen to go stays, because another case holds something in its file."""
        return os.path.realpath(find.path) in self.held

    def check(self, plan: ErasePlan) -> None:
        """Whether records go from a file that stays. Raises UserError ``case.kept_file``."""
        for store in plan.stores:
            for cut in store.files:
                if cut.is_written and os.path.realpath(cut.path) in self.files:
                    raise UserError("case.kept_file", path=cut.path)


def _more(before: StayingFile | None, stays: KeptFile, find: CaseFind) -> StayingFile:
    if before is None:
        place = (str(find.store), find.agent, find.kind)
        return StayingFile(stays, *place, find.hits)
    return replace(before, hits=before.hits + find.hits, finds=before.finds + 1)
