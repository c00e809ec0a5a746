# SPDX-License-Identifier: MIT
"""What was done with the app, on its way into the ledger."""

import os
import threading

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.ledger import Ledger
from memory_gui.ledger.journal import FILE, KEPT, NAMED, Act, ActFile, opaque

ONE = Act(
    "2026-11-29T10:00:00.000+00:00", 12, "trash", "window", "/a/memory.db", 2,
    (("memory", ("0badcafe",)), ("memory", ("12",))),
)  # fmt: skip
OTHER = Act("2026-11-29T11:00:00.000+00:00", 0, "edit", "terminal", "/b\udcff.db", 1)


def test_only_ids_that_tell_nothing_are_named():
    keys = [("memory", ("0badcafe",)), ("memory", ("Ann likes tea",)), ("note", ("ann", "12"))]
    assert opaque(keys) == (("memory", ("0badcafe",)),)
    assert opaque([("event", ("rowid", "3"))]) == ()
    many = [("memory", (f"{n:08x}",)) for n in range(3 * NAMED)]
    assert opaque(many) == tuple(many[:NAMED])


class TestFile:
    def test_is_private_and_read_back(self, tmp_path):
        file = ActFile(tmp_path / "data")
        file.put(ONE)
        file.put(OTHER)
        assert file.list() == (OTHER, ONE)
        assert (tmp_path / "data" / FILE).stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700

    def test_a_line_that_is_none_of_ours_is_passed_over(self, tmp_path):
        file = ActFile(tmp_path)
        file.put(ONE)
        with (tmp_path / FILE).open("ab") as stream:
            stream.write(b'half a li\n[1]\n["x",1,2,3,4,5,6]\n{"at": 1}\n\xff\n')
        file.put(OTHER)
        assert file.list() == (OTHER, ONE)

    def test_a_link_is_not_followed(self, tmp_path):
        (tmp_path / "victim").write_text("mine")
        (tmp_path / FILE).symlink_to(tmp_path / "victim")
        ActFile(tmp_path).put(ONE)
        assert (tmp_path / "victim").read_text() == "mine"

    def test_handing_over_keeps_what_is_added_meanwhile(self, tmp_path):
        file = ActFile(tmp_path)
        file.put(ONE)
        taken = []

        def put(acts):
            file.put(OTHER)
            taken.extend(acts)

        file.hand_over(put)
        assert taken == [ONE]
        assert file.list() == (OTHER,)

    def test_what_could_not_be_handed_over_stays(self, tmp_path):
        file = ActFile(tmp_path)
        file.put(ONE)

        def refuse(acts):
            raise UserError("store.locked", path="x")

        with pytest.raises(UserError):
            file.hand_over(refuse)
        file.put(OTHER)
        assert set(file.list()) == {ONE, OTHER}
        taken = []
        file.hand_over(taken.extend)
        assert set(taken) == {ONE, OTHER}
        assert list(tmp_path.iterdir()) == []

    def test_what_a_kill_left_is_handed_over_later(self, tmp_path):
        file = ActFile(tmp_path)
        file.put(ONE)
        left = tmp_path / "acts-deadbeef.taken"
        (tmp_path / FILE).rename(left)
        assert file.list() == ()  # somebody may be at it
        os.utime(left, (0, 0))
        taken = []
        file.hand_over(taken.extend)
        assert taken == [ONE]

    def test_two_at_once_take_no_act_twice(self, tmp_path):
        file = ActFile(tmp_path)
        for _ in range(50):
            file.put(ONE)
        taken = []
        threads = [threading.Thread(target=file.hand_over, args=(taken.extend,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(taken) == 50


class TestRows:
    @pytest.fixture
    def rows(self, tmp_path, keychain):
        ledger = Ledger.open(tmp_path, keychain)
        yield ledger.acts
        ledger.close()

    def test_the_last_one_first_and_all_of_it(self, rows):
        rows.put([ONE, OTHER])
        assert rows.list() == (OTHER, ONE)
        rows.clear()
        assert rows.list() == ()

    def test_only_the_last_ones_are_kept(self, rows):
        rows.put([ONE] * 10)
        rows.put([OTHER] * KEPT)
        assert rows.list() == (OTHER,) * KEPT
