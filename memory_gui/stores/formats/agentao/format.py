# SPDX-License-Identifier: MIT
"""Agentao's databases: which files they may be, and opening one."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.changes import Confidence
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.stores.format import Access, Format, Location, Mode
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.formats.agentao.given import LIVING, AgentaoRules
from memory_gui.stores.formats.agentao.memories import Clock, local_now
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER
from memory_gui.stores.formats.agentao.sidefiles import side_files_of
from memory_gui.stores.formats.agentao.store import AgentaoStore
from memory_gui.stores.sight import Sight


class AgentaoFormat(Format):
    """``memory.db`` of agentao 0.2.6 and newer. ``home`` tells the user's database by its path."""

    name = "agentao"
    agent = "Agentao"
    kinds = tuple(schema.TABLES)
    declared = schema.DECLARED
    places = (f"{FOLDER}/{FILE}", FILE)
    encrypted_for = Access.CONNECTOR
    loses = ("agentao", "agentao -p", "agentao run", "agentao --acp")
    given = AgentaoRules()
    living = LIVING

    def __init__(self, home: Path | None = None, clock: Clock = local_now) -> None:
        self._home = home
        self._clock = clock

    def probe(self, sight: Sight) -> Confidence:
        """By the table of memories; where the schema is not known, by the name."""
        if not sight.is_database:
            return Confidence.NO
        if sight.schema is not None:
            fits = sight.schema.has("memories", *schema.MEMORY_COLUMNS)
            return Confidence.CERTAIN if fits else Confidence.NO
        path = sight.path
        is_usual = path.name == FILE and path.parent.name == FOLDER
        return Confidence.LIKELY if is_usual else Confidence.MAYBE

    def side_files(self, location: Location) -> tuple[SideFile, ...]:
        """What Agentao writes beside a project's database or the person's."""
        return side_files_of((location.main, *location.names), self._home)

    def open(self, location: Location, key: Key | None, mode: Mode) -> AgentaoStore:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` when there are no memories of
                Agentao's in it, ``store.newer_schema`` when it may not be changed.
        """
        seen = inspect(location.main)
        connection = open_database(location.main, key, write=mode is Mode.CHANGE)
        try:
            store = AgentaoStore(
                connection,
                home=self._home,
                names=location.names,
                clock=self._clock,
                read_only=not (seen.writable and seen.folder_writable),
            )
            if mode is Mode.CHANGE and store.version > schema.NEWEST:
                raise UserError(
                    "store.newer_schema",
                    path=str(location.main),
                    found=store.version,
                    known=schema.NEWEST,
                )
        except BaseException:
            connection.close()
            raise
        return store
