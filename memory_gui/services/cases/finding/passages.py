# SPDX-License-Identifier: MIT
"""Files that an agent leaves beside its store, read passage by passage.

A passage is a line of a text file, or a line inside of a string of JSON, which stays JSON when it
is taken out. Only the passages that name the person go, or the name in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.cases.finds import CaseFind, Decision, Heap, Piece, Place, judge, pieces_of
from memory_gui.cases.matching import Hit, Matcher
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.filecuts import FileCut, Span, merged
from memory_gui.domain.records import StoreId
from memory_gui.engine.plainfile import Content, read_file
from memory_gui.services.cases.finding.candidates import StoreFacts, has_contacts, others_in

BY_HAND: Final = "by_hand"
"""Why passages of a file that a person wrote are not ticked."""
_LINE: Final = re.compile(rb"[^\n]+\n?|\n")
_STRING: Final = re.compile(rb'"((?:[^"\\\n]|\\.)*)"')
_END: Final = b"\\n"
_INNER: Final = re.compile(rb"\\n|(?:(?!\\n)(?:\\.|[^\\]))+")
"""An escaped line end inside of a string, or what stands between two of them."""
_TOKEN: Final = re.compile(
    rb"\\+u[dD][89abAB][0-9a-fA-F]{2}\\+u[dD][c-fC-F][0-9a-fA-F]{2}|\\+u[0-9a-fA-F]{4}|\\+.|[^\\]+|\\",
    re.DOTALL,
)
_HEX: Final = re.compile(rb"u([0-9a-fA-F]{4})")
_LETTER: Final = {b"n": "\n", b"r": "\r", b"t": "\t", b"b": "\b", b"f": "\f"}
_JSON: Final = frozenset({b"{", b"[", b'"'})
"""How a document begins; a file that is called one and begins otherwise is read as text."""
_ESCAPED: Final = re.compile(
    r"\\+u([dD][89abAB][0-9a-fA-F]{2})\\+u([dD][c-fC-F][0-9a-fA-F]{2})|\\+u([0-9a-fA-F]{4})"
)
_PIECE: Final = 1 << 17
_OVERLAP: Final = 1 << 12
_ASK_EACH: Final = 5_000
_MOST_PIECES: Final = 6


@dataclass(frozen=True, slots=True)
class Passage:
    """Bytes of a file that name the person, and where in them the name itself stands."""

    span: Span
    names: tuple[Span, ...]
    hits: tuple[Hit, ...]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileRead:
    """One file as it was read; ``passages`` are by the number of who was looked for."""

    file: SideFile
    facts: StoreFacts
    content: Content = field(repr=False)
    passages: Mapping[int, tuple[Passage, ...]] = field(repr=False)

    def by_heap(
        self, number: int, matcher: Matcher, people: frozenset[str]
    ) -> dict[Heap, list[tuple[Passage, tuple[str, ...], tuple[str, ...]]]]:
        """(passage, why, who else) by the heap that each belongs to."""
        found: dict[Heap, list[tuple[Passage, tuple[str, ...], tuple[str, ...]]]] = {}
        for one in self.passages.get(number, ()):
            judged = judge(
                one.hits,
                own=False,
                others=others_in(one.text, matcher, people),
                contacts=has_contacts(matcher, one.text),
            )
            heap, why = judged.heap, judged.why
            if heap is Heap.SURE and not self.file.cleanable:
                heap, why = Heap.SHARED, (BY_HAND,)
            found.setdefault(heap, []).append((one, why, judged.others))
        return found

    def finds(self, number: int, matcher: Matcher, people: frozenset[str]) -> Iterator[CaseFind]:
        """One for each heap that has passages."""
        for heap, mine in self.by_heap(number, matcher, people).items():
            pieces: list[Piece] = []
            for one, _, _ in mine[:_MOST_PIECES]:
                pieces += pieces_of([("", one.text, one.hits)])[:1]
            sure = any(hit.sure for one, _, _ in mine for hit in one.hits)
            can = {Decision.ERASE, Decision.KEEP, Decision.HOLD}
            yield CaseFind(
                number=0,
                store=StoreId(self.facts.path),
                format=self.facts.format,
                agent=self.facts.agent,
                place=Place.FILE,
                kind=self.file.what,
                heap=heap,
                path=self.file.path,
                title=Path(self.file.path).name,
                pieces=tuple(pieces),
                hits=len(mine),
                why=tuple(dict.fromkeys(why for _, whys, _ in mine for why in whys)),
                others=tuple(dict.fromkeys(who for _, _, told in mine for who in told)),
                can=frozenset(can | {Decision.REDACT} if sure else can),
            )


def read_passages(
    file: SideFile,
    facts: StoreFacts,
    matchers: Sequence[Matcher],
    check: Callable[[], object],
) -> FileRead:
    """Read a file and keep what names one of the people.

    Raises:
        UserError: ``file.link``, ``store.too_big``, ``store.no_permission``, ``store.io``.
    """
    content = read_file(Path(file.path))
    data = content.data
    found: dict[int, tuple[Passage, ...]] = {}
    for number, matcher in enumerate(matchers):
        if _may_hold(data, matcher, check):
            as_json = file.encoding == "json" and data.lstrip()[:1] in _JSON
            spans = passages_in(data, as_json=as_json)
            found[number] = tuple(_named(data, spans, matcher, check))
    return FileRead(file, facts, content, found)


def cut_of(
    read: FileRead, wanted: Mapping[Heap, Decision], matcher: Matcher, people: frozenset[str]
) -> tuple[FileCut | None, int]:
    """What is taken out of a file as it is now, and how many passages that are; None: nothing."""
    seen = read.content.seen
    cuts: list[Span] = []
    count = 0
    for heap, mine in read.by_heap(0, matcher, people).items():
        decision = wanted.get(heap)
        for one, _, _ in mine if decision in {Decision.ERASE, Decision.REDACT} else ():
            cuts += [one.span] if decision is Decision.ERASE else one.names
            count += 1
    if seen is None or not cuts:
        return None, 0
    place = (seen.device, seen.inode, seen.size, seen.changed)
    return FileCut(read.file.path, place, merged(cuts)), count


# ---- cutting up


def passages_in(data: bytes, *, as_json: bool) -> Iterator[Span]:
    """Where passages lie."""
    if not as_json:
        yield from (found.span() for found in _LINE.finditer(data))
        return
    for found in _STRING.finditer(data):
        start, end = found.span(1)
        if b"\\n" not in found[1]:
            yield start, end
            continue
        for inner in _INNER.finditer(data, start, end):
            if inner[0] != _END:
                yield inner.span()


def _may_hold(data: bytes, matcher: Matcher, check: Callable[[], object]) -> bool:
    """Whether a file is worth being cut up; piece by piece, with some of the next one."""
    for start in range(0, len(data), _PIECE):
        check()
        if matcher.may_hold(plain(data[start : start + _PIECE + _OVERLAP])):
            return True
    return False


def plain(data: bytes) -> str:
    """Bytes as text with escaped letters undone, only to see whether they are worth a look."""
    text = data.decode("utf-8", "surrogateescape")
    if "\\u" not in text:
        return text
    return _ESCAPED.sub(_letter, text)


def _letter(found: re.Match[str]) -> str:
    if found[3]:
        return chr(int(found[3], 16))
    return chr(0x10000 + ((int(found[1], 16) & 0x3FF) << 10) + (int(found[2], 16) & 0x3FF))


def laid(data: bytes) -> tuple[str, list[int]]:
    """The text of some bytes, and of each letter (and of the end) the byte at which it begins."""
    letters: list[str] = []
    places: list[int] = []
    for token in _TOKEN.finditer(data):
        raw, at = token[0], token.start()
        if raw[:1] == b"\\" and len(raw) > 1:
            letter = _escaped(raw)
            letters.append(letter)
            places += [at] * len(letter)
            continue
        text = raw.decode("utf-8", "surrogateescape")
        letters.append(text)
        if len(text) == len(raw):
            places.extend(range(at, at + len(raw)))
            continue
        for letter in text:
            places.append(at)
            at += len(letter.encode("utf-8", "surrogateescape"))
    places.append(len(data))
    return "".join(letters), places


def _escaped(raw: bytes) -> str:
    codes = [int(code, 16) for code in _HEX.findall(raw)]
    if codes and raw.lstrip(b"\\")[:1] == b"u":
        units = b"".join(code.to_bytes(2, "big") for code in codes)
        return units.decode("utf-16-be", "replace")
    last = raw.lstrip(b"\\")[:1] or b"\\"
    return _LETTER.get(last, last.decode("latin-1"))


def _named(
    data: bytes, spans: Iterator[Span], matcher: Matcher, check: Callable[[], object]
) -> Iterator[Passage]:
    for number, (start, end) in enumerate(spans):
        if number % _ASK_EACH == 0:
            check()
        raw = data[start:end]
        if not matcher.may_hold(plain(raw)):
            continue
        text, places = laid(raw)
        hits = matcher.find(text)
        if hits:
            names = [
                (start + places[hit.start], start + places[hit.end]) for hit in hits if hit.sure
            ]
            yield Passage((start, end), tuple(names), hits, text)
