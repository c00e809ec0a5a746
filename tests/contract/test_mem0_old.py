# SPDX-License-Identifier: MIT
"""A FAISS store of an old Mem0, whose texts are a pickle: read and erased, and never unpickled."""

from __future__ import annotations

import json
import pickle
import random
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import merged, without
from memory_gui.domain.records import Ref
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services, build_services
from memory_gui.stores.pickleplaces import placed, without_pairs
from memory_gui.stores.pickles import PickleError
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parent.parent / "data" / "mem0"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """The pickle of a store as an old Mem0 leaves it; a place in the index is nobody's."""
    folder = tmp_path.resolve() / "faiss"
    folder.mkdir()
    for name in ("mem0.json", "mem0.faiss"):
        shutil.copy(DATA / "faiss" / name, folder)
    source = folder / "mem0.json"
    docs = json.loads(source.read_text())
    numbers = {int(number): name for number, name in docs["index_to_id"].items()}
    del docs["docstore"][numbers.pop(3)]  # deleted: the old one leaves the vector
    source.with_suffix(".pkl").write_bytes(pickle.dumps((docs["docstore"], numbers)))
    source.unlink()
    return source.with_suffix(".pkl")


def index_of(texts: Path) -> tuple[int, bytes]:
    """How many vectors the index says that it has, and all of it."""
    raw = texts.with_suffix(".faiss").read_bytes()
    return struct.unpack_from("<q", raw, 8)[0], raw


def test_memories_go_and_an_old_mem0_reads_the_rest(services: Services, texts: Path) -> None:
    docs, numbers = pickle.loads(texts.read_bytes())
    before, vectors = index_of(texts)
    size = (len(vectors) - 45) // before
    (one,) = services.library.open(texts)
    gone = [numbers[0], numbers[5], numbers[6]]
    markers = [docs[name]["data"].rpartition("[")[2].rstrip("]") for name in gone]
    plan = services.erasing.plans.plan([Ref(one.id, "memory", (name,)) for name in gone])
    assert services.erasing.run(plan).state is EraseState.PROVED
    raw = texts.read_bytes()
    assert all(marker.startswith("zqo-") and marker.encode() not in raw for marker in markers)
    left, moved = pickle.loads(raw)
    assert left == {name: value for name, value in docs.items() if name not in gone}
    kept = [(n, name) for n, name in numbers.items() if name not in gone]
    assert moved == {n - sum(g < n for g in (0, 5, 6)): name for n, name in kept}
    after, now = index_of(texts)
    assert after == before - 3
    for n, name in moved.items():
        old = next(number for number, one_ in kept if one_ == name)
        assert (
            now[45 + n * size : 45 + (n + 1) * size]
            == (vectors[45 + old * size : 45 + (old + 1) * size])
        )


def test_values_that_many_share_take_no_time(services: Services, texts: Path) -> None:
    """Written out they would be 2**60 texts; one holds itself."""
    docs, numbers = pickle.loads(texts.read_bytes())
    more: list[Any] = ["x"]
    for _ in range(60):
        more = [more, more]
    docs[numbers[1]]["more"] = more
    docs[numbers[2]]["self"] = docs[numbers[2]]["more"] = own = []
    own.append(own)
    texts.write_bytes(pickle.dumps((docs, numbers)))
    (one,) = services.library.open(texts)
    (cut, _) = services.erasing.plans.plan([Ref(one.id, "memory", (numbers[0],))]).stores[0].files
    left, _ = pickle.loads(without(texts.read_bytes(), cut.cuts, cut.puts))
    assert list(left) == [name for name in docs if name != numbers[0]]


class Run:
    """What only running it would tell."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (print, ("it was run",))


def test_one_that_holds_more_than_plain_values_is_refused(
    services: Services, texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    docs, numbers = pickle.loads(texts.read_bytes())
    docs[numbers[1]]["more"] = Run()
    texts.write_bytes(pickle.dumps((docs, numbers)))
    (one,) = services.library.open(texts)
    with pytest.raises(UserError, match=r"mem0\.old_faiss"):
        services.erasing.plans.plan([Ref(one.id, "memory", (numbers[0],))])
    assert "it was run" not in capfd.readouterr().out


def some(chance: random.Random, protocol: int) -> tuple[dict[str, Any], dict[int, str]]:
    """Two dicts as Mem0 has them, with values that several of them share."""
    names = [f"{chance.getrandbits(64):016x}" for _ in range(chance.choice((1, 2, 40)))]
    shared = {"topic": "shared topic", "n": [1, 2.5, None, True]}
    docs = {
        name: {
            "data": f"text {name} 银杏" + "x" * chance.choice((0, 300, 70_000)),
            "user_id": "who",
            "age": chance.choice((1, 300, 70_000, 1 << 40, -5, 2.5)),
            "meta": shared if chance.random() < 0.4 else {"own": f"own {name}", "in": ["a", name]},
            "more": chance.choice((None, (1, 2), (), b"raw" if protocol > 2 else 1)),
        }
        for name in names
    }
    numbers = dict(enumerate(names))
    if len(numbers) > 2 and chance.random() < 0.3:
        del numbers[1]
    return docs, numbers


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_any_of_the_pairs_can_go_in_every_protocol(protocol: int) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        docs, numbers = some(chance, protocol)
        raw = pickle.dumps((docs, numbers), protocol)
        found = placed(raw)
        first, second = found.top.parts
        gone = set(chance.sample(list(docs), chance.randint(1, len(docs))))
        going = [pair for pair in first.pairs if pair.key.value in gone]
        going += [pair for pair in second.pairs if pair.value.value in gone]
        lower = [n for n, name in numbers.items() if name in gone]
        wanted = {
            n: n - sum(one < n for one in lower) for n, name in numbers.items() if name not in gone
        }
        moving = [
            (pair.key, wanted[pair.key.value])
            for pair in second.pairs
            if wanted.get(pair.key.value, pair.key.value) != pair.key.value
        ]
        made = without_pairs(found, going, moving)
        now = without(raw, merged(made.cuts), made.puts)
        assert pickle.loads(now) == (
            {name: value for name, value in docs.items() if name not in gone},
            {wanted[n]: name for n, name in numbers.items() if n in wanted},
        )
        for name in gone:
            assert f"text {name}".encode() not in now
            assert f"own {name}".encode() not in now


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b".",
        b"N",
        b"N.more",
        b"(((((" * 50,
        b"h\x05.",
        b"}(X\x01\x00\x00\x00au.",
        b"cos\nsystem\n(S'x'\ntR.",
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f",
        pickle.dumps({"a": {1, 2}}),
    ],
)
def test_what_is_no_pickle_of_plain_values_is_refused(raw: bytes) -> None:
    with pytest.raises(PickleError):
        placed(raw)
