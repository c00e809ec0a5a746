# SPDX-License-Identifier: MIT
"""What agents remember on this computer: looked for only where, and after, a person says so.

Names, heads and schemas are read; no store is opened and no key is asked for. The walk has a thread
of its own: a disk that does not answer keeps it, and nobody else.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.own.settings import Settings
from memory_gui.services.values import KeyPlace
from memory_gui.stores.discovery.places import Surroundings, System, agents
from memory_gui.stores.discovery.search import Found, Search
from memory_gui.stores.discovery.walk import MOST_FOLDERS
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry

__all__ = ["Discovered", "Discovery", "Found"]

STEP_S: Final = 0.1
"""How often a wait looks whether somebody asked to stop."""
_MOST_ROOTS: Final = 50


@dataclass(frozen=True, slots=True)
class Discovered:
    """What was found. ``asked`` and ``looks``: whether a person was asked, and said yes.

    ``done`` is False where nothing was looked for yet; ``stopped`` where a person ended it.
    ``limits`` are codes of what ended it early (``time``, ``folders``, ``names``, ``files``,
    ``depth``); ``unreadable`` counts folders that may not be read.
    """

    asked: bool
    looks: bool
    roots: tuple[str, ...]
    found: tuple[Found, ...] = ()
    done: bool = False
    stopped: bool = False
    folders: int = 0
    unreadable: int = 0
    limits: tuple[str, ...] = ()
    beside: tuple[Found, ...] = ()
    """No stores: files and folders in which agents repeat what they were told."""


class _Gathering:
    """What a walk in its own thread has found so far."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.found: list[Found] = []
        self.over = threading.Event()
        self.stop = threading.Event()
        self.folders = 0
        self.unreadable = 0
        self.limits: tuple[str, ...] = ()
        self.beside: tuple[Found, ...] = ()
        self.bug: BaseException | None = None

    def check(self) -> None:
        if self.stop.is_set():
            raise Cancelled

    def add(self, one: Found) -> None:
        with self.guard:
            self.found.append(one)

    def so_far(self) -> tuple[Found, ...]:
        with self.guard:
            return tuple(self.found)


