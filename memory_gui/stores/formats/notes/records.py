# SPDX-License-Identifier: MIT
"""What the files of notes and of sessions are as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Told
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.queries import SORTS
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.engine.plainfile import Content
from memory_gui.stores.files.document import Doc, Item, etag_of
from memory_gui.stores.formats.notes.layout import BOM, Block, has_both_ends, shown

FILES: Final = ("project.md", "user.md")
SESSIONS: Final = "sessions"
_MOST_SHOWN: Final = 256 * 1024
_CHANGES: Final = frozenset({"add", "edit", "delete", "erase"})
_NONE: Final = frozenset(SORTS) - {"kind"}
"""Notes have no times, no titles and no state."""
FIELDS: Final = ("text", "type")
"""What a person may give of a note."""
KINDS: Final = (
    Kind(
        "note",
        Shelf.MEMORY,
        _CHANGES,
        FIELDS,
        choices={"type": ("project", "user")},
        optional=frozenset({"type"}),
        labels={"type": "note_file"},
        lacks=_NONE - {"type"},
    ),
    Kind(
        "session",
        Shelf.SUMMARY,
        frozenset({"delete", "erase"}),
        (),
        ("bytes",),
        lacks=_NONE - {"title"},
    ),
)


@dataclass(frozen=True)
class NotesDoc(Doc):
    """A file of notes with the places of each; or a session, which has none."""

    blocks: tuple[Block, ...] = ()
    labels: tuple[str, ...] = ()


def note_item(store: StoreId, path: Path, block: Block, raw: bytes, label: str) -> Item:
    """A note."""
    text = shown(raw)
    file = path.name.removesuffix(".md")
    record = Record(
        ref=Ref(store, "note", (file, label)),
        etag=etag_of(raw),
        state=State.LIVE,
        title="",
        text=text,
        type=file,
        zone="",
    )
    plain = raw.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode()
    texts = tuple(dict.fromkeys((text, plain)))
    return Item(record, path, (block.start, block.end), texts)


def session_item(store: StoreId, path: Path, content: Content) -> Item:
    """A session, whose file is laid out in no known way."""
    text = shown(content.data)
    record = Record(
        ref=Ref(store, "session", (path.name,)),
        etag=etag_of(content.data),
        state=State.LIVE,
        title=path.name,
        text=text[:_MOST_SHOWN],
        zone="",
        extra={"bytes": str(len(content.data))},
    )
    return Item(record, path, (0, len(content.data)), (text,))


def told_of(path: Path, content: Content, found: Sequence[Block]) -> tuple[Told, ...]:
    """What cannot be known of a file, and what is odd in it."""
    data = content.data
    said = []
    if len(found) > 1:
        said.append(Told("notes.empty_lines", {"file": path.name}))
    if data and not data.endswith((b"\n", b"\r")):
        said.append(Told("notes.no_final_newline", {"file": path.name}))
    if has_both_ends(data):
        said.append(Told("notes.mixed_ends", {"file": path.name}))
    if data.startswith(BOM):
        said.append(Told("notes.bom", {"file": path.name}))
    return tuple(said)


def joined(said: Sequence[Told]) -> tuple[Told, ...]:
    """The same of several files is said once."""
    files: dict[str, list[str]] = {}
    for one in said:
        files.setdefault(one.code, []).append(str(one.values["file"]))
    return tuple(Told(code, {"file": ", ".join(names)}) for code, names in files.items())
