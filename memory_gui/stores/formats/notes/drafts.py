# SPDX-License-Identifier: MIT
"""What a person wants to save as a note, what speaks against it, and the bytes that it becomes."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.stores.files.document import Splice
from memory_gui.stores.formats.notes.layout import BOM, newline_of, stored

EMPTY: Final = "(empty)"
"""What the harness tells its model where there are no notes."""


def note_text(text: str) -> str:
    """A note as it would be stored.

    Raises:
        UserError: ``record.text_empty``, ``record.not_unicode``, ``record.note_reserved``,
            ``record.two_notes``.
    """
    text = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    if not text:
        raise UserError("record.text_empty")
    if text == EMPTY:
        raise UserError("record.note_reserved")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error
    lines = [line.rstrip() for line in text.split("\n")]
    if not all(lines):
        raise UserError("record.two_notes")
    return "\n".join(lines)


def appended(data: bytes, text: str) -> Splice:
    """A note behind all others."""
    newline = newline_of(data)
    return appended_raw(data, stored(text, newline), newline)


def appended_raw(data: bytes, raw: bytes, newline: bytes) -> Splice:
    """As the harness does it, with the final newline that the note before may lack."""
    start = len(data)
    if not data.removeprefix(BOM):
        return Splice(start, start, raw + newline)
    missing = b"" if data.endswith((b"\n", b"\r")) else newline
    return Splice(start, start, missing + newline + raw + newline)


def final_newline(data: bytes, end: int) -> tuple[Splice, ...]:
    """The newline that the last note must have; a note that is edited brings its own place."""
    if data.endswith((b"\n", b"\r")) or not data:
        return ()
    if end == len(data):
        return (Splice(end, end, newline_of(data)),)
    return (Splice(len(data), len(data), newline_of(data)),)
