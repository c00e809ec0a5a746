# SPDX-License-Identifier: MIT
"""After each act of ours FactMemory, by its rules, finds exactly what should be there."""

from __future__ import annotations

import contextlib
import random
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.facts.format import FactsFormat
from memory_gui.stores.formats.facts.store import FactsStore

from .conftest import Judge, JudgeError

DATA = Path(__file__).parent.parent / "data" / "facts"
PYTHON = Path(getattr(sys, "_base_executable", sys.executable))
SAMPLES = ("memory.db", "research.db", "with-vectors.db")
NOW = 1_800_000_000.0


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    """The class's rules, in a process of their own."""
    (tmp_path / "judge").mkdir()
    judge = Judge(PYTHON, tmp_path / "judge", "facts_judge.py")
    yield judge
    judge.close()


@pytest.fixture(params=SAMPLES)
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of each sample."""
    return Path(shutil.copy(DATA / request.param, tmp_path / request.param))


def opened(path: Path) -> FactsStore:
    """Ours, to change."""
    return FactsFormat(clock=lambda: NOW).open(Location((path,)), None, Mode.CHANGE)


def facts(store: FactsStore) -> list[Record]:
    """All of ours, in the order of their numbers."""
    return [r for batch in store.scan() for r in batch]


def ours(store: FactsStore) -> list[list[Any]]:
    """As the judge lists them, vectors aside."""
    return [[r.subject, r.text, r.source, float(str(r.created_at))] for r in facts(store)]


def test_each_act_is_what_the_class_reads(path: Path, judge: Judge) -> None:
    store = opened(path)
    judge("open", path=str(path))
    assert [row[:4] for row in judge("listed")] == ours(store)
    fields = {"subject": "user:lin-xiaoyu", "text": "Reads the release notes on Friday mornings"}
    (new,) = store.add(NewRecord("fact", fields)).added
    assert judge("listed")[-1] == [*fields.values(), "memory-gui", NOW, None]
    assert (
        judge("remember", **{"subject": fields["subject"], "fact": fields["text"], "source": "x"})
        is False
    )
    assert judge("recall", subject="user:lin-xiaoyu", query="release notes", now=NOW) == [
        fields["text"]
    ]
    store.apply(Edit(Target(new), {"text": "Reads the changelog on Monday mornings"}))
    assert judge("recall", subject="user:lin-xiaoyu", query="changelog", now=NOW) == [
        "Reads the changelog on Monday mornings"
    ]
    store.delete(Target(new))
    assert [row[:4] for row in judge("listed")] == ours(store)
    before = judge("check")
    assert before[0] == "ok"
    store.close()
    assert judge("check") == before


def test_a_vector_goes_with_the_words_that_it_was_made_of(tmp_path: Path, judge: Judge) -> None:
    path = Path(shutil.copy(DATA / "with-vectors.db", tmp_path / "memory.db"))
    store = opened(path)
    judge("open", path=str(path))
    first = facts(store)[0]
    store.apply(Edit(Target(first.ref, first.etag), {"source": "turn-99"}))
    assert judge("listed")[0][4] == 1024  # 256 float32, as they were
    store.apply(Edit(Target(first.ref), {"text": "Prefers long answers, with every reason"}))
    assert judge("listed")[0][4] is None
    (now,) = store.fetch([first.ref])
    assert now is not None
    assert "facts.no_vector" in now.told
    store.close()


def test_what_we_say_is_never_recalled_never_is(tmp_path: Path, judge: Judge) -> None:
    path = Path(shutil.copy(DATA / "memory.db", tmp_path / "memory.db"))
    judge("open", path=str(path))
    judge("fill", subject="job:big", many=520, now=NOW)
    judge(
        "remember", subject="job:big", fact="只有中文的一条事实，没有别的文字", source="a", now=NOW
    )
    store = opened(path)
    big = {r.text: r for r in facts(store) if r.subject == "job:big"}
    told = {text for text, r in big.items() if "facts.too_old" in r.told}
    never = {
        text for number, text in enumerate(big)
        if number % 7 == 0 and text not in
        judge("recall", subject="job:big", query=text, now=NOW, most=600)
    }  # fmt: skip
    assert never == {text for number, text in enumerate(big) if number % 7 == 0 and (
        text in told or "facts.no_word" in big[text].told)}  # fmt: skip
    assert len(told) == 21
    assert [r.text for r in big.values() if "facts.no_word" in r.told] == [
        "只有中文的一条事实，没有别的文字"
    ]
    assert "facts.many" in {one.code for one in store.info().told}
    store.close()


def test_a_job_is_erased_as_one(path: Path, judge: Judge, services: Services) -> None:
    judge("open", path=str(path))
    before = judge("listed")
    judge("close")
    (store, *_) = services.library.open(path, pair=False)
    query = Query('subject:"job:report-42"', frozenset({store.id}))
    plan = services.erasing.plans.plan_query(query)
    assert plan.total == 4
    assert "job:report-42" in plan.texts
    assert str(services.erasing.run(plan).state) == "proved"
    services.library.close_all()
    judge("open", path=str(path))
    assert judge("listed") == [row for row in before if row[0] != "job:report-42"]
    mode = "wal" if path.name == "research.db" else "delete"
    assert judge("check") == ["ok", mode]


def in_turns(path: Path, judge: Judge, steps: int) -> None:
    """Both write at once; nothing is lost and nothing is there twice."""
    judge("open", path=str(path))
    done = threading.Event()
    kept: list[str] = []

    def agent() -> None:
        number = 0
        while not done.is_set():
            fact = f"the agent found number {number} on its way"
            with contextlib.suppress(JudgeError):  # locked: it knows that it is not saved
                if judge("remember", subject="job:both", fact=fact, source="agent-a"):
                    kept.append(fact)
            number += 1

    thread = threading.Thread(target=agent)
    thread.start()
    store, dice, mine = opened(path), random.Random(6), {}
    for number in range(steps):
        time.sleep(0.002)
        name = f"fact {dice.randrange(40)} of ours, for everybody to read"
        try:
            if name in mine:
                store.delete(Target(mine.pop(name)))
            else:
                fields = {"subject": "job:both", "text": name}
                (mine[name],) = store.add(NewRecord("fact", fields)).added
        except UserError as error:
            assert (error.code, number) == ("store.locked", number)  # noqa: PT017 - the others are faults
    done.set()
    thread.join()
    found = [row[1] for row in judge("listed") if row[0] == "job:both"]
    assert sorted(found) == sorted([*kept, *mine])
    assert judge("check")[0] == "ok"
    store.close()


def test_several_write_at_once(tmp_path: Path, judge: Judge) -> None:
    path = Path(shutil.copy(DATA / "research.db", tmp_path / "research.db"))
    in_turns(path, judge, 60)


@pytest.mark.soak
@pytest.mark.parametrize("name", SAMPLES)
def test_several_write_at_once_for_long(tmp_path: Path, judge: Judge, name: str) -> None:
    path = Path(shutil.copy(DATA / name, tmp_path / name))
    in_turns(path, judge, 400)
