# SPDX-License-Identifier: MIT
"""The heavy modules, loaded when they are first needed: none of them before the first paint.

The only place where imports stand inside functions. keyring is not here: it is imported by the
keychain helper's process only, at its top.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def psutil() -> ModuleType:
    """Processes and their open files (20 ms)."""
    return import_module("psutil")


def cryptography_ciphers() -> ModuleType:
    """Block ciphers for reading SQLCipher's pages (40 ms)."""
    return import_module("cryptography.hazmat.primitives.ciphers")


def segno() -> ModuleType:
    """QR codes (30 ms)."""
    return import_module("segno")


def index() -> ModuleType:
    """The in-memory index of a store, with numpy and stringzilla (90 ms)."""
    return import_module("memory_gui.index.whole")


def instants() -> ModuleType:
    """Times of whole columns, with numpy."""
    return import_module("memory_gui.stores.sql.instants")


def bytewise() -> ModuleType:
    """What the texts of a whole batch hold, with numpy."""
    return import_module("memory_gui.stores.sql.bytewise")


def needles() -> ModuleType:
    """Very many texts looked for at once, with numpy (80 ms)."""
    return import_module("memory_gui.engine.needles")


def pages_in_bulk() -> ModuleType:
    """Many database pages at once, with numpy (80 ms)."""
    return import_module("memory_gui.engine.pages.bulk")


def index_prints() -> ModuleType:
    """Which texts of a store may be alike, with numpy."""
    return import_module("memory_gui.index.prints")


def cryptography_aead() -> ModuleType:
    """AES-GCM, for sealed drafts."""
    return import_module("cryptography.hazmat.primitives.ciphers.aead")


def cryptography_hkdf() -> ModuleType:
    """Deriving a key from another."""
    return import_module("cryptography.hazmat.primitives.kdf.hkdf")


def cryptography_hashes() -> ModuleType:
    """SHA-256 as that wants it."""
    return import_module("cryptography.hazmat.primitives.hashes")


def cryptography_scrypt() -> ModuleType:
    """A key from a passphrase."""
    return import_module("cryptography.hazmat.primitives.kdf.scrypt")


def cryptography_exceptions() -> ModuleType:
    """What it raises."""
    return import_module("cryptography.exceptions")


def cryptography_ed25519() -> ModuleType:
    """Signatures of receipts."""
    return import_module("cryptography.hazmat.primitives.asymmetric.ed25519")


def jeepney() -> ModuleType:
    """D-Bus in plain Python, on Linux only (20 ms)."""
    import_module("jeepney.bus_messages")
    return import_module("jeepney")


def jeepney_blocking() -> ModuleType:
    """Its connections that wait."""
    return import_module("jeepney.io.blocking")


def babel() -> ModuleType:
    """Locales: plurals, and which numbers and dates are written how (20 ms)."""
    return import_module("babel")


def babel_dates() -> ModuleType:
    """Dates in words (15 ms)."""
    return import_module("babel.dates")


def babel_numbers() -> ModuleType:
    """Numbers with their separators."""
    return import_module("babel.numbers")


def services() -> ModuleType:
    """All use cases, and what composes them (400 ms)."""
    return import_module("memory_gui.services.build")


def neighbours() -> ModuleType:
    """The other running copies of the app."""
    return import_module("memory_gui.services.neighbours")


def keychain() -> ModuleType:
    """The person's keychain."""
    return import_module("memory_gui.vault.keychain")


def tomllib() -> ModuleType:
    """Reads settings, where there are any."""
    return import_module("tomllib")


def json() -> ModuleType:
    """For what is seldom there."""
    return import_module("json")


def sealing() -> ModuleType:
    """Keeps others out of our memory and files."""
    return import_module("memory_gui.process.sealing")


def terminal() -> ModuleType:
    """All verbs of the terminal, and the services with them (500 ms)."""
    return import_module("memory_gui.terminal.run")


def worker() -> ModuleType:
    """The side of a child process."""
    return import_module("memory_gui.process.worker")
