# SPDX-License-Identifier: MIT
"""From a path that a person names to an open store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory_gui.domain.changes import Confidence, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.evidence import inspect
from memory_gui.stores.contract import Format, Location, Mode, Store
from memory_gui.stores.discovery import stores_below
from memory_gui.stores.formats.agentao.format import AgentaoFormat
from memory_gui.stores.formats.agentao.legacy import NAMES, AgentaoJsonFormat
from memory_gui.stores.formats.agentao.pairing import FILE, FOLDER, user_database


def formats(home: Path | None) -> tuple[Format, ...]:
    """Every format that the app knows. ``home`` is the person's home folder."""
    resolved = None if home is None else home.resolve()
    return (AgentaoFormat(resolved), AgentaoJsonFormat())


def usual_places(home: Path) -> tuple[tuple[str, Path], ...]:
    """Format and file of the stores that agents make without being told where. Looks at nothing."""
    return ((AgentaoFormat.name, user_database(home)),)


def found_below(folders: Sequence[Path]) -> tuple[tuple[str, Path], ...]:
    """Format and file of the stores in folders that a person named, and below them."""
    return tuple((AgentaoFormat.name, file) for file in stores_below(folders, (FOLDER, FILE)))


class Registry:
    """Finds the format of a location. Holds nothing open; any thread."""

    def __init__(self, known: Sequence[Format]) -> None:
        self._formats = tuple(known)

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats, in the order in which they are asked."""
        return self._formats

    def locate(self, text_path: str | Path) -> Location:
        """The location that a path names: a file, or a folder that an agent keeps a store in.

        Raises:
            UserError: ``store.missing``, ``store.is_folder`` when nothing known is in the folder,
                ``store.no_permission``.
        """
        path = Path(text_path)
        try:
            resolved = path.expanduser().resolve(strict=True)
            if not resolved.is_dir():
                return Location((resolved,))
            found = next((p for p in map(resolved.joinpath, _PLACES) if p.is_file()), None)
        except PermissionError as error:
            raise UserError("store.no_permission", path=str(path)) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError("store.missing", path=str(path)) from error
        if found is None:
            raise UserError("store.is_folder", path=str(resolved))
        return Location((found.resolve(),))

    def probe(self, location: Location) -> tuple[Format, Confidence] | None:
        """The format that is surest, by path and head alone; None when none knows the location."""
        ranked = self._ranked(location)
        return ranked[0] if ranked else None

    def side_files(self, location: Location) -> tuple[SideFile, ...]:
        """The agents' other files beside a store that need not be open."""
        found = [file for one in self._formats for file in one.side_files(location)]
        return tuple(dict.fromkeys(found))

    def open(self, location: Location, key: Key | None, mode: Mode) -> Store:
        """Open in the calling thread with the surest format that can read it.

        Raises:
            UserError: as ``Format.open``.
        """
        ranked = self._ranked(location)
        if not ranked:
            inspect(location.main)  # says what is wrong with the file
            raise UserError("store.other_schema", path=str(location.main))
        refused: UserError | None = None
        for chosen, _confidence in ranked:
            try:
                return chosen.open(location, key, mode)
            except UserError as error:
                if error.code != "store.other_schema":
                    raise
                refused = refused or error
        raise refused or UserError("store.other_schema", path=str(location.main))

    def _ranked(self, location: Location) -> list[tuple[Format, Confidence]]:
        judged = [(chosen, chosen.probe(location)) for chosen in self._formats]
        possible = [pair for pair in judged if pair[1] is not Confidence.NO]
        return sorted(possible, key=lambda pair: -pair[1].value)


_PLACES = (
    f"{FOLDER}/{FILE}",
    FILE,
    f"{FOLDER}/{NAMES[0]}",
    *NAMES,
)
"""Where a folder's store is, best first; the bare names are for the agent's own folder."""
