# SPDX-License-Identifier: MIT
"""What an erase takes from a store, and where else the same text may stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.records import Ref, StoreId


@dataclass(frozen=True, slots=True)
class EraseRows:
    """Rows of one table that an erase takes out, named by the store's own key.

    Keys that are only counted are the same in every store: such a row is taken only while its
    column ``owner`` holds what ``owners`` has for its key. ``number`` says how many rows the keys
    name, where that is not one each.
    """

    table: str
    key_columns: tuple[str, ...]
    keys: tuple[tuple[str | int, ...], ...]
    kind: str
    owner: str = ""
    owners: Mapping[tuple[str | int, ...], str] = field(default_factory=dict, hash=False)
    number: int | None = None

    @property
    def total(self) -> int:
        """How many rows they are."""
        return len(self.keys) if self.number is None else self.number

    @property
    def is_named(self) -> bool:
        """Whether no other store can have the same keys by counting."""
        return bool(self.owner) or any(isinstance(part, str) for key in self.keys for part in key)


@dataclass(frozen=True, slots=True)
class CellCut:
    """Bytes that go from one cell of a row that stays: a copy of what an erase takes.

    ``puts`` are (start, end, hex digits): bytes of the cell and what stands there afterwards, which
    is a number or an id and no text of anybody. The cell must be ``size`` bytes long, as it was
    read. ``into`` is what the whole cell becomes instead (``puts`` is empty then). ``of`` are the
    records (kind, key) of which it is the text: who corrects one of them rewrites the cell.
    """

    table: str
    key_columns: tuple[str, ...]
    key: tuple[str | int, ...]
    column: str
    size: int
    puts: tuple[tuple[int, int, str], ...] = ()
    into: str | int | None = None
    of: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class ErasePart:
    """Another file of the same store, or several text files, from which an erase takes as well.

    It is erased by its own recipe and proved by itself. ``tables`` are (table, kind, key columns),
    by which kept rows are named. ``locks`` are files that its agent locks while it has it open.
    """

    path: str
    rows: tuple[EraseRows, ...] = ()
    cells: tuple[CellCut, ...] = ()
    tables: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    files: tuple[FileCut, ...] = ()
    locks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EraseScope:
    """Everything in one store that carries the content of the chosen records.

    ``texts`` are what must not be found afterwards; they never reach a file. ``still_in`` names
    rows that carry the text and are not taken (session summaries), as refs. ``files`` are all
    files of a store that is made of text files: those are cut, and no database is opened.
    ``unread`` are files of the store that lead elsewhere or cannot be read: nothing in them goes.
    ``cells`` are places in rows that stay. ``parts`` are the other files of a store that is made
    of several; ``locks`` as a part has them. ``tables`` are more tables whose rows may keep the
    text, as a part names them. ``beyond`` are limits that this store puts to the proof: codes of
    ``words.erasure``, and values that are no content.
    """

    store: StoreId
    rows: tuple[EraseRows, ...]
    texts: tuple[str, ...] = field(repr=False)
    missing: tuple[Ref, ...] = ()
    still_in: tuple[Ref, ...] = ()
    files: tuple[FileCut, ...] = ()
    unread: tuple[str, ...] = ()
    cells: tuple[CellCut, ...] = ()
    parts: tuple[ErasePart, ...] = ()
    locks: tuple[str, ...] = ()
    tables: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    beyond: tuple[Told, ...] = ()


BY_HAND: Final = frozenset({"skill", "instructions", "old_memory"})
"""``SideFile.what`` that a person wrote, or that is a store by itself: never overwritten."""


@dataclass(frozen=True, slots=True)
class SideFile:
    r"""A file the agent leaves beside its store, which may repeat what it remembers.

    ``encoding`` is ``text`` or ``json`` (where ``\uXXXX`` escapes hide letters). ``cleanable``: the
    agent wrote it by itself, and an erase may overwrite the text in it. ``whole``: one that holds
    it is taken away, not only the text in it.
    """

    path: str
    what: str
    encoding: str = "text"
    cleanable: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class MayHold:
    """Who or what may still hold what was erased: a code (``words.erasure``) and no content.

    ``hold.program`` (name, pid), ``hold.provider`` (model, count), ``hold.session`` (path),
    ``hold.summary`` (ref, path), ``hold.log``, ``hold.file`` (path). It is named for a person to
    look at, and never claimed to be clean.
    """

    code: str
    params: Mapping[str, str] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, object]:
        """``{"code": ..., "params": {...}}``."""
        return {"code": self.code, "params": dict(self.params)}
