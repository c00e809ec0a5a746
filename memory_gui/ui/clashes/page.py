# SPDX-License-Identifier: MIT
"""What becomes of records whose key another one has now: each clash once, chosen, then done."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import BulkResult
from memory_gui.services.editing.clashes import Choice, Clash, Way
from memory_gui.ui.bridge import Handle
from memory_gui.ui.clashes.card import ClashCard
from memory_gui.ui.clashes.request import ClashRequest, MergeRequest
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import BUSY, CONTENT, EMPTY, Frame, empty
from memory_gui.ui.pages.page import Page
from memory_gui.ui.privacy.hiding import hidden_words
from memory_gui.ui.records.bulk.turned import (
    Turn,
    Turned,
    act_phrase,
    turn,
    turn_phrase,
    turned_sentence,
)
from memory_gui.ui.tokens import SPACE_L
from memory_gui.ui.widgets import Button, PrimaryButton, TextLabel
from memory_gui.words.errors import explain

MOST_CARDS = 50
"""More are settled in turns: a page of thousands helps nobody."""


class ClashPage(Page):
    """Shown with a ClashRequest. Nothing is written before its one button is pressed."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._request = ClashRequest("restore")
        self._cards: list[ClashCard] = []
        self._total = 0
        self._asking = Asking(self.bridge)
        self._acting: Handle | None = None
        self.frame = Frame("clash", width=760)
        self._lead = named(TextLabel(), "clash.lead")
        self._apply = named(PrimaryButton("", Icon.CHECK), "clash.apply")
        self._back = named(Button(), "clash.cancel")
        self._arrange()
        self._apply.clicked.connect(self._on_apply_clicked)
        self._back.clicked.connect(self.closed)
        self.frame.retried.connect(self._load)
        self.frame.acted.connect(self.closed)
        context.privacy.hiding.changed.connect(self._on_hiding_changed)
        self.retranslate()

    @property
    def cards(self) -> tuple[ClashCard, ...]:
        """The clashes on screen."""
        return tuple(self._cards)

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        if isinstance(argument, ClashRequest):
            self._request = argument
        self.frame.banner.dismiss()
        self._load()

    def refresh(self) -> None:
        """Another program wrote: a clash may be another one now."""
        if self.frame.state != BUSY:
            self._load()

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Their key is taken"))
        self._lead.setText(
            say(
                "The agent keeps one live record per key, and these keys belong to other records "
                "now. Nothing is overwritten, and Undo takes back what you choose."
            )
        )
        self.frame.empty.say(
            say("Nothing stands in the way any more"),
            say("The keys are free again. Restore or undo once more."),
            say("Back"),
        )
        self._back.setText(say("Cancel"))
        self.frame.banner.set_close_name(say("Close this message"))
        for card in self._cards:
            card.retranslate()
        self._say_apply()

    def clear(self) -> None:
        self._asking.drop()
        self._request = ClashRequest("restore")
        self._wipe()
        self.frame.banner.dismiss()
        self.frame.show_state(EMPTY)

    # ---- asking

    def _load(self) -> None:
        editing, request = self.services.editing, self._request
        self.frame.show_busy(self.words.say("Looking at the two…"))
        find = {
            "undo": editing.undo_clashes,
            "redo": editing.redo_clashes,
        }.get(request.act, partial(editing.clashes, request.refs))
        self._asking.anew(
            find,
            done=self._on_clashes_found,
            failed=self._on_load_failed,
            broke=self._on_load_broke,
        )

    def _on_load_failed(self, error: UserError | IntegrityError) -> None:
        self._wipe()
        self.frame.show_error(self.words, error)

    def _on_load_broke(self) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        self._wipe()
        self._say_apply()
        self.frame.show_state(CONTENT)

    def _on_clashes_found(self, clashes: tuple[Clash, ...]) -> None:
        chosen = {card.clash.ref: card.choice for card in self._cards}
        before = {card.clash.ref: card.clash for card in self._cards}
        self._wipe()
        self._total = len(clashes)
        for number, clash in enumerate(clashes[:MOST_CARDS]):
            card = ClashCard(self.words, clash, number)
            same = before.get(clash.ref)
            if same is not None and same.holder == clash.holder:
                _keep(card, chosen[clash.ref])
            card.chosen.connect(self._say_apply)
            card.merge_wanted.connect(lambda card=card: self._on_merge_wanted(card))
            self._cards.append(card)
            self._list.addWidget(card)
        self._on_hiding_changed()
        self._say_apply()
        self.frame.show_state(CONTENT if clashes else EMPTY)
        if self._cards:
            self._cards[0].way.setFocus()

    # ---- doing

    def _on_apply_clicked(self) -> None:
        chosen = [(card.clash, card.choice) for card in self._cards]
        editing, request = self.services.editing, self._request
        self._apply.setEnabled(False)
        if request.act == "restore":
            self._acting = self.bridge.call(
                editing.settle,
                chosen,
                done=partial(self._on_settled, request, [clash.ref for clash, _ in chosen]),
                failed=partial(self._on_act_failed, request),
                broke=self._say_apply,
                in_turn=True,
                asked=partial(act_phrase, self.words, "restore", len(chosen)),
            )
            return
        which: Turn = "undo" if self._request.act == "undo" else "redo"
        choices = {clash.ref: (clash, choice) for clash, choice in chosen}
        self._acting = self.bridge.call(
            turn,
            self.services,
            which,
            choices,
            done=partial(self._on_turned, request, which),
            failed=partial(self._on_act_failed, request),
            broke=self._say_apply,
            in_turn=True,
            asked=partial(turn_phrase, self.words, which),
        )

    def _on_settled(self, request: ClashRequest, asked: list[object], result: BulkResult) -> None:
        if result.changes.refs:
            self.changed.emit(result.changes)
        words, shown = self.words, request is self._request
        if result.failed and not shown:
            self.bridge.error.emit(result.failed[0][1])
            return
        if result.failed:
            why = explain(words, result.failed[0][1]).text
            self.frame.banner.tell("warn", why)
            failed = {ref for ref, _ in result.failed}
            self._request = ClashRequest("restore", tuple(failed))
            self._load()
            return
        if result.done:
            text = words.many("{n} record is back.", "{n} records are back.", result.done)
            self.told.emit("ok", text)
        if shown:
            self._leave(done=asked)

    def _leave(self, done: list[object]) -> None:
        """Go back, or on with those that had no place on the page."""
        rest = tuple(ref for ref in self._request.refs if ref not in done)
        if self._request.act == "restore" and self._total > MOST_CARDS and rest:
            self._request = ClashRequest("restore", rest)
            self._load()
        else:
            self._wipe()
            self.closed.emit()

    def _on_turned(self, request: ClashRequest, which: Turn, turned: Turned) -> None:
        if turned.changes.refs:
            self.changed.emit(turned.changes)
        self.told.emit("ok", turned_sentence(self.words, which, turned))
        if request is self._request:
            self._wipe()
            self.closed.emit()

    def _on_act_failed(self, request: ClashRequest, error: UserError | IntegrityError) -> None:
        if request is not self._request:
            self.bridge.error.emit(error)
            return
        self.frame.say_error(self.words, error)
        self._load()

    def _on_merge_wanted(self, card: ClashCard) -> None:
        clash = card.clash
        tags = clash.fields.get("tags", ())
        request = MergeRequest(
            clash.holder,
            str(clash.fields.get("title", "")),
            str(clash.fields.get("text", "")),
            tuple(tags) if not isinstance(tags, str) else (tags,),
        )
        self.go.emit("merge", request)

    # ---- showing

    def _say_apply(self) -> None:
        count = sum(card.choice.way is not Way.LEAVE for card in self._cards)
        many, say = self.words.many, self.words.say
        if self._request.act == "restore":
            text = many("Bring {n} record back", "Bring {n} records back", count)
        else:
            text = say("Undo so") if self._request.act == "undo" else say("Redo so")
        self._apply.setText(text if count else say("Leave all as they are"))
        free = self._acting is None or self._acting.finished
        ready = bool(self._cards) and all(card.ready for card in self._cards)
        self._apply.setEnabled(free and ready)

    def _on_hiding_changed(self, _hidden: bool = False) -> None:
        hiding = self.context.privacy.hiding
        for card in self._cards:
            card.hide_texts(hidden_words(self.words) if hiding.hidden else "")

    def _wipe(self) -> None:
        for card in self._cards:
            card.wipe()
        self._cards = []
        empty(self._list)

    def _arrange(self) -> None:
        self._list = QVBoxLayout()
        self._list.setSpacing(SPACE_L)
        self.frame.content.addWidget(self._lead)
        self.frame.content.addLayout(self._list)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self._back)
        self.frame.foot.addWidget(self._apply)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)


def _keep(card: ClashCard, choice: Choice) -> None:
    """What was chosen before the page was read again."""
    card.way.setCurrentIndex(max(0, card.way.findData(choice.way)))
    if choice.key:
        card.key.setText(choice.key)
