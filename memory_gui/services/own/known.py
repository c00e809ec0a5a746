# SPDX-License-Identifier: MIT
"""The ledger, opened when it is first needed, and the stores it knows.

Opening the ledger asks the keychain, so nothing that only reads a store waits for it: a store
that is opened before the ledger is written down when the ledger comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.kinds import Kind, Shelf, on_shelf
from memory_gui.domain.records import State
from memory_gui.erasure.run import is_done
from memory_gui.ledger import AnyLedger, LastSeen, LedgerState, PendingErase
from memory_gui.ledger import KnownStore as Entry
from memory_gui.services.values import KnownStore

FOLDER_PREFIX: Final = "memory-gui-sample-"
"""Of the temporary folder that a sample is made in."""
_KEYLESS: Final = frozenset({"key", "no-key-kept"})
"""States of a ledger whose key the keychain did not give."""


def is_sample(path: str) -> bool:
    """Whether a store lies in a folder that was made for a sample."""
    return any(part.startswith(FOLDER_PREFIX) for part in Path(path).parts)


class LedgerKeeper:
    """Opens the ledger once. Any thread; ``ledger`` may wait for the keychain."""

    def __init__(self, opener: Callable[[], AnyLedger], *, kept: Callable[[], bool]) -> None:
        """``kept`` says, without opening anything, whether anything was ever written down."""
        self._opener = opener
        self._kept = kept
        self._guard = threading.Lock()
        self._ledger: AnyLedger | None = None
        self._opened: list[Callable[[], None]] = []
        self._holders = 0
        self._closing = False

    def when_opened(self, call: Callable[[], None]) -> None:
        """Have something done each time the ledger was opened, in the thread that needed it."""
        self._opened.append(call)

    def ledger(self) -> AnyLedger:
        """The ledger, or the one that keeps only unfinished erasures."""
        with self._guard:
            if self._ledger is not None:
                return self._ledger
            ledger = self._ledger = self._opener()
        for call in self._opened:
            call()
        return ledger

    def pending(self, path: str | None = None) -> tuple[PendingErase, ...]:
        """The unfinished erasures; nothing is opened where nothing was ever written down."""
        if self._ledger is None and not self._kept():
            return ()
        return tuple(entry for entry in self.ledger().pending.list(path) if not is_done(entry))

    def finished(self, path: str) -> tuple[PendingErase, ...]:
        """The last erase of a store that was proved: a command given twice finds its ids there."""
        if self._ledger is None and not self._kept():
            return ()
        return tuple(entry for entry in self.ledger().pending.list(path) if is_done(entry))

    @property
    def is_open(self) -> bool:
        """Whether it was needed already."""
        return self._ledger is not None

    @property
    def state(self) -> LedgerState | None:
        """What became of opening it; None where it was not needed yet. Asks nobody."""
        return None if self._ledger is None else self._ledger.state

    @property
    def is_kept(self) -> bool:
        """Whether there is anything to open; asks nobody."""
        return self._ledger is not None or self._kept()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, ``close`` waits for the end: what must end writes down here how far it is."""
        with self._guard:
            self._holders += 1
        try:
            yield
        finally:
            with self._guard:
                self._holders -= 1
                closing = self._closing
            if closing:
                self.close()

    def ask_again(self) -> None:
        """The keychain gives keys: let go of a ledger that had none, so that it is opened anew."""
        state = self.state
        if state is not None and state.code in _KEYLESS:
            self.close()

    def close(self) -> None:
        """Drop its key, at the end of what is ``held``; it is opened again when it is needed."""
        with self._guard:
            self._closing = self._holders > 0
            if self._closing:
                return
            ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()


