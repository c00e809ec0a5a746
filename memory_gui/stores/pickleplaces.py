# SPDX-License-Identifier: MIT
"""Where the parts of a pickle of plain values stand, so that some go and no other byte moves.

Only what is made of dicts, lists, tuples, texts, bytes and numbers: anything else is refused
(``PickleError``). Nothing is imported, called or constructed. Source: ``pickletools`` and PEP 3154.

A pair of a dict is taken out where it stands: what it says becomes empty, and it is thrown away
when it is read. Its opcodes stay, because later ones count on the numbers under which they are
remembered; so does a text of it that something else refers to.
"""

from __future__ import annotations

import pickletools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from memory_gui.domain.filecuts import Put, Span, merged
from memory_gui.stores.pickles import PickleError

_BYTES_EACH: Final = 3
_FEW: Final = 100_000
"""There are not more opcodes than one for so many bytes on average, and these few besides."""
_BY_CODE: Final = {ord(one.code): one for one in pickletools.opcodes}
_FRAME: Final = 9
"""Bytes of the opcode and its length."""
_POP: Final = b"0".hex()
_HEADS: Final = {
    "SHORT_BINUNICODE": 1, "SHORT_BINBYTES": 1, "LONG1": 1, "BINUNICODE": 4, "BINBYTES": 4,
    "BINUNICODE8": 8, "BINBYTES8": 8,
}  # fmt: skip
"""Values behind a length, and how many bytes that has."""
_WIDTHS: Final = {"BININT": 4, "BININT1": 1, "BININT2": 2, "BINFLOAT": 8}
_MOST: Final = {"BININT": (1 << 31) - 1, "BININT1": (1 << 8) - 1, "BININT2": (1 << 16) - 1}
_FAR: Final = 1 << 62
_EMPTY: Final = {"EMPTY_DICT": "dict", "EMPTY_LIST": "list", "EMPTY_TUPLE": "tuple"}
_FIXED: Final = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES: Final = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_MEMO: Final = frozenset({"MEMOIZE", "BINPUT", "LONG_BINPUT"})
_GETS: Final = frozenset({"BINGET", "LONG_BINGET"})


@dataclass(eq=False, slots=True)
class Part:
    """One value. ``made`` is ``leaf`` or what holds others; ``before`` where the one ahead ends."""

    made: str
    start: int
    end: int
    before: int
    own: int
    """Where its first opcode ends."""
    value: Any = field(default=None, repr=False)
    opcode: str = ""
    parts: list[Part] = field(default_factory=list, repr=False)
    pairs: list[Pair] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class Pair:
    """Of a dict. ``alone``: where the opcode stands that puts it in by itself; -1 for many."""

    key: Part
    value: Part
    start: int
    end: int
    alone: int = -1


@dataclass(slots=True)
class Placed:
    """A whole pickle. ``leaves`` and ``gets`` in order; ``frames`` by where their opcodes stand."""

    top: Part
    leaves: list[Part]
    gets: list[tuple[int, Part]]
    frames: list[tuple[int, int]]


def placed(data: bytes) -> Placed:
    """Read where everything stands.

    Raises:
        PickleError: it is none, or more than plain values.
    """
    try:
        return _Walk(data).walk()
    except PickleError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
        raise PickleError("no pickle of plain values") from error


