# SPDX-License-Identifier: MIT
"""From a path that a person names to an open store.

A format is found by what is in the file, not by its name. The file's own bytes are read for that,
by our page reader; no connection is made before the format is known. Of an encrypted file the name
is all there is until its key is given: then its schema is read once, by a connection that only
looks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.engine.peek import SchemaObject
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.agentao.format import AgentaoFormat
from memory_gui.stores.formats.agentao_json.format import AgentaoJsonFormat
from memory_gui.stores.formats.facts.format import FactsFormat
from memory_gui.stores.formats.generic.format import GenericFormat
from memory_gui.stores.formats.langgraph.format import SharedFormat
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat
from memory_gui.stores.formats.letta.format import LettaFormat
from memory_gui.stores.formats.mem0.format import Mem0Format
from memory_gui.stores.formats.notes.format import NotesFormat
from memory_gui.stores.formats.persistent_memory.format import PersistentMemoryFormat
from memory_gui.stores.formats.server_memory.format import GraphFormat
from memory_gui.stores.given import GivenRules, Living
from memory_gui.stores.sight import Sight, schema_of, see

REFUSING: Final = frozenset({"facts", "langgraph", "mem0", "persistent"})
"""Areas of the codes with which formats refuse what their agents would not take."""


def formats(home: Path | None) -> tuple[Format, ...]:
    """Every format that the app knows. ``home`` is the person's home folder."""
    resolved = None if home is None else home.resolve()
    return (
        AgentaoFormat(resolved),
        AgentaoJsonFormat(resolved),
        PersistentMemoryFormat(),
        FactsFormat(),
        NotesFormat(),
        GraphFormat(),
        LanggraphStoreFormat(),
        CheckpointsFormat(),
        SharedFormat(),
        Mem0Format(resolved),
        LettaFormat(),
        GenericFormat(),
    )


def given_by(name: str) -> GivenRules | None:
    """The rules by which the agent of a format gives its model what it remembers, where known."""
    return next((one.given for one in formats(None) if one.name == name), None)


def living_by(name: str) -> Living | None:
    """How the agent of a format is started over stores that it cannot open by itself."""
    return next((one.living for one in formats(None) if one.name == name), None)