class Discovery:
    """Looks; each call blocks until it is done, or stopped. Any thread may call."""

    def __init__(
        self,
        registry: Registry,
        finder: KeyFinder,
        settings: Settings,
        *,
        home: Path,
        environment: Mapping[str, str],
    ) -> None:
        self._registry = registry
        self._finder = finder
        self._settings = settings
        self._around = Surroundings(home, _system(), environment)
        self._guard = threading.Lock()
        self._last: Discovered | None = None

    # ---- what a person said

    def at_hand(self) -> Discovered:
        """What is known without looking anywhere: the answer, the folders, what was found last."""
        values = self._settings.values
        looks, roots = values.look_in_usual_places, values.look_in
        asked = values.look_asked or looks or bool(roots)
        with self._guard:
            last = self._last
        if last is None or (last.looks, last.roots) != (looks, roots):
            return Discovered(asked, looks, roots)
        return last

    def answer(self, *, looks: bool) -> Discovered:
        """A person says whether the usual places may be looked at. Raises ``settings.*``."""
        self._settings.change(look_in_usual_places=looks, look_asked=True)
        return self.at_hand()

    def add_root(self, folder: str) -> Discovered:
        """Look below this folder as well from now on.

        Raises:
            UserError: ``discover.no_folder``, ``discover.too_many``, ``settings.*``.
        """
        root = self._root(folder)
        roots = self._settings.values.look_in
        if root not in roots:
            if len(roots) >= _MOST_ROOTS:
                raise UserError("discover.too_many", most=_MOST_ROOTS)
            self._settings.change(look_in=(*roots, root))
        return self.at_hand()

    def remove_root(self, folder: str) -> Discovered:
        """Look there no more. Raises ``settings.*``."""
        roots = tuple(root for root in self._settings.values.look_in if root != folder)
        self._settings.change(look_in=roots)
        return self.at_hand()

    def clear(self) -> None:
        """Forget what was found: the window is locked."""
        with self._guard:
            self._last = None

    # ---- looking

    def look(self, tick: Tick = no_tick, cancel: CancelToken | None = None) -> Discovered:
        """Look where a person said so, and keep what was found. Where nobody said so: nothing.

        ``tick`` counts folders. Stopped, it gives what was found until then.
        """
        now = self.at_hand()
        if not now.looks and not now.roots:
            return now
        seen = self.search(now.roots, usual=now.looks, tick=tick, cancel=cancel)
        if cancel is None or not cancel.unheard:
            with self._guard:
                self._last = seen
        return seen

    def search(
        self,
        roots: Sequence[str],
        *,
        usual: bool,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Discovered:
        """Look at the usual places, and below folders; writes nothing down."""
        at = _Gathering()
        folders = [Path(root) for root in roots]
        threading.Thread(
            target=self._walk, args=(at, folders, usual), name="discovery", daemon=True
        ).start()
        stopped = False
        while not at.over.wait(STEP_S):
            tick("discover", at.folders, MOST_FOLDERS)
            if cancel is not None and cancel.cancelled:
                stopped = True
                at.stop.set()
                break
        if at.bug is not None:
            raise at.bug
        return Discovered(
            asked=True,
            looks=usual,
            roots=tuple(roots),
            found=_sorted(at.so_far()),
            done=True,
            stopped=stopped,
            folders=at.folders,
            unreadable=at.unreadable,
            limits=at.limits,
            beside=at.beside,
        )

    def named(self, path: str) -> str:
        """Whose a database is that no format of ours knows, by its tables; else nothing."""
        return self._naming.named(Path(path))

    @cached_property
    def _naming(self) -> Search:
        """Walks nowhere and notes nothing; the list of agents is read once."""
        known = agents(self._around.system)
        return Search(self._registry.formats, known, self._around)

    def _walk(self, at: _Gathering, folders: Sequence[Path], usual: bool) -> None:
        def tell(number: int) -> None:
            at.folders = number

        known = agents(self._around.system)
        search = Search(self._registry.formats, known, self._around, at.check)
        try:
            for one in search.usual() if usual else ():
                at.add(one)
            for one in search.below(folders, tell):
                at.add(one)
            at.beside = tuple(search.beside(folders, usual=usual))
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            at.bug = error
        finally:
            at.limits = tuple(dict.fromkeys(search.walked.limits))
            at.unreadable = search.walked.unreadable
            at.over.set()

    def folder(self, text: str) -> str:
        """A folder that a person named, as it is. Raises ``discover.no_folder``."""
        return self._root(text)

    def count(self, found: Found) -> Mapping[str, Mapping[str, int]] | None:
        """Kind -> state -> number, by a short opening that only looks. None where it cannot be.

        An encrypted store is counted where the keychain gives its key.
        """
        if not found.opens:
            return None
        try:
            location = self._registry.locate(found.path)
            key, _, _ = self._finder.key_for(location, None, KeyPlace.NONE)
            store = self._registry.open(location, key, Mode.LOOK)
        except UserError:
            return None
        try:
            return _counts(store.info())
        except UserError:
            return None
        finally:
            store.close()

    @staticmethod
    def _root(folder: str) -> str:
        try:
            resolved = Path(folder).expanduser().resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError("discover.no_folder", path=folder) from error
        if not resolved.is_dir():
            raise UserError("discover.no_folder", path=folder)
        return str(resolved)


def _counts(info: StoreInfo) -> Mapping[str, Mapping[str, int]]:
    return {
        kind: {state.value: number for state, number in states.items()}
        for kind, states in info.counts.items()
    }


def _sorted(found: Sequence[Found]) -> tuple[Found, ...]:
    """By agent, then those that open, then by path."""
    return tuple(
        sorted(found, key=lambda one: (one.agent.casefold(), not one.opens, str(one.path)))
    )


def _system() -> System:
    match sys.platform:
        case "win32":
            return "windows"
        case "darwin":
            return "macos"
    return "linux"
