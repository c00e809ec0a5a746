# SPDX-License-Identifier: MIT
"""Erased text in the agent's other files: overwritten where it lies. For the eraser's process.

Each letter of a match becomes ``*``, so no byte moves, a log that is being written to goes on, and
JSON stays JSON: only what is inside of its strings is overwritten, escapes as a whole. The file is
held by the checks of rule 13 (DESIGN) before anything is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.engine.rawfile import HeldFile
from memory_gui.erasure.probes import Batch, Span, batches, merge, short_batch
from memory_gui.erasure.proof import Find

_CHUNK: Final = 1 << 20
_OVERLAP: Final = 1 << 16
"""So much before a chunk's end is looked at once more with the next one."""
_FILLER: Final = b"*"
_STRING: Final = re.compile(rb'"((?:[^"\\\n]|\\.)*)"')
_ESCAPE: Final = re.compile(
    rb"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\+(?-i:U)[0-9a-f]{8}|\\+u[0-9a-f]{4}"
    rb"|\\+x[0-9a-f]{2}|\\+.",
    re.IGNORECASE | re.DOTALL,
)


def clean_side_files(
    texts: Sequence[str], files: Sequence[SideFile], tick: Callable[[int, int], None]
) -> list[Find]:
    """Overwrite the texts in those files that may be cleaned; what was overwritten, and where not.

    ``Find.count`` is the number of places overwritten; ``Find.error`` the code of what kept a file
    from it. Files without such text are not named.
    """
    passes = list(batches(texts))
    shorts = short_batch(texts, words=True)
    passes += [shorts] if shorts is not None else []
    done = []
    for place, file in enumerate(files):
        tick(place, len(files))
        if file.cleanable and passes:
            found = _clean(file, passes)
            if found.count or found.error:
                done.append(found)
    return done


def _clean(file: SideFile, passes: Sequence[Batch]) -> Find:
    count = 0
    try:
        held = HeldFile.beside(Path(file.path))
        if held is None:
            return Find(file.path, file.what, 0)
        with held:
            for batch in passes:
                count += _overwrite(held, batch, as_json=file.encoding == "json")
            if count and file.whole:
                held.zero(0, held.size)
                held.unlink()
                return Find(file.path, file.what, count, removed=True)
    except UserError as error:
        return Find(file.path, file.what, count, error.code)
    except OSError:
        return Find(file.path, file.what, count, "side_file.unreadable")
    return Find(file.path, file.what, count)


def _overwrite(held: HeldFile, batch: Batch, *, as_json: bool) -> int:
    count = 0
    at = 0
    size = held.size
    while at < size:
        # JSON is read whole: where a string begins can only be told from its start.
        data = held.read(size if as_json else _CHUNK, at)
        if not data:
            break
        spans = whole_letters(data, batch.scan(data))
        step = len(data)
        if at + len(data) < size:
            # What may go on behind the chunk's end waits for the next one, which begins before it.
            waiting = [span for span in spans if span[1] > len(data) - _OVERLAP // 2]
            spans = [span for span in spans if span not in waiting]
            step = min([len(data) - _OVERLAP, *(start for start, _ in waiting)])
            if step == 0:  # longer than a chunk: what is here of it goes now, the rest next
                step = len(data) - _OVERLAP
                spans = [(0, step)]
        places = inside_strings(data, spans) if as_json else spans
        for start, end in places:
            held.put(at + start, data[start:end], _FILLER * (end - start))
        count += len(spans)
        at += step
    held.sync()
    return count


def whole_letters(data: bytes, spans: Iterable[Span]) -> list[Span]:
    """The spans, widened so that no letter of UTF-8 and no escape is cut."""
    spans = list(spans)
    if not spans:
        return []
    escapes = [found.span() for found in _ESCAPE.finditer(data)] if b"\\" in data else []
    starts = [start for start, _ in escapes]
    whole = []
    for first, last in spans:
        start, end = first, last
        while start > 0 and data[start] & 0xC0 == 0x80:
            start -= 1
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        for place in (bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1):
            if place >= 0 and escapes[place][1] > start and escapes[place][0] < end:
                start, end = min(start, escapes[place][0]), max(end, escapes[place][1])
        whole.append((start, end))
    return merge(whole)


def inside_strings(data: bytes, spans: Sequence[Span]) -> list[Span]:
    """The parts of the spans that lie inside of JSON strings. Data that is no JSON has no inside.

    Where no string is touched the data is torn or no JSON, and the spans stay as they are.
    """
    if not spans:
        return []
    strings = [found.span(1) for found in _STRING.finditer(data)]
    starts = [start for start, _ in strings]
    inside = []
    for start, end in spans:
        place = max(0, bisect_right(starts, start) - 1)
        mine = []
        while place < len(strings) and strings[place][0] < end:
            left, right = max(start, strings[place][0]), min(end, strings[place][1])
            if left < right:
                mine.append((left, right))
            place += 1
        inside += mine or [(start, end)]
    return inside
