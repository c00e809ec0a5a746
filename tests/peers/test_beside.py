# SPDX-License-Identifier: MIT
"""Agentao saves all the time in an encrypted store while the window's services edit in it.

60 s here, ten minutes by ``make soak``. The agent is told of each save that is done, by id; its
own list, a fresh process's, and the window's must hold every one of them.
"""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref
from memory_gui.services import Services, build_services
from memory_gui.services.values import KeyPlace
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

from .conftest import Judge, JudgeError, our_places

KEY = RawKey(bytes(range(120, 152)))
EDITS, CONFLICTS = 500, 50
OWN_CLASH = "IntegrityError('UNIQUE constraint failed: memories.id')"
"""The agent names a new memory by eight random hex digits and does not look whether they are taken.

Of 24,000 saves, one run in fifteen meets a taken id. Nothing is written and the agent is told so.
"""


def most_clashes(saves: int) -> int:
    """So many of its own clashes are chance, whatever the machine's speed.

    n random numbers of 32 bits make n²/2³³ pairs: 0.6 of 72,000 saves, 5.5 of 216,000. Five more
    than three times that is met once in some 35,000 runs at most.
    """
    return 5 + round(3 * saves**2 / 2**33)


LONGEST_WAIT_S = 5.0
"""How long one of our edits may take at worst: the agent's own patience."""

FOLLOWED_S = 40.0
"""After so long the window lists all that the agent saved."""


class Agent(Judge):
    """Agentao at work. ``told``: the ids of the saves that it was told are done, in order."""

    def __init__(self, python: Path, home: Path) -> None:
        super().__init__(python, home, "agentao_inside.py", *our_places())
        self.told: list[str] = []
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="agent-reader")
        self._reader.start()

    def __call__(self, do: str, **values: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **values}) + "\n")
        self._process.stdin.flush()
        answer = self._answers.get(timeout=60)
        if "error" in answer:
            raise JudgeError(answer["error"])
        return answer["answer"]

    def kill(self) -> None:
        """As a power cut for this process (SIGKILL)."""
        self._process.kill()

    def close(self) -> None:
        self._process.kill()
        self._process.wait(60)
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not line.endswith("\n"):
                return  # killed while it said it
            said = json.loads(line)
            if "done" in said:
                self.told.append(said["done"])
            else:
                self._answers.put(said)


class Window(threading.Thread):
    """Follows the store as the window does: looks about once a second and shows the first page."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="window")
        self._services = services
        self._end = threading.Event()
        self.problems: list[str] = []
        self.seen = 0

    def run(self) -> None:
        library = self._services.library
        while not self._end.wait(1.0):
            try:
                library.poll()
                listing = library.search(Query(kinds=frozenset({"memory"})))
                library.window(listing.ids[:100])
            except Exception as error:
                self.problems.append(repr(error))
                return
            self.seen = max(self.seen, listing.total)

    def stop(self) -> None:
        self._end.set()
        self.join()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "atlas" / ".agentao" / "memory.db"
    file.parent.mkdir(parents=True)
    create_store(file, KEY)
    return file


@pytest.fixture
def agents(agentao_python: Path, tmp_path: Path) -> Iterator[Any]:
    """Starts agents, each in a process of its own."""
    started: list[Agent] = []

    def start() -> Agent:
        started.append(Agent(agentao_python, tmp_path))
        return started[-1]

    yield start
    for agent in started:
        agent.close()


@pytest.fixture
def services(tmp_path: Path, path: Path) -> Iterator[Services]:
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data",
        keychain=NoKeychain(),
    )  # fmt: skip
    made.library.open(path, key=KEY, place=KeyPlace.TYPED)
    yield made
    made.close()


class Work:
    """Our side: edits that must hold, and conflicts that must be shown."""

    def __init__(self, services: Services, agent: Agent, seed: int) -> None:
        self._services = services
        self._agent = agent
        self._rng = random.Random(seed)
        self._store = services.library.stores()[0].id
        self._used: set[str] = set()
        self.ours: dict[str, str] = {}
        self.theirs: dict[str, str] = {}
        self.longest = 0.0

    def _pick(self) -> Record:
        """A memory of the agent's that we have not touched, as it is now."""
        while True:
            ident = self._rng.choice(self._agent.told)
            record = None
            if ident not in self._used:
                record = self._services.library.record(Ref(self._store, "memory", (ident,)))
            if record is not None:
                self._used.add(ident)
                return record

    def edit(self) -> None:
        record = self._pick()
        text = f"ours {len(self.ours)}"
        result = self._try(record, text)
        assert result.failed == ()
        self.ours[record.ref.key[0]] = text

    def conflict(self) -> None:
        """The agent saves over a memory that a person has open; the person then saves."""
        record = self._pick()
        self._agent("overwrite", titles=[record.title])
        with pytest.raises(UserError) as caught:
            self._try(record, "must not be written")
        assert caught.value.code == "record.changed"
        assert caught.value.params == {"ref": record.ref.text}
        theirs = self._services.library.record(record.ref)
        assert theirs is not None
        # Both versions are there to be shown: ours in the editor, theirs as it is stored.
        assert theirs.text.startswith("theirs ")
        assert theirs.etag != record.etag
        self.theirs[record.ref.key[0]] = theirs.text

    def _try(self, record: Record, text: str) -> Any:
        begun = time.monotonic()
        result = self._services.editing.edit(Edit(Target(record.ref, record.etag), {"text": text}))
        self.longest = max(self.longest, time.monotonic() - begun)
        return result


