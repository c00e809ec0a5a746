# SPDX-License-Identifier: MIT
"""Finding erased texts in bytes, in every form in which a program may have written them.

Of a text of at least 32 bytes every window of 32 bytes is looked for, a shorter one whole, all of
them in one pass (``engine.needles``). Letters A-Z are folded on both sides; other letters are
looked for as written and case-folded.

Texts under SHORTEST bytes cannot be told from chance among page headers, numbers and row ids, so
they are looked for in the values of live rows and in side files (``short_batch``); where no live
row may be, the structure shows that there is nothing at all. Those under WORD bytes ("uv") are
looked for as whole words where that is asked for, and the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

from memory_gui import lazy
from memory_gui.erasure.views import has_views, views

WINDOW: Final = 32
"""No run of this many bytes of an erased text may be left; a shorter text counts as a whole."""
SHORTEST: Final = 8
"""Texts of fewer UTF-8 bytes are looked for in values and side files, not in raw pages."""
WORD: Final = 4
"""Texts of fewer UTF-8 bytes would be found in every other word."""
BATCH: Final = 4_000_000
"""Bytes of texts looked for in one pass (about 300 MB); more texts make more passes."""
_BETWEEN: Final = b"\xff"
"""Between two parts of the data: no letter, no NUL, no part of an escape."""
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

    long: list[bytes] = field(default_factory=list)
    whole: list[bytes] = field(default_factory=list)
    words: set[bytes] = field(default_factory=set)
    weight: int = 0
    _needles: Any = None

    def add_long(self, form: bytes) -> None:
        """Look for every window of a form of at least WINDOW bytes."""
        self.long.append(form)
        self.weight += len(form)

    def add_whole(self, form: bytes) -> None:
        """Look for a form as a whole."""
        self.whole.append(form)
        self.weight += WINDOW

    def scan(self, data: bytes) -> list[Span]:
        """Where the data holds something that is looked for: spans, in order, none overlapping."""
        return self.scan_all([data]).get(0, [])

    def scan_all(self, parts: Sequence[bytes]) -> dict[int, list[Span]]:
        """The same of many pieces of data at once, by their numbers; those with none are left out.

        Nothing that lies over the end of a part is found.
        """
        low = _BETWEEN.join(parts).lower()
        starts = [0, *accumulate(len(part) + 1 for part in parts)]
        found = self._match(low, starts)
        seen = [
            (number, view)
            for number in has_views(low, starts)
            for view in views(low[starts[number] : starts[number + 1] - 1])
        ]
        if seen:
            bounds = [0, *accumulate(len(view.data) + 1 for _, view in seen)]
            more = self._match(_BETWEEN.join(view.data for _, view in seen), bounds)
            for place, spans in more.items():
                number, view = seen[place]
                told = [(view.place(start), view.place(end)) for start, end in merge(spans)]
                found.setdefault(number, []).extend(told)
        return {number: merge(found[number]) for number in sorted(found)}

    def may_hold(self, parts: Sequence[bytes]) -> set[int]:
        """Parts that cannot be passed over.

        Something is found there, whatever its edges are; or it may be, in another way of writing.
        """
        low = _BETWEEN.join(parts).lower()
        starts = [0, *accumulate(len(part) + 1 for part in parts)]
        hits = self._known().find(low)
        return {*lazy.needles().parts_of(hits.starts, starts), *has_views(low, starts)}

    def _known(self) -> Any:
        if self._needles is None:
            self._needles = lazy.needles().Needles(self.long, self.whole)
        return self._needles

    def _match(self, low: bytes, starts: Sequence[int]) -> dict[int, list[Span]]:
        """Matches in data as it is, by the part that they lie in, from the part's beginning."""
        hits = self._known().find(low)
        if self.words:
            hits = self._whole_words(low, hits)
        found: dict[int, list[Span]] = {}
        for number, start, end in lazy.needles().runs(hits, starts):
            found.setdefault(number, []).append((start, end))
        return found

    def _whole_words(self, low: bytes, hits: Any) -> Any:
        """Without those of the shortest texts that are a piece of a longer word."""
        pairs = zip(hits.starts.tolist(), hits.ends.tolist(), strict=True)
        kept = [
            place
            for place, (start, end) in enumerate(pairs)
            if low[start:end] not in self.words or _is_word(low, start, end)
        ]
        return hits.at(kept)


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
