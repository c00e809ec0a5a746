# SPDX-License-Identifier: MIT
"""The stores that were opened before are written down whenever the ledger comes."""

from __future__ import annotations

from dataclasses import replace

from memory_gui.domain.changes import Capability, StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.ledger import LedgerState
from memory_gui.ledger.entries import KnownStore
from memory_gui.services.own.known import KnownStores, LedgerKeeper

INFO = StoreInfo(
    id=StoreId("s"),
    path="/somewhere/memory.db",
    format="agentao",
    agent="Agentao",
    agent_version="",
    role="project",
    encrypted=False,
    cipher={},
    journal_mode="wal",
    writable=True,
    capabilities=Capability(0),
    counts={},
    kinds=("memory",),
)


class Rows:
    """A ledger's list of known stores, in memory."""

    def __init__(self, *, broken: bool = False) -> None:
        self.kept: dict[str, KnownStore] = {}
        self.broken = broken
        self.state = LedgerState("open")

    def known(self):
        if self.broken:
            raise UserError("store.damaged", path="x")
        return tuple(self.kept.values())

    def remember(self, store):
        self.kept[store.path] = store

    def forget(self, path):
        return self.kept.pop(path, None) is not None

    def close(self):
        pass


def keeper_of(rows):
    return LedgerKeeper(lambda: rows, kept=lambda: False)


def test_a_store_opened_before_the_ledger_is_written_down_when_something_else_opens_it():
    rows = Rows()
    keeper = keeper_of(rows)
    known = KnownStores(keeper, wanted=lambda: True)
    known.opened(INFO, "atlas", b"")
    assert rows.kept == {}
    keeper.ledger()
    assert list(rows.kept) == [INFO.path]


def test_a_ledger_whose_list_cannot_be_read_does_not_stop_what_needed_it():
    rows = Rows(broken=True)
    keeper = keeper_of(rows)
    known = KnownStores(keeper, wanted=lambda: True)
    known.opened(INFO, "atlas", b"")
    assert keeper.ledger() is rows


def test_a_ledger_without_its_key_is_asked_for_again_when_the_keychain_gives_a_key():
    """It was frozen or locked when the ledger was needed; acts and drafts would be lost."""
    keyless, rows = Rows(), Rows()
    keyless.state = LedgerState("key")
    ledgers = iter((keyless, rows))
    keeper = LedgerKeeper(lambda: next(ledgers), kept=lambda: True)
    known = KnownStores(keeper, wanted=lambda: True, key_place=lambda _salt: "keychain")
    keeper.ledger()
    known.opened(INFO, "atlas", b"")  # a readable store: nobody was asked
    assert keeper.ledger() is keyless
    known.opened(INFO, "atlas", b"s" * 16)
    assert keeper.ledger() is rows
    assert list(rows.kept) == [INFO.path]


def test_a_sample_whose_folder_went_with_the_program_is_nobodys_store(tmp_path):
    here = tmp_path / "memory-gui-sample-here/memory.db"
    here.parent.mkdir()
    here.touch()
    rows = Rows()
    known = KnownStores(keeper_of(rows), wanted=lambda: True)
    gone = str(tmp_path / "memory-gui-sample-gone/memory.db")
    for path in (str(here), gone, "/somewhere/memory.db"):
        known.opened(replace(INFO, path=path), "atlas", b"")
    assert [one.path for one in known.list()] == [str(here), "/somewhere/memory.db"]
    assert gone not in rows.kept
