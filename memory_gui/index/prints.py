# SPDX-License-Identifier: MIT
"""Which texts of a store may be alike: a print of 512 bits per record, made by vectors.

A print has one bit for each piece of four bytes of the folded text. Two prints that share few bits
belong to texts that share little; those that share much are compared letter by letter by whoever
asks. 100,000 records take 0.3 s once and 6 MB; a question takes about 3 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.folding import fold
from memory_gui.domain.records import State
from memory_gui.index.arena import GAP
from memory_gui.index.content import Content

_BITS: Final = 512
_SHINGLE: Final = 4
_BATCH_BYTES: Final = 512 << 10
"""So many bytes are hashed in one piece: some milliseconds."""
_BATCH: Final = 1_024
_LONGEST: Final = 12_000
_FACTOR: Final = np.uint32(2_654_435_761)
_LIVE: Final = list(State).index(State.LIVE)

Rows = npt.NDArray[np.uint64]


class Prints:
    """The prints of one store's records. Call ``alike`` inside the guard of its content."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._columns: Rows = np.zeros((_BITS // 64, 0), np.uint64)
        """Word by word, because a question passes over one word of all prints after the other."""
        self._sizes = np.zeros(0, np.float32)
        self._wiped: set[int] = set()
        """Ordinals whose prints are to be made anew."""
        content.tell(self._wipe)

    def alike(self, text: str, kind: str, most: int) -> list[int]:
        """Ordinals of the live records of a kind whose texts may be like this one, best first."""
        self._follow()
        mine = prints_of([fold(text).encode("utf-8", "surrogatepass")[:_LONGEST]])[0]
        bits = int(np.bitwise_count(mine).sum())
        number = self._content.kinds.known(kind)
        if not bits or not number:
            return []
        columns, kinds = self._content.columns, self._content.refs.kinds
        size = len(self._sizes)
        shared = np.zeros(size, np.uint16)
        for column, word in zip(self._columns, mine, strict=True):
            if word:
                shared += np.bitwise_count(column & word)
        # 2 * shared / (sizes + bits) > least, in whole numbers
        enough = shared.astype(np.float32) * 2 > _least(bits) * (self._sizes + np.float32(bits))
        close = np.flatnonzero(enough & (kinds == number) & (columns["state"] == _LIVE))
        score = 2 * shared[close] / (self._sizes[close] + bits)
        if len(close) > 4 * most:
            best = np.argpartition(-score, most)[:most]
            close, score = close[best], score[best]
        found: list[int] = close[np.argsort(-score, kind="stable")][:most].tolist()
        return found

    def clear(self) -> None:
        """Overwrite and forget them. Any thread."""
        with self._content.guard:
            self._have(np.zeros((_BITS // 64, 0), np.uint64), np.zeros(0, np.float32))

    def _have(self, columns: Rows, sizes: npt.NDArray[np.float32]) -> None:
        """In place of those until now, which are overwritten."""
        self._columns[:] = 0
        self._sizes[:] = 0
        self._columns, self._sizes = columns, sizes
        self._wiped.clear()

    def _wipe(self, ordinal: int) -> None:
        """A text is no longer there: nothing tells any more what it was."""
        if ordinal < len(self._sizes):
            self._columns[:, ordinal] = 0
            self._sizes[ordinal] = 0
            self._wiped.add(ordinal)

    def _follow(self) -> None:
        """Make those that are missing or of another text."""
        content = self._content
        places, lengths = content.columns["place"], content.columns["length"]
        if len(self._sizes) > len(places):
            self.clear()  # so was the content
        known = len(self._sizes)
        if known == len(places) and not self._wiped:
            return
        wanted = np.concatenate([sorted(self._wiped), np.arange(known, len(places))]).astype("u4")
        made = np.zeros((_BITS // 64, len(places)), np.uint64)
        made[:, :known] = self._columns
        for at in range(0, len(wanted), _BATCH):
            some = wanted[at : at + _BATCH]
            texts = map(content.arena.read, places[some].tolist(), lengths[some].tolist())
            made[:, some] = prints_of([_text(one) for one in texts]).T
        sizes = np.zeros(len(places), np.float32)
        sizes[:known] = self._sizes
        sizes[wanted] = np.bitwise_count(made[:, wanted]).sum(axis=0)
        self._have(made, sizes)


def prints_of(texts: Sequence[bytes]) -> Rows:
    """The prints of folded texts."""
    flags = np.zeros((len(texts), _BITS), np.bool_)
    first = 0
    while first < len(texts):
        after, size = first, 0
        while after < len(texts) and (size < _BATCH_BYTES or after == first):
            size += len(texts[after]) + 1
            after += 1
        _mark(flags[first:after], texts[first:after])
        first = after
    return np.packbits(flags, axis=1).view(np.uint64)


def _mark(flags: npt.NDArray[np.bool_], texts: Sequence[bytes]) -> None:
    data = np.frombuffer(GAP.join(texts) + GAP, np.uint8)
    size = len(data) - _SHINGLE + 1
    if size < 1:
        return
    owners = np.repeat(np.arange(len(texts)), [len(text) + 1 for text in texts])[:size]
    value = np.zeros(size, np.uint32)
    whole = np.ones(size, np.bool_)
    for at in range(_SHINGLE):
        part = data[at : at + size]
        value = (value << np.uint32(8)) | part
        whole &= part != GAP[0]
    bits = (value * _FACTOR) >> np.uint32(23)
    flags[owners[whole], bits[whole]] = True


def _least(bits: int) -> float:
    """Long texts share bits by chance; half of their prints is set."""
    return 0.35 if bits < _BITS // 4 else 0.5


def _text(folded: bytes) -> bytes:
    """The text of a record: what stands between its title and the next field."""
    parts = folded.split(GAP, 2)
    return parts[1][:_LONGEST] if len(parts) > 1 else b""
