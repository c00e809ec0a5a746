# SPDX-License-Identifier: MIT
"""Where agents keep what they remember: ``resources/discovery/places.toml``, read and expanded."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final, Literal

from memory_gui.resources import resource
from memory_gui.stores.sight import Schema

System = Literal["linux", "macos", "windows"]

MOST_IN_A_STAR: Final = 500
"""Names of one folder that a ``*`` stands for at most."""
_FILE: Final = "discovery/places.toml"
_USUAL: Final = {"config": "~/.config", "data": "~/.local/share", "npm": "~/.npm"}
_VARIABLE: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Agent:
    """One format and where it is found.

    ``signatures`` map tables to columns, all of which a database of this format has. ``but`` are
    names that a folder of another agent's has; in one of ``texts`` there is nothing but texts.
    ``beside`` are places of files that are no store and repeat what the agent was told.
    """

    format: str
    agent: str
    places: tuple[str, ...]
    project: tuple[str, ...]
    signatures: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    but: tuple[str, ...] = ()
    texts: bool = False
    beside: tuple[str, ...] = ()

    def fits(self, schema: Schema) -> bool:
        """Whether a database with this schema is one of this format."""
        return any(
            all(schema.has(table, *columns) for table, columns in one.items())
            for one in self.signatures
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the places depend on."""

    home: Path
    system: System
    environment: Mapping[str, str]

    def folder(self, name: str) -> str:
        """The system's folder of that name; empty where it has none.

        XDG base directory specification; Apple's File System Programming Guide; KNOWNFOLDERID.
        """
        home, get = str(self.home), self.environment.get
        table: dict[System, dict[str, str]] = {
            "linux": {
                "config": get("XDG_CONFIG_HOME") or f"{home}/.config",
                "data": get("XDG_DATA_HOME") or f"{home}/.local/share",
                "cache": get("XDG_CACHE_HOME") or f"{home}/.cache",
                "npm": get("npm_config_cache") or f"{home}/.npm",
            },
            "macos": {
                "config": f"{home}/Library/Application Support",
                "data": f"{home}/Library/Application Support",
                "cache": f"{home}/Library/Caches",
                "npm": get("npm_config_cache") or f"{home}/.npm",
            },
            "windows": {
                "config": get("APPDATA") or f"{home}/AppData/Roaming",
                "data": get("LOCALAPPDATA") or f"{home}/AppData/Local",
                "cache": get("LOCALAPPDATA") or f"{home}/AppData/Local",
                "npm": get("npm_config_cache") or f"{home}/AppData/Local/npm-cache",
            },
        }
        return table[self.system].get(name, "")


def agents(system: System) -> tuple[Agent, ...]:
    """All formats, in the file's order, with the places of one system."""
    document = tomllib.loads(resource(_FILE).read_text(encoding="utf-8"))
    return tuple(_agent(entry, system) for entry in document["agent"])


def _agent(entry: Mapping[str, Any], system: System) -> Agent:
    return Agent(
        format=str(entry["format"]),
        agent=str(entry["agent"]),
        places=(*entry.get("places", ()), *entry.get(system, ())),
        project=tuple(entry.get("project", ())),
        signatures=tuple(
            {table: tuple(columns) for table, columns in one.items()}
            for one in entry.get("signatures", ())
        ),
        but=tuple(entry.get("but", ())),
        texts=bool(entry.get("texts", False)),
        beside=tuple(entry.get("beside", ())),
    )


def expand(place: str, around: Surroundings) -> str:
    """The path that a place means here, stars and all; empty where a variable of it is not set."""
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        name, default = match[1], match[2]
        found = around.folder(name) if default is None else around.environment.get(name) or default
        missing = missing or not found
        return found.replace("\0", "")

    text = _VARIABLE.sub(value, place)
    if missing:
        return ""
    if text == "~" or text.startswith("~/"):
        text = f"{around.home}{text[1:]}"
    # A variable that holds a whole path stands for itself, wherever it is.
    last = max((text.rfind("//"), text.find("/~/")))
    if last > 0 and place.find("{", 1) > 0:
        text = text[last + 1 :].replace("~", str(around.home), 1)
    return text if PurePath(text).is_absolute() else ""


def each(place: str, around: Surroundings) -> tuple[str, ...]:
    """The paths that a place means: where a variable moves it to, and where it would be without.

    A variable that is set here and now need not have been where the agent ran.
    """
    unset = Surroundings(around.home, around.system, {})
    return tuple(dict.fromkeys(filter(None, (expand(place, around), expand(place, unset)))))


def there(pattern: str) -> Iterator[Path]:
    """What is at a path in which ``*`` stands for names of a folder; nothing is opened."""
    head, star, tail = pattern.partition("*")
    if not star:
        if os.path.lexists(pattern):
            yield Path(pattern)
        return
    prefix, _, start = head.rpartition("/")
    ending, _, rest = tail.partition("/")
    try:
        with os.scandir(prefix or "/") as entries:
            names = []
            for entry in entries:
                if entry.name.startswith(start) and entry.name.endswith(ending):
                    names.append(entry.name)
                    if len(names) >= MOST_IN_A_STAR:
                        break
    except OSError:
        return
    for name in sorted(names):
        inner = f"{prefix}/{name}" + (f"/{rest}" if rest else "")
        yield from there(inner)


def relative_places(agent: Agent) -> tuple[str, ...]:
    """Where a store of the format lies below a project folder, or below anybody's home.

    Of homes only what lies in a hidden folder: other names may be anything's.
    """
    found = list(agent.project)
    for place in agent.places:
        text = _VARIABLE.sub(lambda match: match[2] or _USUAL.get(match[1], ""), place)
        if text.startswith("~/."):
            found.append(text[2:])
    return tuple(dict.fromkeys(found))
