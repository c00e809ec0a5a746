# SPDX-License-Identifier: MIT
"""What Ctrl+K offers: the acts of the menu, the views, the stores, the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.services.home.view import HomeView
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.pages.settings_table import TABLE
from memory_gui.ui.phrases import store_names
from memory_gui.ui.protect.offered import OFFERS, Wanted
from memory_gui.ui.shell.actions import ACTS, Actions
from memory_gui.ui.shell.holding import Holding
from memory_gui.ui.shell.keys import shown_keys
from memory_gui.ui.shell.navigation import Navigation
from memory_gui.ui.shell.quick.matching import Keys
from memory_gui.ui.views import VIEWS
from memory_gui.ui.visible import one_line
from memory_gui.words import LANGUAGES, N_, Words

ACT = N_("Act")
VIEW = N_("View")
STORE = N_("Store")
SETTING = N_("Setting")
NOT_OFFERED = frozenset({"commands"})
"""Acts that make no sense from inside Ctrl+K."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. ``keys`` are its keys as they are shown, ``group`` what kind of thing it is.

    Of an act that the open stores cannot do, ``group`` is the reason.
    """

    text: str
    group: str
    icon: Icon
    keys: str
    found_by: Keys = field(repr=False)
    run: Callable[[], object] = field(repr=False)
    refused: bool = False

    def spoken(self, words: Words) -> str:
        """As a screen reader says it."""
        if self.keys:
            return words.say("{text}, {group}, {keys}", text=self.text, group=self.group,
                             keys=self.keys)  # fmt: skip
        return words.say("{text}, {group}", text=self.text, group=self.group)


class Entries(QObject):
    """Makes the list anew each time it is opened. GUI thread; asks the services in threads."""

    def __init__(
        self,
        context: Context,
        actions: Actions,
        navigation: Navigation,
        *,
        holding: Holding,
        open_path: Callable[[str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = actions
        self._navigation = navigation
        self._holding = holding
        self._open_path = open_path
        self._others: tuple[Words, ...] = ()
        self._home = HomeView()

    def prepare(self, then: Callable[[], object]) -> None:
        """Read the other languages' texts and what Home knows; ``then`` when that changed a list.

        What is known already can be listed meanwhile.
        """

        def on_read(read: tuple[tuple[Words, ...], HomeView]) -> None:
            self._others, self._home = read
            then()

        home = self._context.services.home
        self._context.bridge.call(partial(_read, self._others, home.at_hand), done=on_read)

    def forget(self) -> None:
        """Keep no name of a store."""
        self._home = HomeView()

    def list(self) -> Sequence[Entry]:
        """What can be done now, in the order of the menu."""
        each = (self._acts, self._store_acts, self._views, self._stores, self._settings)
        return [entry for part in each for entry in part()]

    def _keys(self, *texts: str) -> Keys:
        """Found by a text of the source: in English, and in each language that was read."""
        words = self._context.words
        return Keys.of(
            (*texts, *map(words.say, texts), *(o.say(t) for o in self._others for t in texts))
        )

    def _acts(self) -> Iterator[Entry]:
        say = self._context.words.say
        for act in ACTS:
            action = self._actions[act.name]
            why = self._actions.reason(act.name)
            if act.name in NOT_OFFERED or not (why or action.isEnabled()):
                continue
            shown = action.text().replace("&&", "&")
            keys = self._keys(act.text)
            yield Entry(
                shown,
                why or say(ACT),
                act.icon or Icon.NEXT,
                "" if why else shown_keys(act.keys[:1]),
                Keys.of((*keys.texts, shown)),
                partial(self._actions.refused.emit, why) if why else action.trigger,
                refused=bool(why),
            )

    def _store_acts(self) -> Iterator[Entry]:
        """What the page of each open store offers; each names its store."""
        words, opened = self._context.words, self._holding.opened
        names = store_names(words, opened)
        for offer in OFFERS:
            for one in opened:
                if not offer.fits(one):
                    continue
                act, name = words.say(offer.text), names[one.id]
                text = words.say("{act} ({store})", act=act, store=name)
                found_by = Keys.of((*self._keys(offer.text).texts, text))
                where = ("recovery", one.id) if offer.act is None else (
                    "protect", Wanted(one.id, offer.act))  # fmt: skip
                run = partial(self._navigation.go, *where)
                yield Entry(text, words.say(ACT), offer.icon, "", found_by, run)

    def _views(self) -> Iterator[Entry]:
        say = self._context.words.say
        if not self._holding.opened:
            return
        for number, view in enumerate(VIEWS, 1):
            if not view.offered(self._holding.opened):
                continue
            run = partial(self._navigation.choose_view, view)
            keys = shown_keys((f"Alt+{number}",))
            found_by = self._keys(view.title)
            yield Entry(say(view.title), say(VIEW), view.icon, keys, found_by, run)

    def _stores(self) -> Iterator[Entry]:
        words = self._context.words
        opened = {card.path for card in self._home.cards if card.store is not None}
        for card in self._home.cards:
            name = words.say("You, everywhere") if card.name == "you" else one_line(card.name, 60)
            run: Callable[[], object]
            if card.store is not None:
                run = partial(self._navigation.show_store, card.store)
            elif card.path not in opened:
                run = partial(self._open_path, card.path)
            else:
                continue
            tone = Icon.LOCK if card.encrypted else Icon.READABLE
            found_by = Keys.of((name, card.name, card.path))
            yield Entry(name, words.say(STORE), tone, "", found_by, run)

    def _settings(self) -> Iterator[Entry]:
        words = self._context.words
        for setting in TABLE:
            found_by = self._keys(setting.label)
            run = partial(self._navigation.go, "settings", setting.name)
            label = words.say(setting.label)
            yield Entry(label, words.say(SETTING), Icon.SETTINGS, "", found_by, run)


def _read(
    others: tuple[Words, ...], at_hand: Callable[[], HomeView]
) -> tuple[tuple[Words, ...], HomeView]:
    """In a thread: a catalogue is read once."""
    return others or tuple(Words(language) for language in LANGUAGES), at_hand()