class _Walk:
    """One reading. On the stack are parts, and None for a mark."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._stack: list[Part | None] = []
        self._memo: dict[int, Part] = {}
        self._found = Placed(Part("leaf", 0, 0, 0, 0), [], [], [])
        self._last = 0

    def walk(self) -> Placed:
        for name, argument, at, end in self._opcodes():
            if name == "STOP":
                self._found.top = self._pop()
                if self._stack or end != len(self._data):
                    raise PickleError("more than one value")
                return self._found
            if name == "FRAME":
                self._found.frames.append((at, int(argument)))
                continue
            self._act(name, argument, at, end)
            self._last = end
        raise PickleError("no end")

    def _opcodes(self) -> Iterator[tuple[str, Any, int, int]]:
        stream, at = BytesIO(self._data), 0
        left = _FEW + len(self._data) // _BYTES_EACH
        while at < len(self._data):
            left -= 1
            if left < 0:
                raise PickleError("too many opcodes")
            opcode = _BY_CODE.get(self._data[at])
            if opcode is None:
                raise PickleError("no opcode")
            stream.seek(at + 1)
            argument = None if opcode.arg is None else opcode.arg.reader(stream)
            yield opcode.name, argument, at, stream.tell()
            at = stream.tell()

    def _act(self, name: str, argument: Any, at: int, end: int) -> None:
        if name == "PROTO":
            return
        if name == "MARK":
            self._stack.append(None)
        elif name in _HEADS or name in _WIDTHS or name in _FIXED:
            leaf = Part("leaf", at, end, self._last, end, _FIXED.get(name, argument), name)
            self._found.leaves.append(leaf)
            self._stack.append(leaf)
        elif name in _EMPTY:
            self._stack.append(Part(_EMPTY[name], at, end, self._last, end, opcode=name))
        elif name in _MEMO:
            self._memo[len(self._memo) if name == "MEMOIZE" else int(argument)] = self._top(end)
        elif name in _GETS:
            known = self._memo[int(argument)]
            self._found.gets.append((at, known))
            held = (known.value, name, known.parts, known.pairs)
            self._stack.append(Part(known.made, at, end, self._last, end, *held))
        else:
            self._gather(name, at, end)

    def _gather(self, name: str, at: int, end: int) -> None:
        if name in _TUPLES:
            self._tuple([self._pop() for _ in range(_TUPLES[name])][::-1], end)
        elif name == "TUPLE":
            self._tuple(self._marked(), end)
        elif name in ("APPEND", "APPENDS"):
            some = [self._pop()] if name == "APPEND" else self._marked()
            self._holding("list", end).parts.extend(some)
        elif name == "SETITEM":
            value, key = self._pop(), self._pop()
            pair = Pair(key, value, key.start, self._last, at)
            self._holding("dict", end).pairs.append(pair)
        elif name == "SETITEMS":
            some = self._marked()
            if len(some) % 2:
                raise PickleError("a name alone")
            ends = [*(one.before for one in some[2::2]), self._last]
            pairs = zip(some[::2], some[1::2], ends, strict=True) if some else ()
            made = [Pair(key, value, key.start, stop) for key, value, stop in pairs]
            self._holding("dict", end).pairs.extend(made)
        else:
            raise PickleError(name)

    def _tuple(self, some: list[Part], end: int) -> None:
        first = some[0] if some else None
        if first is None:
            raise PickleError("an empty tuple by a mark")
        self._stack.append(Part("tuple", first.start, end, first.before, end, parts=some))

    def _pop(self) -> Part:
        part = self._stack.pop()
        if part is None:
            raise PickleError("a mark")
        return part

    def _marked(self) -> list[Part]:
        at = len(self._stack) - 1
        while self._stack[at] is not None:
            at -= 1
            if at < 0:
                raise PickleError("no mark")
        some = [part for part in self._stack[at + 1 :] if part is not None]
        del self._stack[at:]
        return some

    def _top(self, end: int) -> Part:
        part = self._stack[-1]
        if part is None:
            raise PickleError("a mark")
        part.end = end
        return part

    def _holding(self, made: str, end: int) -> Part:
        part = self._top(end)
        if part.made != made or part.opcode in _GETS:
            raise PickleError(f"no {made} of its own")
        return part


@dataclass(slots=True)
class PickleCuts:
    """What goes, and what stands there instead."""

    cuts: list[Span] = field(default_factory=list)
    puts: list[Put] = field(default_factory=list)


def without_pairs(
    found: Placed, gone: Sequence[Pair], numbers: Iterable[tuple[Part, int]]
) -> PickleCuts:
    """A pickle without some pairs of its dicts, and with other numbers as keys.

    Raises:
        PickleError: a number that cannot be written in the same place.
    """
    made = PickleCuts()
    for pair in gone:
        if pair.alone < 0:
            made.puts.append((pair.end, pair.end, _POP * 2))
        else:
            made.puts.append((pair.alone, pair.alone + 1, _POP * 2))
    regions = merged((pair.start, pair.end) for pair in gone)
    needed = _needed(found, regions)
    for leaf in found.leaves:
        if _inside(leaf.start, regions) and not _inside(leaf.start, needed):
            _empty(made, leaf)
    for part, number in numbers:
        made.puts.append(_number(part, number))
    _reframe(made, found.frames)
    made.puts.sort()
    return made


def _needed(found: Placed, regions: Sequence[Span]) -> Sequence[Span]:
    """Parts inside of what goes to which something refers that stays."""
    needed: tuple[Span, ...] = ()
    waiting = found.gets
    while True:
        left, more = [], list[Span]()
        for at, part in waiting:
            if _inside(at, regions) and not _inside(at, needed):
                left.append((at, part))
            elif _inside(part.start, regions):
                more.append((part.start, part.end))
        if not more:
            return needed
        waiting, needed = left, merged((*needed, *more))


def _inside(at: int, spans: Sequence[Span]) -> bool:
    """Whether a place lies in one of some merged spans."""
    place = bisect_right(spans, (at, _FAR)) - 1
    return place >= 0 and at < spans[place][1]


def _empty(made: PickleCuts, leaf: Part) -> None:
    """Nothing where a text was, zero where a number was."""
    if leaf.opcode in _WIDTHS:
        made.puts.append((leaf.start + 1, leaf.own, "00" * _WIDTHS[leaf.opcode]))
    elif leaf.opcode in _HEADS:
        size = _HEADS[leaf.opcode]
        head = leaf.start + 1 + size
        if head < leaf.own:
            made.puts.append((leaf.start + 1, head, "00" * size))
            made.cuts.append((head, leaf.own))


def _number(part: Part, number: int) -> Put:
    width = _WIDTHS.get(part.opcode, 0)
    if part.opcode not in _MOST or not 0 <= number <= _MOST[part.opcode]:
        raise PickleError("a number that is written otherwise")
    return (part.start + 1, part.own, number.to_bytes(width, "little").hex())


def _reframe(made: PickleCuts, frames: Sequence[tuple[int, int]]) -> None:
    """The lengths of the frames in which anything goes or comes."""
    changes = [(start, end, start - end) for start, end in made.cuts]
    changes += [(start, end, len(new) // 2 - (end - start)) for start, end, new in made.puts]
    for at, size in frames:
        first, last = at + _FRAME, at + _FRAME + size
        grown = sum(by for start, end, by in changes if first <= start and first < end <= last)
        if grown:
            made.puts.append((at + 1, first, (size + grown).to_bytes(8, "little").hex()))
