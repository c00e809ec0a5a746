# SPDX-License-Identifier: MIT
"""Many rows are named in several statements, each row in one of them."""

import pytest

from memory_gui.domain.erasing import EraseRows
from memory_gui.engine.rowsets import parts, where


@pytest.mark.parametrize("columns", [("id",), ("id", "part")])
def test_each_of_many_keys_is_in_one_statement_of_bounded_size(columns):
    keys = tuple(tuple(f"{n}.{column}" for column in columns) for n in range(1_001))
    rows = EraseRows("t", columns, keys, "memory")
    made = list(parts(rows))
    assert sum(count for count, _ in made) == len(keys)
    assert [value for _, values in made for value in values] == [v for key in keys for v in key]
    for count, values in made:
        assert len(values) == count * len(columns) <= 400
        assert where(rows, count).count("?") == len(values)
