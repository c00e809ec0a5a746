# SPDX-License-Identifier: MIT
"""Keychains in memory, several beside each other, as one system may have them."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Present, RawKey, Unavailable
from memory_gui.vault.contract import AnyKeychain, BackendInfo, Found
from memory_gui.vault.keychain import failure

WALLET = "kwallet.DBusKeyring"
SECRETS = "SecretService.Keyring"


class ManyKeychains(AnyKeychain):
    """``here`` are the classes that work now, the first one is asked; ``answers`` override."""

    def __init__(self, *here: str) -> None:
        self.here = list(here)
        self.entries: dict[tuple[str, str, str], RawKey] = {}
        self.answers: dict[str, Found] = {}
        self.stuck: set[str] = set()
        """Classes that do not let anything go."""
        self.forgets: set[str] = set()
        """Classes that say they stored, and did not."""
        self.log: list[tuple[str, ...]] = []
        self.recorded = ""

    def _of(self, backend: str, service: str) -> Found:
        if backend in self.answers:
            return self.answers[backend]
        found = [
            Present(key, slot, backend)
            for (where, name, slot), key in sorted(self.entries.items(), key=lambda one: one[0])
            if (where, name) == (backend, service)
        ]
        return found or Absent(backend)

    def _first(self, recorded: str = "") -> str:
        order = sorted(self.here, key=lambda name: name != recorded.partition("@")[0])
        return order[0] if order else ""

    def find_in(self, service: str) -> Found:
        return self.find_where(service, "")

    def find_where(self, service: str, recorded: str) -> Found:
        backend = self._first(recorded)
        self.log.append(("find", backend, recorded))
        if not backend:
            return Unavailable(("not-there:any",))
        found = self._of(backend, service)
        if isinstance(found, Absent) and recorded and recorded.partition("@")[0] != backend:
            return Unavailable((f"not-there:{recorded}", f"no-key:{backend}"))
        return found

    def find_at(self, service: str, backend: str) -> Found:
        self.log.append(("look", backend))
        if backend not in self.here:
            return Unavailable((f"not-there:{backend}",))
        return self._of(backend, service)

    def store_in(self, service: str, slot: str, key: RawKey) -> None:
        self.store_at(service, slot, key, self._first())

    def store_at(self, service: str, slot: str, key: RawKey, backend: str) -> None:
        found = self._of(backend, service)
        if not isinstance(found, (list, Absent)):
            raise failure(found)
        if (backend, service, slot) in self.entries:
            raise UserError("vault.slot_taken", slot=slot)
        self.log.append(("store", backend, slot))
        if backend not in self.forgets:
            self.entries[backend, service, slot] = key

    def retire_in(self, service: str, slot: str) -> None:
        self.retire_at(service, slot, self._first())

    def retire_at(self, service: str, slot: str, backend: str) -> None:
        self.log.append(("retire", backend, slot))
        if backend in self.stuck:
            raise UserError("vault.not_removed", slot=slot)
        self.entries.pop((backend, service, slot), None)

    def backend(self) -> BackendInfo:
        return BackendInfo(self._first(), trusted=bool(self.here), locked=False)

    def cancel(self) -> None: ...

    def close(self) -> None: ...
