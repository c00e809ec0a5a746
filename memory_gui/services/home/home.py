# SPDX-License-Identifier: MIT
"""What agents remember on this computer, as far as a person has let the app see it.

Nothing is opened here and no key is asked for: an open store tells what it has, of another one
there is its file's head and what was in it when it was last open.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.engine.holders import family, open_by_each
from memory_gui.ledger import SETTLED, KnownStore
from memory_gui.ledger.begun import BegunActs
from memory_gui.services.editing.stopped import begun_and_left
from memory_gui.services.home.glances import Glance, Glances
from memory_gui.services.home.samples import is_sample
from memory_gui.services.home.view import Card, Cause, HomeView, Problem
from memory_gui.services.keys.recovery import MADE, NONE, RecoveryState
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import KnownStores, LedgerKeeper, last_seen
from memory_gui.services.own.settings import SettingValues
from memory_gui.services.values import KeyPlace, OpenedStore

_NO_PROBLEM: Final = frozenset({"pair.absent", "pair.closed"})
"""Why the other database of a pair is not open, where nothing is wrong."""
_BY_LOOKING: Final = frozenset(
    {
        "store.missing",
        "store.is_folder",
        "store.not_a_file",
        "store.empty_file",
        "store.no_permission",
        "store.not_a_database",
        "store.odd_log",
        "store.cut_off",
        "store.io",
    }
)
"""What a look at the file tells anew each time, so that nothing need be remembered of it."""


@dataclass(slots=True)
class _Sources:
    """What the view is made of."""

    opened: tuple[OpenedStore, ...]
    known: tuple[KnownStore, ...] = ()
    glances: Mapping[str, Glance] = field(default_factory=dict)
    holders: Mapping[str, tuple[OpenBy, ...]] = field(default_factory=dict)


class Home:
    """Looks; each call blocks until it is done. Any thread may call."""

    def __init__(
        self,
        library: Library,
        known: KnownStores,
        keeper: LedgerKeeper,
        *,
        agents: Mapping[str, str],
        recovery: Callable[[StoreId], RecoveryState] | None = None,
        settings: Callable[[], SettingValues],
        glances: Glances | None = None,
        keys: Callable[[], Iterable[Problem]] = tuple,
        begun: BegunActs | None = None,
    ) -> None:
        """``agents`` maps a format's name to that of its agent.

        ``keys`` tells what waits about keys and encryption, ``begun`` has the acts over several
        records that were stopped.
        """
        self._begun = begun
        self._keys = keys
        self._library = library
        self._known = known
        self._keeper = keeper
        self._agents = agents
        self._recovery = recovery
        self._settings = settings
        self._glances = glances or Glances()
        self._guard = threading.Lock()
        self._failed: dict[str, UserError] = {}

    def at_hand(self) -> HomeView:
        """What can be said without the keychain: open stores and those of this run."""
        return self._view(self._known.at_hand(), whole=False)

    def look(self) -> HomeView:
        """Everything; may wait for the keychain, which has the key to the list of stores.

        Where no list was ever kept none is made: a first look asks nobody for anything.
        """
        ledger: list[Problem] = []
        try:
            known = self._known.seen()
        except UserError as error:
            known = ()
            ledger.append(Problem(Cause.LEDGER, code="unreadable", error=error))
        view = self._view(known, whole=True)
        keys = tuple(_keys_of(view, self._keys()))
        # Its new recovery key is what an old key waits for: that is said once.
        waits = {one.path for one in keys if one.cause is Cause.OLD_KEY}
        paper = (one for one in self._not_on_paper(view) if one.path not in waits)
        told = ledger or [*self._unfinished(view), *paper, *self._ledger()]
        stopped = self._stopped(view)
        return replace(view, problems=(*view.problems, *stopped, *told, *keys))

    def failed(self, path: str, error: UserError) -> None:
        """Opening a store failed: it stays among the problems until it opens."""
        if error.code not in _BY_LOOKING:
            with self._guard:
                self._failed[_main(str(error.params.get("path") or path))] = error

    def write_down(self) -> None:
        """A person opened stores: keep which. May make the list, and wait for the keychain."""
        with suppress(UserError):  # Home's next look meets the same obstacle and says it
            self._known.write_down()

    def forget(self, path: str) -> None:
        """Take a store off the list; the store itself is left alone. One not there is no error."""
        with self._guard:
            self._failed.pop(path, None)
        try:
            self._known.forget(path)
        except UserError as error:
            if error.code != "known.not_found":
                raise

    def try_ledger_again(self) -> None:
        """Ask once more for the key to the app's own records."""
        self._keeper.close()

    def apply_settings(self) -> None:
        """Where no list of stores is wanted any more, take out what was kept of it."""
        if not self._settings().remember_stores:
            self._known.forget_all()

    # ---- making the view

    def _view(self, known: tuple[KnownStore, ...], *, whole: bool) -> HomeView:
        values = self._settings()
        found = _Sources(self._library.stores(), known)
        self._look_at_files(found)
        cards = tuple(
            replace(card, agent=self._agents.get(card.agent, card.agent)) for card in _cards(found)
        )
        problems = tuple(self._problems(found, cards))
        return HomeView(cards, problems, values.remember_stores, whole=whole)

    def _look_at_files(self, found: _Sources) -> None:
        paths = [one.info.path for one in found.opened]
        paths += [one.path for one in found.known]
        found.glances = self._glances.of(list(dict.fromkeys(paths)))
        there = [Path(path) for path, seen in found.glances.items() if seen.encrypted is not None]
        holders = open_by_each(there, excluding=family()) if there else {}
        found.holders = {str(path): each for path, each in holders.items()}

    def _problems(self, found: _Sources, cards: tuple[Card, ...]) -> Iterator[Problem]:
        lent = self._library.lent()
        for card in cards:
            yield from _of_file(card)
            if card.store in lent:
                yield Problem(Cause.LENT, card.path, card.name, error=lent[card.store])
            elif card.holders:
                yield Problem(Cause.IN_USE, card.path, card.name, holders=card.holders)
        for one in found.opened:
            why = one.partner_problem
            if why is not None and why.code not in _NO_PROBLEM and one.info.role == "project":
                path = str(why.params.get("path", ""))
                cause = Cause.KEY if _is_key(why) else Cause.PARTNER
                yield Problem(cause, path, one.name, error=why)
        yield from self._not_opened(found, cards)

    def _not_opened(self, found: _Sources, cards: tuple[Card, ...]) -> Iterator[Problem]:
        """What failed when it was last tried, and was not opened since."""
        opened = {one.info.path for one in found.opened}
        partners = {
            str(one.partner_problem.params.get("path", ""))
            for one in found.opened
            if one.partner_problem is not None
        }
        by_path = {card.path: card for card in cards}
        with self._guard:
            for path in opened & self._failed.keys():
                del self._failed[path]
            failed = dict(self._failed)
        for path, error in failed.items():
            card = by_path.get(path)
            seen = card.glance if card is not None else self._glances.of([path])[path]
            if path in partners or seen.error is not None or seen.silent:
                continue
            cause = Cause.KEY if _is_key(error) else Cause.CANNOT_OPEN
            name = card.name if card is not None else ""
            yield Problem(cause, path, name, error=error)

    def _unfinished(self, view: HomeView) -> Iterator[Problem]:
        names = {card.path: card.name for card in view.cards}
        try:
            entries = self._keeper.pending()
        except UserError as error:
            yield Problem(Cause.ERASE, error=error)
            return
        for path in dict.fromkeys(entry.store_path for entry in entries):
            mine = [entry for entry in entries if entry.store_path == path]
            settled = all(entry.state in SETTLED for entry in mine)
            cause = Cause.NOT_PROVED if settled else Cause.ERASE
            yield Problem(cause, path, names.get(path, ""), count=len(mine))

    def _stopped(self, view: HomeView) -> Iterator[Problem]:
        """Acts over several records that were stopped, of stores that are not open.

        Of an open one the window tells everywhere, and has counted.
        """
        names = {card.path: card.name for card in view.cards}
        opened = {store.id for store in self._library.stores()}
        for entry in begun_and_left(self._begun):
            path = entry.store_path
            if path not in opened and os.path.lexists(path):
                yield Problem(
                    Cause.STOPPED,
                    path,
                    names.get(path) or _called(path),
                    count=len(entry.records),
                    code=entry.act,
                    done=entry.done,
                )

    def _not_on_paper(self, view: HomeView) -> Iterator[Problem]:
        """Open stores whose key lies in the keychain, and whose recovery key nobody has tried."""
        names = {card.store: card.name for card in view.cards}
        for store in self._library.stores():
            kept = store.key_place is KeyPlace.KEYCHAIN and not is_sample(store.info.path)
            if self._recovery is None or not kept:
                continue
            kept = self._keeper.is_kept  # else nobody is asked to learn that there is none
            try:
                code = self._recovery(store.id).code if kept else NONE
            except UserError:  # it was closed meanwhile, or the ledger is no more
                continue
            if code in (NONE, MADE):
                name = names.get(store.id, store.name)
                yield Problem(Cause.NO_RECOVERY, store.info.path, name, store.id, code=code)

    def _ledger(self) -> Iterator[Problem]:
        if self._keeper.is_open:
            state = self._keeper.ledger().state
            if state.code not in ("open", "off"):
                yield Problem(Cause.LEDGER, code=state.code, error=state.problem)


