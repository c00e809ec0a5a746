# SPDX-License-Identifier: MIT
"""Acts on chosen records: trash, restore, delete, tag, undo, redo; and the banner that tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Capability
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref, RefText, StoreId
from memory_gui.services.editing.clashes import TAKEN
from memory_gui.ui.bridge import Handle
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.records.bulk.agentnote import AgentNote
from memory_gui.ui.records.bulk.chosen import Chosen, refs_about, refs_of
from memory_gui.ui.records.bulk.ending import Ending, Find, act_on
from memory_gui.ui.records.bulk.failed import Failed
from memory_gui.ui.records.bulk.sentences import CHECKING, progress_phrase, sentence
from memory_gui.ui.records.bulk.stopped import act_of
from memory_gui.ui.records.bulk.turned import (
    TitledNews,
    Turn,
    Turned,
    act_phrase,
    turn,
    turn_phrase,
    turned_sentence,
)
from memory_gui.ui.widgets import Banner, Busy
from memory_gui.words.errors import explain

FOREIGN: Final = "store.foreign_objects"

Ways = tuple[tuple[str, Callable[[], object]], ...]
"""Buttons of a banner."""


class Acts(QObject):
    """Runs acts in the order in which they were asked for. GUI thread."""

    changed = Signal(object)
    """A ChangeSet."""
    erase_wanted = Signal(object)
    """A tuple of Refs."""
    foreign_wanted = Signal()
    record_wanted = Signal(object)
    """The Ref of a record that a message is about."""
    clash_wanted = Signal(object)
    """A ClashRequest: a person has to choose before it can go on."""

    def __init__(
        self, context: Context, banner: Banner, busy: Busy, failed: Failed, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._busy = busy
        self._failed = failed
        self._under_way: list[tuple[Handle, object]] = []
        """With what was asked for, which is not asked for twice in a row."""
        self._finding = Asking(context.bridge)
        self._news = TitledNews(context, banner, self)
        self.note = AgentNote(context.words)
        busy.cancelled.connect(self._on_busy_cancelled)

    # ---- over the rows of the list

    def trash(self, chosen: Chosen) -> None:
        """Move to the trash; the banner offers Undo."""
        self._on_rows("trash", chosen)

    def restore(self, chosen: Chosen) -> None:
        """Out of the trash."""
        self._on_rows("restore", chosen)

    def tag(self, chosen: Chosen, add: Collection[str], remove: Collection[str]) -> None:
        """Add and take away tags."""
        self._on_rows("tag", chosen, add=tuple(add), remove=tuple(remove))

    def ask_delete(self, chosen: Chosen) -> None:
        """Ask in the banner first: what it does not do, and what does."""
        words, count = self._context.words, chosen.count
        self._banner.tell(
            "warn",
            words.many(
                "Delete {n} record? The agent no longer has it, "
                "but parts of its text may stay in the file.",
                "Delete {n} records? The agent no longer has them, "
                "but parts of their text may stay in the file.",
                count,
            ),
            (words.say("Cancel"), self._banner.dismiss),
            (words.say("Erase instead…"), partial(self.erase, chosen)),
            (
                words.many("Delete {n} record", "Delete {n} records", count),
                partial(self._on_rows, "delete", chosen),
            ),
        )

    def erase(self, chosen: Chosen) -> None:
        """Find the refs, then ask for the erase page."""
        self._finding.anew(
            refs_of, self._context.services.library, chosen, done=self._on_refs_found
        )

    def erase_about(self, subject: str, stores: frozenset[StoreId]) -> None:
        """The same with all that is about a subject, in every view of these stores (none: all)."""
        self._finding.anew(
            refs_about, self._context.services, subject, stores, done=self._on_refs_found
        )

    # ---- over named records

    def run(self, name: str, refs: Sequence[Ref]) -> None:
        """Do an act of the services to some records."""
        self._run(name, lambda _library, _cancel: refs, len(refs), tuple(refs))

    def undo(self) -> None:
        """Take the last act back."""
        self._turn("undo")

    def redo(self) -> None:
        """Do again what was taken back."""
        self._turn("redo")

    def tell(self, error: UserError | IntegrityError) -> None:
        """Say an error in the banner."""
        self._end()
        self._banner.tell("warn", explain(self._context.words, error).text, *self._ways_on(error))

    def clear(self) -> None:
        """Forget what was told, and what is under way."""
        self._under_way.clear()
        self._finding.drop()
        self._failed.clear()
        self._news.forget()
        self.note.forget()

    # ---- running

    def _ways_on(self, error: UserError | IntegrityError) -> Ways:
        say = self._context.words.say
        if error.code == FOREIGN:
            return ((say("Look at them"), self.foreign_wanted.emit),)
        if error.code == "undo.changed" and (ref := _record_of(error)) is not None:
            return ((say("Show it"), partial(self.record_wanted.emit, ref)),)
        return ()

    def _on_rows(self, name: str, chosen: Chosen, **more: Any) -> None:
        if chosen:
            find: Find = lambda library, cancel: refs_of(library, chosen, cancel=cancel)  # noqa: E731 - one expression
            self._run(name, find, chosen.count, chosen, **more)

    def _end(self) -> bool:
        """One of them ended: the bar stays for the next. Whether it was told to stop."""
        ended = [handle for handle, _ in self._under_way if handle.finished]
        self._under_way = [one for one in self._under_way if not one[0].finished]
        if not self._under_way:
            self._busy.stop()
        return any(handle.token.cancelled for handle in ended)

    def _run(self, name: str, find: Find, count: int, over: object, **more: Any) -> None:
        asked = (name, over, more)
        if self._under_way and self._under_way[-1][1] == asked:
            return  # a key pressed twice is one act: the rows of the first are still in the list
        words = self._context.words
        services = self._context.services
        self._banner.dismiss()
        self._failed.clear()
        self._busy.start(
            words.many("Working on {n} record…", "Working on {n} records…", count),
            words.say("Stop") if count > 1 else "",
        )
        act = act_of(services, name)
        handle = self._context.bridge.call(
            act_on,
            services.library,
            partial(act, **more),
            find,
            done=partial(self._on_act_done, name),
            failed=self.tell,
            tick=partial(self._on_tick, name),
            stopped=self._on_stopped_before,
            broke=self._end,
            cancellable=True,
            in_turn=True,
            asked=partial(act_phrase, words, name, count),
        )
        self._under_way.append((handle, asked))

    def _on_stopped_before(self) -> None:
        self._end()
        self._banner.tell("info", self._context.words.say("Stopped. Nothing was changed."))

    def _turn(self, name: Turn) -> None:
        words = self._context.words
        doing = words.say("Taking back…") if name == "undo" else words.say("Doing again…")
        self._banner.dismiss()  # its Undo, pressed twice, would take back what was done before
        self._busy.start(doing, words.say("Stop"))
        handle = self._context.bridge.call(
            turn,
            self._context.services,
            name,
            done=partial(self._on_turned, name),
            failed=partial(self._on_turn_failed, name),
            tick=partial(self._on_tick, name),
            stopped=self._on_stopped_before,
            broke=self._end,
            cancellable=True,
            in_turn=True,
            asked=partial(turn_phrase, words, name),
        )
        self._under_way.append((handle, None))

    def _on_turned(self, name: Turn, turned: Turned) -> None:
        stopped = self._end()
        changes, words = turned.changes, self._context.words
        self.changed.emit(changes)
        if not stopped:
            self._failed.clear()
            undone = name == "undo"
            way = (words.say("Redo"), self.redo) if undone else (words.say("Undo"), self.undo)
            self._news.tell(partial(turned_sentence, words, name, turned), turned.title, way)
            return
        text = words.many(
            "Stopped after {n} record. The rest can be taken back later.",
            "Stopped after {n} records. The rest can be taken back later.",
            len(changes.refs),
        )
        self._banner.tell("info", text)

    def _on_turn_failed(self, name: Turn, error: UserError | IntegrityError) -> None:
        self._end()
        if error.code == "undo.clash":
            self._banner.dismiss()
            self.clash_wanted.emit(ClashRequest(name))
        else:
            self.tell(error)

    def _on_busy_cancelled(self) -> None:
        for handle, _ in self._under_way:
            handle.stop()

    def _on_tick(self, name: str, step: str, done: int, total: int) -> None:
        checking = step in CHECKING
        text = progress_phrase(self._context.words, "" if checking else name, done, total)
        # A bar that came to its end would begin again: of the check it shows that something goes on
        self._busy.progress(text, done=done, total=0 if checking else total)

    # ---- what came of it

    def _on_act_done(self, name: str, ending: Ending) -> None:
        self._end()
        result, words = ending.result, self._context.words
        self.changed.emit(result.changes)
        text = sentence(words, name, ending)
        note = self.note.on_act(name, ending.stores) if result.done else ""
        if note:
            text = words.say("{what} {note}", what=text, note=note)
        last = not self._under_way  # else it would take back the one that comes after it
        ways: Ways = ((words.say("Undo"), self.undo),) if result.changes.refs and last else ()
        if result.failed:
            ways += self._ways_on(result.failed[0][1])
        clashing = tuple(ref for ref, error in result.failed if error.code in TAKEN)
        if clashing and name == "restore":
            settle = partial(self.clash_wanted.emit, ClashRequest("restore", clashing))
            ways += ((words.say("Choose what becomes of them…"), settle),)
        self._banner.tell("warn" if result.failed else "ok", text, *ways)
        self._failed.show_causes(ending.causes if ending.wanted > 1 else ())

    def _on_refs_found(self, refs: tuple[Ref, ...]) -> None:
        self._banner.dismiss()
        words, opened = self._context.words, self._context.services.library.stores()
        able = {one.id for one in opened if Capability.ERASE in one.info.capabilities}
        kept = tuple(ref for ref in refs if ref.store in able)
        left = len(refs) - len(kept)
        if left:
            text = words.many(
                "{n} record is in a store in which nothing can be erased here, and is left out.",
                "{n} records are in stores in which nothing can be erased here, and are left out.",
                left,
            )
            self._banner.tell("info", text)
        if kept:
            self.erase_wanted.emit(kept)


def _record_of(error: UserError | IntegrityError) -> Ref | None:
    """The record that an error names, with its store."""
    store, text = error.params.get("store"), str(error.params.get("ref", ""))
    kind = text.partition(":")[0]
    if not isinstance(store, str) or not kind:
        return None
    return Ref(StoreId(store), kind, RefText.parse(text, kinds=(kind,)).key)
