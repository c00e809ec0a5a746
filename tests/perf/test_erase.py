# SPDX-License-Identifier: MIT
"""What an erase with its proof costs, beside the bare recipe with its own checks.

Of an encrypted store that gets a new key. Seconds of processor, ours and those of our processes:
other programs do not count. The recipe runs in a process of its own, before, on the same file.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big, row
from measuring import RECORDS
from rows import LARGE, tell

from memory_gui.domain.keys import RawKey
from memory_gui.erasure.result import EraseState
from memory_gui.process.child import Child
from memory_gui.services import build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

NEW = RawKey(bytes(range(100, 132)))
BARE = Path(__file__).parent / "bare_erase.py"
CLI = Path(sys.executable).parent / "memory-cli"
FEW = 500
ROUNDS = 3
PROCESSOR = "s of processor"


def children() -> float:
    """Seconds of processor of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("big")
    make_big(folder, RECORDS, encrypted=True)
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    make_big(folder, FEW, encrypted=True)
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Callable[[Path, str], Path]]:
    def make(folder: Path, name: str) -> Path:
        shutil.copytree(folder, tmp_path / name)
        return tmp_path / name

    yield make
    shutil.rmtree(tmp_path)


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Seconds of processor by worker, filled as they end."""
    costs: dict[str, float] = {}
    close = Child.close

    def closing(child: Child, *args: float) -> None:
        before = children()
        close(child, *args)
        costs[child.name] = costs.get(child.name, 0.0) + children() - before

    monkeypatch.setattr(Child, "close", closing)
    return costs


def ids_of(records: int, number: int) -> list[str]:
    """Of records from all over the store."""
    return [str(row(n)[0]) for n in range(7, records, max(1, records // number))][:number]


def bare(store: Path, ids: Sequence[str]) -> tuple[float, float]:
    """Seconds of processor, and of time, of the bare recipe."""
    said = "\n".join((KEY.hex(), NEW.hex(), *ids))
    before, begun = children(), time.perf_counter()
    path = str(store / ".agentao/memory.db")
    subprocess.run([sys.executable, "-I", BARE, path], input=said, text=True, check=True)
    return children() - before, time.perf_counter() - begun


@pytest.fixture(scope="module")
def recipe(big: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[str]], float]:
    """Seconds of processor of the bare recipe; of a large store those of its first run.

    There it takes as long for one record as for 10,000: it writes the file anew.
    """
    took: list[float] = []

    def cost(ids: Sequence[str]) -> float:
        if not took or RECORDS <= LARGE:
            folder = tmp_path_factory.mktemp("bare") / "store"
            shutil.copytree(big, folder)
            took.append(bare(folder, ids)[0])
            shutil.rmtree(folder)
        return took[-1]

    return cost


@pytest.mark.parametrize("number", [1, 10_000] if RECORDS > LARGE else [1, 1_000, 10_000])
def test_run_and_proof(big: Path, recipe, copy, spent, tmp_path: Path, number: int):
    ids = ids_of(RECORDS, number)
    if len(ids) < number:
        pytest.skip(f"the store has {RECORDS} records")
    theirs = recipe(ids)
    services = build_services(
        words=Words("en"), home=tmp_path, data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    try:
        store = services.library.open(copy(big, "ours"), key=KEY, pair=False)[0].id
        refs = [services.library.resolve(store, one) for one in ids]
        begun = time.process_time()
        plan = services.erasing.plans.plan(refs, policy="new")
        planned = time.process_time()
        result = services.erasing.run(plan, new_key=NEW, receipt=tmp_path / "receipt.json")
        run = time.process_time() - planned + spent["eraser"]
    finally:
        services.close()
    assert result.state is EraseState.PROVED
    assert result.stores[0].counts["memories"].erased == number
    tell(f"erase_plan_{number}", planned - begun, theirs, PROCESSOR)
    tell(f"erase_run_{number}", run, theirs, PROCESSOR)
    tell(f"erase_proof_{number}", run + spent["prover"], theirs, PROCESSOR)


def test_from_enter_to_the_receipt(small: Path, copy, tmp_path: Path):
    """The whole command in a terminal, on a store as most people have it, one record erased."""
    ours, theirs = [], []
    for at in range(ROUNDS):
        ids = ids_of(FEW, 1)
        theirs.append(bare(copy(small, f"bare{at}"), ids))
        store, receipt = copy(small, f"ours{at}"), tmp_path / f"{at}.json"
        before, begun = children(), time.perf_counter()
        erase(store, ids, receipt, tmp_path)
        ours.append((children() - before, time.perf_counter() - begun))
        assert receipt.exists()
    (processor, seconds), (their_processor, their_seconds) = map(fastest, (ours, theirs))
    tell(f"erase_{FEW}_enter_to_receipt", seconds, their_seconds, "s")
    tell(f"erase_{FEW}_processor", processor, their_processor, PROCESSOR)


def fastest(rounds: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The best of some rounds, of each column."""
    return min(one for one, _ in rounds), min(one for _, one in rounds)


def erase(store: Path, ids: Sequence[str], receipt: Path, home: Path) -> None:
    with pipe(KEY) as key, pipe(NEW) as new:
        subprocess.run(
            [CLI, "erase", store, *ids, "--yes", "--no-keychain", "--receipt", receipt,
             "--key-fd", str(key.fileno()), "--new-key-fd", str(new.fileno())],
            pass_fds=(key.fileno(), new.fileno()), capture_output=True, check=True, timeout=120,
            env={**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "share")},
        )  # fmt: skip


def pipe(key: RawKey):
    """A file from which a key can be read once."""
    reading, writing = os.pipe()
    os.write(writing, key.hex().encode())
    os.close(writing)
    return os.fdopen(reading, "rb")
