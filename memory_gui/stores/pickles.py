# SPDX-License-Identifier: MIT
"""What a pickle says, read opcode by opcode: nothing is imported, called or constructed.

Plain values (numbers, texts, lists, dicts) come out as themselves. Whatever a pickle would have
made by code comes out as ``Made``: the names it gives, and what it would have been given. Bounded:
by the bytes, the opcodes and how deep values nest. A pickle may refer to one value often, and to
itself: who walks through what came out must be bounded too (``plain``).
"""

from __future__ import annotations

import pickletools
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

MOST_BYTES: Final = 1 << 20
"""Of a row: a text, and a vector of 65,536 numbers, are less."""
_BYTES_EACH: Final = 3
"""There are not more opcodes than one for so many bytes on average, and these few besides."""
_FEW: Final = 100_000
_LARGEST_KEY: Final = 1 << 40
"""Larger numbers as keys can be chosen so that a dict takes for ever (sources: PEP 456)."""
_FLOATS: Final = re.compile(rb"(?:G.{8})+", re.DOTALL)
_FLOAT: Final = 9
_DEEP: Final = 32
_NODES: Final = 100_000
_LONG: Final = 256


class PickleError(ValueError):
    """It is no pickle, or one beyond the limits."""


@dataclass(eq=False, slots=True)
class Made:
    """What a pickle would have made by code; never made. ``name`` is ``module.name``."""

    name: str
    given: Any = field(default=(), repr=False)
    state: Any = field(default=None, repr=False)


_MARK: Final = object()


def read_pickle(data: bytes, most: int = MOST_BYTES) -> Any:
    """The value of a pickle of at most so many bytes.

    Raises:
        PickleError: it ends early, is none, or is beyond the limits.
    """
    if len(data) > most:
        raise PickleError("too large")
    try:
        return _Reader(data).read()
    except PickleError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, struct.error, OverflowError) as error:
        raise PickleError("no pickle") from error


def plain(value: Any) -> Any:
    """The same with lists, dicts and texts only, cut off where it is deep or long.

    Shared and circular parts are written out within those bounds.
    """
    left = [_NODES]
    return _plain(value, left, 0)


def _plain(value: Any, left: list[int], deep: int) -> Any:
    left[0] -= 1
    if left[0] < 0 or deep > _DEEP:
        return "…"
    if isinstance(value, Mapping):
        return {
            str(_plain(name, left, deep + 1)): _plain(one, left, deep + 1)
            for name, one in value.items()
            if left[0] > 0
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, left, deep + 1) for one in value if left[0] > 0]
    if isinstance(value, Made):
        return {value.name: _plain(value.state or value.given, left, deep + 1)}
    return _leaf(value)


def _leaf(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value[:1024]).decode("utf-8", "backslashreplace")
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _LONG:
        return f"{value:#x}"[:_LONG]
    return value


