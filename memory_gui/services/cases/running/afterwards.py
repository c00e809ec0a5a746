# SPDX-License-Identifier: MIT
"""After a run that is not proved everywhere: looking anew at what is really there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.book.book import CaseBook
from memory_gui.services.cases.book.deciding import Deciding
from memory_gui.services.cases.finding.finding import Finding
from memory_gui.services.cases.running.plans import CasePlan, CaseResult


class Afterwards:
    """Looks once more. Any thread; it takes as long as reading those stores takes."""

    def __init__(self, book: CaseBook, finding: Finding, deciding: Deciding) -> None:
        self._book = book
        self._finding = finding
        self._deciding = deciding

    def look(self, plan: CasePlan, result: CaseResult) -> CaseResult:
        """The same result; the case counts what is still there where it was not proved.

        What cannot be looked into keeps what was known of it.
        """
        case, finds = result.case, plan.finds
        stores = {one.path: one.store for one in plan.files}
        unproved = [one.path for one in result.parts if one.state is not EraseState.PROVED]
        paths = tuple(dict.fromkeys(stores.get(path, path) for path in unproved))
        if finds is None or not paths or not case.number or case.is_final:
            return result
        where = replace(plan.where, stores=paths, folders=(), usual=False, only=True)
        if any(one.is_dir() or str(one) in stores for one in map(Path, paths)):
            where = plan.where  # plain texts of an agent are no store that could be named
        (now,) = self._finding.find_many([(finds.subject, case.right)], where)
        now = self._deciding.applied(case, now)
        return replace(result, case=self._book.looked(case, now, whole=False))
