# SPDX-License-Identifier: MIT
"""The steps of a large act, packed: pieces of about 1 MB, in memory or sealed in another place.

A piece's size is counted as its steps are written: JSON in UTF-8, before it is compressed. What a
record must look like for a step to be taken is kept as a digest, so that a packed step holds refs
and old values only. Each piece that leaves memory is sealed with a key of its own, which stays.
"""

from __future__ import annotations

import json
import secrets
import zlib
from abc import ABC, abstractmethod
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from memory_gui.domain.changes import Snapshot, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.services.own.sealing import seal, unseal
from memory_gui.services.undo.steps import (
    OneStep,
    PutBack,
    Redecide,
    SetFields,
    SetTrash,
    Step,
    TakeOut,
    Together,
    Values,
    digest_of,
    refs_of,
)
from memory_gui.stores.sql.cells import Mangled

PIECE: Final = 1_000_000
"""Bytes of steps after which a piece is packed."""
_ABOUT: Final = b"undo"
_KEY: Final = 32


class Spill(ABC):
    """Where sealed pieces go. Any thread."""

    @abstractmethod
    def put(self, sealed: bytes) -> int | None:
        """Keep one; its number. None where it cannot be kept: then it stays in memory."""

    @abstractmethod
    def get(self, number: int) -> bytes | None:
        """One that was kept. Raises UserError ``store.*``."""

    @abstractmethod
    def remove(self, numbers: Collection[int]) -> bool:
        """Take some out, as far as that can be done; whether there were any."""

    @abstractmethod
    def end(self) -> None:
        """No piece that was kept so far can be opened any more. Waits for nothing."""


class NoSpill(Spill):
    """There is no such place."""

    def put(self, sealed: bytes) -> int | None:  # noqa: ARG002 - nothing is kept
        """It cannot be kept."""
        return None

    def get(self, number: int) -> bytes | None:  # noqa: ARG002 - as above
        """It is not there."""
        return None

    def remove(self, numbers: Collection[int]) -> bool:  # noqa: ARG002 - as above
        """There were none."""
        return False

    def end(self) -> None:
        """Nothing is kept."""


class Part:
    """Some steps in a row, packed. Any thread."""

    __slots__ = ("_data", "_gone", "_key", "_names", "_number", "_spill", "_writing", "count",
                 "size", "stores")  # fmt: skip

    def __init__(self, writing: Writing, steps: Sequence[Step], lines: Sequence[bytes]) -> None:
        """``lines`` are the ``steps`` as ``writing`` writes them."""
        self.count = len(steps)
        self.size = sum(map(len, lines))
        self.stores = frozenset(ref.store for step in steps for ref in refs_of(step))
        self._names = array("q", [hash(ref) for step in steps for ref in refs_of(step)])
        self._writing = writing
        self._data: bytes | None = zlib.compress(b"[" + b",".join(lines) + b"]", 1)
        self._spill: Spill | None = None
        self._key, self._number = b"", 0
        self._gone = False

    @property
    def in_memory(self) -> bool:
        """Whether it is in memory."""
        return self._data is not None

    def may_name(self, refs: Collection[Ref]) -> bool:
        """False when no step is about any of these records."""
        return not {hash(ref) for ref in refs}.isdisjoint(self._names)

    def steps(self) -> tuple[Step, ...]:
        """The steps.

        Raises:
            UserError: ``undo.lost``; ``store.*`` when the place cannot be read now.
        """
        data, spill, key = self._data, self._spill, self._key
        if data is None and spill is not None:
            sealed = spill.get(self._number)
            data = unseal(key, sealed, _ABOUT) if sealed is not None and key else None
        if data is None or self._gone:
            raise UserError("undo.lost")
        return tuple(map(self._writing.step, json.loads(zlib.decompress(data))))

    def spill(self, spill: Spill) -> None:
        """Let it go from memory, where it can be kept in another place."""
        data = self._data
        if data is None:
            return
        key = secrets.token_bytes(_KEY)
        number = spill.put(seal(key, data, _ABOUT))
        if number is None:
            return
        self._spill, self._key, self._number = spill, key, number
        self._data = None
        if self._gone:
            spill.remove([self.forget()])

    def instead(self, steps: tuple[Step, ...]) -> Part:
        """Another one with these steps, where this one is."""
        part = Part(self._writing, steps, [self._writing.line(step) for step in steps])
        if self._spill is not None:
            part.spill(self._spill)
        return part

    def forget(self) -> int:
        """No one reads it any more; its number in the other place, which is to be taken out."""
        self._gone = True
        self._data, self._key = None, b""
        number, self._number = self._number, 0
        return number


