# SPDX-License-Identifier: MIT
"""A text is found in every form, wherever it lies, and nothing else is."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from memory_gui.erasure.probes import WINDOW, Batch, batches, forms, is_short, merge

LONG = "Mrs Ortega told us on Tuesday that her daughter lives in Malmö and keeps bees."
NOISE = bytes(random.Random(3).randrange(128, 250) for _ in range(5000))


def spans(texts, data, limit=300_000):
    found = []
    for batch in batches(texts, limit):
        found += batch.scan(data)
    return merge(found)


@given(
    start=st.integers(0, len(LONG.encode()) - WINDOW),
    size=st.integers(1, len(LONG.encode())),
    at=st.integers(0, 4200),
)
def test_a_window_of_32_bytes_is_found_at_any_place_and_a_shorter_one_is_not(start, size, at):
    piece = LONG.encode()[start : start + size]
    data = NOISE[:at] + piece + NOISE[at:]
    found = spans([LONG], data)
    if len(piece) >= WINDOW:
        assert found == [(at, at + len(piece))]
    else:
        assert found == []


@given(text=st.text(min_size=1, max_size=200), at=st.integers(0, 300))
def test_the_whole_text_is_found_in_every_form(text, at):
    if is_short(text):
        assert list(batches([text])) == []
        return
    shapes = {
        text.encode("utf-8", "surrogatepass"),
        text.encode("utf-16-le", "surrogatepass"),
        text.encode("utf-16-be", "surrogatepass"),
        text.casefold().encode("utf-8", "surrogatepass"),
        json.dumps(text)[1:-1].encode(),
        json.dumps(json.dumps(text))[1:-1].encode(),
    }
    for shape in shapes:
        assert spans([text], NOISE[:at] + shape + NOISE), shape


def test_letter_case_does_not_hide_it():
    assert spans([LONG], LONG.upper().encode("ascii", "ignore"))
    assert spans(
        ["Straße nach Åbo, zwölf Häuser weiter"], "strasse nach åbo, zwölf häuser".encode()
    )


def test_chinese_in_json_escapes_and_in_utf16():
    text = "林小雨住在成都，养了两只猫，周末常去爬山，她不吃香菜。"
    assert spans([text], json.dumps({"x": text + "后"}).encode())
    assert spans([text], json.dumps(text).upper().replace("\\U", "\\u").encode())
    assert spans([text], ("前" + text).encode("utf-16-le"))


def test_short_texts_are_looked_for_whole():
    assert spans(["Reykjavik"], b"..in reykjavik now") == [(5, 14)]
    assert spans(["Reykjavik"], b"..in reykjavi now") == []
    for size in range(8, 32):
        word = ("abcdefghijklmnopqrstuvwxyz0123456789")[:size]
        for at in range(20):
            data = b"#" * at + word.encode() + b"#####"
            assert spans([word], data) == [(at, at + size)], (size, at)


def test_texts_under_eight_bytes_are_not_told_from_chance():
    assert is_short("vim")
    assert is_short("王伟")
    assert not is_short("Mallorca")


def test_many_long_texts_come_in_batches_that_lose_nothing():
    choose = random.Random(5)
    texts = ["".join(choose.choice("abcdefghij ") for _ in range(9000)) for _ in range(12)]
    few = list(batches(texts, 20_000))
    assert len(few) >= 4
    assert all(batch.weight <= 20_000 + 9_000 for batch in few)
    for text in texts:
        for at in range(0, 9000 - WINDOW, 611):
            piece = NOISE[:7] + text[at : at + WINDOW].encode() + NOISE[:9]
            found = [span for batch in few for span in batch.scan(piece)]
            assert merge(found) == [(7, 7 + WINDOW)]


def test_a_text_longer_than_a_batch_is_cut_without_losing_a_window():
    choose = random.Random(6)
    text = "".join(choose.choice("abcdefghij ") for _ in range(5000))
    cut = list(batches([text], 1000))
    assert len(cut) >= 4
    for at in range(0, 5000 - WINDOW, 97):
        assert any(batch.scan(text[at : at + WINDOW].encode()) for batch in cut), at


def test_unlike_texts_are_not_found():
    assert spans([LONG], NOISE + b"the agent prefers small commits" * 30) == []


def test_a_text_of_one_letter_repeated():
    assert spans(["-" * 60], b"." + b"-" * 32 + b".") == [(1, 33)]
    assert spans(["-" * 60], b"." + b"-" * 31 + b".") == []


def test_forms_of_plain_ascii_are_few():
    assert forms("Plain words here") == {b"plain words here"}


def test_an_empty_batch_finds_nothing():
    assert Batch().scan(b"anything at all") == []


def test_a_piece_that_many_texts_share_hides_none_of_them() -> None:
    """What is left is of the last of a hundred texts with the same middle."""
    texts = [f"{n:04d} abcdefghijklmnopqrstuvwx {n:04d}" for n in range(100)]
    (batch,) = batches(texts)
    assert batch.scan(b"\x00" * 7 + texts[-1].encode() + b"\x00" * 20) == [(7, 7 + 34)]
    other = "9999 abcdefghijklmnopqrstuvwx 9999"  # what it has of each is shorter than a window
    assert batch.scan(b"\x00" * 7 + other.encode() + b"\x00" * 20) == []