def side_by_side(
    services: Services, agent: Agent, path: Path, seconds: float
) -> tuple[Work, dict[str, Any]]:
    """Both at work for so long; the agent's own list at the end."""
    window = Window(services)
    work = Work(services, agent, seed=1)
    acts = [work.edit] * EDITS + [work.conflict] * CONFLICTS
    random.Random(2).shuffle(acts)
    agent("begin", path=str(path), key=KEY.hex())
    window.start()
    try:
        begun = time.monotonic()
        for number, act in enumerate(acts):
            due = begun + seconds * (number + 1) / (len(acts) + 1)
            time.sleep(max(0.0, due - time.monotonic()))
            act()
        time.sleep(max(0.0, begun + seconds - time.monotonic()))
        return work, agent("stop")
    finally:
        window.stop()
        assert window.problems == []
        assert window.seen


def check_all(
    services: Services, agents: Any, agent: Agent, path: Path, work: Work, own: dict[str, Any]
) -> None:
    told = set(agent.told)
    clashes = own["failed"].count(OWN_CLASH)
    assert own["failed"] == [OWN_CLASH] * clashes
    assert clashes <= most_clashes(own["saved"])
    assert own["problems"] == []
    assert len(told) == len(agent.told) == own["saved"] - clashes
    assert set(own["ids"]) == told
    fresh = agents()
    listed = fresh("listed", path=str(path), key=KEY.hex())
    assert listed["problems"] == []
    assert set(listed["ids"]) == told
    assert fresh("raw", path=str(path), key=KEY.hex()) == ["ok", len(told)]
    shown = in_the_window(services, told)
    assert set(shown) == told
    for ident, text in {**work.ours, **work.theirs}.items():
        assert shown[ident].text == text


def in_the_window(services: Services, wanted: set[str]) -> dict[str, Record]:
    """What the window lists. It compares a large store at least every 30 s, not at each look."""
    library = services.library
    limit = time.monotonic() + FOLLOWED_S
    while True:
        library.poll()
        listing = library.search(Query(kinds=frozenset({"memory"})))
        shown = {
            record.ref.key[0]: record
            for start in range(0, listing.total, 500)
            for record in library.window(listing.ids[start : start + 500])
            if record is not None
        }
        if set(shown) == wanted or time.monotonic() > limit:
            return shown
        time.sleep(0.5)


def both(services: Services, agents: Any, path: Path, seconds: float, least: int) -> None:
    agent = agents()
    work, own = side_by_side(services, agent, path, seconds)
    print(
        f"{len(agent.told)} saves of the agent, {len(work.ours)} edits of ours (longest"
        f" {work.longest * 1000:.0f} ms), {len(work.theirs)} conflicts shown, {seconds:.0f} s"
    )
    assert (len(work.ours), len(work.theirs)) == (EDITS, CONFLICTS)
    assert len(agent.told) >= least
    assert work.longest < LONGEST_WAIT_S
    check_all(services, agents, agent, path, work, own)


def test_a_minute_side_by_side(services: Services, agents: Any, path: Path):
    both(services, agents, path, seconds=60, least=2_000)


@pytest.mark.soak
@pytest.mark.timeout(1_200)
def test_ten_minutes_side_by_side(services: Services, agents: Any, path: Path):
    both(services, agents, path, seconds=600, least=20_000)


def test_what_was_done_before_a_kill_is_there(services: Services, agents: Any, path: Path):
    told: set[str] = set()
    for turn in range(3):
        agent = agents()
        agent("begin", path=str(path), key=KEY.hex(), name=f"turn {turn}")
        limit = time.monotonic() + 120
        while len(agent.told) < 40 and time.monotonic() < limit:
            services.library.poll()
            time.sleep(0.02)
        agent.kill()
        agent.close()
        told |= set(agent.told)
    assert len(told) >= 120
    fresh = agents()
    listed = fresh("listed", path=str(path), key=KEY.hex())
    assert told <= set(listed["ids"])
    assert fresh("raw", path=str(path), key=KEY.hex())[0] == "ok"
