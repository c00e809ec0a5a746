# SPDX-License-Identifier: MIT
"""What is left by a recipe with one step broken, and by bare statements, is found; each kind apart.

The bytes are put there by SQLite in another process, or by hand. The prover itself is called in
this process, which has no connection to the files. Raw steps that leave nothing in the file, only
in freed blocks (tail, log), are broken in ``tests/proof/test_raw_disk.py``.
"""

from pathlib import Path

import pytest
import workload

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.wipe import Wipe
from memory_gui.erasure.prover import prove_files

DELETES = (
    "DELETE FROM memories WHERE id NOT LIKE 'kept%'",
    "DELETE FROM memory_review_queue",
    "DELETE FROM memory_events WHERE id > 60",
)


@pytest.mark.parametrize("key", [None, workload.KEY], ids=["readable", "encrypted"])
@pytest.mark.parametrize("full_text", [None, "own", "ext", "cdel"])
def test_the_whole_recipe_is_proved(built, erase, look, key, full_text):
    made = built(key=key, full_text=full_text, die=True, analyze=True)
    assert erase(made)["erased"]
    proof = look(made)
    assert proof.clean, proof
    assert proof.by == "content+structure"
    assert proof.pages > 10
    assert proof.kept_hits == ()


def test_before_any_erase_everything_is_found(built, look):
    proof = look(built())
    # 12 memories, 12 reviews, 12 events are still there, with their texts.
    assert proof.hits >= 36
    assert not proof.clean


def test_rows_that_are_still_there_are_found_without_any_text(built, look):
    proof = look(built(secure_delete=True, journal="delete"), texts=[])
    assert proof.by == "structure"
    assert proof.hits == 36


@pytest.mark.parametrize("key", [None, workload.KEY], ids=["readable", "encrypted"])
def test_delete_alone_leaves_gaps_free_pages_and_overflow(built, look, key):
    made = built(key=key, secure_delete=False, journal="delete")
    workload.statement(made.path, made.key, "PRAGMA secure_delete = OFF", *DELETES)
    proof = look(made)
    assert not proof.clean
    assert proof.structure.by_place["free_pages"] > 4096
    assert proof.structure.by_place["gaps"] > 1000


def test_a_live_log_is_found_with_what_it_holds(built, look):
    made = built(die=True)
    proof = look(made)
    assert proof.frames > 50
    assert proof.structure.by_place["wal"] > 4096 * 20
    assert proof.hits > 36


def test_frames_of_an_encrypted_log_are_opened(built, look):
    made = built(key=workload.KEY, die=True)
    with_log = look(made)
    Path(f"{made.path}-wal").write_bytes(b"")
    assert with_log.hits > look(made).hits
    assert with_log.frames > 50


def test_an_old_log_beside_a_clean_file(built, erase, look):
    made = built(die=True)
    log = Path(f"{made.path}-wal").read_bytes()
    assert erase(made)["erased"]
    Path(f"{made.path}-wal").write_bytes(bytes(32) + log[32 : 32 + 24 + 4096])
    proof = look(made)
    assert proof.frames == 1
    assert proof.structure.by_place.keys() == {"wal"}


def test_a_kept_journal_is_found(built, look):
    made = built(journal="persist", secure_delete=True)
    workload.statement(made.path, None, "PRAGMA journal_mode = PERSIST", *DELETES)
    proof = look(made)
    assert proof.structure.by_place["journal"] > 4096
    assert proof.hits > 0


def test_a_tail_beyond_the_last_page(built, erase, look):
    made = built()
    erase(made)
    with made.path.open("ab") as stream:
        stream.write(bytes(4096) + workload.target_text(3, 2).encode())
    proof = look(made)
    assert proof.structure.by_place == {"tail": len(workload.target_text(3, 2))}


