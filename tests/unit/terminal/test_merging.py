# SPDX-License-Identifier: MIT
"""``encrypt --into``: what a store that an agent made anew has goes into the encrypted one."""

from __future__ import annotations

from memory_gui.domain.keys import RawKey
from memory_gui.stores.formats.agentao.create import create_store

KEY = RawKey(bytes(range(32)))


def test_everything_goes_over_and_is_counted_by_kind(terminal, tmp_path, behind):
    (tmp_path / "kept").mkdir()
    create_store(tmp_path / "kept/memory.db", KEY)

    def merge(*more):
        return terminal(
            "encrypt", str(terminal.store), "--into", str(tmp_path / "kept/memory.db"),
            "--no-keychain", "--key-fd", str(behind(KEY.hex())), *more,
        )  # fmt: skip

    there = terminal("info", str(terminal.store), "--json").json["counts"]
    done = merge("--json")
    assert (done.status, done.json["clashes"], done.json["left"]) == (0, 0, {})
    brought = done.json["brought"]
    live = there["memory"].get("live", 0)
    assert (brought["memory"], brought.get("event", 0)) == (live, there["event"].get("live", 0))
    assert done.json["added"] == sum(brought.values())
    again = merge()
    assert again.status == 0
    assert "Brought over: nothing." in again.out
