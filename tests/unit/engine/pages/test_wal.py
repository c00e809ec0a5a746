# SPDX-License-Identifier: MIT
"""Old pages in logs and journals."""

from pathlib import Path

from memory_gui.engine.pages.wal import journal_images, wal_images

MARK = "zqkvcanaryjw"


def sidecar(path: Path, role: str) -> bytes:
    return Path(f"{path}-{role}").read_bytes()


def test_every_frame_of_a_log_comes_with_its_page(tmp_path, peer):
    other = peer(tmp_path / "a.db", sets="PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0")
    other.do("CREATE TABLE t (v TEXT)")
    other.do("INSERT INTO t VALUES (?)", MARK)
    ((_, frames, _),) = other.do("PRAGMA wal_checkpoint(PASSIVE)")
    data = sidecar(tmp_path / "a.db", "wal")
    other.close()
    images = list(wal_images(data, 4096))
    assert len(images) == frames
    assert {image.number for image in images} == {1, 2}
    assert any(MARK.encode() in image.page for image in images)
    assert all(len(image.page) == 4096 for image in images)


def test_a_log_of_zeros_has_no_frames():
    assert list(wal_images(bytes(100_000), 4096)) == []


def test_a_log_whose_header_is_gone_is_still_read(tmp_path, peer):
    other = peer(tmp_path / "a.db", sets="PRAGMA journal_mode=WAL")
    other.do("CREATE TABLE t (v TEXT)")
    data = sidecar(tmp_path / "a.db", "wal")
    other.close()
    assert len(list(wal_images(bytes(32) + data[32:], 4096))) == len(list(wal_images(data, 4096)))


def test_old_pages_in_a_kept_journal(tmp_path, peer):
    path = tmp_path / "a.db"
    other = peer(path, sets="PRAGMA journal_mode=PERSIST; PRAGMA secure_delete=OFF")
    other.do("CREATE TABLE t (v TEXT)")
    other.do("INSERT INTO t VALUES (?)", MARK)
    other.do("DELETE FROM t")
    data = sidecar(path, "journal")
    other.close()
    assert not data[:28].strip(b"\0")  # its header was zeroed, the pages were not
    images = list(journal_images(data, 4096))
    assert any(MARK.encode() in image.page for image in images)
