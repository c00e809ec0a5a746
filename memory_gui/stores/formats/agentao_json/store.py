# SPDX-License-Identifier: MIT
"""One JSON file of old memories.

No agentao of today reads or writes it, so there is nobody whose rules a change could keep. It can
be looked at, erased from, and made a database of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import Capability, Converted, StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import Span
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.engine.plainfile import Content
from memory_gui.stores.files.document import Doc, Item, etag_of
from memory_gui.stores.files.jsonspans import (
    Element,
    cut_of,
    decoded,
    elements,
    members,
    offsets,
    shown,
    whole,
)
from memory_gui.stores.files.store import FilesStore
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao.rows import utc_of
from memory_gui.stores.formats.agentao_json.convert import convert, place_for
from memory_gui.stores.formats.agentao_json.values import KNOWN, text_of

NAME: Final = "agentao-json"
KINDS: Final = (
    Kind(
        "memory",
        acts=frozenset({"erase"}),
        lacks=frozenset({"created", "type", "scope", "source", "subject", "state"}),
    ),
)
_OLD: Final = "agentao-json.old_format"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class OldDoc(Doc):
    """The file and the places of its entries, in bytes."""

    spans: tuple[Span, ...] = ()
    values: tuple[object, ...] = ()


class AgentaoJsonStore(FilesStore[OldDoc]):
    """The entries as they stand in the file."""

    format = NAME
    agent = "Agentao"
    agent_version = "≤0.2.5"
    kinds = ("memory",)
    declared = KINDS
    capabilities = Capability.WATCH | Capability.ERASE | Capability.CONVERT
    opaque_ids = False
    reasons = MappingProxyType(
        dict.fromkeys(("add", "edit", "trash", "restore", "delete", "tag", "encrypt"), _OLD)
    )
    key_columns = MappingProxyType({"memory": ("key",)})

    def __init__(self, main: Path, user_database: Path | None = None) -> None:
        self._user_database = user_database
        super().__init__(main, Mode.LOOK)

    def members(self) -> tuple[Path, ...]:
        """One file."""
        return (self.main,)

    def parse(self, path: Path, content: Content) -> OldDoc:
        """Its entries.

        Raises:
            UserError: ``store.missing``, ``file.not_json``, ``file.other_json``.
        """
        if content.seen is None:
            raise UserError("store.missing", path=str(path))
        found, text, shift = _entries(path, content.data)
        places = [place for one in found for place in (one.start, one.end)]
        moved = [shift + place for place in offsets(text, places)]
        spans = tuple(zip(moved[::2], moved[1::2], strict=True))
        items: list[Item] = []
        taken: set[Ref] = set()
        for one, span in zip(found, spans, strict=True):
            record = _record(self.id, content.data[span[0] : span[1]], one.value, taken)
            taken.add(record.ref)
            extra = tuple(value for value in record.extra.values() if value)
            items.append(Item(record, path, span, (record.title, record.text, *extra)))
        return OldDoc(path, content, tuple(items), (), spans, tuple(one.value for one in found))

    def cuts(self, doc: OldDoc, items: Sequence[Item]) -> tuple[Span, ...]:
        """Entries, each with a comma."""
        refs = {item.record.ref for item in items}
        gone = {place for place, item in enumerate(doc.items) if item.record.ref in refs}
        return tuple(cut_of(list(doc.spans), gone))

    def info(self) -> StoreInfo:
        """Never writable."""
        found = super().info()
        return replace(found, notes=(*found.notes, "opened.old_format"))

    def values(self) -> tuple[object, ...]:
        """The entries as JSON values, in their order."""
        return self.doc(self.main).values

    def convert_place(self) -> Path:
        """Agentao's own place."""
        return place_for(self.main)

    def convert(self, out: Path) -> Converted:
        """A database of the layout since 0.2.6. In the person's home all of it is about them."""
        scope = "user" if out == self._user_database else "project"
        return convert(self.main, self.values(), out, scope)

    def cannot(self, act: str) -> UserError:
        """The reason is the format's age, whatever the act."""
        del act
        return UserError("store.old_format", path=str(self.main))


def _entries(path: Path, data: bytes) -> tuple[tuple[Element, ...], str, int]:
    """The entries, the text in which they have their places, and how many bytes lie before it."""
    shift = len(_BOM) if data.startswith(_BOM) else 0
    text = decoded(data[shift:])
    try:
        document = whole(text)
        if not isinstance(document, dict) or not isinstance(document.get("memories"), list):
            raise UserError("file.other_json", path=str(path))
        array = [one for one in members(text) if one.name == "memories"][-1]
        return elements(text, array.value_start), text, shift
    except ValueError as error:
        raise UserError("file.not_json", path=str(path)) from error


def _record(store: StoreId, raw: bytes, entry: object, taken: Collection[Ref]) -> Record:
    fields: Mapping[str, object] = entry if isinstance(entry, dict) else {"value": entry}
    key = text_of(fields.get("key"))
    ref = Ref(store, "memory", (key,))
    number = 2
    while ref in taken:
        ref = Ref(store, "memory", (key, str(number)))
        number += 1
    tags = fields.get("tags")
    when = text_of(fields.get("timestamp"))
    utc, zone = utc_of(when)
    return Record(
        ref=ref,
        etag=etag_of(raw),
        state=State.LIVE,
        title=key,
        text=text_of(fields.get("value")),
        tags=tuple(map(text_of, tags)) if isinstance(tags, list) else (),
        updated_at=when or None,
        updated_at_utc=utc,
        zone=zone,
        extra={shown(n): text_of(v) for n, v in fields.items() if n not in KNOWN},
    )
