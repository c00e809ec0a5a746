# SPDX-License-Identifier: MIT
"""Names that many records share, taken in batches: as if each record had been taken by itself."""

import random

import pytest

from memory_gui.index import names as module
from memory_gui.index.names import Names, TagSets


@pytest.fixture(params=[0, 4_096])
def few(request, monkeypatch):
    monkeypatch.setattr(module, "_FEW", request.param)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("make", [Names, TagSets])
def test_all_of_a_batch_are_counted(make):
    dice, one_by_one, together = random.Random(3), make(), make()
    values = [f"name {n}" for n in range(60)] + [""]
    if make is TagSets:
        values = [tuple(dice.sample(values, dice.randint(0, 3))) for _ in range(60)]
    held = []
    for _ in range(60):
        batch = [dice.choice(values[: dice.randint(1, 60)]) for _ in range(dice.choice((1, 30)))]
        numbers = together.take_all(batch)
        numbers = [numbers] * len(batch) if isinstance(numbers, int) else numbers.tolist()
        held += zip(map(one_by_one.take, batch), numbers, batch, strict=True)
        for _ in range(dice.choice((0, 20, 200))):
            if held:
                mine, number, value = held.pop(dice.randrange(len(held)))
                if make is Names:
                    assert together.text(number) == value
                else:
                    assert set(together.tags(number)) == set(value)
                one_by_one.release(mine)
                together.release(number)
    while held:
        mine, number, _ = held.pop()
        one_by_one.release(mine)
        together.release(number)
    assert sorted(together._uses) == sorted(one_by_one._uses)
    texts = together.texts() if make is Names else together.names.texts()
    assert set(texts) == {""}, "nothing stays of what no record has"
