# SPDX-License-Identifier: MIT
"""A database of Agentao's present layout made of its old JSON file.

Made under another name, read back through a fresh connection and compared with the JSON, then given
its name in one step. The JSON file is not touched: a person erases it when they are content.

What the present Agentao would cut or refuse on saving (a long title, a long text, a key without a
Latin letter) is kept whole: it reads such rows, it only does not write them.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Converted
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.engine.connection import open_database
from memory_gui.engine.rawfile import fsync_folder
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.memories import local_now
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER
from memory_gui.stores.formats.agentao.rows import list_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.formats.agentao_json.values import KNOWN, text_of
from memory_gui.stores.sql.cells import Cell

_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    title: str
    text: str = field(repr=False)
    tags: tuple[str, ...]
    when: str
    more: tuple[str, ...]
    """Names of values that the database has no column for."""


def place_for(path: Path) -> Path:
    """Where Agentao would look for the database that belongs to an old file."""
    folder = path.parent if path.parent.name == FOLDER else path.parent / FOLDER
    return folder / FILE


def convert(path: Path, values: Sequence[object], out: Path, scope: str) -> Converted:
    """Make the database ``out`` of the entries of ``path``.

    Raises:
        UserError: ``store.exists``, ``store.no_permission``, ``store.disk_full``, ``store.*``.
        IntegrityError: ``convert.differs``: nothing was left at ``out``.
    """
    if os.path.lexists(out):
        raise UserError("store.exists", path=str(out))
    entries = list(_entries(values))
    if not out.parent.is_dir():
        if out.parent.name != FOLDER:
            raise UserError("store.no_folder", path=str(out.parent))
        out.parent.mkdir(mode=0o700)
    part = out.with_name(f".{out.name}.memory-gui-new")
    _sweep(part)
    try:
        create_store(part, None)
        _fill(part, entries, scope)
        if list(_read(part)) != [(e.title, e.text, e.tags, e.when) for e in entries]:
            raise IntegrityError("convert.differs", path=str(path))
        try:
            os.link(part, out, follow_symlinks=False)
        except FileExistsError as error:
            raise UserError("store.exists", path=str(out)) from error
        except OSError as error:
            raise UserError("store.io", path=str(out)) from error
    finally:
        _sweep(part)
    fsync_folder(out.parent)
    lost = tuple(dict.fromkeys(name for entry in entries for name in entry.more))
    return Converted(str(out), len(entries), lost)


def _entries(values: Sequence[object]) -> Iterator[_Entry]:
    taken: set[str] = set()
    now = rules.time_text(local_now())
    for number, value in enumerate(values, 1):
        fields: Mapping[str, object] = value if isinstance(value, dict) else {"value": value}
        name, text = text_of(fields.get("key")), text_of(fields.get("value"))
        title = " ".join(name.split()) or f"memory {number}"
        tags = fields.get("tags")
        listed = tags if isinstance(tags, list) else []
        yield _Entry(
            _free(rules.bare_key(title) or f"memory_{number}", taken),
            title,
            text,
            tuple(tag for one in listed if (tag := text_of(one).strip())),
            _time(text_of(fields.get("timestamp"))) or now,
            tuple(str(name) for name in fields if name not in KNOWN),
        )


def _free(key: str, taken: set[str]) -> str:
    """Two old keys may become the same for the present Agentao: then a number is put behind."""
    found, number = key, 2
    while found in taken:
        ending = f"_{number}"
        found = key[: rules.KEY_LIMIT - len(ending)] + ending
        number += 1
    taken.add(found)
    return found


def _time(text: str) -> str:
    """The local time as it is written now; empty for what is no time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return rules.time_text(moment.astimezone() if moment.tzinfo else moment)


def _fill(part: Path, entries: Sequence[_Entry], scope: str) -> None:
    with open_database(part.resolve(), None, write=True) as connection:
        tables = Tables(connection, StoreId(str(part)))
        with tables.writing():
            for entry in entries:
                ident = secrets.token_hex(4)
                cells: dict[str, Cell] = {
                    "id": ident,
                    "scope": scope,
                    "type": rules.type_for(entry.tags),
                    "key_normalized": entry.key,
                    "title": entry.title,
                    "content": entry.text,
                    "tags_json": rules.json_list(entry.tags),
                    "keywords_json": rules.json_list(
                        rules.keywords_for(entry.title, entry.tags, entry.text)
                    ),
                    "source": "explicit",
                    "confidence": rules.confidence_for("explicit"),
                    "sensitivity": "normal",
                    "created_at": entry.when,
                    "updated_at": entry.when,
                }
                tables.insert("memory", cells)
                event: dict[str, Cell] = {
                    "memory_id": ident,
                    "event_type": "create",
                    "timestamp": entry.when,
                }
                tables.insert("event", event)


def _read(part: Path) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """What a fresh connection finds, in the order in which it was written."""
    with open_database(part.resolve(), None, write=False) as connection:
        tables = Tables(connection, StoreId(str(part)))
        for row in tables.select("memory", "1", tail="ORDER BY rowid"):
            tags = list_of(row.cells["tags_json"]) or ()
            yield row.text("title"), row.text("content"), tags, row.text("created_at")


def _sweep(part: Path) -> None:
    for suffix in _SUFFIXES:
        with suppress(OSError):
            Path(f"{part}{suffix}").unlink(missing_ok=True)
