# SPDX-License-Identifier: MIT
"""The matcher finds exactly what going through every place of the data finds, in every form.

The oracle knows no hashes, no blocks and no passes: it cuts each text into all of its windows and
compares them with every place, and undoes a program's way of writing letter by letter.
"""

import json

from hypothesis import given
from hypothesis import strategies as st

from memory_gui.engine.needles import Needles
from memory_gui.erasure.probes import batches, merge, short_batch

WINDOW = 32
FEW = st.sampled_from("abAB ")
LETTERS = st.one_of(FEW, st.sampled_from('aöÖßéİ中文記憶\U0001f600\\"/\nＡﬁ'))
TEXTS = st.lists(st.text(LETTERS, min_size=1, max_size=70), min_size=1, max_size=5)
BYTES = st.binary(min_size=0, max_size=20) | st.text(FEW, max_size=40).map(str.encode)


def pieces(needle: bytes) -> set[bytes]:
    """What must not stand anywhere: every window of a long one, a shorter one whole."""
    if len(needle) < WINDOW:
        return {needle}
    return {needle[at : at + WINDOW] for at in range(len(needle) - WINDOW + 1)}


def places(data: bytes, wanted: set[bytes]) -> list[tuple[int, int]]:
    """Every place of the data at which one of them stands."""
    sizes = {len(one) for one in wanted}
    return sorted(
        (at, at + size)
        for size in sizes
        for at in range(len(data) - size + 1)
        if data[at : at + size] in wanted
    )


@st.composite
def hay(draw, needles):
    """Data made of needles, halves of needles and other bytes."""
    parts = []
    for _ in range(draw(st.integers(0, 5))):
        needle = draw(st.sampled_from(needles))
        cut = slice(draw(st.integers(0, len(needle))), draw(st.integers(0, len(needle))))
        parts += [draw(BYTES), draw(st.sampled_from([needle, needle[cut]]))]
    return b"".join(parts) + draw(BYTES)


@given(data=st.data(), alphabet=st.sampled_from([b"ab", b"abcdefgh", bytes(range(256))]))
def test_needles_are_found_at_exactly_the_places_where_they_stand(data, alphabet):
    letter = st.sampled_from([bytes([one]) for one in alphabet])
    string = st.one_of(
        st.lists(letter, min_size=1, max_size=31), st.lists(letter, min_size=32, max_size=60)
    ).map(b"".join)
    needles = data.draw(st.lists(string, min_size=1, max_size=6, unique=True))
    long = [one for one in needles if len(one) >= WINDOW]
    whole = [one for one in needles if len(one) < WINDOW]
    lying = data.draw(hay(needles))
    made = Needles(long, whole)
    hits = made.find(lying)
    found = sorted(zip(hits.starts.tolist(), hits.ends.tolist(), strict=True))
    wanted = set().union(*map(pieces, needles))
    assert found == places(lying, wanted)
    owners = {
        number
        for number, one in enumerate([*long, *whole])
        if any(lying[start:end] in pieces(one) for start, end in found)
    }
    assert made.owners(hits.groups) == owners


def written(text: str) -> list[bytes]:
    """In every way in which a program may have written it, in small letters or its own."""
    shapes = []
    for one in (text, text.casefold(), text.upper() if text.isascii() else text):
        raw = [one.encode(code, "surrogatepass") for code in ("utf-8", "utf-16-le", "utf-16-be")]
        once = json.dumps(one)[1:-1]
        shapes += [*raw, once.encode(), json.dumps(once)[1:-1].encode()]
    return shapes


@given(text=st.text(LETTERS, min_size=8, max_size=80), around=BYTES, data=st.data())
def test_every_form_of_a_text_is_found_wherever_it_lies(text, around, data):
    shape = data.draw(st.sampled_from(written(text)))
    # What stands before it must not change how it is read: no NUL, no backslash, no digit.
    before = data.draw(st.sampled_from([b"", b"\x7f\xff\x81", b"\x7f" * 23]))
    lying = before + shape + b"\xff" + around
    spans = merge([span for batch in batches([text]) for span in batch.scan(lying)])
    assert any(start < len(before) + len(shape) and end > len(before) for start, end in spans)


@given(texts=TEXTS, data=st.data())
def test_nothing_else_is_found_in_plain_data(texts, data):
    """Against the oracle, over data in which no other way of writing can be read."""
    plain = [text for text in texts if len(text.encode()) >= 8]
    shapes = [shape for text in texts for shape in written(text)[:5]]
    lying = data.draw(hay(shapes)).replace(b"\\", b"~").replace(b"\0", b"\xfe")
    found = merge([span for batch in batches(texts) for span in batch.scan(lying)])
    wanted: set[bytes] = set()
    for text in plain:
        long = len(text.encode()) >= WINDOW
        for one in {text, text.casefold()}:
            codes = ("utf-8",) if one.isascii() else ("utf-8", "utf-16-le", "utf-16-be")
            for form in (one.encode(code).lower() for code in codes):
                wanted |= pieces(form) if long else {form}
    assert found == merge(places(lying.lower(), wanted))


@given(texts=st.lists(st.text(FEW, min_size=1, max_size=7), min_size=1, max_size=4), data=st.data())
def test_short_texts_are_found_whole_and_words_with_their_edges(texts, data):
    lying = data.draw(hay([text.encode() for text in texts]))
    lying = lying.replace(b"\\", b"~").replace(b"\0", b"\xfe").lower()
    letters = b"abcdefghijklmnopqrstuvwxyz0123456789_"
    for words in (False, True):
        batch = short_batch(texts, words=words)
        assert batch is not None
        wanted = {text.encode().lower() for text in texts}
        found = [
            (start, end)
            for start, end in places(lying, wanted)
            if not (words and end - start < 4)
            or not (
                (start > 0 and lying[start] in letters and lying[start - 1] in letters)
                or (end < len(lying) and lying[end - 1] in letters and lying[end] in letters)
            )
        ]
        assert batch.scan(lying) == merge(found)


@given(texts=TEXTS, data=st.data())
def test_parts_that_are_looked_at_together_are_found_each_by_itself(texts, data):
    shapes = [shape for text in texts for shape in written(text)]
    parts = data.draw(st.lists(hay(shapes), max_size=6))
    for batch in batches(texts):
        apart = {at: spans for at, part in enumerate(parts) if (spans := batch.scan(part))}
        assert batch.scan_all(parts) == apart
