# SPDX-License-Identifier: MIT
"""The keychain helper: the one process that asks a keychain, one question at a time.

It exists to be ended: keyring has no time limit anywhere, and a keychain that is frozen or dies
behind its prompt blocks the call for good (measured, keyring 25.7). Messages:

* ``{"op": "hello"}`` once, so that the time to import keyring is not the keychain's;
* ``{"op": "find", "service", "users"}``, ``{"op": "store", "service", "user", "secret"}``,
  ``{"op": "retire", "service", "user"}``, ``{"op": "backend"}``; each with ``recorded`` (class
  name or ""); ``backend`` also with ``asked`` (the app's PYTHON_KEYRING_BACKEND).

Before a prompt can open and after it closed it sends ``{"prompt": bool}``.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.process.worker import Reply, serve
from memory_gui.vault import answers
from memory_gui.vault.secretservice import Lock, Prompt, ServiceGoneError, ServiceRefusedError
from memory_gui.vault.trusted import SECRET_SERVICE, WINDOWS, Chosen, Entries, choose, ignored

Message = dict[str, Any]
Choose = Callable[[str, str], Chosen]


class _StayedLockedError(Exception):
    """The keychain is locked and the person did not unlock it."""


class Helper:
    """Answers messages. ``choose_keychain`` and ``reach`` are seams for tests."""

    def __init__(
        self, choose_keychain: Choose = choose, reach: Callable[[], Lock] = Lock.reach
    ) -> None:
        self._choose = choose_keychain
        self._reach = reach

    def handle(self, message: Message, reply: Reply) -> Message:
        """Answer one message; every failure of a keychain is one of the results."""
        if message["op"] == "hello":
            return {"hello": os.getpid()}
        chosen = self._choose(message.get("recorded", ""), sys.platform)
        if message["op"] == "backend":
            return self._describe(chosen, message.get("asked", ""))
        if chosen.entries is None:
            return answers.unavailable(*chosen.reasons)

        def prompt(can_be_open: bool) -> None:
            reply({"prompt": can_be_open})

        try:
            answer = self._act(message, chosen, chosen.entries, prompt)
        except UserError:
            raise
        except Exception as error:  # noqa: BLE001 - a keychain may raise anything (RIG §2)
            answer = _failure(chosen.name, error)
        if answer.get("result") == "absent" and chosen.name != (message["recorded"] or chosen.name):
            # Another keychain than the recorded one knows nothing: that is no absence.
            return answers.unavailable(*chosen.reasons, f"no-key:{chosen.name}")
        return answer

    def _act(self, message: Message, chosen: Chosen, entries: Entries, prompt: Prompt) -> Message:
        users = message.get("users") or [message["user"]]
        writes = message["op"] == "store"
        if chosen.name == SECRET_SERVICE:
            if not self._open(message["service"], users, prompt, writes):
                return answers.found(chosen.name, {})
        elif chosen.name != WINDOWS:
            prompt(True)  # KWallet and macOS ask by themselves, at any call
        try:
            if writes:
                return _store(message, chosen.name, entries)
            if message["op"] == "retire":
                return _retire(message, chosen.name, entries)
            secrets = {user: entries.get_password(message["service"], user) for user in users}
            return answers.found(chosen.name, secrets)
        finally:
            if chosen.name not in (SECRET_SERVICE, WINDOWS):
                prompt(False)

    def _open(self, service: str, users: list[str], prompt: Prompt, writes: bool) -> bool:
        """Unlock what is needed. False: there is nothing to look into, and nothing to write."""
        lock = self._reach()
        try:
            collection = lock.collection()
            if collection is None:
                if not writes:
                    return False
                if not lock.make_collection(prompt):
                    raise _StayedLockedError
                return True
            if lock.is_locked(collection):
                lock.unlock([collection], prompt)
                if lock.is_locked(collection):
                    raise _StayedLockedError
            for user in users:
                _open_items(lock, collection, {"service": service, "username": user}, prompt)
        finally:
            lock.close()
        return True

    def _describe(self, chosen: Chosen, asked: str) -> Message:
        locked: bool | None = None
        reasons = list(chosen.reasons)
        if chosen.name == SECRET_SERVICE:
            try:
                lock = self._reach()
                try:
                    collection = lock.collection()
                    locked = None if collection is None else lock.is_locked(collection)
                finally:
                    lock.close()
            except (ServiceGoneError, ServiceRefusedError) as error:
                reasons.append(f"{error.reason}:{chosen.name}")
        return {
            "name": chosen.name,
            "locked": locked,
            "reasons": reasons,
            "ignored": list(ignored(asked)),
        }


def _open_items(lock: Lock, collection: str, attributes: dict[str, str], prompt: Prompt) -> None:
    items = lock.locked_items(collection, attributes)
    if items:
        lock.unlock(items, prompt)
        if lock.locked_items(collection, attributes):
            raise _StayedLockedError


def _store(message: Message, backend: str, entries: Entries) -> Message:
    """Add, then read back. Never over what is there (macOS replaces by delete-then-add)."""
    service, user, secret = message["service"], message["user"], message["secret"]
    if entries.get_password(service, user) is not None:
        raise UserError("vault.slot_taken", slot=user)
    entries.set_password(service, user, secret)
    if entries.get_password(service, user) != secret:
        raise UserError("vault.not_kept", slot=user)
    return {"result": "done", "backend": backend}


def _retire(message: Message, backend: str, entries: Entries) -> Message:
    """Remove, then look again: two programs may both try, and one finds nothing (keyring 323)."""
    service, user = message["service"], message["user"]
    if entries.get_password(service, user) is not None:
        entries.delete_password(service, user)
    if entries.get_password(service, user) is not None:
        raise UserError("vault.not_removed", slot=user)
    return {"result": "done", "backend": backend}


def _failure(backend: str, error: Exception) -> Message:
    """Which of the results an exception means. Only names of types travel, never texts."""
    if isinstance(error, _StayedLockedError):
        return answers.locked(backend)
    if isinstance(error, ServiceRefusedError):
        return answers.denied(backend, error.reason)
    if isinstance(error, ServiceGoneError):
        return answers.unavailable(f"{error.reason}:{backend}")
    return _library_failure(backend, error)


def _library_failure(backend: str, error: Exception) -> Message:
    """The same for what keyring and the libraries below it raise."""
    names = {type(e).__name__ for e in (error, error.__cause__, error.__context__) if e is not None}
    refused = {"KeychainDenied", "SecAuthFailure"} & names
    if refused:  # macOS says "locked" for a refusal too, and the refusal is its cause
        return answers.denied(backend, refused.pop())
    if "AccessDenied" in str(getattr(error, "name", "")):  # jeepney's DBusErrorResponse
        return answers.denied(backend, "AccessDenied")
    if {"KeyringLocked", "PromptDismissedException"} & names:
        return answers.locked(backend)
    if "SecretServiceNotAvailableException" in names:
        return answers.unavailable(f"ended:{backend}")
    return answers.unavailable(f"error:{backend}: {type(error).__name__}")


def _end_with_parent(parent: int) -> None:
    """A question that nobody waits for any more must not keep a prompt on the screen."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _end(_number: int, _frame: object) -> None:
    raise SystemExit


def main() -> None:
    """Serve until the parent closes the pipe."""
    logging.disable()  # keyring and its libraries have nothing to tell
    signal.signal(signal.SIGTERM, _end)  # unwinding dismisses a prompt that is open
    if sys.platform != "win32":
        threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    serve(Helper().handle)


if __name__ == "__main__":
    main()
