# SPDX-License-Identifier: MIT
"""A Secret Service that does as it is told, on a bus of its own: for what no real one does.

``python secret_service.py ADDRESS MODE [HEX]``: ``silent`` (never answers), ``refuses`` (denies
every call), ``wrong`` (unlocked, and gives HEX for every item), ``empty`` (unlocked, has nothing).
Prints ``ready`` when it owns the name. Speaks only what keyring's back end asks.
"""

import sys

from jeepney import (
    HeaderFields,
    MessageType,
    new_error,
    new_method_return,
)
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

SERVICE = "/org/freedesktop/secrets"
COLLECTION = "/org/freedesktop/secrets/collection/login"
ITEM = f"{COLLECTION}/1"
SESSION = "/org/freedesktop/secrets/session/1"
NOT_SUPPORTED = "org.freedesktop.DBus.Error.NotSupported"
DENIED = "org.freedesktop.DBus.Error.AccessDenied"
UNKNOWN = "org.freedesktop.DBus.Error.UnknownMethod"


def answer(message, mode, secret):
    fields = message.header.fields
    member, body = fields[HeaderFields.member], message.body
    if mode == "silent":
        return None
    if mode == "refuses":
        return new_error(message, DENIED, "s", ("no",))
    there = [ITEM] if mode == "wrong" else []
    if member == "ReadAlias":
        return new_method_return(message, "o", (COLLECTION,))
    if member == "OpenSession" and body[0] != "plain":
        return new_error(message, NOT_SUPPORTED, "s", (body[0],))
    if member == "OpenSession":
        return new_method_return(message, "vo", (("s", ""), SESSION))
    if member == "SearchItems":
        path = fields[HeaderFields.path]
        if path == SERVICE:
            return new_method_return(message, "aoao", (there, []))
        return new_method_return(message, "ao", (there,))
    if member == "Unlock":
        return new_method_return(message, "aoo", (body[0], "/"))
    if member == "GetSecret":
        return new_method_return(
            message, "(oayays)", ((SESSION, b"", secret.encode(), "text/plain"),)
        )
    if member == "Get":
        name = body[1]
        value = {
            "Locked": ("b", False),
            "Collections": ("ao", [COLLECTION]),
            "Items": ("ao", there),
            "Label": ("s", "x"),
            "Attributes": ("a{ss}", {}),
        }.get(name)
        if value is not None:
            return new_method_return(message, "v", (value,))
    if member == "Close":
        return new_method_return(message)
    return new_error(message, UNKNOWN, "s", (member,))


def main() -> None:
    address, mode, *secret = sys.argv[1:]
    connection = open_dbus_connection(address)
    unwrap_msg(connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.secrets")))
    print("ready", flush=True)
    while True:
        message = connection.receive()
        if message.header.message_type is not MessageType.method_call:
            continue
        said = answer(message, mode, secret[0] if secret else "")
        if said is not None:
            connection.send(said)


if __name__ == "__main__":
    main()