Change = Callable[[Step], Step | None]
"""A step as it shall be; None where it shall not."""
Keeps = Callable[[Part], bool | None]
"""Whether a piece stays as it is (True), goes (False), or must be looked into (None)."""


class Packed:
    """Packed steps, in the order in which they are taken; the first ``skip`` are taken already.

    Two are the same only where they are one.
    """

    __slots__ = ("parts", "skip")

    def __init__(self, parts: tuple[Part, ...], skip: int = 0) -> None:
        self.parts = parts
        self.skip = skip

    def __len__(self) -> int:
        """How many."""
        return sum(part.count for part in self.parts) - self.skip

    def __iter__(self) -> Iterator[Step]:
        """Each, a piece at a time. Raises as ``Part.steps``."""
        steps = chain.from_iterable(part.steps() for part in self.parts)
        return islice(steps, self.skip, None)

    def after(self, taken: int) -> Packed:
        """Those behind the first ``taken`` ones."""
        parts, skip = list(self.parts), self.skip + taken
        while parts and parts[0].count <= skip:
            skip -= parts.pop(0).count
        return Packed(tuple(parts), skip)

    def changed(self, change: Change, keeps: Keeps) -> Packed:
        """With some steps changed or left out; of a piece that cannot be read none is left."""
        fates = [keeps(part) for part in self.parts]
        if all(fates):
            return self
        parts: list[Part] = []
        skip = self.skip
        for part, fate in zip(self.parts, fates, strict=True):
            first = part is self.parts[0]
            kept = [part] if fate else []
            if fate is None:
                kept = part_changed(part, change, self.skip if first else 0)
            if first and kept != [part]:
                skip = 0
            parts += kept
        return Packed(tuple(parts), skip)


Steps = tuple[Step, ...] | Packed


def parts_of(steps: Steps) -> tuple[Part, ...]:
    """The pieces of packed steps."""
    return steps.parts if isinstance(steps, Packed) else ()


def rest(steps: Steps, taken: int) -> Steps:
    """The steps behind the first ``taken`` ones."""
    return steps.after(taken) if isinstance(steps, Packed) else steps[taken:]


def part_changed(part: Part, change: Change, skip: int = 0) -> list[Part]:
    """The same piece, another one in its place, or none."""
    try:
        before = part.steps()[skip:]
    except UserError:
        return []
    after = tuple(one for one in map(change, before) if one is not None)
    if after == before and not skip:
        return [part]
    return [part.instead(after)] if after else []


class Gathering:
    """Takes the steps of an act over many records; each record's are given as they take it back.

    One thread adds; any may ``drop``.
    """

    def __init__(self, spill: Spill, most: int, *, large: bool = True) -> None:
        """With ``large`` false an act that fills a piece cannot be taken back."""
        self._spill = spill
        self._most = most
        self._large = large
        self._writing = Writing()
        self._parts: list[Part] = []
        self._open: list[tuple[Step, ...]] = []
        self._lines: list[list[bytes]] = []
        self._size = 0
        self._dropped = False

    def add(self, steps: Sequence[Step]) -> None:
        """What takes one record's act back."""
        if self._dropped or not steps:
            return
        lines = [self._writing.line(step) for step in steps]
        self._open.append(tuple(steps))
        self._lines.append(lines)
        self._size += sum(map(len, lines))
        if self._size >= PIECE:
            self._pack()
            if not self._large:
                self.drop()

    def steps(self) -> Steps:
        """All, those of the last record first."""
        if not self._parts:
            return tuple(chain.from_iterable(reversed(self._open)))
        if self._open:
            self._pack()
        return Packed(tuple(reversed(self._parts)))

    def drop(self) -> None:
        """Nobody will take it back. Waits for no file."""
        self._dropped = True
        for part in self._parts:
            part.forget()
        self._parts, self._open, self._lines = [], [], []

    def _pack(self) -> None:
        steps = tuple(chain.from_iterable(reversed(self._open)))
        lines = list(chain.from_iterable(reversed(self._lines)))
        self._open, self._lines, self._size = [], [], 0
        self._parts.append(Part(self._writing, steps, lines))
        if sum(part.size for part in self._parts) > self._most:
            for part in self._parts:
                part.spill(self._spill)


