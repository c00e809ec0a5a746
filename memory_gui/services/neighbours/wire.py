# SPDX-License-Identifier: MIT
"""One JSON object a line over a socket, bounded in size and time."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import sys
import time
from typing import Any, Final

VERSION: Final = 1
MOST: Final = 64 * 1024
"""Bytes of one line."""

Message = dict[str, Any]


class Garbled(Exception):  # noqa: N818 - says what came
    """What came is no message: too long, no JSON object, or cut off in its middle."""


class Wire:
    """One connection. ``close`` may come from another thread; the rest is one thread's."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""

    def send(self, message: Message, timeout: float = 1.0) -> None:
        """Send one message. Raises OSError."""
        line = json.dumps({"v": VERSION, **message}).encode("ascii") + b"\n"
        self._socket.settimeout(timeout)
        self._socket.sendall(line)

    def receive(self, until: float) -> Message | None:
        """The next message; None at the end. ``until`` is of ``time.monotonic``.

        Raises:
            TimeoutError: nothing whole came in time.
            Garbled: something else than a message came.
            OSError: the connection broke.
        """
        while b"\n" not in self._rest:
            if len(self._rest) > MOST:
                raise Garbled
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            part = self._socket.recv(MOST)
            if not part:
                if self._rest:
                    raise Garbled
                return None
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return _parsed(line)

    def peer(self) -> tuple[int, int] | None:
        """Process id and user id of the other end, by the kernel; None where it does not tell."""
        if sys.platform != "linux":
            return None
        size = struct.calcsize("3i")
        found = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        pid, uid, _gid = struct.unpack("3i", found)
        return pid, uid

    def is_ours(self) -> bool:
        """Whether the other end is the same person's, as far as the kernel tells.

        Where it does not, the folder's mode is what keeps others out.
        """
        peer = self.peer()
        return peer is None or peer[1] == os.geteuid()

    def close(self) -> None:
        """Hang up. A thread that waits for a message is woken."""
        with contextlib.suppress(OSError):  # the other end closed it already
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _parsed(line: bytes) -> Message:
    if len(line) > MOST:
        raise Garbled
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Garbled from error
    if not isinstance(message, dict):
        raise Garbled
    return message


def paths_of(message: Message) -> list[str] | None:
    """The ``paths`` of a message: absolute paths; None when it has none."""
    paths = message.get("paths")
    if not isinstance(paths, list) or not paths:
        return None
    good = all(isinstance(p, str) and p.startswith("/") and "\0" not in p for p in paths)
    return paths if good else None


def seconds_of(message: Message, most: float) -> float | None:
    """The ``seconds`` of a message, at most ``most``; None when it has none."""
    seconds = message.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        return None
    return min(float(seconds), most)