class _Reader:
    """One pickle. The stack holds values and marks, the memo values."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._left = _FEW + len(data) // _BYTES_EACH

    def read(self) -> Any:
        for name, argument in self._opcodes():
            if name == "STOP":
                return self._stack.pop()
            self._left -= 1
            if self._left < 0:
                raise PickleError("too many opcodes")
            act = _ACTS.get(name)
            if act is None:
                raise PickleError(name)
            act(self, argument)
        raise PickleError("no end")

    def _opcodes(self) -> Iterator[tuple[str, Any]]:
        """Name and argument of each; runs of floats, as vectors have them, in one go."""
        data, stream = self._data, BytesIO(self._data)
        at = 0
        while at < len(data):
            run = _FLOATS.match(data, at)
            if run is not None:
                at = run.end()
                self._left -= (at - run.start()) // _FLOAT
                count = (at - run.start()) // _FLOAT
                self._stack += struct.unpack_from(">" + "xd" * count, data, run.start())
                continue
            opcode = _BY_CODE.get(data[at])
            if opcode is None:
                raise PickleError("no opcode")
            stream.seek(at + 1)
            argument = None if opcode.arg is None else opcode.arg.reader(stream)
            at = stream.tell()
            yield opcode.name, argument

    # ---- the stack

    def push(self, value: Any) -> None:
        self._stack.append(value)

    def pop(self) -> Any:
        value = self._stack.pop()
        if value is _MARK:
            raise PickleError("a mark")
        return value

    def drop(self, _: Any) -> None:
        self._stack.pop()

    def twice(self, _: Any) -> None:
        self.push(self._top())

    def marked(self) -> list[Any]:
        """What lies above the last mark, taken off with it."""
        for at in range(len(self._stack) - 1, -1, -1):
            if self._stack[at] is _MARK:
                found = self._stack[at + 1 :]
                del self._stack[at:]
                return found
        raise PickleError("no mark")

    def _top(self) -> Any:
        if not self._stack or self._stack[-1] is _MARK:
            raise PickleError("nothing there")
        return self._stack[-1]

    # ---- the memo

    def put(self, at: int) -> None:
        self._memo[int(at)] = self._top()

    def memoize(self, _: Any) -> None:
        self.put(len(self._memo))

    def get(self, at: int) -> None:
        self.push(self._memo[int(at)])

    # ---- parts

    def extend(self, values: list[Any]) -> None:
        top = self._top()
        if isinstance(top, list):
            top.extend(values)
        elif isinstance(top, set):
            top.update(map(_key, values))
        elif isinstance(top, Made):
            top.given = (top.given, values)
        else:
            raise PickleError("nothing to add to")

    def append(self, _: Any) -> None:
        value = self.pop()
        self.extend([value])

    def appends(self, _: Any) -> None:
        self.extend(self.marked())

    def setitem(self, _: Any) -> None:
        value, name = self.pop(), self.pop()
        self._set([name, value])

    def setitems(self, _: Any) -> None:
        self._set(self.marked())

    def _set(self, pairs: list[Any]) -> None:
        top = self._top()
        if len(pairs) % 2:
            raise PickleError("a name alone")
        if isinstance(top, dict):
            top.update(_dict(pairs))
        elif isinstance(top, Made):
            top.given = (top.given, pairs)
        else:
            raise PickleError("nothing to set in")

    def tuple_of(self, number: int) -> None:
        values = [self.pop() for _ in range(number)]
        self.push(tuple(reversed(values)))

    # ---- what would be code

    def global_(self, names: str) -> None:
        self.push(Made(str(names).replace(" ", ".", 1)))

    def stack_global(self, _: Any) -> None:
        name, module = self.pop(), self.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise PickleError("a name that is none")
        self.push(Made(f"{module}.{name}"))

    def made(self, given_too: int) -> None:
        given = [self.pop() for _ in range(given_too)]
        what = self.pop()
        self.push(Made(what.name if isinstance(what, Made) else "?", tuple(reversed(given))))

    def inst(self, names: str) -> None:
        given = self.marked()
        self.push(Made(str(names).replace(" ", ".", 1), tuple(given)))

    def obj(self, _: Any) -> None:
        given = self.marked()
        what = given[0] if given else None
        self.push(Made(what.name if isinstance(what, Made) else "?", tuple(given[1:])))

    def build(self, _: Any) -> None:
        state, what = self.pop(), self._top()
        if isinstance(what, Made):
            what.state = state

    def elsewhere(self, name: Any) -> None:
        self.push(Made(f"elsewhere.{str(name)[:64]}"))


_Act = Callable[[_Reader, Any], None]


def _value(reader: _Reader, argument: Any) -> None:
    reader.push(argument)


def _always(value: Any) -> _Act:
    return lambda reader, _: reader.push(value)


def _new(make: Callable[[], Any]) -> _Act:
    return lambda reader, _: reader.push(make())


def _of_marked(make: Callable[[list[Any]], Any]) -> _Act:
    return lambda reader, _: reader.push(make(reader.marked()))


def _dict(pairs: list[Any]) -> dict[Any, Any]:
    return dict(zip(map(_key, pairs[::2]), pairs[1::2], strict=True))


def _key(value: Any) -> Any:
    """One that may be a key: hashing a tuple goes as deep as it nests, and nobody stops it."""
    if isinstance(value, (str, bytes, bool)) or value is None:
        return value
    if isinstance(value, int) and abs(value) < _LARGEST_KEY:
        return value
    raise PickleError("no key")


def _frozen(values: list[Any]) -> frozenset[Any]:
    return frozenset(map(_key, values))


def _nothing(_reader: _Reader, _argument: Any) -> None:
    """Says nothing about values."""


def _old_text(reader: _Reader, argument: Any) -> None:
    """Texts of Python 2, which are bytes."""
    reader.push(argument)


_BY_CODE: Final = {ord(one.code): one for one in pickletools.opcodes}
_ACTS: Final[Mapping[str, _Act]] = {
    **dict.fromkeys(("PROTO", "FRAME", "READONLY_BUFFER"), _nothing),
    **dict.fromkeys(
        (
            *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT"),
            *("BINFLOAT", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE"),
            *("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
        ),
        _value,
    ),
    **dict.fromkeys(("STRING", "BINSTRING", "SHORT_BINSTRING"), _old_text),
    "NONE": _always(None),
    "NEWTRUE": _always(value=True),
    "NEWFALSE": _always(value=False),
    "EMPTY_LIST": _new(list),
    "EMPTY_DICT": _new(dict),
    "EMPTY_SET": _new(set),
    "EMPTY_TUPLE": _always(()),
    "LIST": _of_marked(list),
    "DICT": _of_marked(_dict),
    "TUPLE": _of_marked(tuple),
    "FROZENSET": _of_marked(_frozen),
    "TUPLE1": lambda reader, _: reader.tuple_of(1),
    "TUPLE2": lambda reader, _: reader.tuple_of(2),
    "TUPLE3": lambda reader, _: reader.tuple_of(3),
    "MARK": _always(_MARK),
    "POP": _Reader.drop,
    "POP_MARK": lambda reader, _: _nothing(reader, reader.marked()),
    "DUP": _Reader.twice,
    "APPEND": _Reader.append,
    "APPENDS": _Reader.appends,
    "ADDITEMS": _Reader.appends,
    "SETITEM": _Reader.setitem,
    "SETITEMS": _Reader.setitems,
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), _Reader.put),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Reader.get),
    "MEMOIZE": _Reader.memoize,
    "GLOBAL": _Reader.global_,
    "STACK_GLOBAL": _Reader.stack_global,
    "REDUCE": lambda reader, _: reader.made(1),
    "NEWOBJ": lambda reader, _: reader.made(1),
    "NEWOBJ_EX": lambda reader, _: reader.made(2),
    "INST": _Reader.inst,
    "OBJ": _Reader.obj,
    "BUILD": _Reader.build,
    "PERSID": _Reader.elsewhere,
    "BINPERSID": lambda reader, _: reader.elsewhere(reader.pop()),
    **dict.fromkeys(("EXT1", "EXT2", "EXT4"), _Reader.elsewhere),
    "NEXT_BUFFER": _Reader.elsewhere,
}
