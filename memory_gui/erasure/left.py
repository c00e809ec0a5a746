# SPDX-License-Identifier: MIT
"""What a run adds to what is not covered."""

from __future__ import annotations

from collections.abc import Sequence

from memory_gui.erasure.keptfiles import limit_of
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.proof import COPIED, TABLE, Find
from memory_gui.erasure.result import StoreResult


def _accepted(find: Find) -> Limit:
    if find.error:
        unread = "limit.copied_unsearched" if find.what == COPIED else "limit.side_file_unread"
        return Limit(unread, {"path": find.where})
    found = {TABLE: "limit.table", COPIED: "limit.copied"}.get(find.what, "limit.side_file")
    return Limit(found, {"path": find.where, "count": str(find.count)})


def limits_after(results: Sequence[StoreResult], *, unseen: bool) -> list[Limit]:
    """What a run adds to what is not covered: finds that a person lets be, unseen programs."""
    limits = []
    for result in results:
        if result.accepted and result.proof is not None:
            limits += [_accepted(find) for find in result.proof.still_in]
        if result.proof is not None:
            limits += [limit_of(one) for one in result.proof.kept_in]
        if result.proof is not None and result.proof.words_only:
            limits.append(Limit("limit.short_text", {"count": str(result.proof.words_only)}))
        if result.unsearched:
            number = str(result.unsearched)
            limits.append(Limit("limit.side_files_unsearched", {"count": number}))
    if unseen:
        limits.append(Limit("limit.unseen_programs"))
    return list({(limit.code, *limit.params.values()): limit for limit in limits}.values())
