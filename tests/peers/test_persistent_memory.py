# SPDX-License-Identifier: MIT
"""After each act of ours the app's own rules read exactly what should be there."""

from __future__ import annotations

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
from memory_gui.domain.records import Ref
from memory_gui.services import Services
from memory_gui.services.values import KeyPlace
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.persistent_memory.format import PersistentMemoryFormat
from memory_gui.stores.formats.persistent_memory.store import PersistentMemoryStore

from .conftest import Judge, JudgeError

DATA = Path(__file__).parent.parent / "data" / "persistent-memory"
PYTHON = Path(getattr(sys, "_base_executable", sys.executable))
"""Without our packages: the judge knows the standard library only."""
REFUSED = sorted(path.name for path in (DATA / "refused").iterdir())


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    """The app's rules, in a process of their own."""
    (tmp_path / "judge").mkdir()
    judge = Judge(PYTHON, tmp_path / "judge", "persistent_judge.py")
    yield judge
    judge.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of the app's own database."""
    copy = tmp_path / "state" / "memory.sqlite3"
    copy.parent.mkdir()
    shutil.copyfile(DATA / "workspace" / "state" / "memory.sqlite3", copy)
    return copy


def opened(path: Path, mode: Mode = Mode.CHANGE) -> PersistentMemoryStore:
    """Ours, by the format."""
    return PersistentMemoryFormat().open(Location((path,)), None, mode)


def ours(store: PersistentMemoryStore) -> list[list[Any]]:
    """What we show, as the judge would list it."""
    rows = [
        [r.subject, r.type, r.title, r.text, r.source, int(r.extra["revision"] or 0)]
        for batch in store.scan()
        for r in batch
    ]
    return sorted(rows)


def read(judge: Judge, path: Path) -> Any:
    """As the app does it at its start."""
    judge("open", path=str(path))
    return judge("listed")


def ref(store: PersistentMemoryStore, user: str, kind: str, key: str) -> Ref:
    """A record's name."""
    return Ref(store.id, "memory", (user, kind, key))


def test_each_act_is_what_the_app_would_have_written(path: Path, judge: Judge) -> None:
    store = opened(path)
    judge("open", path=str(path))
    assert judge("listed") == ours(store)
    fields = {"subject": "lin-xiaoyu", "title": "editor.theme", "text": "Dark 深色 🌶️"}
    store.add(NewRecord("memory", {**fields, "source": "session-12"}))
    assert ["lin-xiaoyu", "preference", "editor.theme", "Dark 深色 🌶️", "session-12", 1] in judge(
        "listed"
    )
    theme = ref(store, "lin-xiaoyu", "preference", "editor.theme")
    store.apply(Edit(Target(theme), {"text": "Light"}))
    assert judge("listed", user="lin-xiaoyu", kind="preference")[0] == [
        "lin-xiaoyu", "preference", "editor.theme", "Light", "memory-gui", 2,
    ]  # fmt: skip
    store.apply(Edit(Target(theme), {"title": "editor.look", "type": "episode"}))
    look = ref(store, "lin-xiaoyu", "episode", "editor.look")
    moved = Edit(Target(look), {"subject": "mateo-alvarez"}, frozenset({"subject"}))
    store.apply(moved)
    assert judge("listed", user="mateo-alvarez", kind="episode")[0][2:] == [
        "editor.look", "Light", "memory-gui", 4,
    ]  # fmt: skip
    judge("put", user="mateo-alvarez", kind="episode", key="editor.look", value="T", session="s-1")
    assert store.fetch([ref(store, "mateo-alvarez", "episode", "editor.look")])[0].text == "T"  # type: ignore[union-attr]
    store.delete(Target(ref(store, "mateo-alvarez", "episode", "editor.look")))
    assert judge("listed") == ours(store)
    assert (judge("check"), judge("journal")) == ("ok", "delete")
    store.close()


def test_what_we_say_of_prompts_is_what_the_app_puts_there(path: Path, judge: Judge) -> None:
    store = opened(path)
    judge("open", path=str(path))
    for number in (3, 1, 2):
        fields = {"subject": "mateo-alvarez", "title": f"a.{number}", "text": f"value {number}"}
        store.add(NewRecord("memory", fields))
    for user in ("lin-xiaoyu", "mateo-alvarez"):
        told = {
            r.title
            for batch in store.scan()
            for r in batch
            if r.subject == user and "persistent.in_prompt" in r.told
        }
        assert told == set(judge("prompt", user=user))
        assert len(told) == 5
    store.close()


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_app_refuses_we_say_it_refuses(tmp_path: Path, judge: Judge, name: str) -> None:
    copy = tmp_path / "memory.sqlite3"
    shutil.copyfile(DATA / "refused" / name / "memory.sqlite3", copy)
    with pytest.raises(JudgeError, match=r"malformed|unsupported"):
        read(judge, copy)
    store = opened(copy, Mode.LOOK)
    told = {one.code for one in store.info().told}
    by_schema = {"persistent.extra_table", "persistent.extra_column", "persistent.other_version"}
    assert told & {*by_schema, "persistent.malformed_rows"}
    assert sum(1 for batch in store.scan() for _ in batch) >= 28
    store.close()


