# SPDX-License-Identifier: MIT
"""Which key opens a store: the given one, else the keychain's; else why there is none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    Absent,
    Denied,
    Key,
    KeyResult,
    Locked,
    Mismatch,
    Present,
    RawKey,
    Unavailable,
)
from memory_gui.domain.work import CancelToken
from memory_gui.services.values import KeyPlace
from memory_gui.stores.format import Location
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.lookup import key_for

_WATCH_STEP = 0.1
"""Seconds between two looks at a cancel token while the keychain is asked."""

REASONS: dict[type, str] = {
    Present: "present",
    Absent: "absent",
    Locked: "locked",
    Denied: "denied",
    Unavailable: "unavailable",
    Mismatch: "mismatch",
}
"""The six results of looking for a key, as ``key.needed`` names them."""


class Evidence(Protocol):
    """What is needed of the engine's evidence about a file."""

    @property
    def head(self) -> str:
        """``empty``, ``plain``, ``half``, ``random`` or ``other``."""
        ...

    @property
    def is_encrypted(self) -> bool:
        """Whether a key is needed to read it."""
        ...

    @property
    def salt(self) -> bytes:
        """The first 16 bytes."""
        ...

    @property
    def is_cut_off(self) -> bool:
        """Whether the file surely lacks its end."""
        ...


NO_DATABASE: Final = frozenset({"store.not_a_database", "store.is_folder", "store.empty_file"})
"""What is said of a store that is no database: text files, a folder. It has no key."""


class KeyFinder:
    """Finds keys. Must not be asked about a file that is open already (it reads the head).

    ``inspect`` gives the evidence of a file; ``opens`` says whether a key opens it, by a
    connection that is closed again at once. ``recorded`` tells by a salt which keychain had the
    key when the store was last opened, and asks nobody.
    """

    def __init__(
        self,
        keychain: AnyKeychain,
        *,
        inspect: Callable[[Path], Evidence],
        opens: Callable[[Path, RawKey], bool],
        recorded: Callable[[bytes], str] = lambda _salt: "",
    ) -> None:
        self._recorded = recorded
        self._places: dict[bytes, str] = {}
        self._keychain = keychain
        self._inspect = inspect
        self._opens = opens

    def key_for(
        self,
        location: Location,
        given: Key | None,
        place: KeyPlace,
        cancel: CancelToken | None = None,
    ) -> tuple[Key | None, KeyPlace, bytes]:
        """The key for a store, where it came from and the file's salt.

        (None, NONE, b"") for a readable store.

        Raises:
            UserError: ``store.*`` from the evidence; ``key.needed``.
            Cancelled: the token was used while the keychain was asked.
        """
        try:
            evidence = self._inspect(location.main)
        except UserError as error:
            if error.code not in NO_DATABASE:
                raise
            # A store may be another kind of file, or a folder; the formats say what is wrong.
            return None, KeyPlace.NONE, b""
        if evidence.head == "half" and given is None:
            # Its salt is not in the file, so no keychain entry belongs to it.
            raise UserError("key.needed", reason="half", path=str(location.main))
        if not evidence.is_encrypted:
            return None, KeyPlace.NONE, b""
        if evidence.is_cut_off:
            # Before anybody is asked for a key that cannot help.
            raise UserError("store.cut_off", path=str(location.main))
        if given is not None:
            return given, place, evidence.salt if evidence.head == "random" else b""
        with self._cancelled_by(cancel):
            result = self._look(location, evidence)
        if isinstance(result, Present):
            return result.key, KeyPlace.KEYCHAIN, evidence.salt
        raise needed(location, result)

    def salt(self, location: Location) -> bytes:
        """The salt of an encrypted store; empty for a readable one. Raises ``store.*``."""
        evidence = self._inspect(location.main)
        return evidence.salt if evidence.head == "random" else b""

    def opens(self, location: Location, key: RawKey) -> bool:
        """Whether a key opens the file. Raises ``store.*``."""
        return self._opens(location.main, key)

    def state(self, location: Location) -> KeyResult:
        """Which of the six results the keychain gives."""
        return self._look(location, self._inspect(location.main))

    @contextmanager
    def _cancelled_by(self, cancel: CancelToken | None) -> Iterator[None]:
        """Inside, the token also gives up the keychain's question, behind which a prompt may be."""
        if cancel is None:
            yield
            return
        done = threading.Event()

        def watch() -> None:
            while not done.wait(_WATCH_STEP):
                if cancel.cancelled:
                    self._keychain.cancel()
                    return

        watcher = threading.Thread(target=watch, name="key-cancel", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def place(self, salt: bytes) -> str:
        """Which keychain had the key in this run, as it is written down; empty for none."""
        return self._places.get(salt, "")

    def kept(self, salt: bytes, place: str) -> None:
        """A key was put into a keychain, or (empty) taken out."""
        self._places[salt] = place

    def recorded(self, salt: bytes) -> str:
        """Which keychain had the key when the store was last opened."""
        return self.place(salt) or self._recorded(salt)

    def _look(self, location: Location, evidence: Evidence) -> KeyResult:
        main, salt = location.main, evidence.salt
        recorded = self.recorded(salt)
        result = key_for(self._keychain, salt, lambda key: self._opens(main, key), recorded)
        if isinstance(result, Present):
            self._places[salt] = result.place
        return result


def needed(location: Location, result: KeyResult) -> UserError:
    """The error that tells which of the six it was."""
    return UserError(
        "key.needed",
        reason=REASONS[type(result)],
        path=str(location.main),
        backend=getattr(result, "backend", ""),
        reasons=getattr(result, "reasons", ()),
    )


def result_of(error: UserError) -> KeyResult | None:
    """The result that a ``key.needed`` tells of; None when it tells of none."""
    backend = str(error.params.get("backend", ""))
    match error.params.get("reason"):
        case "absent":
            return Absent(backend)
        case "locked":
            return Locked(backend)
        case "denied":
            return Denied(backend)
        case "mismatch":
            return Mismatch(backend)
        case "unavailable":
            reasons = error.params.get("reasons", ())
            return Unavailable(tuple(reasons) if isinstance(reasons, (list, tuple)) else ())
        case _:
            return None
