# SPDX-License-Identifier: MIT
"""Files that an erase leaves as they are: in its plan, its note and its proof.

They are searched like the agent's other files, so that it can be said what still stands in them;
but nothing is written to them, and what is found there does not speak against the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.keptfiles import HOLD, KEEP, KeptFile
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.proof import Find, KeptIn, Proof


@dataclass(frozen=True, slots=True)
class Spared:
    """Files as they are to be searched, and those of them that stay."""

    files: tuple[SideFile, ...]
    kept: tuple[KeptFile, ...]


def spare(files: Sequence[SideFile], kept: Mapping[str, KeptFile]) -> Spared:
    """The files, those that stay not to be written. ``kept`` is by the real path."""
    found: dict[KeptFile, None] = {}
    spared = []
    for file in files:
        stays = kept.get(os.path.realpath(file.path)) if kept else None
        if stays is not None:
            found[replace(stays, path=file.path)] = None
            file = replace(file, cleanable=False, whole=False)  # noqa: PLW2901 - the same file
        spared.append(file)
    return Spared(tuple(dict.fromkeys(spared)), tuple(found))


def spared(plan: ErasePlan, kept: Mapping[str, KeptFile]) -> ErasePlan:
    """The same plan; of the agent's other files these stay as they are."""
    if not kept:
        return plan
    stores = tuple(_spared(store, kept) for store in plan.stores)
    # The first store's part looks into the files of all of them.
    every = once(one for store in stores for one in store.kept)
    return replace(plan, stores=tuple(replace(store, kept=every) for store in stores))


def by_path(kept: Iterable[KeptFile]) -> dict[str, KeptFile]:
    """By the real path."""
    return {os.path.realpath(one.path): one for one in kept}


def _spared(store: StorePlan, kept: Mapping[str, KeptFile]) -> StorePlan:
    done = spare(store.side_files, kept)
    return replace(store, side_files=done.files, kept=once((*store.kept, *done.kept)))


def once(kept: Iterable[KeptFile]) -> tuple[KeptFile, ...]:
    """Each file once; a hold says more than a decision to keep."""
    found: dict[str, KeptFile] = {}
    for one in kept:
        if one.path not in found or one.what == HOLD:
            found[one.path] = one
    return tuple(found.values())


def still_kept(
    before: Sequence[KeptFile], now: Sequence[KeptFile], searched: Sequence[SideFile]
) -> tuple[KeptFile, ...]:
    """What stays when an erase goes on: what is decided now of the files that it names again."""
    again = {file.path for file in searched}
    return once((*now, *(one for one in before if one.path not in again)))


def told_apart(proof: Proof, kept: Sequence[KeptFile]) -> Proof:
    """The proof with what stands in files that stay apart from what speaks against it."""
    named = {one.path: one for one in kept}
    rest: list[Find] = []
    found: list[KeptIn] = []
    for find in proof.finds:
        stays = named.get(find.where)
        if stays is None:
            rest.append(find)
        elif find.count or find.error:
            found.append(KeptIn(stays, find.count, find.error, find.what))
    return replace(proof, finds=tuple(rest), kept_in=tuple(found)) if named else proof


def apart(finds: Iterable[Find], kept: Sequence[KeptFile]) -> tuple[list[Find], list[KeptIn]]:
    """Of a plan: where text stands that goes, and where it stays because the file does."""
    proof = told_apart(Proof("", finds=tuple(finds)), kept)
    return list(proof.finds), list(proof.kept_in)


def limit_of(one: KeptIn) -> Limit:
    """That the text is still in it, with the reason."""
    file = one.file
    params: dict[str, Any] = {"path": file.path, "reason": file.reason, "case": str(file.case)}
    if one.error:
        return Limit(_UNREAD[file.what], params)
    return Limit(_STANDS[file.what], {**params, "count": str(one.count)})


def passages_limit(file: KeptFile, count: int) -> Limit:
    """That a file stays with so many passages that name a person."""
    params = {"path": file.path, "reason": file.reason, "case": str(file.case)}
    return Limit(_PASSAGES[file.what], {**params, "count": str(count)})


_STANDS: Final = {KEEP: "limit.kept_file", HOLD: "limit.held_file"}
_UNREAD: Final = {KEEP: "limit.kept_file_unread", HOLD: "limit.held_file_unread"}
_PASSAGES: Final = {KEEP: "limit.kept_file_passages", HOLD: "limit.held_file_passages"}
KEPT_LIMITS: Final = frozenset((*_STANDS.values(), *_UNREAD.values()))
"""Codes of ``limit_of``."""
