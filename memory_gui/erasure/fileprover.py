# SPDX-License-Identifier: MIT
"""The prover's part for stores that are text files: every byte of them is looked at.

*Structure*: the file is, byte for byte, what it was without the cuts (another program may have
written behind that), no other half lies beside it, and a file that was to go is gone. *Content*: no
window of an erased text is in it, except in records that were kept, which are named by their
places.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.work import Tick
from memory_gui.engine.plainfile import read_file, status_of
from memory_gui.engine.replacing import part_of
from memory_gui.erasure.look import search_side_files
from memory_gui.erasure.probes import Batch, batches, is_short, is_word, short_batch
from memory_gui.erasure.proof import Find, KeptHit, Proof, Structure


@dataclass(slots=True)
class _Found:
    files: int = 0
    bytes: int = 0
    hits: int = 0
    kept: dict[str, int] = field(default_factory=dict)
    left: int = 0
    unreadable: int = 0


def prove_plain(
    files: Sequence[Mapping[str, Any]],
    texts: Sequence[str],
    side_files: Sequence[SideFile],
    tick: Tick,
    *,
    words: bool = True,
) -> Proof:
    """Look at the files as they lie on the disk. ``files`` as ``asking`` sends them."""
    begun = time.perf_counter()
    found = _Found()
    passes: list[Batch] = list(batches(texts))
    shorts = short_batch(texts, words=words)
    passes += [shorts] if shorts is not None else []
    for number, entry in enumerate(files, 1):
        tick("prove-content", number, len(files))
        _look(entry, passes, found)
    gone = {str(entry["path"]) for entry in files if entry["gone"]}
    others = [one for one in side_files if one.path not in gone]
    finds: tuple[Find, ...] = search_side_files(texts, others, tick) if texts else ()
    seen = {find.where for find in finds}
    quiet = tuple(Find(one.path, one.what, 0) for one in others if one.path not in seen)
    return replace(
        _proof(found, texts, words=words),
        finds=(*finds, *quiet),
        ms=(time.perf_counter() - begun) * 1000,
    )


def _look(entry: Mapping[str, Any], passes: Sequence[Batch], found: _Found) -> None:
    path = Path(entry["path"])
    found.left += _half_beside(path)
    try:
        content = read_file(path)
    except UserError:
        found.unreadable += 1
        return
    if content.seen is None:
        return
    data = content.data
    found.files += 1
    found.bytes += len(data)
    if entry["gone"]:
        found.left += len(data)
    expected, size = entry["expected"], int(entry["size"])
    as_left = not expected or sha256(data[:size]).hexdigest() == expected
    if not as_left and not passes:
        found.unreadable += 1  # somebody wrote it anew, and nothing is known to look for
    kept = [(int(a), int(b), str(ref)) for a, b, ref in entry["kept"]] if as_left else []
    for batch in passes:
        for start, end in batch.scan(data):
            ref = next((ref for a, b, ref in kept if a <= start and end <= b), None)
            if ref is None:
                found.hits += 1
            else:
                found.kept[ref] = found.kept.get(ref, 0) + 1


def _half_beside(path: Path) -> int:
    """Bytes of what a stopped writing left."""
    try:
        status = status_of(part_of(path))
    except UserError:
        return 1
    return 0 if status is None else max(1, status.st_size)


def _proof(found: _Found, texts: Sequence[str], *, words: bool) -> Proof:
    return Proof(
        by="content+structure" if texts else "structure",
        hits=found.hits,
        kept_hits=tuple(KeptHit(ref, count) for ref, count in found.kept.items()),
        structure=Structure(
            nonzero_bytes=found.left,
            unreadable=found.unreadable,
            by_place={"beside": found.left} if found.left else {},
        ),
        texts=len(texts),
        words_only=sum(1 for text in texts if words and is_word(text)),
        cells_only=sum(1 for text in texts if is_short(text)),
        files=found.files,
        bytes=found.bytes,
    )
