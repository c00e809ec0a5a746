# SPDX-License-Identifier: MIT
"""The ledger's tables, in steps. A newer ``user_version`` than VERSION is never opened.

A step that was published is never changed: what comes later is a step of its own behind it.
"""

from __future__ import annotations

import os
from typing import Final

_FIRST: Final = """
CREATE TABLE store (
    path BLOB PRIMARY KEY,
    name BLOB NOT NULL,
    format TEXT NOT NULL,
    salt BLOB NOT NULL,
    last_opened TEXT NOT NULL,
    key_backend TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE pending_erase (
    id TEXT PRIMARY KEY,
    store_path BLOB NOT NULL UNIQUE,
    scheme TEXT NOT NULL,
    started_at TEXT NOT NULL,
    lease_pid INTEGER NOT NULL,
    lease_started REAL NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
"""

_LAST_SEEN: Final = """
ALTER TABLE store ADD COLUMN memories INTEGER;
ALTER TABLE store ADD COLUMN to_review INTEGER;
ALTER TABLE store ADD COLUMN in_trash INTEGER;
ALTER TABLE store ADD COLUMN counted_at TEXT;
"""
"""How many records a store had when it was last open; NULL where that was never seen."""

_USES: Final = """
CREATE TABLE terminal_use (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    verb TEXT NOT NULL,
    by TEXT NOT NULL,
    records INTEGER NOT NULL,
    status INTEGER NOT NULL
);
"""
"""Uses of the terminal without a person before it; no argument, no name of a record."""

_RECOVERY: Final = """
CREATE TABLE recovery_key (
    salt BLOB NOT NULL,
    mark TEXT NOT NULL,
    path BLOB NOT NULL,
    made_at TEXT NOT NULL,
    confirmed_at TEXT NOT NULL,
    PRIMARY KEY (salt, mark)
) WITHOUT ROWID;
"""
"""Recovery keys that were made: for which key, by a mark, and whether they came back."""

_ACTS: Final = """
CREATE TABLE act (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    front TEXT NOT NULL,
    store_path BLOB NOT NULL,
    count INTEGER NOT NULL,
    records TEXT NOT NULL
);
"""
"""What was done with the app; of records only ids that are opaque."""

_DRAFTS: Final = """
CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    store_path BLOB NOT NULL,
    sealed_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    sealed BLOB NOT NULL
) WITHOUT ROWID;
"""
"""What was being typed when the window locked, sealed with a key that is not in here."""

_RECEIPTS: Final = """
CREATE TABLE receipt (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
);
CREATE TABLE receipt_signer (
    fingerprint TEXT PRIMARY KEY,
    since TEXT NOT NULL,
    own INTEGER NOT NULL
) WITHOUT ROWID;
"""
"""The chain of receipts of erasures, by their hashes, and who is known to sign some."""

_REJECTIONS: Final = """
CREATE TABLE rejection (
    store BLOB NOT NULL,
    mark TEXT NOT NULL,
    item TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (store, mark)
) WITHOUT ROWID;
CREATE TABLE proposal (
    id TEXT PRIMARY KEY,
    store BLOB NOT NULL,
    status TEXT NOT NULL,
    fields TEXT NOT NULL,
    evidence TEXT NOT NULL,
    session TEXT NOT NULL,
    seen INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) WITHOUT ROWID;
"""
"""Review: marks of what was rejected, and proposals for stores that have no queue of their own."""

_RULES: Final = """
CREATE TABLE review_rule (
    id TEXT PRIMARY KEY,
    store BLOB NOT NULL,
    verdict TEXT NOT NULL,
    least INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    running INTEGER NOT NULL,
    made_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE review_by_rule (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    store BLOB NOT NULL,
    rule TEXT NOT NULL,
    verdict TEXT NOT NULL,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    memory TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE review_hands_off (
    store BLOB NOT NULL,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (store, kind, item)
) WITHOUT ROWID;
"""
"""Review: rules of a store, what they decided (opaque ids), and what a person took from them."""

_ERASED: Final = """
CREATE TABLE erased_record (
    mark BLOB NOT NULL,
    made BLOB NOT NULL,
    store BLOB NOT NULL,
    act TEXT NOT NULL,
    at TEXT NOT NULL,
    gone INTEGER NOT NULL,
    PRIMARY KEY (mark, store)
) WITHOUT ROWID;
CREATE TABLE standing (
    path BLOB PRIMARY KEY,
    before TEXT NOT NULL,
    since TEXT NOT NULL
) WITHOUT ROWID;
"""
"""Marks of erased records, and stores that are kept clean at every write."""

_CASES: Final = """
CREATE TABLE case_file (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    due TEXT NOT NULL,
    document TEXT NOT NULL
);
CREATE TABLE case_decision (
    case_number INTEGER NOT NULL,
    mark BLOB NOT NULL,
    store BLOB NOT NULL,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    note TEXT NOT NULL,
    who TEXT NOT NULL,
    until TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (case_number, mark, store)
) WITHOUT ROWID;
CREATE TABLE case_act (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    case_number INTEGER NOT NULL,
    at TEXT NOT NULL,
    path BLOB NOT NULL,
    state TEXT NOT NULL,
    document TEXT NOT NULL
);
CREATE TABLE case_subject (
    case_number INTEGER NOT NULL,
    form TEXT NOT NULL,
    size INTEGER NOT NULL,
    mark BLOB NOT NULL,
    PRIMARY KEY (mark, case_number)
) WITHOUT ROWID;
"""
"""Requests to be forgotten, what was decided and done, and who it was about (keyed marks)."""

_FILTERS: Final = """
CREATE TABLE saved_filter (
    name TEXT PRIMARY KEY,
    words TEXT NOT NULL,
    facets TEXT NOT NULL,
    sort TEXT NOT NULL,
    made_at TEXT NOT NULL
) WITHOUT ROWID;
"""
"""Searches that a person saved under a name; ``facets`` is JSON, facet -> values."""

_UNDO: Final = """
CREATE TABLE undo_part (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    lease_pid INTEGER NOT NULL,
    lease_started REAL NOT NULL,
    sealed BLOB NOT NULL
);
"""
"""What an undo needs and is too much for memory, sealed with keys that are in memory only."""

STEPS: Final = (
    _FIRST,
    _LAST_SEEN,
    _USES,
    _RECOVERY,
    _ACTS,
    _DRAFTS,
    _RECEIPTS,
    _REJECTIONS,
    _RULES,
    _ERASED,
    _CASES,
    _FILTERS,
    _UNDO,
)
"""The n-th takes a ledger from ``user_version`` n-1 to n. Statements end with ``;`` and hold none
inside."""

VERSION: Final = len(STEPS)

SCHEMA: Final = "".join((*STEPS, f"PRAGMA user_version = {VERSION};\n"))
"""A new ledger, at once."""


def steps_from(version: int) -> tuple[str, ...]:
    """The statements that bring a ledger of an older version here, for one transaction."""
    statements = (one.strip() for step in STEPS[version:] for one in step.split(";"))
    return (*filter(None, statements), f"PRAGMA user_version = {VERSION}")


def stored(name: str) -> bytes:
    """A path or a name made of one: on POSIX it need not be text (PEP 383)."""
    return os.fsencode(name)


def shown(name: bytes) -> str:
    """The other way."""
    return os.fsdecode(name)
