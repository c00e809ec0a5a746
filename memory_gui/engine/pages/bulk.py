# SPDX-License-Identifier: MIT
"""Many pages at once, by numpy: decrypting them, and reading leaf pages that have no gaps.

After a VACUUM nearly all of a file is leaf pages whose cells fill them to the end, with nothing
between the pointers and the first cell. Those are told here; every other page is for ``btree``,
which says of each byte what it is. Loaded on first use (``lazy.pages_in_bulk``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory_gui.engine.pages.btree import INDEX_LEAF, TABLE_LEAF, Cell

_IV_BYTES: Final = 16
_PAD: Final = 64
_SMALLEST_CELL: Final = 4
_ARRAY: Final = 8
"""Where the pointers of a leaf page begin."""
_LONGEST_VARINT: Final = 9
_FIRST_TEXT: Final = 13
_NUMBER_BYTES: Final = np.array([0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0], np.int64)
_ODD: Final = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))

Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Which = NDArray[np.bool_]


def decrypt(decryptor: Any, pages: Sequence[bytes], content: int) -> list[bytes]:
    """Pages of AES in CBC mode, each with an IV of its own behind ``content`` bytes.

    ``decryptor`` takes blocks apart one by one (ECB): CBC is that, and the block before mixed in,
    so all pages go through one call. What is behind the content reads as zeros.
    """
    size = len(pages[0])
    joined = b"".join(pages)
    shape = (len(pages), size)
    before = np.frombuffer(joined, np.uint8).reshape(shape)
    clear = np.frombuffer(decryptor.update(joined), np.uint8).reshape(shape).copy()
    clear[:, _IV_BYTES:content] ^= before[:, : content - _IV_BYTES]
    clear[:, :_IV_BYTES] ^= before[:, content : content + _IV_BYTES]
    clear[:, content:] = 0
    data = clear.tobytes()
    return [data[at : at + size] for at in range(0, len(data), size)]


@dataclass(frozen=True, slots=True)
class Leaves:
    """The cells of those pages that are full leaf pages (``full``, by place in the list).

    The arrays go by cell: ``page`` is the place of its page, the rest is as in ``Cell``. ``data``
    are all pages one behind the other.
    """

    full: Which
    data: Bytes
    page_size: int
    page: Numbers
    start: Numbers
    rowid: Numbers
    body: Numbers
    size: Numbers
    local: Numbers

    def cell(self, at: int) -> Cell:
        """One of them as ``btree.parse_page`` gives it."""
        start, body, local, size = (
            int(one[at]) for one in (self.start, self.body, self.local, self.size)
        )
        end, overflow = body + local, 0
        if local < size:
            place = int(self.page[at]) * self.page_size + end
            overflow = int.from_bytes(self.data[place : place + 4].tobytes(), "big")
            end += 4
        end = max(end, start + _SMALLEST_CELL)
        return Cell(start, end, int(self.rowid[at]), body, size, local, overflow, 0)

    def long_cells(self) -> Iterator[tuple[int, Cell]]:
        """(place of the page, cell) of those whose payload goes on in overflow pages."""
        for at in np.flatnonzero(self.local < self.size).tolist():
            yield int(self.page[at]), self.cell(at)


def leaves(pages: Sequence[bytes], usable: int) -> Leaves:
    """Read leaf pages of one file; ``usable`` is the page size without the reserved bytes."""
    size = len(pages[0])
    data = np.frombuffer(b"".join(pages) + bytes(_PAD), np.uint8)
    base = np.arange(len(pages), dtype=np.int64) * size
    kind, count = data[base], _u16(data, base + 3)
    leaf = (kind == TABLE_LEAF) | (kind == INDEX_LEAF)
    maybe = leaf & (_u16(data, base + 1) == 0) & (count > 0) & (_ARRAY + 2 * count <= usable)
    chosen = np.flatnonzero(maybe)
    page = np.repeat(chosen, count[chosen])
    slots = np.arange(len(page)) - np.repeat(
        np.cumsum(count[chosen]) - count[chosen], count[chosen]
    )
    start = _u16(data, base[page] + _ARRAY + 2 * slots)
    good = start < usable
    at = base[page] + np.where(good, start, 0)
    payload, at = varints(data, at)
    rows = kind[page] == TABLE_LEAF
    rowid, after = varints(data, at)
    rowid, at = np.where(rows, rowid, 0), np.where(rows, after, at)
    local = _local(payload, usable, rows)
    body = at - base[page]
    end = np.maximum(body + local + 4 * (local < payload), start + _SMALLEST_CELL)
    good &= (payload >= 0) & (end <= usable)
    full = maybe & _fill(data, page, start, np.where(good, end, -1), (base, count, usable))
    mine = full[page]
    parts = (page, start, rowid, body, payload, local)
    return Leaves(full, data, size, *(part[mine] for part in parts))


def rows_that_may_have(
    found: Leaves, column: int | None, values: Collection[bytes], rowids: Collection[int]
) -> list[int]:
    """Cells of tables whose ``column`` may be one of these texts; None: whose rowid is one.

    None is left out that has one; a number or BLOB, and what does not stand in the page, may be.
    """
    if column is None:
        same: Which = np.isin(found.rowid, np.array(sorted(rowids), np.int64))
        return np.flatnonzero(same).tolist()
    base = found.page * found.page_size + found.body
    header, at = varints(found.data, base)
    end = base + found.local
    unsure = base + header > end
    kind, place = np.zeros(len(base), np.int64), base + header
    for _ in range(column + 1):
        place = place + _value_bytes(kind)
        inside = ~unsure & (at < base + header)
        unsure |= ~inside
        kind, at = varints(found.data, np.where(inside, at, 0))
    size = _value_bytes(kind)
    unsure |= (kind < _FIRST_TEXT) | (kind % 2 == 0) | (place + size > end)
    marks = _marks(found.data, np.where(unsure, 0, place), np.where(unsure, 0, size))
    whole = np.frombuffer(b"".join(values) + bytes(_PAD), np.uint8)
    sizes = np.array([len(value) for value in values], np.int64)
    wanted = _marks(whole, np.cumsum(sizes) - sizes, sizes)
    return np.flatnonzero(unsure | np.isin(marks, wanted)).tolist()


def _value_bytes(kind: Numbers) -> Numbers:
    """How long a value of a serial type is (sqlite.org/fileformat2.html, 2.1)."""
    found: Numbers = np.where(
        kind >= _FIRST_TEXT - 1, (kind - 12) >> 1, _NUMBER_BYTES[np.clip(kind, 0, 11)]
    )
    return found


def _marks(data: Bytes, at: Numbers, size: Numbers) -> NDArray[np.uint64]:
    """A number for each text: of its length, its first and its last eight bytes."""
    words = np.ndarray((len(data) - 7,), "<u8", data.data, 0, (1,))
    short = np.clip(8 - size, 0, 8).astype(np.uint64) * np.uint64(8)
    kept = np.where(short == 64, np.uint64(0), np.uint64(2**64 - 1) >> np.minimum(short, 63))
    first = words[at] & kept
    last = words[at + np.maximum(size - 8, 0)] & kept
    found: NDArray[np.uint64] = first * _ODD[0] ^ last * _ODD[1] ^ size.astype(np.uint64) * _ODD[2]
    return found


def varints(data: Bytes, at: Numbers) -> tuple[Numbers, Numbers]:
    """The values at many places, and where each one ends."""
    first = data[at]
    value = (first & 0x7F).astype(np.int64)
    end = at + 1
    going = np.flatnonzero(first >= 0x80)
    for length in range(2, _LONGEST_VARINT + 1):
        if not len(going):
            break
        byte = data[end[going]]
        if length == _LONGEST_VARINT:
            value[going] = value[going] << 8 | byte
        else:
            value[going] = value[going] << 7 | (byte & 0x7F)
        end[going] += 1
        going = going[byte >= 0x80]
    return value, end


def _u16(data: Bytes, at: Numbers) -> Numbers:
    found: Numbers = data[at].astype(np.int64) << 8 | data[at + 1]
    return found


def _local(size: Numbers, usable: int, rows: Which) -> Numbers:
    """As ``btree.local_bytes``."""
    largest = np.where(rows, usable - 35, (usable - 12) * 64 // 255 - 23)
    smallest = (usable - 12) * 32 // 255 - 23
    wanted = smallest + (size - smallest) % (usable - 4)
    spilled = np.where(wanted <= largest, wanted, smallest)
    found: Numbers = np.where(size <= largest, size, spilled)
    return found


def _fill(
    data: Bytes,
    page: Numbers,
    start: Numbers,
    end: Numbers,
    shape: tuple[Numbers, Numbers, int],
) -> Which:
    """Which pages their cells fill to the end, and nothing but zeros lies before the first one."""
    base, count, usable = shape
    filled = np.ones(len(base), np.bool_)
    order = np.lexsort((start, page))
    page, start, end = page[order], start[order], end[order]
    last = np.append(page[1:] != page[:-1], [True] if len(page) else [])
    follows = np.append(start[1:], 0)
    filled[page[np.where(last, end != usable, end != follows)]] = False
    heads = np.flatnonzero(np.append([True] if len(page) else [], last[:-1]))
    for number, first in zip(page[heads].tolist(), start[heads].tolist(), strict=True):
        begin = _ARRAY + 2 * int(count[number])
        place = int(base[number])
        if first < begin or data[place + begin : place + first].any():
            filled[number] = False
    return filled