class KnownStores:
    """The stores opened before, unless a person wants no list of them. Any thread.

    ``wanted`` says whether they do; where they do not, what was kept is taken out. ``key_place``
    tells by a store's salt which keychain had its key in this run (``Present.place``).
    """

    def __init__(
        self,
        keeper: LedgerKeeper,
        *,
        wanted: Callable[[], bool],
        key_place: Callable[[bytes], str] = lambda _salt: "",
    ) -> None:
        self._keeper = keeper
        self._wanted = wanted
        self._key_place = key_place
        self._guard = threading.Lock()
        self._also: list[Callable[[], object]] = []
        self._waiting: dict[str, Entry] = {}
        self._seen: dict[str, LastSeen] = {}
        self._declared: dict[str, tuple[Kind, ...]] = {}
        self._emptied = False
        keeper.when_opened(self.flush)

    def opened(self, info: StoreInfo, name: str, salt: bytes) -> None:
        """Remember a store that was just opened: at once, or when the ledger is opened."""
        if not self._wanted():
            return
        now, seen = _now(), last_seen(info.counts, info.declared)
        with self._guard:
            self._declared[info.path] = info.declared
            self._emptied = False
            place = self._key_place(salt) if salt else ""
            self._waiting[info.path] = Entry(info.path, name, info.format, salt, now, place, seen)
        if not self._keeper.is_open:
            return
        if place:
            self._keeper.ask_again()
        with suppress(Cancelled):  # of asking: the store is open all the same
            self.flush()

    def closed(self, counts: Mapping[str, Mapping[str, Mapping[State, int]]]) -> None:
        """Remember what stores had that were just closed: path -> kind -> state -> number."""
        if not self._wanted():
            return
        with self._guard:
            for path, mine in counts.items():
                self._seen[path] = last_seen(mine, self._declared.get(path, ()))
        if counts and self._keeper.is_open:
            self.flush()

    def flush(self) -> None:
        """Write down what was opened before the ledger was. A ledger that fails is no obstacle."""
        ledger = self._keeper.ledger()
        with self._guard:
            waiting = [one for one in self._waiting.values() if not _is_lost(one)]
            self._waiting = {}
            seen, self._seen = list(self._seen.items()), {}
        try:
            names = {entry.path: entry.name for entry in ledger.known()} if waiting else {}
            for entry in waiting:
                ledger.remember(replace(entry, name=names.get(entry.path, entry.name)))
            for path, found in seen:
                ledger.count(path, found)
        except UserError:
            return

    def write_down(self) -> None:
        """Write down what was opened in this run; may make the ledger and wait for the keychain.

        Where nothing is kept yet and nothing but a sample was opened, nobody is asked.
        """
        with self._guard:
            needed = any(not is_sample(path) for path in self._waiting)
        if self._keeper.is_kept or needed:
            self.flush()

    def seen(self) -> tuple[Entry, ...]:
        """As ``entries``, for a look that nobody asked for: by itself it never makes the ledger.

        Raises:
            UserError: as ``entries``.
        """
        self.write_down()
        there = self._keeper.is_kept or not self._wanted()
        return self.entries() if there else self.at_hand()

    def entries(self) -> tuple[Entry, ...]:
        """The stores opened before as the ledger has them, newest first.

        Raises:
            UserError: ``store.*``: the ledger cannot be read.
        """
        if not self._wanted():
            self.forget_all()
            return ()
        self.flush()
        ledger = self._keeper.ledger()
        known = ledger.known()
        for one in filter(_is_lost, known):
            ledger.forget(one.path)
        return tuple(one for one in known if not _is_lost(one))

    def key_place(self, salt: bytes) -> str:
        """Which keychain had a store's key when it was last opened, as far as that is at hand."""
        places = (entry.key_backend for entry in self.at_hand() if salt and entry.salt == salt)
        return next(filter(None, places), "")

    def format_of(self, path: str) -> str:
        """Of which format a store was when it was last open, as far as that is at hand."""
        found = (entry.format for entry in self.at_hand() if entry.path == path)
        return next(found, "")

    def at_hand(self) -> tuple[Entry, ...]:
        """What is known of them without asking for the ledger."""
        if self._keeper.is_open:
            return self.entries()
        with self._guard:
            waiting = reversed(self._waiting.values()) if self._wanted() else ()
            return tuple(one for one in waiting if not _is_lost(one))

    def list(self) -> tuple[KnownStore, ...]:
        """The stores opened before, newest first."""
        return tuple(
            KnownStore(entry.path, entry.name, entry.format, entry.last_opened)
            for entry in self.entries()
        )

    def forget_all(self) -> None:
        """Take all off the list, once; nothing is opened where nothing was ever written down."""
        with self._guard:
            self._waiting, self._seen = {}, {}
            done, self._emptied = self._emptied, True
        if not done and self._keeper.is_kept:
            self._keeper.ledger().forget_all()
        for call in () if done else self._also:
            call()

    def also_forget(self, call: Callable[[], object]) -> None:
        """Have something else forgotten with the list: it names the same stores."""
        self._also.append(call)

    def name(self, path: str, name: str) -> None:
        """Give one a name. Raises UserError ``known.not_found``, ``known.name_taken``."""
        ledger = self._keeper.ledger()
        known = {entry.path: entry for entry in ledger.known()}
        found = known.get(path)
        if found is None:
            raise UserError("known.not_found", path=path)
        if any(entry.name == name and entry.path != path for entry in known.values()):
            raise UserError("known.name_taken", name=name)
        ledger.remember(replace(found, name=name))

    def forget(self, path: str) -> None:
        """Take one off the list. Raises UserError ``known.not_found``."""
        with self._guard:
            waited = self._waiting.pop(path, None) is not None
        found = self._keeper.is_kept and self._keeper.ledger().forget(path)
        if not found and not waited:
            raise UserError("known.not_found", path=path)

    def path_of(self, name: str) -> str:
        """The path of the store with a name.

        Raises:
            UserError: ``known.not_found``, ``known.ambiguous`` when several have it.
        """
        paths = [entry.path for entry in self._keeper.ledger().known() if entry.name == name]
        if not paths:
            raise UserError("known.not_found", path=f"name:{name}")
        if len(paths) > 1:
            raise UserError("known.ambiguous", name=name, paths=", ".join(paths))
        return paths[0]


def last_seen(counts: Mapping[str, Mapping[State, int]], declared: Sequence[Kind] = ()) -> LastSeen:
    """What a store has now, from kind -> state -> number, and what its kinds are."""
    kept = on_shelf(declared, Shelf.MEMORY, Shelf.ROW) or {"memory"}
    waiting = on_shelf(declared, Shelf.REVIEW) or {"review"}
    return LastSeen(
        memories=sum(counts.get(kind, {}).get(State.LIVE, 0) for kind in kept),
        to_review=sum(counts.get(kind, {}).get(State.PENDING, 0) for kind in waiting),
        in_trash=sum(states.get(State.TRASH, 0) for states in counts.values()),
        at=_now(),
    )


def _is_lost(one: Entry) -> bool:
    """A sample whose folder went with a run of the app: it was nobody's store."""
    return is_sample(one.path) and not Path(one.path).exists()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
