# SPDX-License-Identifier: MIT
"""The lock of a Secret Service, spoken to over D-Bus. Imported in the helper's process only.

keyring opens a locked collection by itself and then waits without any limit, also when the
keychain died behind the prompt (measured, keyring 25.7). So the lock is read here first, which
never makes a prompt, and a prompt is waited for here, watching that the keychain still lives.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, MessageType, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_NAME: Final = "org.freedesktop.secrets"
_PATH: Final = "/org/freedesktop/secrets"
_PREFIX: Final = "org.freedesktop.Secret."
_NO_OBJECT: Final = "/"

Prompt = Callable[[bool], None]
"""Told True before a prompt can open and False when it is closed."""


class ServiceGoneError(Exception):
    """The bus or the keychain did not answer or went away; ``reason`` is the code for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ServiceRefusedError(Exception):
    """The bus or the keychain refused this program; ``reason`` is the D-Bus error's name."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _NoSuchObjectError(Exception):
    pass


_ENDED: Final = ("NoReply", "Disconnected", "NameHasNoOwner", "Timeout", "TimedOut")
_NOT_THERE: Final = ("ServiceUnknown", "Spawn")
_NO_SUCH: Final = ("UnknownObject", "UnknownMethod", "NoSuchObject")


class Lock:
    """The lock of the default collection and of the items in it."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection

    @classmethod
    def reach(cls) -> Lock:
        """Connect to the session bus that the environment names.

        Raises:
            ServiceGoneError: ``no-bus``.
        """
        try:
            return cls(open_dbus_connection("SESSION"))
        except (KeyError, OSError, RuntimeError, ValueError, StopIteration) as error:
            raise ServiceGoneError("no-bus") from error

    def close(self) -> None:
        """Leave the bus."""
        self._connection.close()

    def provider(self) -> str:
        """The name of the program that is the Secret Service now; empty where it cannot be told."""
        try:
            (pid,) = self._ask(message_bus.GetConnectionUnixProcessID(_NAME))
            command = Path(f"/proc/{int(pid)}/cmdline").read_bytes()
        except (ServiceGoneError, ServiceRefusedError, _NoSuchObjectError, OSError, ValueError):
            return ""
        return os.path.basename(os.fsdecode(command.split(b"\0")[0]))  # noqa: PTH119 - text

    def collection(self) -> str | None:
        """The path of the default collection; None where there is none yet."""
        (path,) = self._call(_PATH, "Service", "ReadAlias", "s", "default")
        return None if path == _NO_OBJECT else str(path)

    def is_locked(self, collection: str) -> bool:
        """Read the lock. Never prompts."""
        return bool(self._property(collection, "Collection", "Locked"))

    def locked_items(self, collection: str, attributes: dict[str, str]) -> list[str]:
        """The items that carry the attributes and want to be unlocked one by one (KeePassXC).

        One that another program removes in between is left out.
        """
        (paths,) = self._call(collection, "Collection", "SearchItems", "a{ss}", attributes)
        found = []
        for path in paths:
            with suppress(_NoSuchObjectError):
                if self._property(path, "Item", "Locked"):
                    found.append(path)
        return found

    def unlock(self, paths: Sequence[str], prompt: Prompt) -> None:
        """Ask the keychain to unlock; it may open a window of its own and wait for a person.

        Whether it worked is read afterwards: a dismissed prompt can report success
        (secretstorage issue 32).
        """
        _, asks = self._call(_PATH, "Service", "Unlock", "ao", list(paths))
        if asks != _NO_OBJECT:
            self._wait_for_person(asks, prompt)

    def make_collection(self, prompt: Prompt) -> bool:
        """Make the default collection; the keychain asks for a password. False when dismissed."""
        properties = {f"{_PREFIX}Collection.Label": ("s", "Default")}
        made, asks = self._call(
            _PATH, "Service", "CreateCollection", "a{sv}s", properties, "default"
        )
        if made == _NO_OBJECT and asks != _NO_OBJECT:
            self._wait_for_person(asks, prompt)
        return self.collection() is not None

    def _wait_for_person(self, path: str, prompt: Prompt) -> None:
        seen: deque[Message] = deque()
        done = MatchRule(type="signal", path=path, interface=f"{_PREFIX}Prompt", member="Completed")
        owner = MatchRule(
            type="signal",
            sender="org.freedesktop.DBus",
            interface="org.freedesktop.DBus",
            member="NameOwnerChanged",
        )
        owner.add_arg_condition(0, _NAME)
        for rule in (done, owner):
            self._ask(message_bus.AddMatch(rule))
        prompt(True)
        answered = False
        try:
            with (
                self._connection.filter(done, queue=seen),
                self._connection.filter(owner, queue=seen),
            ):
                self._call(path, "Prompt", "Prompt", "s", "")
                message = self._connection.recv_until_filtered(seen)
            answered = True
        except OSError as error:
            answered = True
            raise ServiceGoneError("bus-ended") from error
        finally:
            if not answered:  # this process is being ended: take the window off the screen
                address = DBusAddress(path, _NAME, f"{_PREFIX}Prompt")
                self._connection.send(new_method_call(address, "Dismiss"))
            prompt(False)
        if message.header.fields[HeaderFields.member] == "NameOwnerChanged":
            raise ServiceGoneError("ended")

    def _property(self, path: str, interface: str, name: str) -> Any:
        address = DBusAddress(path, _NAME, "org.freedesktop.DBus.Properties")
        body = (f"{_PREFIX}{interface}", name)
        ((_, value),) = self._ask(new_method_call(address, "Get", "ss", body))
        return value

    def _call(self, path: str, interface: str, member: str, signature: str, *body: Any) -> Any:
        address = DBusAddress(path, _NAME, f"{_PREFIX}{interface}")
        return self._ask(new_method_call(address, member, signature, body))

    def _ask(self, message: Message) -> Any:
        try:
            reply = self._connection.send_and_get_reply(message)
        except OSError as error:
            raise ServiceGoneError("bus-ended") from error
        if reply.header.message_type is not MessageType.error:
            return reply.body
        raise _meaning(str(reply.header.fields.get(HeaderFields.error_name, "")))


def _meaning(name: str) -> Exception:
    last = name.removeprefix("org.freedesktop.DBus.Error.")
    if last.partition(".")[0] in _NOT_THERE:
        return ServiceGoneError("not-there")
    if last in _ENDED:
        return ServiceGoneError("ended")
    if name.rpartition(".")[2] in _NO_SUCH:
        return _NoSuchObjectError(name)
    if last in ("AccessDenied", "AuthFailed"):
        return ServiceRefusedError(name)
    return ServiceGoneError(f"error:{name}")
