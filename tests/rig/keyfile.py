# SPDX-License-Identifier: MIT
"""A keychain that is a folder, for tests that must kill whoever uses it.

Behaves as the real one: a slot is never written over, what is written is read back, each call is
one step. ``refuse`` is the number of the call (1-based) that the keychain denies.
"""

from __future__ import annotations

import os
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Denied, Present, RawKey
from memory_gui.vault.keychain import SLOTS, AnyKeychain, BackendInfo, failure

BACKEND = "SecretService.Keyring"


class FileKeychain(AnyKeychain):
    """Secrets as files of a folder."""

    def __init__(self, folder: Path, *, refuse: int = 0) -> None:
        self._folder = folder
        self._refuse = refuse
        self.calls = 0

    def find_in(self, service):
        if self._denied():
            return Denied(BACKEND)
        found = [
            Present(RawKey.from_hex(file.read_text()), slot, BACKEND)
            for slot in SLOTS
            if (file := self._file(service, slot)).exists()
        ]
        return found or Absent(BACKEND)

    def store_in(self, service, slot, key):
        if self._denied():
            raise failure(Denied(BACKEND))
        file = self._file(service, slot)
        if file.exists():
            raise UserError("vault.slot_taken", slot=slot)
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.write_text(key.hex())
        os.rename(fresh, file)  # a keychain's entry is there, or it is not

    def retire_in(self, service, slot):
        if self._denied():
            raise failure(Denied(BACKEND))
        self._file(service, slot).unlink(missing_ok=True)

    def backend(self):
        return BackendInfo(BACKEND, trusted=True, locked=False)

    def cancel(self):
        return None

    def close(self):
        return None

    def _denied(self):
        self.calls += 1
        return self.calls == self._refuse

    def _file(self, service, slot):
        return self._folder / f"{service.replace('/', '-')}.{slot}"
