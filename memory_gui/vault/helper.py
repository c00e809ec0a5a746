# SPDX-License-Identifier: MIT
"""The keychain helper: the one process that asks a keychain, one question at a time.

It exists to be ended: keyring has no time limit anywhere, and a keychain that is frozen or dies
behind its prompt blocks the call for good (measured, keyring 25.7). Messages:

* ``{"op": "hello"}`` once, so that the time to import keyring is not the keychain's;
* ``{"op": "find", "service", "users"}``, ``{"op": "store", "service", "user", "secret"}``,
  ``{"op": "retire", "service", "user"}``, ``{"op": "backend"}``; each with ``recorded`` (what had
  the key, ``class`` or ``class@program``, or ""), and where wanted ``only`` (this class and no
  other) and ``quiet`` (no prompt may open: a locked keychain is answered as locked); ``backend``
  also with ``asked`` (the app's PYTHON_KEYRING_BACKEND).

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
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.process.worker import Reply, serve
from memory_gui.vault import answers
from memory_gui.vault.secretservice import Lock, Prompt, ServiceGoneError, ServiceRefusedError
from memory_gui.vault.trusted import SECRET_SERVICE, WINDOWS, Chosen, Entries, choose, ignored

Message = dict[str, Any]
Choose = Callable[[str, str], Chosen]

_LOOKS: Final = 3
"""So often an entry is looked up that another program takes away in just that moment."""
_VANISHED: Final = frozenset({"ItemNotFoundException", "PasswordDeleteError"})
"""What keyring and secretstorage raise when an entry went between finding it and using it."""


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
        recorded, _, program = str(message.get("recorded", "")).partition("@")
        chosen = _chosen_for(message, self._choose(message.get("only") or recorded, sys.platform))
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
        if answer.get("result") == "absent" and not message.get("only"):
            return _absence(answer, chosen, recorded, program)
        return answer

    def _act(self, message: Message, chosen: Chosen, entries: Entries, prompt: Prompt) -> Message:
        users = message.get("users") or [message["user"]]
        writes = message["op"] == "store"
        provider = ""
        if chosen.name == SECRET_SERVICE:
            there, provider = self._open(message, users, prompt)
            if not there:
                return answers.found(chosen.name, {}, provider)
        elif chosen.name != WINDOWS:
            if message.get("quiet"):
                raise _StayedLockedError
            prompt(True)  # KWallet and macOS ask by themselves, at any call
        try:
            if writes:
                return _store(message, chosen.name, entries)
            if message["op"] == "retire":
                return _retire(message, chosen.name, entries)
            secrets = {user: _look(entries, message["service"], user) for user in users}
            return answers.found(chosen.name, secrets, provider)
        finally:
            if chosen.name not in (SECRET_SERVICE, WINDOWS):
                prompt(False)

    def _open(self, message: Message, users: list[str], prompt: Prompt) -> tuple[bool, str]:
        """Unlock what is needed, and who it is. False: nothing to look into, and none to make."""
        lock = self._reach()
        quiet = bool(message.get("quiet"))
        try:
            collection = lock.collection()
            provider = lock.provider()
            if collection is None:
                if message["op"] != "store":
                    return False, provider
                if quiet or not lock.make_collection(prompt):
                    raise _StayedLockedError
                return True, provider
            if lock.is_locked(collection):
                if quiet:
                    raise _StayedLockedError
                lock.unlock([collection], prompt)
                if lock.is_locked(collection):
                    raise _StayedLockedError
            for user in users:
                attributes = {"service": message["service"], "username": user}
                _open_items(lock, collection, attributes, prompt, quiet=quiet)
        finally:
            lock.close()
        return True, provider

    def _describe(self, chosen: Chosen, asked: str) -> Message:
        locked: bool | None = None
        provider = ""
        reasons = list(chosen.reasons)
        if chosen.name == SECRET_SERVICE:
            try:
                lock = self._reach()
                try:
                    collection = lock.collection()
                    locked = None if collection is None else lock.is_locked(collection)
                    provider = lock.provider()
                finally:
                    lock.close()
            except (ServiceGoneError, ServiceRefusedError) as error:
                reasons.append(f"{error.reason}:{chosen.name}")
        return {
            "name": chosen.name,
            "provider": provider,
            "locked": locked,
            "reasons": reasons,
            "ignored": list(ignored(asked)),
        }


def _absence(answer: Message, chosen: Chosen, recorded: str, program: str) -> Message:
    """Only what had the key can say that it has it no more; of any other that is no absence."""
    if chosen.name != (recorded or chosen.name):
        return answers.unavailable(*chosen.reasons, f"no-key:{chosen.name}")
    today = answer.get("provider", "")
    if program and today and program != today:
        # The same interface, but another program behind it.
        return answers.unavailable(f"moved:{chosen.name}: {program} → {today}")
    return answer


def _chosen_for(message: Message, chosen: Chosen) -> Chosen:
    """With ``only``, no other keychain answers in the place of the one that is meant."""
    only = message.get("only")
    if not only or chosen.name == only:
        return chosen
    return Chosen("", None, chosen.reasons or (f"not-there:{only}",))


def _open_items(
    lock: Lock, collection: str, attributes: dict[str, str], prompt: Prompt, *, quiet: bool
) -> None:
    items = lock.locked_items(collection, attributes)
    if items:
        if quiet:
            raise _StayedLockedError
        lock.unlock(items, prompt)
        if lock.locked_items(collection, attributes):
            raise _StayedLockedError


def _look(entries: Entries, service: str, user: str) -> str | None:
    """What an entry holds now; None where there is none.

    A Secret Service finds entries first and reads them then. One that goes in between (another
    copy of the app retires it) is no failure of the keychain: what is there now is looked up.
    """
    for _ in range(_LOOKS - 1):
        try:
            return entries.get_password(service, user)
        except Exception as error:
            if type(error).__name__ not in _VANISHED:
                raise
    return entries.get_password(service, user)


def _store(message: Message, backend: str, entries: Entries) -> Message:
    """Add, then read back. Never over what is there (macOS replaces by delete-then-add)."""
    service, user, secret = message["service"], message["user"], message["secret"]
    if _look(entries, service, user) is not None:
        raise UserError("vault.slot_taken", slot=user)
    entries.set_password(service, user, secret)
    if _look(entries, service, user) != secret:
        raise UserError("vault.not_kept", slot=user)
    return {"result": "done", "backend": backend}


def _retire(message: Message, backend: str, entries: Entries) -> Message:
    """Remove, then look again: two programs may both try, and one finds nothing (keyring 323)."""
    service, user = message["service"], message["user"]
    if _look(entries, service, user) is not None:
        try:
            entries.delete_password(service, user)
        except Exception as error:
            if type(error).__name__ not in _VANISHED or _look(entries, service, user) is not None:
                raise
    if _look(entries, service, user) is not None:
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