def livings() -> tuple[Living, ...]:
    """Of all formats that have one."""
    return tuple(one.living for one in formats(None) if one.living is not None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A format that a location may be of, and how sure it is."""

    format: Format
    confidence: Confidence


class Registry:
    """Finds the format of a location. Holds nothing open; any thread.

    ``recorded`` tells by a path of which format a store was when it was last open; it is asked only
    where two formats are equally sure.
    """

    def __init__(
        self, known: Sequence[Format], recorded: Callable[[str], str] = lambda _path: ""
    ) -> None:
        self._formats = tuple(known)
        self._recorded = recorded
        self._guard = threading.Lock()
        self._by_key: dict[tuple[str, int, int], str] = {}
        self._chosen: dict[str, str] = {}
        self._names: dict[Path, tuple[Path, ...]] = {}

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats, in the order in which they are asked."""
        return self._formats

    def named(self, name: str) -> Format:
        """The format of that name. Raises ``store.no_such_format``."""
        found = next((one for one in self._formats if one.name == name), None)
        if found is None:
            known = ", ".join(one.name for one in self._formats)
            raise UserError("store.no_such_format", name=name, formats=known)
        return found

    def choose(self, text_path: str | Path, name: str) -> Location:
        """A person says of which format the store at a path is; that holds as long as the app runs.

        Raises:
            UserError: as ``locate``; ``store.no_such_format``.
        """
        location = self._locate(Path(text_path), (self.named(name),))
        with self._guard:
            self._chosen[str(location.main)] = name
            self._chosen[os.path.abspath(Path(text_path).expanduser())] = name  # noqa: PTH100 - no link is followed
        return location

    def locate(self, text_path: str | Path) -> Location:
        """The location that a path names: a file, or a folder that an agent keeps a store in.

        Of several stores in one folder the one that is surest.

        Raises:
            UserError: ``store.missing``, ``store.is_folder`` when nothing known is in the folder,
                ``store.no_permission``, ``store.two_formats``.
        """
        path = Path(text_path)
        chosen = self._choice(os.path.abspath(os.path.expanduser(path))) if self._chosen else ""  # noqa: PTH100, PTH111 - no link is followed
        return self._locate(path, (self.named(chosen),) if chosen else self._formats)

    def _locate(self, path: Path, asked: Sequence[Format]) -> Location:
        try:
            resolved = path.expanduser().resolve(strict=True)
            located = [(one, where) for one in asked if (where := one.locate(resolved)) is not None]
            if not located and not resolved.is_dir():
                return self._with_names(path, Location((resolved,)))
        except PermissionError as error:
            raise UserError("store.no_permission", path=str(path)) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError("store.missing", path=str(path)) from error
        if not located:
            raise UserError("store.is_folder", path=str(resolved))
        return self._with_names(path, _surest(located, str(resolved)))

    def _with_names(self, path: Path, location: Location) -> Location:
        """With every name through links that it was given as long as the app runs."""
        given = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - no link is followed
        places = dict.fromkeys(place for one in self._formats for place in one.places)
        possible = (given, *(given / place for place in places))
        main = location.main
        found = [one for one in possible if _is_another_name(one, main)]
        with self._guard:
            known = self._names.get(main, ())
            names = tuple(dict.fromkeys((*known, *found)))
            if names:
                self._names[main] = names
        return replace(location, names=names)

    def _choice(self, path: str) -> str:
        with self._guard:
            return self._chosen.get(path, "")

    def candidates(self, sight: Sight) -> tuple[Candidate, ...]:
        """The formats that the location may be of, surest first; a fallback only without others."""
        judged = [Candidate(one, one.probe(sight)) for one in self._formats]
        possible = [one for one in judged if one.confidence is not Confidence.NO]
        own = [one for one in possible if not one.format.fallback]
        return tuple(sorted(own or possible, key=lambda one: -one.confidence.value))

    def probe(self, location: Location) -> tuple[Format, Confidence] | None:
        """The format that is surest, without a connection; None when none knows the location.

        Raises:
            UserError: ``store.two_formats``.
        """
        found = self._ranked(see(location))
        return (found[0].format, found[0].confidence) if found else None

    def side_files(self, location: Location) -> tuple[SideFile, ...]:
        """The agents' other files beside a store that need not be open."""
        found = [file for one in self._formats for file in one.side_files(location)]
        return tuple(dict.fromkeys(found))

    def open(self, location: Location, key: Key | None, mode: Mode, like: str = "") -> Store:
        """Open in the calling thread with the surest format that can read it.

        ``like`` is the format that it is open with already: the file is not looked through again,
        which takes long beside a large log.

        Raises:
            UserError: as ``Format.open``; ``store.two_formats`` (params ``path``, ``formats``)
                when two are equally sure and none was chosen.
        """
        if like:
            return self.named(like).open(location, key, mode)
        sight = see(location)
        refused: UserError | None = None
        for chosen in self._to_try(sight, key):
            try:
                return chosen.open(location, key, mode)
            except UserError as error:
                if error.code != "store.other_schema":
                    raise
                refused = refused or error
        if refused is not None:
            raise refused
        if sight.look not in ("plain", "half", "random", "folder"):
            inspect(location.main)  # says what is wrong with the file
        raise UserError("store.other_schema", path=str(location.main))

    # ---- inside

    def _to_try(self, sight: Sight, key: Key | None) -> Sequence[Format]:
        """The formats that may open it, in the order in which they are tried."""
        ranked = [one.format for one in self._ranked(sight)]
        if self._choice(str(sight.path)):
            return ranked
        if sight.is_encrypted and not self._is_by_place(sight):
            ranked = [self._with_key(sight, key)]
        fallbacks = [one for one in self._formats if one.fallback and sight.is_database]
        return tuple(dict.fromkeys([*ranked, *fallbacks]))

    def _is_by_place(self, sight: Sight) -> bool:
        """Whether an encrypted database lies where only one agent keeps one."""
        found = [one.confidence for one in self.candidates(sight)]
        return found.count(Confidence.LIKELY) == 1

    def _with_key(self, sight: Sight, key: Key | None) -> Format:
        """What an encrypted database is, by its schema; read once as long as it is the same file.

        Raises:
            UserError: as ``open_database``; ``store.two_formats``.
        """
        status = sight.path.stat()
        mark = (str(sight.path), status.st_dev, status.st_ino)
        with self._guard:
            known = self._by_key.get(mark)
        if known is not None:
            return self.named(known)
        with open_database(sight.path, key, write=False) as connection:
            rows = [SchemaObject(k, n, t, s or "") for k, n, t, s in connection.schema()]
        found = self._ranked(replace(sight, known=schema_of(rows)))
        if not found:
            raise UserError("store.other_schema", path=str(sight.path))
        with self._guard:
            self._by_key[mark] = found[0].format.name
        return found[0].format

    def _ranked(self, sight: Sight) -> tuple[Candidate, ...]:
        """As ``candidates``; the chosen format alone where a person chose one.

        Raises:
            UserError: ``store.two_formats``.
        """
        path = str(sight.path)
        if name := self._choice(path):
            return (Candidate(self.named(name), Confidence.CERTAIN),)
        found = self.candidates(sight)
        if len(found) > 1 and found[0].confidence is found[1].confidence is not Confidence.MAYBE:
            equal = [one for one in found if one.confidence is found[0].confidence]
            before = self._recorded(path)
            chosen = tuple(one for one in equal if one.format.name == before)
            if not chosen:
                raise two_formats(path, [one.format for one in equal])
            return chosen
        return found


def two_formats(path: str, formats_: Sequence[Format]) -> UserError:
    """Several formats are equally sure: a person has to say which."""
    names = ", ".join(one.name for one in formats_)
    return UserError("store.two_formats", path=path, formats=names)


def _is_another_name(path: Path, main: Path) -> bool:
    """Whether a link in its last two parts leads to the file: then other files are beside it."""
    try:
        same = path.parent.parent.resolve() / path.parent.name / path.name == main
        return not same and path.resolve(strict=True) == main
    except (OSError, RuntimeError, ValueError):
        return False


def _surest(located: Sequence[tuple[Format, Location]], path: str) -> Location:
    """One agent's stores by the order of its formats; those of several agents by how sure each is.

    Raises:
        UserError: ``store.two_formats``.
    """
    if len({where for _, where in located}) == 1:
        return located[0][1]
    firsts = {one.agent: (one, where) for one, where in reversed(located)}
    judged = [(one, where, one.probe(see(where)).value) for one, where in located]
    judged = [each for each in judged if firsts[each[0].agent][1] == each[1]]
    most = max(value for _, _, value in judged)
    best = [(one, where) for one, where, value in judged if value == most]
    if most >= Confidence.LIKELY.value and len({where for _, where in best}) > 1:
        raise two_formats(path, [one for one, _ in best])
    return best[0][1]