class Writing:
    """Writes steps as JSON and reads them. Stores are numbered, as each ref names one."""

    def __init__(self) -> None:
        self._stores: list[StoreId] = []

    def line(self, step: Step) -> bytes:
        """A step, as it is counted and kept."""
        text = json.dumps(self._said(step), ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "surrogatepass")

    def step(self, said: Any) -> Step:
        """The other way."""
        if said[0] != "together":
            return self._one(said)
        return Together(self._ref(said[1]), tuple(map(self._one, said[2])))

    def _one(self, said: Any) -> OneStep:
        ref, more = self._ref(said[1]), said[2:]
        match said[0]:
            case "fields":
                return SetFields(ref, more[0], _values(more[1]))
            case "trash":
                return SetTrash(ref, more[0])
            case "out":
                return TakeOut(ref, more[0])
            case "back":
                store, rows, live, key = more
                snapshot = Snapshot(self._stores[store], self._cell(rows))
                return PutBack(ref, snapshot, _values(live), key)
        state, verdict, fields = more
        return Redecide(ref, State(state), Verdict(verdict), _values(fields))

    def _said(self, step: Step) -> list[Any]:
        ref = self._numbered(step.ref)
        match step:
            case SetFields(expected=expected, fields=fields):
                return ["fields", ref, digest_of(expected), fields]
            case SetTrash(trash=trash):
                return ["trash", ref, trash]
            case TakeOut(expected=expected):
                return ["out", ref, digest_of(expected)]
            case PutBack(snapshot=snapshot, live=live, key=key):
                store = self._number(snapshot.store)
                return ["back", ref, store, self._told(snapshot.rows), live, key]
            case Redecide(expected=expected, verdict=verdict, fields=fields):
                return ["again", ref, str(expected.value), str(verdict.value), fields]
            case Together(steps=steps):
                return ["together", ref, [self._said(one) for one in steps]]

    def _number(self, store: StoreId) -> int:
        if store not in self._stores:
            self._stores.append(store)
        return self._stores.index(store)

    def _numbered(self, ref: Ref) -> list[Any]:
        return [self._number(ref.store), ref.kind, *ref.key]

    def _ref(self, said: Any) -> Ref:
        return Ref(self._stores[said[0]], said[1], tuple(said[2:]))

    def _told(self, value: object) -> Any:
        """A cell of a snapshot: numbers, texts and nothing as they are, all else with its kind."""
        match value:
            case None | bool() | int() | float() | str():
                return value
            case Mangled():
                return {"mangled": b64encode(value).decode()}
            case bytes():
                return {"bytes": b64encode(value).decode()}
            case Ref():
                return {"ref": self._numbered(value)}
            case tuple():
                return [self._told(one) for one in value]
        raise TypeError(f"no snapshot has a {type(value).__name__}")

    def _cell(self, said: Any) -> Any:
        match said:
            case list():
                return tuple(map(self._cell, said))
            case {"mangled": text}:
                return Mangled(b64decode(text))
            case {"bytes": text}:
                return b64decode(text)
            case {"ref": ref}:
                return self._ref(ref)
        return said


def _values(said: Any) -> Values:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
    }
