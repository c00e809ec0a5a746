# SPDX-License-Identifier: MIT
"""A receipt on paper, in both languages; a path in it is never drawn as HTML."""

import re

import pytest
import scene

from memory_gui.domain.erasing import MayHold
from memory_gui.erasure import signing
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.proof import COPIED, UNSEARCHED, Find
from memory_gui.erasure.receipt import receipt_of
from memory_gui.ui.receipt_pdf import page, receipt_pdf
from memory_gui.words import Words
from memory_gui.words.erasure import ACCEPTED, IN_FILES, STATES


@pytest.fixture
def document():
    made = receipt_of(scene.result(), ErasePlan(()))
    chained = {**made, "chain": {"number": 1, "previous": "0" * 64}}
    return signing.sign(chained, bytes(32))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Receipt of an erasure", "proved gone")), ("zh_CN", ("擦除回执", "结果"))],
)
def test_it_tells_the_result_and_the_signer(qapp, document, language, words):
    made = page(Words(language), document)
    for word in (*words, document["signer"]["fingerprint"], document["id"]):
        assert word in made
    assert receipt_pdf(Words(language), document).startswith(b"%PDF")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_where_blocks_are_out_of_reach_it_never_says_proved_gone(qapp, document, language):
    words = Words(language)
    there = {**document, "out_of_reach": True}
    assert words.say(STATES["proved"]) not in page(words, there)
    assert words.say(IN_FILES) in page(words, there)
    assert words.say(ACCEPTED) in page(words, {**document, "accepted": True})


def test_it_names_who_may_still_hold_it(qapp, document):
    told = [MayHold("hold.provider", {"model": "<b>m", "count": "3"}).as_json()]
    made = page(Words("en"), {**document, "may_still_hold": told})
    assert "Who may still hold it" in made
    assert "The provider of the model &lt;b&gt;m: it was used in sessions" in made
    assert "Who may still hold it" not in page(Words("en"), document)


def test_it_tells_where_text_is_left(qapp, document):
    """Not proved is no result without its place: a file, a copy, one that nobody could look for."""
    left = [
        Find("/p/agent.log", "log", 2),
        Find("notes", COPIED, 1),
        Find("spy", COPIED, 0, UNSEARCHED),
        Find("/p/<b>", "log", 0, "side_file.unreadable"),
    ]
    made = page(Words("en"), {**document, "side_files": [one.as_json() for one in left]})
    told = re.findall(r"Still in</td><td>(.*?)</td>", made)
    assert told == [
        "/p/agent.log",
        "the table notes",
        "the table spy (could not be looked for)",
        "/p/&lt;b&gt; (could not be read)",
    ]


def test_a_hostile_path_is_text(qapp, document):
    hostile = {**document, "path": "<img src='file:///etc/passwd'>"}
    assert "<img" not in page(Words("en"), hostile)
