# SPDX-License-Identifier: MIT
"""The contract, kept by the memory graph of the MCP reference server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ChangingContract

from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.server_memory.format import GraphFormat

CLEAN = (
    '{"type":"entity","name":"Lin Wei","entityType":"person","observations":["Lives in Bremen.",'
    '"Prefers tea.","Has a cat named 糯米 whose birthday is in May."]}\n'
    '{"type":"entity","name":"Ginkgo","entityType":"project","observations":["Ships in May."]}\n'
    '{"type":"entity","name":"","entityType":"odd","observations":[]}\n'
    '{"type":"relation","from":"Lin Wei","to":"Ginkgo","relationType":"works on"}'
)
ODD = (
    "\ufeff"
    '{"type":"entity","name":"Lin Wei","entityType":"person","observations":["Lives in Bremen.",'
    '"Prefers tea.", "Prefers tea." ,"A \\u4e2d text."],"since":2024}\r\n'
    "\n"
    '{"type":"entity","name":"Lin Wei","entityType":"again","observations":["Once more."]}\n'
    '{"type":"event","name":"unknown to the server","text":"kept"}\n'
    '{"type":"relation","from":"Lin Wei","to":"nobody","relationType":"knows"}\n'
    '{"type":"relation","from":"Lin Wei","to":"nobody","relationType":"knows"}\n'
    '{"type":"entity","name":"half'
)


def bench_over(path: Path, kind: str, fields: dict[str, str]) -> Iterator[Bench]:
    format_ = GraphFormat()
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(format_.open(Location((path.resolve(),)), None, mode))
        return opened[-1]

    yield Bench(open_one, kind, fields)
    for store in opened:
        store.close()


@pytest.mark.parametrize("text", [CLEAN, ODD], ids=["clean", "odd"])
class TestObservations(ChangingContract):
    """Observations, which are edited most; in a clean file and in one with everything odd."""

    @pytest.fixture
    def bench(self, tmp_path: Path, text: str) -> Iterator[Bench]:
        path = tmp_path / "memory.jsonl"
        path.write_bytes(text.encode())
        fields = {"subject": "Lin Wei", "text": "A new observation."}
        yield from bench_over(path, "observation", fields)
