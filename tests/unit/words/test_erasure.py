# SPDX-License-Identifier: MIT
"""Sentences of erasing that the window and the terminal share."""

import pytest

from memory_gui.words import Words
from memory_gui.words.erasure import counted, kind, limit, listed, records, short_name, what_goes


@pytest.mark.parametrize(
    ("chosen", "going", "number", "text"),
    [
        ({"memory": 1}, {"memory": 1, "event": 9}, 1, "1 record"),
        (
            {"memory": 1},
            {"memory": 3, "event": 5},
            3,
            "1 record and 2 older copies of it in the trash",
        ),
        ({"memory": 2}, {"memory": 3}, 3, "2 records and 1 older copy in the trash"),
        (
            {"memory": 1, "summary": 4},
            {"memory": 1, "summary": 4, "review": 1},
            6,
            "5 records and 1 proposal that repeats it",
        ),
        ({"event": 2}, {"event": 2}, 2, "2 records"),
        ({"memory": 1}, {"memory": 1, "note": 2}, 3, "1 record and 2 notes"),
        ({"memory": 1}, {"memory": 1, "thing": 2}, 3, "1 record and 2 rows of thing"),
        ({"memory": 1}, {"embedding": 1, "history": 3}, 1, "1 record and 3 entries of history"),
    ],
)
def test_what_goes_beyond_the_chosen_records_is_said_and_counted(chosen, going, number, text):
    assert records(chosen, going) == number
    assert what_goes(Words("en"), chosen, going) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mem0.json", "2 records in mem0.json"),
        ("agents.memory", "2 texts in agents' memory"),
        ("steps.error_data", "2 copies that Letta's server keeps"),
        ("past", "2 earlier versions"),
    ],
)
def test_rows_files_and_copies_in_cells_have_their_words(name, text):
    assert counted(Words("en"), name, 2) == text


def test_chinese_sets_a_space_between_an_ideograph_and_a_latin_letter():
    words = Words("zh_CN")
    assert listed(words, ["会话摘要", "agentao.log"]) == "会话摘要和 agentao.log"
    assert listed(words, ["a.log", "会话摘要"]) == "a.log 和会话摘要"
    assert listed(words, ["a.log", "摘要", "b.log"]) == "a.log、摘要和 b.log"
    assert listed(words, ["摘要"]) == "摘要"
    assert listed(Words("en"), ["a.log", "b.log"]) == "a.log and b.log"


def test_a_kind_among_the_limits_is_said_in_words():
    params = {"path": "summary", "count": "4"}
    said = limit(Words("en"), "limit.side_file", params)
    assert said.startswith("session summaries in this store: ")
    said = limit(Words("zh_CN"), "limit.side_file", params)
    assert "summary" not in said


def test_a_short_name_keeps_its_beginning_and_its_end():
    assert short_name("/a/agentao.log") == "agentao.log"
    name = short_name("/a/" + "0123456789" * 9 + ".jsonl")
    assert len(name) <= 32
    assert name.startswith("0123")
    assert name.endswith(".jsonl")


def test_kinds_that_a_format_has_are_called_by_its_words():
    assert kind(Words("en"), "memory") == "memories"
    assert kind(Words("en"), "embedding") == "rows with their vectors"
    assert kind(Words("zh_CN"), "block") == "记忆块"
    assert kind(Words("en"), "thing") == "thing"


def test_a_message_goes_as_the_whole_thread_that_it_is_in() -> None:
    words, going = Words("en"), {"thread": 1, "checkpoints": 12, "writes": 21}
    assert what_goes(words, {"message": 2}, going) == "1 thread, 12 checkpoints, and 21 writes"
    assert records({"message": 2}, going) == 1
    assert what_goes(words, {"thread": 1}, going) == "1 record, 12 checkpoints, and 21 writes"
    assert records({"thread": 1, "message": 1}, {**going, "thread": 2}) == 2
    assert records({"message": 2}, {"message": 2}) == 2
