# SPDX-License-Identifier: MIT
"""Which files one run of a case leaves byte for byte."""

import pytest

from memory_gui.cases.finds import CaseFind, Decision, Finds, Heap, Place
from memory_gui.cases.names import Subject
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.domain.records import StoreId
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.services.cases.running.plans import StayingFile
from memory_gui.services.cases.running.staying import Staying


def find(path, heap, decision, reason=""):
    place = (StoreId("/m.db"), "agentao", "Agentao", Place.FILE, "log", heap, path)
    return CaseFind(1, *place, decision=decision, reason=reason, hits=2)


def staying(*finds, held=()):
    return Staying(Finds(Subject.of("Li Lei"), finds), 5, {one.path: one for one in held})


def test_kept_held_here_and_held_elsewhere():
    elsewhere = KeptFile("/c.log", "hold", "hold.claims", 2)
    found = staying(
        find("/a.log", Heap.SURE, Decision.KEEP, "keep.cannot"),
        find("/a.log", Heap.MENTIONS, Decision.HOLD, "hold.health"),
        find("/b.log", Heap.SURE, Decision.ERASE),
        find("/b.log", Heap.MENTIONS, Decision.KEEP),
        find("/c.log", Heap.SURE, Decision.ERASE),
        find("/d.log", Heap.SURE, Decision.ERASE),
        held=[elsewhere],
    )
    a, b = (
        KeptFile("/a.log", "hold", "hold.health", 5),
        KeptFile("/b.log", "keep", "", 5, part=True),
    )
    assert found.files == {"/a.log": a, "/b.log": b, "/c.log": elsewhere}
    assert [(one.file, one.hits, one.finds) for one in found.told] == [
        (a, 4, 2), (b, 2, 1), (elsewhere, 2, 1),
    ]  # fmt: skip
    assert [StayingFile.of(one.as_json()) for one in found.told] == list(found.told)
    assert found.stays(find("/c.log", Heap.SURE, Decision.ERASE))
    assert not found.stays(find("/b.log", Heap.SURE, Decision.ERASE))  # beside what is kept


def test_no_record_is_taken_out_of_a_file_that_stays():
    def plan(path):
        cut = FileCut(path, (1, 2, 3, 4), ((0, 2),))
        return ErasePlan((StorePlan("/notes", "notes", False, (), (), files=(cut,)),))

    found = staying(find("/notes/a.md", Heap.SURE, Decision.KEEP, "keep.cannot"))
    found.check(plan("/notes/b.md"))
    with pytest.raises(UserError, match=r"case\.kept_file"):
        found.check(plan("/notes/a.md"))
