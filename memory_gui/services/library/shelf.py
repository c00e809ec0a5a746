# SPDX-License-Identifier: MIT
"""One open store: its key, its two lanes and what it holds in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from memory_gui.domain.changes import ChangeSet, StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.library.following import Following
from memory_gui.services.library.lanes import Lane
from memory_gui.services.library.reading import Reading, fetched, looked_up
from memory_gui.services.library.state import FileIdentity, ShelfState
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode

if TYPE_CHECKING:
    from memory_gui.index.content import Content

T = TypeVar("T")


class Opener(Protocol):
    """Opens in the calling thread; ``like`` is the format that it is open with already."""

    def __call__(self, location: Location, key: Key | None, mode: Mode, like: str = "") -> Store:
        """Open it."""
        ...


_CHANGED = "changed"
"""An etag of no record: those are 16 hexadecimal digits, or a format's own of files."""

_WITHHELD = ("store.locked", "store.away", "store.let_go")
"""Codes of a store that another program has for a while."""

_READ_ONLY = frozenset({"opened.read_only", "opened.from_copy"})
"""What the notes say about a file that may not be written."""


class Shelf:
    """One open store. Every method may be called from any thread."""

    def __init__(
        self,
        number: int,
        location: Location,
        *,
        key: Key | None,
        key_place: KeyPlace,
        salt: bytes = b"",
        opener: Opener,
    ) -> None:
        self.number = number
        self.location = location
        self.key = key
        self.key_place = key_place
        self.salt = salt
        self.identity = FileIdentity.of(location)
        self._opener = opener
        self._state = ShelfState()
        self._writing = threading.Lock()
        self._screen = Lane(f"screen-{number}", self._open_look)
        self._work = Lane(f"work-{number}", self._open_look)
        self.reading = Reading(f"reading-{number}", lambda: self.info, self._work.run)
        self._following = Following(self._state, self._screen, self.reading, self.refresh_info)
        try:
            self.info = self._screen.run(self._first_look)
        except BaseException:
            self.close()
            raise
        self.id = self.info.id
        self.name = _label(self.info)

    def _open_look(self) -> Store:
        return self._opener(self.location, self.key, Mode.LOOK)

    def _open_change(self) -> Store:
        return self._opener(self.location, self.key, Mode.CHANGE)

    def _first_look(self, store: Store) -> StoreInfo:
        self._following.begin(store)
        return store.info()

    # ---- what it is

    def opened(self) -> OpenedStore:
        """The store as services hand it out."""
        if self._state.stale and not self._screen.away and not self.reading.loaded:
            self.refresh_info()
        info = self.info
        counts = self.reading.counts()
        if counts is not None:
            info = replace(info, counts=counts)
        return OpenedStore(
            self.id, info, self.name, self._state.partner, self.key_place, self._state.problem
        )

    def last_counts(self) -> Mapping[str, Mapping[State, int]]:
        """Kind -> state -> number as it was last seen; asks the file nothing."""
        return self.content.counts() if self.content.loaded else self.info.counts

    def pair_with(self, partner: StoreId | None, problem: UserError | None) -> None:
        """Say which store is the other one, or why there is none."""
        self._state.partner, self._state.problem = partner, problem

    @property
    def away(self) -> bool:
        """Whether it was let go of: no connection of ours is on it."""
        return self._screen.away

    @property
    def foreign_accepted(self) -> bool:
        """Whether a person saw what is foreign in the file and agreed to writing."""
        return self._state.foreign_accepted

    @property
    def closed(self) -> bool:
        """Whether it was closed, by a person or the lock."""
        return self._screen.closed

    @property
    def partner(self) -> StoreId | None:
        """The other database of the pair, when it is open."""
        return self._state.partner

    @property
    def problem(self) -> UserError | None:
        """Why the other database is not open."""
        return self._state.problem

    # ---- work

    def screen(self, work: Callable[[Store], T], cancel: CancelToken | None = None) -> T:
        """Short work: fetch, change."""
        return self._screen.run(work, cancel)

    def work(self, work: Callable[[Store], T], cancel: CancelToken | None = None) -> T:
        """Long work: scan, export, check."""
        return self._work.run(work, cancel)

    def refresh_info(self) -> None:
        """Read counts and journal mode again; of a large store not in the list's own lane."""
        self._state.stale = False
        run = self.work if self.reading.loaded else self.screen
        info = run(lambda store: store.info())
        self.info = replace(info, writable=self._state.mode is Mode.CHANGE)

    def allow_writing(self, *, despite_foreign: bool = False) -> None:
        """Reopen the screen lane's Store for writing, once.

        Raises:
            UserError: ``store.foreign_objects``, ``store.read_only``.
        """
        with self._writing:
            state = self._state
            self._refuse_foreign(accepted=despite_foreign)
            state.foreign_accepted = bool(self.info.foreign_sql)
            if state.mode is Mode.CHANGE:
                return
            moved, state.token = self._screen.exchange(
                self._open_change, lambda before, after: _tokens(before, after, state.token)
            )
            state.mode = Mode.CHANGE
            self.info = replace(self.info, writable=True)
            pace = self.reading.pace
            pace.wanted = pace.wanted or (moved and self.reading.loaded)

    def may_write(self, *, despite_foreign: bool = False) -> None:
        """Raise what ``allow_writing`` would, as far as that can be told; open nothing."""
        self._refuse_foreign(accepted=despite_foreign)
        if _READ_ONLY.intersection(self.info.notes):
            raise UserError("store.read_only", path=self.info.path)

    def _refuse_foreign(self, *, accepted: bool) -> None:
        sql = self.info.foreign_sql
        if sql and not (self._state.foreign_accepted or accepted):
            raise UserError(
                "store.foreign_objects", path=self.info.path, count=len(sql), sql="\n".join(sql)
            )

    def change(self, work: Callable[[Store], T], cancel: CancelToken | None = None) -> T:
        """Work that writes; opens for writing at the first one."""
        self.allow_writing()
        return self.screen(work, cancel)

    def with_other(
        self, other: Shelf, work: Callable[[Store, Store], T], *, write: bool = True
    ) -> T:
        """Work on two databases of a pair at once, in this one's screen lane.

        The other one is opened there for this piece of work, because a Store stays in the thread
        that opened it.
        """
        if write:
            self.allow_writing()
            other.allow_writing()
        if other is self:
            return self.screen(lambda store: work(store, store))
        other.screen(lambda _store: None)  # raises when it was let go of
        mode = Mode.CHANGE if write else Mode.LOOK

        def both(store: Store) -> tuple[T, tuple[Record, ...]]:
            second = self._opener(other.location, other.key, mode, other.info.format)
            try:
                return work(store, second), second.beside()
            finally:
                second.close()

        result, beside = self.screen(both)
        if write:
            other.was_changed_by_us(beside)
        return result

    def was_changed_by_us(self, beside: Sequence[Record] = ()) -> None:
        """Another connection of ours has written: that is no foreign change."""
        self._following.was_us(beside)

    # ---- what is in it

    @property
    def content(self) -> Content:
        """What was read into memory so far."""
        return self.reading.content

    def load(self, cancel: CancelToken | None = None, tick: Tick = no_tick) -> None:
        """Read everything into memory, once."""
        self.reading.wait(None, cancel, tick)

    def window(self, ordinals: Sequence[int], most: int | None = None) -> list[Record | None]:
        """The records of some ordinals; None for one that is gone.

        With ``most`` the beginnings of long ones. While the store cannot be asked: what is known
        of them in memory (``Record.pale``); where another program has it, a ``poll`` tells when
        it can be asked again.
        """
        content = self.content
        found = {ordinal: content.kept(ordinal) for ordinal in ordinals}
        refs = {o: ref for o, known in found.items() if known is None and (ref := content.ref(o))}
        try:
            fresh = self.screen(lambda store: looked_up(store, refs.values(), most)) if refs else {}
        except UserError as error:
            found.update((ordinal, content.pale(ordinal)) for ordinal in refs)
            fresh = {}
            if error.code.startswith(_WITHHELD):
                self._state.trouble = True  # the next poll that succeeds tells that it is back
        for ordinal, ref in refs.items():
            looked = fresh.get(ref)
            if looked is not None:
                found[ordinal] = looked[0]
                content.keep(ordinal, *looked)
        return [found[ordinal] for ordinal in ordinals]

    def etags(self, refs: Sequence[Ref]) -> list[str | None]:
        """The etags of records as they were last read into memory; None of one that was not.

        Of one that was changed since by another program and read in no etag yet: one that no
        record has. What is not known in memory is looked up together.
        """
        content = self.content
        known = [content.etag(ref) for ref in refs]
        open_ones = [
            (place, ref, ordinal)
            for place, ref in enumerate(refs)
            if known[place] is None and (ordinal := content.ordinal(ref)) is not None
        ]
        wanted = [ref for _, ref, _ in open_ones]
        found = self.screen(lambda store: store.fetch_printed(wanted)) if wanted else ()
        for (place, _, ordinal), one in zip(open_ones, found, strict=True):
            if one is not None:
                known[place] = one[0].etag if content.met_again(ordinal, *one) else _CHANGED
        return known

    def fetch(self, refs: Iterable[Ref]) -> tuple[Record | None, ...]:
        """Records as they are now."""
        wanted = tuple(refs)
        return self.screen(lambda store: store.fetch(wanted)) if wanted else ()

    def absorb(self, changes: ChangeSet) -> None:
        """Bring memory up to date after a change of our own."""
        self._state.stale = True
        if not self.reading.begun:
            return
        touched = [ref for ref in changes.refs if ref.store == self.id]

        def look(store: Store) -> tuple[dict[Ref, Record | None], tuple[Record, ...]]:
            return fetched(store, touched), store.beside()

        if touched:
            self.reading.absorb(*self.screen(look))

    def poll(self) -> bool:
        """Whether another program changed the store; memory is up to date then.

        A large store is compared at most every 20 times as long as that takes, and at least
        every 30 s: then it is told twice, when it is noticed and when memory is up to date. A
        store that is let go of is left alone.
        """
        if self._screen.away:
            return False
        try:
            changed = self._poll()
        except UserError:
            # Gone, or locked by somebody: told once, until it can be looked at again.
            new, self._state.trouble = not self._state.trouble, True
            return new
        state = self._state
        again, state.trouble = state.trouble or state.news, False
        state.news = False
        return changed or again

    def _poll(self) -> bool:
        identity = FileIdentity.of(self.location)
        if identity is not None and identity != self.identity and not self._state.follows:
            self._restart(identity)
        return self._following.look()

    def _restart(self, identity: FileIdentity) -> None:
        """Another file lies at the path now: open that one."""
        self.identity = identity
        self.let_go()
        self._come_back()

    # ---- letting go

    def let_go(self, why: UserError | None = None, *, patience: float = 0.0) -> None:
        """Close both connections and refuse work until ``reread``; as ``Lane.let_go``."""
        self.reading.stop()
        self._screen.let_go(why, patience=patience)
        self._work.let_go(why, patience=patience)
        self._state.token = None

    def _come_back(self) -> None:
        self._screen.come_back()
        self._work.come_back()
        self.reading.resume()

    def reread(self) -> None:
        """After ``let_go``: open again; identity, info and content as they are now."""
        self.identity = FileIdentity.of(self.location)
        self._come_back()
        self.info = self._screen.run(self._first_look)
        if self.reading.loaded:
            self.reading.compare()
        else:
            self.reading.clear()
            self.reading.resume()

    def changed_meanwhile(self) -> None:
        """Have the next ``poll`` tell that this store is to be looked at again."""
        self._state.news = True

    def rekey(self, key: Key | None, key_place: KeyPlace, salt: bytes) -> None:
        """From now on open with another key (or none)."""
        self.key, self.key_place, self.salt = key, key_place, salt

    def stop(self) -> None:
        """Interrupt what runs; nothing new is taken."""
        self.reading.stop()
        self._screen.stop()
        self._work.stop()

    def close(self) -> None:
        """Close the connections, drop the key and everything read."""
        self.stop()
        self._screen.close()
        self._work.close()
        self.reading.clear()
        self.key = None


def _tokens(before: Store, after: Store, known: int | None) -> tuple[bool, int]:
    """Whether others wrote since ``known``, a token of the first one; and the second one's token.

    In this order nothing is missed: what is written after the second one's is seen there.
    """
    token = after.change_token()
    return before.change_token() != known, token


def _label(info: StoreInfo) -> str:
    """A short name: the project folder's, ``you`` for the person's own, else the file's."""
    if info.role == "user":
        return "you"
    path = Path(info.path)
    folder = path.parent
    return folder.parent.name if folder.name.startswith(".") else path.stem
