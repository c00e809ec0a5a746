# SPDX-License-Identifier: MIT
"""What was taken back or done again, in words: the kind of act, and the record or how many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from PySide6.QtCore import QObject

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.services import Services
from memory_gui.ui.context import Context
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Banner
from memory_gui.words import Words

_LONGEST: Final = 60

Turn = Literal["undo", "redo"]
Sentence = Callable[[str], str]
"""From a record's title, or nothing where it is not to be read, to what is said."""
Ways = tuple[tuple[str, Callable[[], object]], ...]
"""Buttons of a banner."""


@dataclass(frozen=True, slots=True)
class Turned:
    """``code`` and ``count`` are the act's; ``title`` is that of its only record, if it lives."""

    changes: ChangeSet
    code: str = ""
    count: int = 0
    title: str = field(repr=False, default="")


def turn(services: Services, which: Turn, *args: Any, **more: Any) -> Turned:
    """Take the last act back, or do it again. In a thread of the bridge.

    Raises:
        UserError: as ``Editing.undo``.
    """
    editing = services.editing
    changes = (editing.undo if which == "undo" else editing.redo)(*args, **more)
    told = editing.redo_text() if which == "undo" else editing.undo_text()
    code, count = told or ("", len(changes.refs))
    refs = (*changes.changed, *changes.added)
    title = title_of(services, refs[0]) if count == 1 and refs else ""
    return Turned(changes, code, count, title)


def title_of(services: Services, ref: Ref) -> str:
    """Of a record as it is now; empty where it cannot be read."""
    try:
        record = services.library.record(ref)
    except UserError:
        return ""
    return record.title if record is not None else ""


def act_phrase(words: Words, code: str, n: int, title: str = "") -> str:
    """An act as it follows ``Undo: ``; empty for a code without words."""
    if title and n == 1:
        return _phrase_of_one(words, code, title)
    many = words.many
    return {
        "add": many("add {n} memory", "add {n} memories", n),
        "edit": many("change {n} record", "change {n} records", n),
        "trash": many("move {n} record to the trash", "move {n} records to the trash", n),
        "restore": many("restore {n} record", "restore {n} records", n),
        "delete": many("delete {n} record", "delete {n} records", n),
        "tag": many("change the tags of {n} record", "change the tags of {n} records", n),
        "approve": many("approve {n} proposal", "approve {n} proposals", n),
        "reject": many("reject {n} proposal", "reject {n} proposals", n),
        "reopen": many("reopen {n} proposal", "reopen {n} proposals", n),
        "unapprove": many("take {n} approval back", "take {n} approvals back", n),
        "remove": many(
            "take {n} decided proposal out of this program's own file",
            "take {n} decided proposals out of this program's own file",
            n,
        ),
    }.get(code, "")


def _phrase_of_one(words: Words, code: str, title: str) -> str:
    say = words.say
    return {
        "add": say("add “{title}”", title=title),
        "edit": say("change “{title}”", title=title),
        "trash": say("move “{title}” to the trash", title=title),
        "restore": say("restore “{title}”", title=title),
        "delete": say("delete “{title}”", title=title),
        "tag": say("change the tags of “{title}”", title=title),
        "approve": say("approve “{title}”", title=title),
        "reject": say("reject “{title}”", title=title),
        "reopen": say("reopen “{title}”", title=title),
        "unapprove": say("take the approval of “{title}” back", title=title),
    }.get(code, "")


def turn_phrase(words: Words, which: Turn) -> str:
    """Taking back or doing again itself, before it is known what that is about."""
    if which == "undo":
        return words.say("take the last act back")
    return words.say("do again what was taken back")


def turned_sentence(words: Words, which: Turn, turned: Turned, title: str = "") -> str:
    """What was taken back, or done again."""
    act = act_phrase(words, turned.code, turned.count, title)
    if which == "undo":
        return words.say("Taken back: {act}.", act=act) if act else words.say("Taken back.")
    return words.say("Done again: {act}.", act=act) if act else words.say("Done again.")


class TitledNews(QObject):
    """Tells good news that names a record, and no name any more once texts are hidden.

    GUI thread.
    """

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._showing = Showing(context.words, context.privacy)
        self._banner = banner
        self._last: tuple[Sentence, str, Ways] | None = None
        self._text = ""
        self._showing.when_changed(self._on_showing_changed)

    def tell(self, sentence: Sentence, title: str, *ways: tuple[str, Callable[[], object]]) -> None:
        """Say it, with these buttons."""
        self._last = (sentence, title, ways)
        shown = "" if self._showing.hidden else self._showing.line(one_line(title, _LONGEST))
        self._text = sentence(shown)
        self._banner.tell("ok", self._text, *ways)

    def forget(self) -> None:
        """Keep no title."""
        self._last, self._text = None, ""

    def _on_showing_changed(self) -> None:
        if self._last is not None and self._text and self._banner.text == self._text:
            sentence, title, ways = self._last
            self.tell(sentence, title, *ways)
        elif self._last is not None:
            self.forget()