def _keys_of(view: HomeView, problems: Iterable[Problem]) -> Iterator[Problem]:
    """What waits about keys, with the store's name and, while it is open, its id."""
    cards = {card.path: card for card in view.cards}
    for one in problems:
        card = cards.get(one.path)
        yield one if card is None else replace(one, name=card.name, store=card.store)


def _cards(found: _Sources) -> Iterator[Card]:
    """Open ones in the order in which they were opened, then the last opened ones."""
    known = {one.path: one for one in found.known}
    done: set[str] = set()
    for store in found.opened:
        path = store.info.path
        entry = known.get(path)
        name = entry.name if entry is not None else store.name
        card = _card(found, path, name, store.info.format)
        done.add(path)
        yield replace(
            card,
            store=store.id,
            seen=last_seen(store.info.counts, store.info.declared),
            live=True,
            last_opened=entry.last_opened if entry is not None else "",
            glance=replace(card.glance, encrypted=store.info.encrypted),
        )
    for entry in found.known:
        if entry.path not in done:
            done.add(entry.path)
            card = _card(found, entry.path, entry.name, entry.format)
            yield replace(card, seen=entry.seen, last_opened=entry.last_opened)


def _card(found: _Sources, path: str, name: str, format_: str) -> Card:
    return Card(path, name, format_, found.glances[path], holders=found.holders.get(path, ()))


def _of_file(card: Card) -> Iterator[Problem]:
    """What a look at the file alone tells."""
    seen = card.glance
    if seen.silent:
        yield Problem(Cause.SILENT, card.path, card.name)
    elif seen.error is not None:
        code = seen.error.code
        cause = Cause.UNREADABLE if code == "store.no_permission" else Cause.CANNOT_OPEN
        cause = Cause.GONE if _is_missing(seen) else cause
        yield Problem(cause, card.path, card.name, error=seen.error)
    elif not seen.writable:
        yield Problem(Cause.READ_ONLY, card.path, card.name)


def _called(path: str) -> str:
    """What a store is called that is on no list: as when it is open."""
    folder = Path(path).parent
    if not folder.name.startswith("."):
        return Path(path).stem
    return "you" if folder.parent == Path.home() else folder.parent.name


def _is_missing(seen: Glance) -> bool:
    return seen.error is not None and seen.error.code == "store.missing"


def _is_key(error: UserError) -> bool:
    return error.code in ("key.needed", "key.wrong")


def _main(path: str) -> str:
    """As cards name it, where the file is there."""
    try:
        return str(Path(path).expanduser().resolve())
    except (OSError, ValueError, RuntimeError):
        return path