@pytest.mark.parametrize("name", [n for n in REFUSED if n.endswith("-row")])
def test_a_row_that_was_mended_lets_the_app_read_again(
    tmp_path: Path, judge: Judge, name: str
) -> None:
    copy = tmp_path / "memory.sqlite3"
    shutil.copyfile(DATA / "refused" / name / "memory.sqlite3", copy)
    store = opened(copy)
    (bad,) = [r for b in store.scan() for r in b if "persistent.malformed" in r.told]
    others = {r.ref: r for b in store.scan() for r in b if r.ref != bad.ref}
    given = {"title": "mended", "text": "good", "source": "s-1"}
    store.apply(Edit(Target(bad.ref, bad.etag), given))
    (ours_now,) = store.fetch([ref(store, str(bad.subject), str(bad.type), "mended")])
    assert ours_now is not None
    assert ours_now.told != bad.told
    assert {r.ref: r for b in store.scan() for r in b if r.ref in others} == others
    judge("open", path=str(copy))
    assert judge("listed") == ours(store)
    store.close()


def test_the_quotas_hold_and_what_is_there_can_still_be_changed(path: Path, judge: Judge) -> None:
    store = opened(path)
    judge("open", path=str(path))
    mine = sum(1 for row in judge("listed") if row[0] == "lin-xiaoyu")
    with store.together():
        for number in range(64 - mine):
            fields = {"subject": "lin-xiaoyu", "type": "episode", "title": f"n.{number}"}
            store.add(NewRecord("memory", {**fields, "text": f"value {number}"}))
    one_more = {"subject": "lin-xiaoyu", "title": "one.more", "text": "too many"}
    with pytest.raises(UserError, match=r"persistent\.user_full"):
        store.add(NewRecord("memory", one_more))
    with pytest.raises(JudgeError, match="full"):
        judge("put", user="lin-xiaoyu", kind="episode", key="m", value="v", session="s")
    fields = {"subject": "mateo-alvarez", "type": "episode", "title": "only.his", "text": "v"}
    (theirs,) = store.add(NewRecord("memory", fields)).added
    with pytest.raises(UserError, match=r"persistent\.user_full"):
        store.apply(Edit(Target(theirs), {"subject": "lin-xiaoyu"}, frozenset({"subject"})))
    store.apply(Edit(Target(ref(store, "lin-xiaoyu", "episode", "n.0")), {"text": "changed"}))
    rows = judge("listed")
    with store.together():
        for number in range(1024 - len(rows)):
            fields = {"subject": f"user-{number % 20}", "title": f"k.{number}", "text": "v"}
            store.add(NewRecord("memory", fields))
    with pytest.raises(UserError, match=r"persistent\.full"):
        store.add(NewRecord("memory", {"subject": "new", "title": "k", "text": "v"}))
    assert len(judge("listed")) == 1024
    (told,) = [one for one in store.info().told if one.code == "persistent.full"]
    assert (told.values["most"], told.values["total"]) == (64, 1024)
    assert judge("listed") == ours(store)
    store.close()


def test_a_write_of_ours_is_shorter_than_the_app_waits(
    path: Path, judge: Judge, stopwatch: Any
) -> None:
    store = opened(path)
    judge("open", path=str(path))
    took = []
    for number in range(30):
        watch = stopwatch()
        store.apply(
            Edit(Target(ref(store, "lin-xiaoyu", "episode", "fact.01")), {"text": f"v {number}"})
        )
        took.append(watch.seconds)
    assert sorted(took)[-4] < 0.3  # but for a few that wait for a disk that others use
    with store.together():  # the app holds the file: we give up before it would
        watch = stopwatch()
        other = opened(path)
        with pytest.raises(UserError, match=r"store\.locked"):
            other.delete(Target(ref(other, "lin-xiaoyu", "episode", "fact.02")))
        assert watch.seconds < 0.9
        other.close()
    store.close()


def test_after_an_erase_the_app_reads_the_rest(
    path: Path, judge: Judge, services: Services
) -> None:
    judge("open", path=str(path))
    before = judge("listed")
    (store, *_) = services.library.open(path, pair=False)
    gone = Ref(store.id, "memory", ("lin-xiaoyu", "preference", "response_style"))
    result = services.erasing.run(services.erasing.plans.plan([gone]))
    assert str(result.state) == "proved"
    kept = [row for row in before if row[:3] != list(gone.key)]
    assert judge("listed") == kept
    assert (judge("check"), judge("journal")) == ("ok", "delete")
    assert KeyPlace.NONE is store.key_place


@pytest.mark.soak
def test_many_changes_in_turn_and_at_once(path: Path, tmp_path: Path, judge: Judge) -> None:
    rng = random.Random(6)
    judge("open", path=str(path))
    stop = threading.Event()
    said: list[str] = []
    codes: set[str] = set()

    def app() -> None:
        dice = random.Random(7)
        while not stop.is_set():
            key, value = f"app.{dice.randrange(20)}", f"value {dice.random()}"
            try:
                judge("put", user="app", kind="episode", key=key, value=value, session="s-1")
                said.append("")
            except JudgeError as error:
                said.append(str(error))

    thread = threading.Thread(target=app)
    thread.start()
    store = opened(path)
    for number in range(250):
        time.sleep(0.01)  # faster than any person, and yet the app finds its turn
        key = f"ours.{rng.randrange(30)}"
        there = store.fetch([ref(store, "ours", "episode", key)])[0]
        try:
            if there is None:
                fields = {"subject": "ours", "type": "episode", "title": key, "text": f"v{number}"}
                store.add(NewRecord("memory", fields))
            elif rng.random() < 0.3:
                store.delete(Target(there.ref, there.etag))
            else:
                store.apply(Edit(Target(there.ref, there.etag), {"text": f"v{number}"}))
        except UserError as error:
            codes.add(error.code)
    stop.set()
    thread.join()
    assert codes <= {"store.locked"}
    assert set(said) <= {"", "OperationalError: database is locked"}
    assert sum(map(bool, said)) <= len(said) // 20
    assert judge("listed") == ours(store)
    store.close()
