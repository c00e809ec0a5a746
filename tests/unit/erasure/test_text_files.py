# SPDX-License-Identifier: MIT
"""The prover finds what an erase of text files left, in every form, and names what was kept."""

import json
from hashlib import sha256

import pytest

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.filecuts import FileCut, KeptSpan
from memory_gui.domain.work import no_tick
from memory_gui.engine.replacing import part_of
from memory_gui.erasure.filecuts import cut_from, cut_message, kept_after, merge_files
from memory_gui.erasure.fileprover import prove_plain

TEXT = "Straße 12, the text of more than thirty-two letters, 已擦除的文字"


def entry(path, data, *, kept=(), gone=False):
    path.write_bytes(data)
    return told(path, data, kept=kept, gone=gone)


def told(path, data, *, kept=(), gone=False):
    """What the eraser expects of a file."""
    expected = sha256(data).hexdigest()
    return {
        "path": str(path),
        "gone": gone,
        "expected": expected,
        "size": len(data),
        "kept": [list(one) for one in kept],
    }


def prove(*entries, texts=(TEXT,), side_files=()):
    return prove_plain(list(entries), list(texts), side_files, no_tick)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "notes.md"


def test_nothing_left_is_clean(path):
    proof = prove(entry(path, b"kept\n"))
    assert (proof.clean, proof.hits, proof.files, proof.bytes) == (True, 0, 1, 5)
    assert proof.by == "content+structure"


@pytest.mark.parametrize(
    "left",
    [
        TEXT.encode(),
        TEXT.upper().encode(),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        json.dumps(TEXT).encode(),
        json.dumps(json.dumps(TEXT)).encode(),
        TEXT[4:40].encode(),
    ],
    ids=["plain", "case", "utf-16-le", "utf-16-be", "escaped", "escaped twice", "a part"],
)
def test_every_form_is_found(path, left):
    proof = prove(entry(path, b"before " + left + b" after"))
    assert proof.hits >= 1
    assert not proof.clean


def test_what_a_kept_record_says_is_named_and_no_trace(path):
    data = b"kept: " + TEXT.encode() + b"\n"
    proof = prove(entry(path, data, kept=[(0, len(data), "note:user/1")]))
    assert proof.clean
    assert [(hit.ref, hit.count) for hit in proof.kept_hits] == [("note:user/1", 1)]


def test_places_mean_nothing_in_a_file_that_was_written_anew(path):
    data = b"kept: " + TEXT.encode() + b"\n"
    one = entry(path, data, kept=[(0, len(data), "note:user/1")])
    path.write_bytes(b"other " + data)
    assert prove(one).hits == 1


def test_what_an_agent_appends_is_searched_too(path):
    one = entry(path, b"kept\n")
    with path.open("ab") as stream:
        stream.write(b"\nmore\n")
    assert prove(one).clean
    with path.open("ab") as stream:
        stream.write(TEXT.encode())
    assert prove(one).hits == 1


def test_half_a_file_beside_it_is_a_remain(path):
    one = entry(path, b"kept\n")
    part_of(path).write_bytes(b"12345")
    proof = prove(one, texts=())
    assert (proof.clean, proof.structure.nonzero_bytes, proof.by) == (False, 5, "structure")


def test_a_file_that_should_be_gone_is_a_remain(path):
    assert not prove(entry(path, b"still here", gone=True)).clean
    path.unlink()
    assert prove(told(path, b"", gone=True)).clean


def test_without_texts_another_content_proves_nothing(path):
    one = entry(path, b"kept\n")
    path.write_bytes(b"who knows\n")
    assert not prove(one, texts=()).clean


def test_what_cannot_be_read_proves_nothing(path, tmp_path):
    one = entry(path, b"kept\n")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    assert not prove(one).clean


def test_side_files_are_searched(path, tmp_path):
    side = tmp_path / "session.json"
    side.write_text(json.dumps({"said": TEXT}))
    proof = prove(entry(path, b"kept\n"), side_files=[SideFile(str(side), "session", "json")])
    assert [find.where for find in proof.still_in] == [str(side)]


class TestPlaces:
    def test_they_travel_and_say_no_text(self):
        cut = FileCut("/a", (1, 2, 30, 4), ((5, 9),), kept=(KeptSpan(0, 4, "note:x/1"),))
        message = json.loads(json.dumps(cut_message(cut)))
        assert cut_from(message) == FileCut("/a", (1, 2, 30, 4), ((5, 9),))
        assert "note" not in json.dumps(message)

    def test_kept_records_move_with_the_cuts(self):
        kept = (KeptSpan(0, 4, "a"), KeptSpan(9, 12, "b"), KeptSpan(5, 9, "gone"))
        found = kept_after(FileCut("/a", (1, 2, 30, 4), ((5, 9),), kept=kept))
        assert found == (KeptSpan(0, 4, "a"), KeptSpan(5, 8, "b"))

    def test_an_unfinished_erase_and_a_new_one_are_one(self):
        old = FileCut("/a", (1, 2, 30, 4), ((5, 9),))
        assert merge_files([old], [FileCut("/a", (1, 2, 30, 4), ((8, 12),))]) == (
            FileCut("/a", (1, 2, 30, 4), ((5, 12),)),
        )
        anew = FileCut("/a", (1, 7, 20, 9), ((1, 2),))
        assert merge_files([old], [anew]) == (anew,)
