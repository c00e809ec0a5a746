# SPDX-License-Identifier: MIT
"""Writing records to a file a person asked for."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.queries import Query
from memory_gui.domain.work import CancelToken, Tick, no_tick


class Exporting:
    """Exports. Any thread may call."""

    def export(
        self,
        query: Query,
        out: Path,
        file_format: str = "json",
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> int:
        """Write all that the query shows, every field; give the number of records.

        ``file_format`` is json, jsonl, csv or md. The file is new (never overwritten), 0600.

        Raises:
            UserError: ``export.exists``, ``export.format``, ``export.failed``.
        """
        raise NotImplementedError
