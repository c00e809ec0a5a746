# SPDX-License-Identifier: MIT
"""Writing records to a file a person asked for."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.library.library import Library
from memory_gui.services.own.files import new_file
from memory_gui.services.shapes import record_data

Rows = Iterable[Mapping[str, Any]]

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet may take for a formula."""

_STEP: Final = 500


class Exporting:
    """Exports. Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def export(
        self,
        what: Query | Sequence[Ref],
        out: Path,
        file_format: str = "json",
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> int:
        """Write all that a query shows, or these records, every field; give their number.

        ``file_format`` is json, jsonl, csv or md. The file is new (never overwritten), 0600, and
        removed again when writing it fails or is stopped.

        Raises:
            UserError: ``export.exists``, ``export.format``, ``export.failed``.
        """
        write = _FORMATS.get(file_format)
        if write is None:
            raise UserError("export.format", format=file_format, formats=", ".join(FORMATS))
        ids = self._ids(what, cancel)
        written = 0

        def rows() -> Iterator[dict[str, Any]]:
            nonlocal written
            for start in range(0, len(ids), _STEP):
                if cancel is not None:
                    cancel.check()
                for record in self._library.window(ids[start : start + _STEP]):
                    if record is not None:
                        written += 1
                        yield {"store": str(record.ref.store), **record_data(record)}
                tick("export", min(start + _STEP, len(ids)), len(ids))

        try:
            with new_file(out) as stream:
                for piece in write(rows()):
                    stream.write(piece.encode("utf-8", "surrogatepass"))
        except FileExistsError as error:
            raise UserError("export.exists", path=str(out)) from error
        except OSError as error:
            raise UserError("export.failed", path=str(out), reason=error.strerror) from error
        return written

    def _ids(self, what: Query | Sequence[Ref], cancel: CancelToken | None) -> Sequence[int]:
        if isinstance(what, Query):
            return self._library.search(what, "created", cancel).ids
        found = (self._library.id_of(ref) for ref in what)
        return [number for number in found if number is not None]


def _json(rows: Rows) -> Iterator[str]:
    yield '{"records": ['
    between = "\n"
    for row in rows:
        yield between + json.dumps(row, ensure_ascii=False)
        between = ",\n"
    yield "\n]}\n"


def _jsonl(rows: Rows) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _csv(rows: Rows) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    first = True
    for row in rows:
        if first:
            writer.writerow(row)
            first = False
        writer.writerow([_cell(value) for value in row.values()])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _md(rows: Rows) -> Iterator[str]:
    for row in rows:
        yield f"## {_md_line(row['title'] or row['ref'])}\n\n"
        fence = _fence(str(row["text"]))
        yield f"{fence}\n{row['text']}\n{fence}\n\n"
        for name, value in row.items():
            if name in {"text", "extra"} or value in (None, [], ""):
                continue
            shown = ", ".join(value) if isinstance(value, list) else str(value)
            yield f"- {name}: {_md_line(shown)}\n"
        for name, value in row["extra"].items():
            if value is not None:
                yield f"- {name}: {_md_line(value)}\n"
        yield "\n"


def _fence(text: str) -> str:
    """A fence longer than any run of backticks inside, so that the text stays plain."""
    longest = run = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)


def _md_line(text: str) -> str:
    """One line of which nothing is markup."""
    line = " ".join(text.split())
    return "".join(f"\\{c}" if c in r"\`*_{}[]<>()#+-.!|~&" else c for c in line)


_FORMATS: Final[Mapping[str, Callable[[Rows], Iterator[str]]]] = {
    "json": _json,
    "jsonl": _jsonl,
    "csv": _csv,
    "md": _md,
}
FORMATS: Final = tuple(_FORMATS)
"""What can be written."""
