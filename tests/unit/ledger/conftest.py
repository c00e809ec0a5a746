# SPDX-License-Identifier: MIT
"""A keychain in memory."""

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Present, RawKey
from memory_gui.vault.keychain import AnyKeychain, BackendInfo


class MemoryKeychain(AnyKeychain):
    """Keeps keys in a dict; ``answer`` overrides what looking says."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], RawKey] = {}
        self.answer = None
        self.on_store = lambda: None

    def find_in(self, service):
        if self.answer is not None:
            return self.answer
        found = [
            Present(k, slot, "M") for (s, slot), k in sorted(self.keys.items()) if s == service
        ]
        return found or Absent("M")

    def store_in(self, service, slot, key):
        self.on_store()
        if (service, slot) in self.keys:
            raise UserError("vault.slot_taken", slot=slot)
        self.keys[service, slot] = key

    def retire_in(self, service, slot):
        self.keys.pop((service, slot), None)

    def backend(self):
        return BackendInfo("M", trusted=True, locked=False)

    def cancel(self):
        pass

    def close(self):
        pass


@pytest.fixture
def keychain():
    return MemoryKeychain()
