# SPDX-License-Identifier: MIT
"""The app's side of the keychain: asks the helper's process and never waits for ever.

A keychain is asked one question at a time. The 5 s limit runs only while no prompt can be open;
behind a prompt a person may take as long as they like. ``cancel`` ends the helper, so it works
at any moment. After any failure of the keychain the helper is ended, and the next question starts
a new one. Values in and out are those of ``domain.keys``.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import (
    Absent,
    Denied,
    Locked,
    Mismatch,
    RawKey,
    Unavailable,
)
from memory_gui.process.child import Child, ChildFailed, ChildGone, ChildSilent
from memory_gui.vault.answers import Answer, understand, write_secret
from memory_gui.vault.contract import SLOTS, AnyKeychain, BackendInfo, Found, service_of

__all__ = [
    "SLOTS",
    "AnyKeychain",
    "BackendInfo",
    "Found",
    "Keychain",
    "NoKeychain",
    "failure",
    "service_of",
]

LIMIT_S: Final = 5.0
"""How long a keychain may take while no prompt can be open."""
GRACE_S: Final = 0.5
"""How long a helper that is asked to end may take before it is killed."""
START_S: Final = 30.0
"""How long the helper may take to start: importing keyring on a busy machine, no keychain yet."""

MOST_REFUSALS: Final = 2
"""So many closed prompts in a row end the asking."""
_OUR_OWN: Final = frozenset({"memory-gui/ledger", "memory-gui/marks", "memory-gui/receipts"})
"""Nobody asked for these to be opened, so one refusal is enough."""

_ENDS: Final = frozenset({"silent", "ended", "bus-ended", "helper-gone"})
"""Reasons that say nothing of the key that was asked for."""

_PASSED_ON: Final = (
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "XDG_CURRENT_DESKTOP",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "HOME",
    "USER",
    "LANG",
    "LANGUAGE",
)
_PASSED_ON_WINDOWS: Final = ("LOCALAPPDATA", "APPDATA", "USERPROFILE", "USERNAME", "PROGRAMDATA")


class Helper(Protocol):
    """What is used of ``process.child.Child``."""

    def send(self, message: Mapping[str, Any]) -> None:
        """Send."""

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        """Wait."""

    def wait(self, timeout: float | None = None) -> int | None:
        """Its exit code, None while it runs."""

    def terminate(self) -> None:
        """Ask it to end; any thread, does not wait."""

    def kill(self) -> None:
        """End it; any thread."""

    def close(self, grace: float = 5.0) -> None:
        """End it when idle."""


def helper_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Only what a keychain is reached by; PYTHON_KEYRING_BACKEND and the like stay out."""
    names = _PASSED_ON + (_PASSED_ON_WINDOWS if sys.platform == "win32" else ())
    return {name: environment[name] for name in names if name in environment}


