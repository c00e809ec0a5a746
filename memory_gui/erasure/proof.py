# SPDX-License-Identifier: MIT
"""What another process saw of an erase on the disk, as values: no content in any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memory_gui.domain.keptfiles import KeptFile


@dataclass(frozen=True, slots=True)
class Structure:
    """Bytes that belong to no live cell.

    ``nonzero_bytes`` are those that should be zero and are not; ``by_place`` says where
    (``free_pages``, ``gaps``, ``overflow``, ``tail``, ``wal``, ``journal``, ``orphans``).
    ``fragments`` counts non-zero bytes in pieces of at most 3 bytes, which are excepted.
    ``unreadable`` are pages that could not be authenticated or understood. ``fulltext`` are
    entries of full-text indexes that point to no document. ``schema_copies`` are bytes that repeat
    a part of the living schema inside of its own b-tree; they are no residue.
    """

    free_pages: int = 0
    nonzero_bytes: int = 0
    fragments: int = 0
    unreadable: int = 0
    fulltext: int = 0
    schema_copies: int = 0
    by_place: Mapping[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing is left."""
        return not (self.nonzero_bytes or self.unreadable or self.fulltext)


@dataclass(frozen=True, slots=True)
class KeptHit:
    """A record that was kept and shares text with what was erased."""

    ref: str
    count: int


TABLE: Final = "table"
"""``Find.what`` of a table that is not the agent's: its rows are no records that were kept."""
COPIED: Final = "copied"
"""``Find.what`` of the agent's own table that a trigger which is not the agent's writes to."""
UNSEARCHED: Final = "table.unsearched"
"""``Find.error`` of such a table where the texts were no longer known."""


@dataclass(frozen=True, slots=True)
class Find:
    """A place that still holds erased text: a side file's path, a kind set apart, or a table.

    ``what`` is the side file's ``what``, the kind, or TABLE for a table that the agent's layout
    does not know, COPIED for one that it does (``where`` is its name).
    ``error`` is a code when it could not be read.
    """

    where: str
    what: str
    count: int
    error: str | None = None
    removed: bool = False
    """Whether the whole file was taken away."""

    def as_json(self) -> dict[str, Any]:
        """As it stands under ``side_files``."""
        found: dict[str, Any] = {"path": self.where, "what": self.what, "count": self.count}
        if self.error:
            found["error"] = self.error
        if self.removed:
            found["removed"] = True
        return found


@dataclass(frozen=True, slots=True)
class KeptIn:
    """A file that stays by a person's decision, and how much of the erased text stands in it.

    ``kind`` is what it is, as of a side file.
    """

    file: KeptFile
    count: int = 0
    error: str | None = None
    kind: str = ""

    def as_json(self) -> dict[str, Any]:
        """As it stands under ``kept_files``."""
        found = {**self.file.as_json(), "count": self.count, "kind": self.kind}
        return {**found, "error": self.error} if self.error else found


@dataclass(frozen=True, slots=True)
class Proof:
    """What another process saw in the files as they lie on the disk.

    ``by`` is ``content+structure``, ``structure``, or ``content`` for a database from which no row
    was taken. ``hits`` are windows of erased text outside
    kept records; ``cells_only`` counts texts under 8 bytes, which were looked for in the values of
    live rows and in side files only, ``words_only`` those among them that were looked for as whole
    words. ``pages`` and ``frames`` were read.
    """

    by: str
    pages: int = 0
    frames: int = 0
    hits: int = 0
    kept_hits: tuple[KeptHit, ...] = ()
    structure: Structure = field(default_factory=Structure)
    finds: tuple[Find, ...] = ()
    texts: int = 0
    cells_only: int = 0
    words_only: int = 0
    ms: float = 0.0
    files: int = 0
    """Text files that were read as a whole, in a store that is made of them; ``bytes`` in all."""
    bytes: int = 0
    kept_in: tuple[KeptIn, ...] = ()
    """Where it stays because a person decided so: no find, and never said to be gone."""

    @property
    def clean(self) -> bool:
        """Whether the database and its log hold nothing that was erased (finds are apart).

        A database from which nothing was taken is judged by content alone.
        """
        return not self.hits and (self.by == "content" or self.structure.clean)

    @property
    def still_in(self) -> tuple[Find, ...]:
        """Side files and kinds set apart that still hold text, or that could not be read."""
        return tuple(find for find in self.finds if find.count or find.error)

    def as_json(self) -> dict[str, Any]:
        """The ``proof`` of CLI.md."""
        return {
            "by": self.by,
            "pages": self.pages,
            "frames": self.frames,
            "hits": self.hits,
            "kept_hits": [{"ref": hit.ref, "count": hit.count} for hit in self.kept_hits],
            "structure": {
                "free_pages": self.structure.free_pages,
                "nonzero_bytes": self.structure.nonzero_bytes,
                "fragments": self.structure.fragments,
                "unreadable": self.structure.unreadable,
                "fulltext": self.structure.fulltext,
                "schema_copies": self.structure.schema_copies,
                "by_place": dict(self.structure.by_place),
            },
            **({"files": self.files, "bytes": self.bytes} if self.files else {}),
            "texts": self.texts,
            "cells_only": self.cells_only,
            "words_only": self.words_only,
        }


def add_proofs(proofs: Sequence[Proof]) -> Proof | None:
    """One proof that speaks for several databases; side files that several name count once."""
    if not proofs:
        return None
    judged = [proof for proof in proofs if proof.by != "content"] or list(proofs)
    places: dict[str, int] = {}
    finds: dict[tuple[str, str], Find] = {}
    kept: dict[str, int] = {}
    for proof in judged:
        for place, number in proof.structure.by_place.items():
            places[place] = places.get(place, 0) + number
    for proof in proofs:
        for find in proof.finds:
            finds.setdefault((find.where, find.what), find)
        for hit in proof.kept_hits:
            kept[hit.ref] = kept.get(hit.ref, 0) + hit.count
    return Proof(
        by=min((proof.by for proof in judged), key=lambda by: by != "structure"),
        pages=sum(proof.pages for proof in proofs),
        frames=sum(proof.frames for proof in proofs),
        hits=sum(proof.hits for proof in proofs),
        kept_hits=tuple(KeptHit(ref, count) for ref, count in kept.items()),
        structure=Structure(
            free_pages=sum(proof.structure.free_pages for proof in judged),
            nonzero_bytes=sum(proof.structure.nonzero_bytes for proof in judged),
            fragments=sum(proof.structure.fragments for proof in judged),
            unreadable=sum(proof.structure.unreadable for proof in judged),
            fulltext=sum(proof.structure.fulltext for proof in judged),
            schema_copies=sum(proof.structure.schema_copies for proof in judged),
            by_place=places,
        ),
        finds=tuple(finds.values()),
        kept_in=tuple({one.file.path: one for p in proofs for one in p.kept_in}.values()),
        texts=max(proof.texts for proof in proofs),
        cells_only=max(proof.cells_only for proof in proofs),
        words_only=max(proof.words_only for proof in proofs),
        ms=sum(proof.ms for proof in proofs),
        files=sum(proof.files for proof in proofs),
        bytes=sum(proof.bytes for proof in proofs),
    )
