# SPDX-License-Identifier: MIT
"""Copies that an erase itself made: a trigger that is not the agent's may write what goes away.

A record into whose table such a trigger writes cannot be told from a copy. So what is found there
is no record that a person kept, and where nobody could look it is not said to be gone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from memory_gui.erasure.places import MOST_REFS
from memory_gui.erasure.plan import TableKind
from memory_gui.erasure.proof import COPIED, UNSEARCHED, Find, KeptHit, Proof


def with_copies(
    proof: Proof, tables: Sequence[TableKind], written: Collection[str], *, searched: bool
) -> Proof:
    """The proof with those that may be copies told apart from records that were kept.

    ``written`` are the tables that such triggers write to. ``searched``: the texts were known,
    now or in an earlier run.
    """
    if not written:
        return proof
    kept: list[KeptHit] = []
    copies: dict[str, int] = {}
    for hit in proof.kept_hits:
        table = _written(hit.ref, tables, written)
        if table is None:
            kept.append(hit)
        else:
            copies[table] = copies.get(table, 0) + hit.count
    finds = [Find(table, COPIED, count) for table, count in sorted(copies.items())]
    known = {find.where for find in (*proof.finds, *finds)}
    if not searched or len(proof.kept_hits) >= MOST_REFS:  # of more no table is known
        finds += [
            Find(table, COPIED, 0, UNSEARCHED) for table in sorted(written) if table not in known
        ]
    return replace(proof, kept_hits=tuple(kept), finds=(*finds, *proof.finds))


def _written(ref: str, tables: Sequence[TableKind], written: Collection[str]) -> str | None:
    """The table of a kept record, where it is one of those."""
    kind = ref.partition(":")[0]
    names = [entry.table for entry in tables if entry.kind == kind] or [kind]
    return next((name for name in names if name in written), None)
