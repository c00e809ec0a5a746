# SPDX-License-Identifier: MIT
"""The JSON file in which agentao 0.2.5 and older kept memories. Read-only.

No agentao of today reads or writes it, so there is nobody whose rules a change could keep.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.domain.changes import Capability, Confidence, StoreInfo
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.stores.contract import SCAN_ROWS, Format, Location, Mode, Store
from memory_gui.stores.formats.agentao.pairing import FOLDER
from memory_gui.stores.formats.agentao.rows import utc_of
from memory_gui.stores.sight import Sight

NAMES: Final = ("memory.json", ".agentao_memory.json", ".chatagent_memory.json")
"""The file's names: 0.2.x (in ``.agentao``), and two older ones (in the project folder)."""
SIZE_LIMIT: Final = 64 * 2**20


class AgentaoJsonFormat(Format):
    """``.agentao/memory.json`` and its older names."""

    name = "agentao-json"
    agent = "Agentao"
    kinds = ("memory",)
    declared = (Kind("memory"),)
    places = (f"{FOLDER}/{NAMES[0]}", *NAMES)

    def probe(self, sight: Sight) -> Confidence:
        """By the first characters, and by the name."""
        path = sight.path
        if path.suffix != ".json" or not sight.text.lstrip().startswith(b"{"):
            return Confidence.NO
        return Confidence.LIKELY if path.name in NAMES else Confidence.MAYBE

    def open(self, location: Location, key: Key | None, mode: Mode) -> AgentaoJsonStore:
        """Read the file once; a change is refused, with the reason."""
        if mode is Mode.CHANGE:
            raise UserError("store.old_format", path=str(location.main))
        if key is not None:
            raise UserError("key.not_encrypted", path=str(location.main))
        return AgentaoJsonStore(location.main)


class AgentaoJsonStore(Store):
    """The entries as they were when the file was read; ``change_token`` says when to read again."""

    format = AgentaoJsonFormat.name
    capabilities = Capability.WATCH
    kinds = AgentaoJsonFormat.kinds
    declared = AgentaoJsonFormat.declared
    reasons = MappingProxyType(
        dict.fromkeys(("add", "edit", "trash", "delete", "erase", "encrypt"), "old_format")
    )

    def __init__(self, path: Path) -> None:
        self.id = StoreId(str(path))
        self._path = path
        self._stopped = threading.Event()
        self._token = self.change_token()
        self._records = self._read()

    def _read(self) -> dict[Ref, Record]:
        try:
            if self._path.stat().st_size > SIZE_LIMIT:
                raise UserError("store.too_big", path=str(self._path), limit=SIZE_LIMIT // 2**20)
            document = json.loads(self._path.read_bytes())
        except PermissionError as error:
            raise UserError("store.no_permission", path=str(self._path)) from error
        except FileNotFoundError as error:
            raise UserError("store.missing", path=str(self._path)) from error
        except OSError as error:
            raise UserError("store.io", path=str(self._path)) from error
        except (ValueError, RecursionError) as error:
            raise UserError("store.damaged", path=str(self._path)) from error
        entries = document.get("memories") if isinstance(document, dict) else None
        if not isinstance(entries, list):
            raise UserError("store.other_schema", path=str(self._path))
        records: dict[Ref, Record] = {}
        for entry in entries:
            record = _record(self.id, entry, records)
            records[record.ref] = record
        return records

    def info(self) -> StoreInfo:
        """As any store; never writable."""
        return StoreInfo(
            id=self.id,
            path=str(self._path),
            format=self.format,
            agent="Agentao",
            agent_version="≤0.2.5",
            role="alone",
            encrypted=False,
            cipher={},
            journal_mode="",
            writable=False,
            capabilities=self.capabilities,
            counts={"memory": {State.LIVE: len(self._records)}},
            kinds=self.kinds,
            declared=self.declared,
            reasons=self.reasons,
            notes=("opened.old_format",),
        )

    def scan(self, kinds: Collection[str] = ()) -> Iterator[tuple[Record, ...]]:
        """All entries, in the file's order."""
        if kinds and "memory" not in kinds:
            return
        self._refresh()
        records = tuple(self._records.values())
        for start in range(0, len(records), SCAN_ROWS):
            if self._stopped.is_set():
                self._stopped.clear()
                raise Cancelled
            yield records[start : start + SCAN_ROWS]

    def fetch(self, refs: Sequence[Ref]) -> tuple[Record | None, ...]:
        """The entries in the order asked."""
        self._refresh()
        return tuple(self._records.get(ref) for ref in refs)

    def resolve(self, ref: RefText) -> Ref | None:
        """By the entry's key."""
        wanted = Ref(self.id, ref.kind or "memory", ref.key)
        return wanted if wanted in self._records else None

    def change_token(self) -> int:
        """Changes with the file's time and size."""
        try:
            found = self._path.stat()
        except OSError:
            return 0
        return hash((found.st_mtime_ns, found.st_size, found.st_ino))

    def _refresh(self) -> None:
        token = self.change_token()
        if token != self._token:
            self._token, self._records = token, self._read()

    def interrupt(self) -> None:
        """Stop a running scan."""
        self._stopped.set()

    def close(self) -> None:
        """Forget the entries."""
        self._records = {}

    def cannot(self, act: str) -> UserError:
        """The reason is the format's age, whatever the act."""
        del act
        return UserError("store.old_format", path=str(self._path))


def _record(store: StoreId, entry: object, taken: Collection[Ref]) -> Record:
    fields: Mapping[str, object] = entry if isinstance(entry, dict) else {"value": entry}
    key = _text(fields.get("key"))
    ref = Ref(store, "memory", (key,))
    number = 2
    while ref in taken:
        ref = Ref(store, "memory", (key, str(number)))
        number += 1
    tags = fields.get("tags")
    when = _text(fields.get("timestamp"))
    utc, zone = utc_of(when)
    known = {"key", "value", "timestamp", "tags"}
    return Record(
        ref=ref,
        etag=sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16],
        state=State.LIVE,
        title=key,
        text=_text(fields.get("value")),
        tags=tuple(map(_text, tags)) if isinstance(tags, list) else (),
        updated_at=when or None,
        updated_at_utc=utc,
        zone=zone,
        extra={str(n): _text(v) for n, v in fields.items() if n not in known},
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()