class Keychain(AnyKeychain):
    """The system's keychain, asked through the helper's process.

    ``recorded`` is the class that was used before (asked first, and its absence is said);
    ``on_prompt`` is told, in the asking thread, that a prompt can be open or was closed.

    A person who closes the keychain's prompt is not asked for the app's own records any more, and
    after two in a row for nothing, until a key was found or ``ask_again`` is called. What was
    waiting for its turn then gets the same answer: one refusal, or one silence, is enough for all
    that was asked before it.
    """

    def __init__(
        self,
        *,
        recorded: str = "",
        environment: Mapping[str, str] = os.environ,
        on_prompt: Callable[[bool], None] = lambda _can_be_open: None,
        limit: float = LIMIT_S,
        start: Callable[[Mapping[str, str]], Helper] | None = None,
    ) -> None:
        self._recorded = recorded
        self._environment = helper_environment(environment)
        self._asked_for = environment.get("PYTHON_KEYRING_BACKEND", "")
        self._on_prompt = on_prompt
        self._limit = limit
        self._start = start or _start
        self._turn = threading.Lock()
        self._state = threading.Lock()
        self._helper: Helper | None = None
        self._cancels = 0
        self._asking = False
        self._prompted = False
        self._refusals = 0
        self._ends = 0
        self._end_answer: Answer = {}

    def find_in(self, service: str) -> Found:
        """As AnyKeychain."""
        return self._find(service)

    def find_where(self, service: str, recorded: str) -> Found:
        """As AnyKeychain."""
        return self._find(service, recorded=recorded)

    def find_at(self, service: str, backend: str) -> Found:
        """As AnyKeychain."""
        return self._find(service, only=backend)

    def _find(self, service: str, **where: str) -> Found:
        most = 1 if service in _OUR_OWN else MOST_REFUSALS
        quiet = self._refusals >= most
        message = {"op": "find", "service": service, "users": list(SLOTS), "quiet": quiet}
        ends = self._ends
        found = understand(self._ask({**message, **{k: v for k, v in where.items() if v}}, ends))
        if isinstance(found, (list, Absent, Mismatch)):
            self._refusals = 0
        elif isinstance(found, Locked) and self._prompted:
            self._refusals += 1
        return found

    def ask_again(self) -> None:
        """As AnyKeychain."""
        self._refusals = 0

    def record(self, recorded: str) -> None:
        """As AnyKeychain."""
        self._recorded = recorded or self._recorded

    def store_at(self, service: str, slot: str, key: RawKey, backend: str) -> None:
        """As AnyKeychain."""
        secret = write_secret(key)
        self._change(
            {"op": "store", "service": service, "user": slot, "secret": secret, "only": backend}
        )

    def retire_at(self, service: str, slot: str, backend: str) -> None:
        """As AnyKeychain."""
        self._change({"op": "retire", "service": service, "user": slot, "only": backend})

    def store_in(self, service: str, slot: str, key: RawKey) -> None:
        """As AnyKeychain."""
        self._change({"op": "store", "service": service, "user": slot, "secret": write_secret(key)})

    def retire_in(self, service: str, slot: str) -> None:
        """As AnyKeychain."""
        self._change({"op": "retire", "service": service, "user": slot})

    def backend(self) -> BackendInfo:
        """As AnyKeychain."""
        answer = self._ask({"op": "backend", "asked": self._asked_for})
        name = str(answer.get("name", ""))
        return BackendInfo(
            name,
            trusted=bool(name),
            locked=answer.get("locked"),
            ignored=tuple(answer.get("ignored", ())),
            reasons=tuple(answer.get("reasons", ())),
            provider=str(answer.get("provider", "")),
        )

    def cancel(self) -> None:
        """Give up what waits now. Any thread, returns at once."""
        with self._state:
            self._cancels += 1
            helper = self._helper if self._asking else None
        if helper is not None:
            helper.terminate()  # so that it takes an open prompt off the screen
            insist = threading.Timer(GRACE_S, helper.kill)
            insist.daemon = True
            insist.start()

    def close(self) -> None:
        """Cancel, and end the helper. A later question would start a new one."""
        self.cancel()
        with self._turn:
            self._end()

    def _change(self, message: dict[str, Any]) -> None:
        answer = self._ask(message)
        if answer.get("result") in ("done", "absent"):  # absent: nothing to retire
            return
        raise failure(understand(answer))

    def _ask(self, message: dict[str, Any], ends: int | None = None) -> Answer:
        """``ends``: how many questions had ended without an answer when this one was asked."""
        with self._state:
            cancels = self._cancels
        with self._turn:
            self._asking = True
            try:
                self._prompted = False
                if ends not in (None, self._ends):
                    self._stop_if_cancelled(cancels)
                    return self._end_answer
                answer = self._converse({"recorded": self._recorded, **message}, cancels)
            except BaseException:
                self._end()
                raise
            finally:
                self._asking = False
            if answer.get("result") == "unavailable":
                self._end()
            if self._is_an_end(answer):
                self._ends, self._end_answer = self._ends + 1, answer
            return answer

    def _is_an_end(self, answer: Answer) -> bool:
        """Whether it would have been the same for any other key: refused, silent or gone."""
        if answer.get("result") == "locked":
            return self._prompted
        codes = {str(reason).partition(":")[0] for reason in answer.get("reasons", ())}
        return answer.get("result") == "unavailable" and bool(codes & _ENDS)

    def _converse(self, message: dict[str, Any], cancels: int) -> Answer:
        try:
            helper = self._running(cancels)
            helper.send(message)
            return self._listen(helper, cancels)
        except ChildSilent:
            self._stop_if_cancelled(cancels)
            return {"result": "unavailable", "reasons": ["silent"]}
        except ChildGone:
            self._stop_if_cancelled(cancels)
            return {"result": "unavailable", "reasons": ["helper-gone"]}
        except ChildFailed as bug:
            return {"result": "unavailable", "reasons": [f"error:{bug.kind}"]}

    def _running(self, cancels: int) -> Helper:
        with self._state:
            if self._cancels != cancels:
                raise Cancelled
            if self._helper is not None and self._helper.wait(0) is None:
                return self._helper
            helper = self._helper = self._start(self._environment)
        helper.send({"op": "hello"})
        helper.receive(START_S)
        return helper

    def _listen(self, helper: Helper, cancels: int) -> Answer:
        deadline: float | None = time.monotonic() + self._limit
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            answer = helper.receive(left)
            self._stop_if_cancelled(cancels)
            if "prompt" not in answer:
                return answer
            can_be_open = bool(answer["prompt"])
            self._prompted = True
            deadline = None if can_be_open else time.monotonic() + self._limit
            self._on_prompt(can_be_open)

    def _stop_if_cancelled(self, cancels: int) -> None:
        with self._state:
            if self._cancels != cancels:
                raise Cancelled

    def _end(self) -> None:
        with self._state:
            helper, self._helper = self._helper, None
        if helper is not None:
            helper.kill()
            helper.close()


class NoKeychain(AnyKeychain):
    """For ``--no-keychain``: nothing is asked, nothing is kept."""

    def find_in(self, service: str) -> Found:  # noqa: ARG002 - the same for every service
        """Unavailable, because it is switched off."""
        return Unavailable(("off",))

    def store_in(self, service: str, slot: str, key: RawKey) -> None:  # noqa: ARG002 - as above
        """Refuse: ``vault.off``."""
        raise UserError("vault.off")

    def retire_in(self, service: str, slot: str) -> None:  # noqa: ARG002 - as above
        """Refuse: ``vault.off``."""
        raise UserError("vault.off")

    def backend(self) -> BackendInfo:
        """None."""
        return BackendInfo("", trusted=False, locked=None, reasons=("off",))

    def cancel(self) -> None:
        """Nothing ever waits."""

    def close(self) -> None:
        """Nothing runs."""


def failure(result: Found) -> UserError:
    """The error for a key that could not be written or removed."""
    match result:
        case Locked():
            return UserError("vault.locked", backend=result.backend)
        case Denied():
            return UserError("vault.denied", backend=result.backend)
        case Unavailable(reasons=("silent",)):
            return UserError("vault.silent")
        case Unavailable(reasons=("off",)):
            return UserError("vault.off")
        case _:
            return UserError("vault.unavailable")


def _start(environment: Mapping[str, str]) -> Helper:
    return Child.start("keychain", environment=environment)