def test_one_stray_overflow_page(built, erase, look):
    made = built()
    erase(made)
    size = made.path.stat().st_size
    data = bytearray(made.path.read_bytes())
    data += b"\0\0\0\0" + workload.target_text(2, 1).encode()[:4000] + bytes(92)
    data[28:32] = (size // 4096 + 1).to_bytes(4, "big")
    made.path.write_bytes(data)
    proof = look(made)
    assert proof.structure.by_place == {"orphans": 4000}


def test_statistics_keep_keys_of_erased_rows(built, look):
    made = built(analyze=True, secure_delete=True, journal="delete")
    workload.statement(made.path, None, "PRAGMA secure_delete = ON", *DELETES, "VACUUM")
    proof = look(made)
    assert proof.structure.clean
    assert proof.hits > 0


@pytest.mark.parametrize("kind", ["own", "ext"])
def test_words_left_in_a_full_text_index(built, look, kind):
    made = built(full_text=kind, secure_delete=True, journal="delete")
    workload.statement(made.path, None, "PRAGMA secure_delete = ON", *DELETES, "VACUUM")
    proof = look(made)
    assert proof.structure.nonzero_bytes == 0
    assert proof.structure.fulltext > 0
    assert not proof.clean


BREAKS = {
    "secure-delete": ("secure_delete", {"secure_delete": False}),
    "delete": ("delete", {}),
    "full-text": ("renew_full_text", {"full_text": "own"}),
    "statistics": ("renew_statistics", {"analyze": True}),
    "vacuum": ("vacuum", {"secure_delete": False}),
}


@pytest.mark.parametrize("step", BREAKS)
def test_a_recipe_without_this_step_is_not_proved(built, erase, look, monkeypatch, step):
    name, options = BREAKS[step]
    made = built(die=True, **options)
    if step == "secure-delete":
        # Off, and no VACUUM that would write the file anew.
        monkeypatch.setattr(Wipe, "secure_delete", _off)
        monkeypatch.setattr(Wipe, "vacuum", lambda _: "skipped")
    else:
        monkeypatch.setattr(Wipe, name, lambda *_, **__: 0 if step == "delete" else "skipped")
    erase(made)
    assert not look(made).clean


def _off(wipe):
    wipe._connection.execute("PRAGMA secure_delete = OFF")
    return "off"


def test_a_checkpoint_that_was_not_whole_stops_the_recipe(built, erase, monkeypatch):
    made = built(die=True)
    monkeypatch.setattr(Wipe, "_checkpoint", _busy)
    with pytest.raises(UserError) as caught:
        erase(made)
    assert caught.value.code == "erase.step"
    assert workload.verify(made.path)["targets"] == workload.TARGETS


def _busy(wipe, mode):
    raise UserError("erase.step", step="checkpoint", answer="(1, 20, 0)")


def test_a_kept_record_that_shares_the_text_is_named(built, erase, look):
    made = built()
    shared = workload.target_text(4, 2)[:60].replace("'", "")
    workload.statement(
        made.path, None, f"UPDATE memories SET title = '{shared}' WHERE id = 'kept0007'"
    )
    erase(made)
    proof = look(made)
    assert proof.clean
    assert [(hit.ref, hit.count) for hit in proof.kept_hits] == [("memory:kept0007", 2)]


def test_a_summary_that_repeats_it_is_a_find_and_no_kept_record(built, erase, look):
    made = built()
    text = workload.target_text(4, 2)[:80]
    workload.statement(made.path, None, f"UPDATE session_summaries SET summary_text = '{text}'")
    erase(made)
    proof = look(made)
    assert proof.clean
    assert proof.kept_hits == ()
    assert [(find.where, find.count) for find in proof.still_in] == [("summary", 1)]


def test_side_files_are_searched_in_their_encodings(built, erase, look, tmp_path):
    made = built()
    erase(made)
    text = workload.target_text(4, 2)
    log, notes, gone = tmp_path / "agentao.log", tmp_path / "notes.json", tmp_path / "gone.txt"
    log.write_text("x" * (1 << 20) + text[:100] + "\n" + "y" * 5000 + text[50:140], "utf-8")
    notes.write_text("nothing here", "utf-8")
    files = [SideFile(str(path), "log") for path in (log, notes, gone, tmp_path)]
    finds = look(made, files).finds
    assert [(Path(find.where).name, find.count, find.error) for find in finds] == [
        ("agentao.log", 2, None),
        ("notes.json", 0, None),
        ("gone.txt", 0, None),
        (tmp_path.name, 0, "side_file.unreadable"),
    ]


def test_a_page_that_is_not_authentic_is_no_proof(built, erase, look):
    made = built(key=workload.KEY)
    erase(made)
    assert look(made).clean
    data = bytearray(made.path.read_bytes())
    data[5 * 4096 + 99] ^= 1
    made.path.write_bytes(data)
    proof = look(made)
    assert proof.structure.unreadable >= 1
    assert not proof.clean


@pytest.mark.parametrize(
    ("made_with", "asked_with", "code"),
    [
        (None, workload.KEY, "key.not_encrypted"),
        (workload.KEY, None, "key.needed"),
        (workload.KEY, "ab" * 32, "key.wrong"),
    ],
)
def test_a_key_that_does_not_fit(built, made_with, asked_with, code):
    made = built(key=made_with)
    key = RawKey.from_hex(asked_with) if asked_with else None
    with pytest.raises(UserError) as caught:
        prove_files(made.path, key, [])
    assert caught.value.code == code
