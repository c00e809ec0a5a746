# SPDX-License-Identifier: MIT
"""Texts and keys that a verb is given by files, standard input and descriptors."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import Final, TextIO

from memory_gui.domain.errors import UserError

MOST_TEXT: Final = 16 * 1024 * 1024
"""Bytes of a text that is read from a file; beyond it is no text that a person means."""
_MOST_KEY_BYTES: Final = 64 * 1024


def read_text(name: str, stdin: TextIO) -> str:
    """The text of a plain file, or of standard input for ``-``, of at most 16 MB.

    Raises:
        UserError: ``usage.unreadable``, ``usage.no_plain_file``, ``usage.too_much`` (param
            ``file``).
    """
    try:
        data = _stdin_bytes(stdin) if name == "-" else _file_bytes(name)
        if len(data) > MOST_TEXT:
            raise UserError("usage.too_much", file=name, most=MOST_TEXT >> 20)
        return io.StringIO(data.decode("utf-8"), newline=None).read()
    except (OSError, ValueError) as error:
        raise UserError("usage.unreadable", file=name) from error


def _stdin_bytes(stdin: TextIO) -> bytes:
    """As bytes: the stream itself may let through what is no UTF-8."""
    stream = getattr(stdin, "buffer", None)
    data: bytes = stdin.read().encode() if stream is None else stream.read(MOST_TEXT + 1)
    return data


def _file_bytes(name: str) -> bytes:
    """A device would never end, a pipe might wait for ever."""
    number = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise UserError("usage.no_plain_file", file=name)
        return stream.read(MOST_TEXT + 1)


def plain(text: str, where: str) -> str:
    """An argument's text. Raises UserError ``usage.unreadable`` when its bytes are no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("usage.unreadable", file=where) from error
    return text


def read_descriptor(number: int) -> str:
    """What stands behind a descriptor, without one line end after it.

    Raises:
        UserError: ``usage.descriptor``.
    """
    try:
        with os.fdopen(number, "rb") as stream:
            data = stream.read(_MOST_KEY_BYTES)
        return data.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError, UnicodeDecodeError) as error:
        raise UserError("usage.descriptor", number=number) from error


def existing_name(path: str) -> str:
    """A STORE that was given. Raises UserError ``usage.no_store`` for an empty one."""
    if not path:
        raise UserError("usage.no_store")
    return path


def resolved(path: str) -> str:
    """As the ledger keeps paths."""
    return str(Path(existing_name(path)).resolve())
