# SPDX-License-Identifier: MIT
"""A second reading makes records only of rows that are not as they were."""

from memory_gui.domain.recordbatch import RecordBatch
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index.content import Content

STORE = StoreId("a")


def record(number, text="some text", etag=None):
    ref = Ref(STORE, "memory", (f"{number:08x}",))
    return Record(ref, etag or f"{number:016x}", State.LIVE, "title", text)


def read(content, rows):
    """Read rows (number, print, record): at which places they were made, whether any differed."""
    content.begin()
    places = content.met("memory", [row[0] for row in rows], [row[1] for row in rows])
    differed = content.take(
        [rows[place][2] for place in places], [rows[place][:2] for place in places]
    )
    return list(places), differed | content.end()


ROWS = [(10, 100, record(1)), (20, 200, record(2)), (-5, 300, record(3))]


def test_unchanged_rows_are_not_made_again():
    content = Content(STORE)
    assert read(content, ROWS) == ([0, 1, 2], True)
    assert read(content, ROWS) == ([], False)
    assert content.count() == 3


def test_a_row_with_another_print_is_made_again():
    content = Content(STORE)
    read(content, ROWS)
    newer = [ROWS[0], (20, 201, record(2, "new", "e" * 16)), ROWS[2]]
    assert read(content, newer) == ([1], True)
    assert content.etag(record(2).ref) == "e" * 16
    assert read(content, newer) == ([], False)


def test_a_row_that_is_not_met_is_gone():
    content = Content(STORE)
    read(content, ROWS)
    assert read(content, ROWS[1:]) == ([], True)
    assert content.ordinal(record(1).ref) is None
    assert content.count() == 2


def test_rows_that_got_other_numbers_are_made_again_and_do_not_differ():
    content = Content(STORE)
    read(content, ROWS)
    moved = [(number + 1, print_ + 1, found) for number, print_, found in ROWS]
    assert read(content, moved) == ([0, 1, 2], False)
    assert read(content, moved) == ([], False)


def test_a_number_given_to_another_record_is_made_and_the_old_one_goes():
    content = Content(STORE)
    read(content, ROWS)
    other = [(10, 400, record(9)), *ROWS[1:]]
    assert read(content, other) == ([0], True)
    assert content.ordinal(record(1).ref) is None
    assert content.ordinal(record(9).ref) is not None
    assert read(content, other) == ([], False)


def test_what_was_put_meanwhile_is_looked_at_the_next_time():
    content = Content(STORE)
    read(content, ROWS)
    content.put([record(2, "ours", "e" * 16)])
    newer = [ROWS[0], (20, 201, record(2, "ours", "e" * 16)), ROWS[2]]
    assert read(content, newer) == ([1], False)
    assert read(content, newer) == ([], False)


def test_what_is_put_during_a_reading_stays():
    content = Content(STORE)
    read(content, ROWS)
    content.begin()
    assert content.met("memory", [10, 20, -5], [100, 200, 300]) == []
    content.put([record(2, "ours", "e" * 16)])
    content.drop([record(3).ref])
    assert content.end() is False
    assert content.etag(record(2).ref) == "e" * 16
    assert content.ordinal(record(3).ref) is None


def batch(*numbers):
    size = len(numbers)
    none = [""] * size
    return RecordBatch(
        "memory", [f"{n:08x}".encode() for n in numbers], [State.LIVE] * size,
        b"title\x1fsome text\x1e" * size, none, none, none, none, none, [()] * size,
        [None] * size, [None] * size,
    )  # fmt: skip


class TestReadByColumns:
    """Etags of records that were read by columns are known once they are fetched."""

    @staticmethod
    def read():
        content = Content(STORE)
        content.begin()
        assert content.take_batch(batch(1, 2), [10, 20], [100, 200])
        content.end()
        return content

    def test_it_is_found_and_has_no_etag(self):
        content = self.read()
        assert content.count() == 2
        assert content.ordinal(record(2).ref) == 1
        assert content.etag(record(2).ref) is None

    def test_the_record_of_the_same_row_gives_its_etag_and_is_kept(self):
        content = self.read()
        content.keep(1, record(2), 200)
        assert content.etag(record(2).ref) == record(2).etag
        assert content.kept(1) == record(2)

    def test_the_record_of_a_row_that_changed_meanwhile_does_not(self):
        content = self.read()
        content.keep(1, record(2, "new", "e" * 16), 201)
        assert content.etag(record(2).ref) is None
        assert content.kept(1) is None

    def test_what_is_there_or_was_dropped_meanwhile_is_not_taken_again(self):
        content = self.read()
        content.begin()
        assert not content.take_batch(batch(2, 3), [20, 30], [200, 300])
        assert content.count() == 2
        content.drop([record(3).ref])
        assert not content.take_batch(batch(3), [30], [300])
        assert not content.take_batch(batch(4, 4), [40, 50], [400, 500])
