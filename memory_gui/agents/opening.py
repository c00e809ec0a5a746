# SPDX-License-Identifier: MIT
"""Opening a store for the agent that owns it: the key from the keychain, one library, no doubt."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Final

from memory_gui.agents.connection import Connection
from memory_gui.agents.errors import cancelled, understood
from memory_gui.agents.here import OURS
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import Key, Present, RawKey, Unavailable
from memory_gui.engine.connection import open_database
from memory_gui.engine.dbapi import Unfit, open_raw
from memory_gui.engine.evidence import inspect
from memory_gui.vault.keychain import AnyKeychain, Keychain
from memory_gui.vault.lookup import key_for

TIMEOUT_S: Final = 5.0
"""How long a lock of another program is waited for; as ``sqlite3.connect`` does."""
_NOT_THIS_KEY: Final = frozenset({"key.wrong", "store.not_a_database"})
_RETRIES: Final = 2
QUIET_S: Final = 60.0
"""Seconds for which a keychain that was locked or refused is not asked again: an agent tries many
times a minute, and each question may open a prompt."""
_PROMPTS: Final = frozenset({"locked", "denied"})


class Opener:
    """Opens one store again and again, and follows it through a new key. Any thread.

    ``key`` is tried first; where it does not fit, and where there is none, ``keychain`` is asked.
    The default keychain is the person's own, asked through a helper process that is ended after
    each question. A readable store needs neither, and is noticed when it becomes encrypted.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, key: Key | None = None, keychain: AnyKeychain | None
    ) -> None:
        # As given: which file it names may change under us, when a store is encrypted.
        self.path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links now
        self._key = key
        self._keychain = keychain
        self._turn = threading.Lock()
        self._checked: tuple[Key | None] | None = None
        self._refusal: tuple[float, UserError] | None = None

    def connect(
        self,
        *,
        timeout: float = TIMEOUT_S,
        isolation_level: str | None = "",
        check_same_thread: bool = True,
    ) -> Connection:
        """A new connection, as ``agents.connect``.

        Raises:
            StoreUnavailable, StoreDamaged, sqlite3.Error: as ``agents.connect``.
        """
        with understood():
            for left in reversed(range(_RETRIES)):
                checked = self._checked or self._check()
                try:
                    return self._open(checked[0], timeout, isolation_level, check_same_thread)
                except Unfit:
                    self._checked = None  # another key, or encrypted meanwhile: look again
                except OSError as error:
                    raise _missing(self.path, error) from error
                if not left:
                    break
            raise UserError("key.wrong", path=str(self.path))

    def _open(
        self, key: Key | None, timeout: float, isolation: str | None, same_thread: bool
    ) -> Connection:
        with OURS.alone(self.path) as identity:
            raw = open_raw(
                self.path,
                key,
                timeout=timeout,
                isolation_level=isolation,
                check_same_thread=same_thread,
            )
            OURS.opened(identity)
        return Connection(raw, lambda: OURS.closing(identity))

    def _check(self) -> tuple[Key | None]:
        """Look at the file before it is used: evidence, left logs, and which key opens it.

        Raises:
            UserError: ``store.*``, ``key.needed``, ``agents.other_library``.
        """
        with self._turn:
            if self._checked is None:
                self._checked = (self._fitting(),)
            return self._checked

    def _fitting(self) -> Key | None:
        evidence = inspect(self.path)
        if evidence.head != "random":
            self._proves(None)
            return None
        if self._key is not None and self._proves(self._key):
            return self._key
        self._key = self._ask_rarely(evidence.salt)
        return self._key

    def _ask_rarely(self, salt: bytes) -> RawKey:
        if self._refusal is not None and time.monotonic() - self._refusal[0] < QUIET_S:
            raise UserError(self._refusal[1].code, **self._refusal[1].params)
        try:
            key = self._ask(salt)
        except UserError as error:
            if error.params.get("reason") in _PROMPTS:
                self._refusal = (time.monotonic(), error)
            raise
        self._refusal = None
        return key

    def _proves(self, key: Key | None) -> bool:
        try:
            with OURS.alone(self.path):
                open_database(self.path, key, write=True).close()
        except UserError as error:
            if key is not None and error.code in _NOT_THIS_KEY:
                return False
            raise
        return True

    def _ask(self, salt: bytes) -> RawKey:
        keychain = self._keychain or Keychain()
        try:
            result = key_for(keychain, salt, self._proves)
        except Cancelled:
            raise cancelled(self.path) from None
        finally:
            if self._keychain is None:
                keychain.close()
        if isinstance(result, Present):
            return result.key
        raise UserError(
            "key.needed",
            reason=type(result).__name__.lower(),
            path=str(self.path),
            backend=getattr(result, "backend", ""),
            reasons=result.reasons if isinstance(result, Unavailable) else (),
        )


def connect(
    path: str | os.PathLike[str],
    *,
    timeout: float = TIMEOUT_S,
    isolation_level: str | None = "",
    check_same_thread: bool = True,
    key: Key | None = None,
    keychain: AnyKeychain | None = None,
) -> Connection:
    """A DB-API connection to an existing store, encrypted or readable, for the agent that owns it.

    The arguments are those of ``sqlite3.connect``; ``key`` and ``keychain`` take the place of the
    person's own keychain. Nothing is created. Each call asks the keychain: an ``Opener`` keeps
    what it found.

    Raises:
        StoreUnavailable (an OperationalError): ``store.missing``, ``key.needed`` with its reason,
            ``agents.other_library``, ``store.locked``, … in ``code``.
        StoreDamaged (a DatabaseError). Other classes of ``sqlite3`` from SQLite itself.
    """
    return Opener(path, key=key, keychain=keychain).connect(
        timeout=timeout, isolation_level=isolation_level, check_same_thread=check_same_thread
    )


def _missing(path: Path, error: OSError) -> UserError:
    if isinstance(error, FileNotFoundError):
        return UserError("store.missing", path=str(path))
    return UserError("store.io", path=str(path))
