# SPDX-License-Identifier: MIT
"""Finding erased texts in bytes, in every form in which a program may have written them.

A shared window of 32 bytes always holds one whole block of 16 bytes at a multiple of 16 of the
data. So all 16-byte pieces of the texts are kept in a set, the data is cut at multiples of 16, and
only where a block is in the set is the match extended. Shorter texts are looked for whole, the
same way with blocks of 8 (from 15 bytes), 4 (from 7), 2 (from 3) or 1. Letters A-Z are folded on
both sides; other letters are looked for as written and case-folded.

Texts under SHORTEST bytes cannot be told from chance among page headers, numbers and row ids, so
they are looked for in the values of live rows and in side files (``short_batch``); where no live
row may be, the structure shows that there is nothing at all. Those under WORD bytes ("uv") are
looked for as whole words where that is asked for, and the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from struct import Struct
from typing import Final

from memory_gui.erasure.views import views

WINDOW: Final = 32
"""No run of this many bytes of an erased text may be left; a shorter text counts as a whole."""
SHORTEST: Final = 8
"""Texts of fewer UTF-8 bytes are looked for in values and side files, not in raw pages."""
WORD: Final = 4
"""Texts of fewer UTF-8 bytes would be found in every other word."""
BATCH: Final = 1_000_000
"""Pieces looked for in one pass (about 130 MB); more texts make more passes."""
_LONG: Final = 16
_AROUND: Final = WINDOW - _LONG
_CHUNK: Final = 4096
_SEPARATOR: Final = b"\xff\xff\xff"
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
"""Of a word, in lower-case data. Other scripts have no such edges and are found anywhere."""

Span = tuple[int, int]


def forms(text: str) -> set[bytes]:
    """How the text may stand in the data as it is: UTF-8, and UTF-16 where it is not plain ASCII.

    JSON escapes, and UTF-16 of plain ASCII, are undone in the data instead (``views``).
    """
    written = set()
    for variant in {text, text.casefold()}:
        encodings = ("utf-8",) if variant.isascii() else ("utf-8", "utf-16-le", "utf-16-be")
        for encoding in encodings:
            written.add(variant.encode(encoding, "surrogatepass").lower())
    return written


@dataclass(slots=True)
class Batch:
    """What is looked for in one pass over the data."""

    pieces: set[bytes] = field(default_factory=set)
    corpus: bytearray = field(default_factory=bytearray)
    whole: dict[int, dict[bytes, list[tuple[bytes, int]]]] = field(
        default_factory=lambda: {8: {}, 4: {}, 2: {}, 1: {}}
    )
    words: set[bytes] = field(default_factory=set)
    weight: int = 0

    def add_long(self, form: bytes) -> None:
        """Look for every window of a form of at least WINDOW bytes."""
        self.pieces.update(form[at : at + _LONG] for at in range(len(form) - _LONG + 1))
        self.corpus += form + _SEPARATOR
        self.weight += len(form)

    def add_whole(self, form: bytes) -> None:
        """Look for a form as a whole."""
        block = next(size for size in (8, 4, 2, 1) if len(form) >= 2 * size - 1)
        table = self.whole[block]
        for at in range(min(block, len(form) - block + 1)):
            table.setdefault(form[at : at + block], []).append((form, at))
        self.weight += block

    def scan(self, data: bytes) -> list[Span]:
        """Where the data holds something that is looked for: spans, in order, none overlapping."""
        spans: list[Span] = []
        for view in views(data.lower()):
            spans += [(view.place(start), view.place(end)) for start, end in self._match(view.data)]
        return merge(spans)

    def _match(self, low: bytes) -> Iterator[Span]:
        if self.pieces:
            for at in _candidates(low, _LONG, self.pieces):
                yield from self._extend(low, at)
        for block, table in self.whole.items():
            if table:
                for start, end in _whole_matches(low, block, table):
                    if low[start:end] not in self.words or _is_word(low, start, end):
                        yield start, end

    def _extend(self, low: bytes, at: int) -> Iterator[Span]:
        """The windows that hold the block at a place and are in a text.

        All pieces of such a window are pieces of texts, so where their run around the block is
        shorter there is none, and the texts need not be gone through.
        """
        first = last = at
        while (
            first > 0 and at - first < _AROUND and low[first - 1 : first - 1 + _LONG] in self.pieces
        ):
            first -= 1
        while last - at < _AROUND and low[last + 1 : last + 1 + _LONG] in self.pieces:
            last += 1
        for start in range(first, last - _AROUND + 1):
            if low[start : start + WINDOW] in self.corpus:
                yield start, start + WINDOW


def batches(texts: Iterable[str], limit: int = BATCH) -> Iterator[Batch]:
    """The texts cut into passes of bounded memory. Texts under SHORTEST are left out."""
    batch = Batch()
    for text in dict.fromkeys(texts):
        if is_short(text):
            continue
        long = len(text.encode("utf-8", "surrogatepass")) >= WINDOW
        for form in forms(text):
            for part in _parts(form, limit) if long else (form,):
                if long and len(part) >= WINDOW:
                    batch.add_long(part)
                else:
                    batch.add_whole(part)
                if batch.weight >= limit:
                    yield batch
                    batch = Batch()
    if batch.weight:
        yield batch


def short_batch(texts: Iterable[str], *, words: bool) -> Batch | None:
    """The texts under SHORTEST bytes; ``words``: those under WORD bytes as whole words only."""
    batch = Batch()
    for text in dict.fromkeys(texts):
        if not text or not is_short(text):
            continue
        for form in forms(text):
            if len(form) < WORD and form != _utf8(text).lower() and form != _utf8(text.casefold()):
                continue  # two bytes of UTF-16 are found everywhere
            batch.add_whole(form)
            if words and is_word(text):
                batch.words.add(form)
    return batch if batch.weight else None


def is_short(text: str) -> bool:
    """Whether a text is too short to be told from chance by its bytes."""
    return len(_utf8(text)) < SHORTEST


def is_word(text: str) -> bool:
    """Whether a text is so short that an erase looks for it as a whole word."""
    return len(_utf8(text)) < WORD


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_word(low: bytes, start: int, end: int) -> bool:
    """Whether no letter or digit goes on at either end of a match."""
    before = start > 0 and low[start] in _LETTERS and low[start - 1] in _LETTERS
    after = end < len(low) and low[end - 1] in _LETTERS and low[end] in _LETTERS
    return not (before or after)


def merge(spans: list[Span]) -> list[Span]:
    """Overlapping or touching spans made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _parts(form: bytes, limit: int) -> Iterator[bytes]:
    # Parts overlap by a window, so that no window is lost at a cut.
    step = max(limit, 2 * WINDOW)
    if len(form) <= step:
        yield form
        return
    for at in range(0, len(form) - WINDOW + 1, step):
        yield form[at : at + step + WINDOW - 1]


@lru_cache(maxsize=8)
def _cutter(block: int, count: int) -> Struct:
    return Struct(f"{block}s" * count)


def _candidates(low: bytes, block: int, wanted: AbstractSet[bytes]) -> Iterator[int]:
    """Offsets, multiples of ``block``, at which the data has one of the wanted blocks."""
    per_chunk = _CHUNK // block
    cutter = _cutter(block, per_chunk)
    full = len(low) // _CHUNK * _CHUNK
    for base in range(0, full, _CHUNK):
        blocks = cutter.unpack_from(low, base)
        if not wanted.isdisjoint(blocks):
            yield from (base + block * i for i, b in enumerate(blocks) if b in wanted)
    for at in range(full, len(low) - block + 1, block):
        if low[at : at + block] in wanted:
            yield at


def _whole_matches(
    low: bytes, block: int, table: dict[bytes, list[tuple[bytes, int]]]
) -> Iterator[Span]:
    for at in _candidates(low, block, table.keys()):
        for form, offset in table[low[at : at + block]]:
            start = at - offset
            if start >= 0 and low.startswith(form, start):
                yield start, start + len(form)
