# SPDX-License-Identifier: MIT
"""One proposal beside its evidence, and what approving it would do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from memory_gui.domain.changes import Fields, Outcome, ReviewPreview
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, State
from memory_gui.findings.covering import everything_in
from memory_gui.services.agent.outlook import Outlook
from memory_gui.services.reviewing.bulk import unseen_of
from memory_gui.services.reviewing.story import Story
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import Facts, padded
from memory_gui.ui.pages.marking import found, visible, word_diff
from memory_gui.ui.pages.text_view import MOST_SHOWN, TextView
from memory_gui.ui.privacy import Privacy
from memory_gui.ui.privacy.secretrow import SecretRow
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.review import words as say
from memory_gui.ui.review.beside import Beside
from memory_gui.ui.review.lines import rows_of
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.widgets import Banner, Button, Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words.errors import explain

SIDE_BY_SIDE_FROM = 620
"""Narrower than this, the evidence stands below the proposal."""


class ReviewCard(QWidget):
    """Shows one review item; asks nobody anything. GUI thread."""

    key_proposed = Signal(str)
    """The person takes the key that was proposed instead of the refused one."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, *, privacy: Privacy | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = Showing(words, privacy, everything_in)
        self._item: Record | None = None
        self._preview: ReviewPreview | None = None
        self._problem: UserError | None = None
        self._outlook: Outlook | None = None
        self._story: Story | None = None
        self._kind: Kind | None = None
        self._make_proposal()
        self._make_evidence()
        self._make_outcome()
        self.warning = named(Banner(dismissible=False), "review.warning")
        self.top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.top.setSpacing(SPACE_L)
        self.top.addWidget(self.proposal, 3)
        self.top.addWidget(self._evidence_panel, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_L)
        layout.addWidget(self.warning)
        layout.addLayout(self.top)
        self.beside = Beside(words, self._showing, self)
        layout.addWidget(self._outcome_panel)
        layout.addWidget(self.beside)
        self.retranslate()
        self._secrets.held.connect(self._on_held)
        self._showing.when_changed(self._fill)

    def show_item(self, item: Record) -> None:
        """The proposal at once; what approving would do follows."""
        self._item, self._preview, self._problem = item, None, None
        self._outlook = self._story = None
        self._fill()

    def show_preview(self, preview: ReviewPreview, kind: Kind | None = None) -> None:
        """What approving would do; ``kind``: as what, in the store of another agent."""
        self._item, self._preview, self._problem = preview.item, preview, None
        self._kind = kind
        self._fill()

    def show_further(self, outlook: Outlook | None, story: Story | None) -> None:
        """What the agent will see of it, and what became of it."""
        self._outlook, self._story = outlook, story
        self._fill_seen()
        self._fill_origin()
        if self._item is not None and self._item.state is not State.PENDING:
            self._fill_outcome()
            self._showing.treat(*self._texts)

    def _fill_origin(self) -> None:
        if self._item is not None:
            rows = say.origin(self._words, self._item, self._story)
            self.origin.show_rows(rows, name_width=84)

    def _fill_seen(self) -> None:
        text = say.outlook(self._words, self._outlook)
        self.seen.setText(text)
        self.seen.setVisible(bool(text))

    def show_problem(self, error: UserError) -> None:
        """What approving would do could not be found out."""
        self._problem = error
        self._fill()

    @property
    def preview(self) -> ReviewPreview | None:
        """What is shown as the outcome now."""
        return self._preview

    def place_editor(self, editor: QWidget) -> None:
        """Give the editor its place: it stands where the proposal stands."""
        self.top.insertWidget(1, editor, 3)

    def show_editor(self, *, on: bool) -> None:
        """The proposal makes room for its editor."""
        self.proposal.setVisible(not on)

    def wipe(self) -> None:
        """Forget every text."""
        self._item = self._preview = self._problem = self._outlook = self._story = None
        for view in (self.text, self.evidence, self.now, self.afterwards):
            view.wipe()
        for label in (self.heading, self.outcome, self._reason, self.seen):
            label.clear()
        for facts in (self.facts, self.origin):
            facts.wipe()
        self._secrets.clear()
        self.beside.wipe()
        self._take.setText("")
        self.warning.dismiss()

    def retranslate(self) -> None:
        """Say all texts again."""
        words = self._words
        self._proposal_title.setText(words.say("Proposed"))
        self._evidence_title.setText(words.say("Where it comes from"))
        self.text.setAccessibleName(words.say("Proposed text"))
        self.evidence.setAccessibleName(words.say("Evidence"))
        self._secrets.retranslate()
        self._say_outcome_title()
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = event.size().width() >= SIDE_BY_SIDE_FROM
        directions = QBoxLayout.Direction
        self.top.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    # ---- building

    def _make_proposal(self) -> None:
        self.proposal = named(Panel(self), "review.proposal")
        self.inside = padded(self.proposal)
        self._proposal_title = named(SectionLabel(), "review.proposed")
        self.heading = named(TextLabel(), "review.heading")
        self.heading.setFont(_bold(self.heading))
        self.text = TextView("review.text")
        self.facts = Facts("review.facts")
        self.inside.addWidget(self._proposal_title)
        self.inside.addWidget(self.heading)
        self._secrets = SecretRow(self._words, self._showing, "review")
        self.inside.addWidget(self.text)
        self.inside.addWidget(self._secrets)
        self.inside.addSpacing(SPACE_S)
        self.inside.addWidget(self.facts)
        self.inside.addStretch(1)

    def _make_evidence(self) -> None:
        self._evidence_panel = named(Panel(self, tone="raised"), "review.evidence_panel")
        inside = padded(self._evidence_panel)
        self._evidence_title = named(SectionLabel(), "review.evidence_title")
        self.evidence = TextView("review.evidence")
        self.origin = Facts("review.origin")
        inside.addWidget(self._evidence_title)
        inside.addWidget(self.evidence)
        inside.addSpacing(SPACE_S)
        inside.addWidget(self.origin)
        inside.addStretch(1)

    def _make_outcome(self) -> None:
        self._outcome_panel = named(Panel(self), "review.outcome_panel")
        inside = padded(self._outcome_panel)
        self._outcome_title = named(SectionLabel(), "review.outcome_title")
        self.outcome = named(TextLabel(selectable=True), "review.outcome")
        self.outcome.setFont(_bold(self.outcome))
        self._reason = named(TextLabel(tone="muted", selectable=True), "review.reason")
        self.seen = named(TextLabel(tone="muted", selectable=True), "review.seen")
        self._take = named(Button(icon=Icon.EDIT), "review.take_key")
        self._take.clicked.connect(self._on_take_clicked)
        row = QHBoxLayout()
        row.addWidget(self._take)
        row.addStretch(1)
        self._sides = QWidget(self._outcome_panel)
        sides = QHBoxLayout(self._sides)
        sides.setContentsMargins(0, SPACE_S, 0, 0)
        sides.setSpacing(SPACE_L)
        self._now_title, self.now, left = _side("review.now")
        self._after_title, self.afterwards, right = _side("review.afterwards")
        sides.addLayout(left, 1)
        sides.addLayout(right, 1)
        texts = (self._outcome_title, self.outcome, self._reason, self.seen)
        for widget in (*texts, self._sides):
            inside.addWidget(widget)
        inside.addLayout(row)

    # ---- filling

    def _fill(self) -> None:
        item = self._item
        if item is None:
            return
        words = self._words
        fields: Fields = self._preview.fields if self._preview else {}
        line = self._showing.line
        self.heading.show_foreign(line(item.title))
        self.text.show_text(item.text)
        self.evidence.show_pieces(
            found((item.extra.get(say.EVIDENCE) or "")[:MOST_SHOWN], item.text)
        )
        self.evidence.setVisible(bool(item.extra.get(say.EVIDENCE)))
        kind = self._kind if self._preview is not None else None
        rows = [] if kind is None else [(a, line(b)) for a, b in rows_of(words, kind, fields)]
        rows = rows or [
            (words.say("Applies to"), say.scope(words, _one(fields, "scope", item.scope))),
            (words.say("Type"), say.kind_of(words, _one(fields, "type", item.type))),
            (words.say("Filed under"), line(_one(fields, "key", say.own_key(item)))),
            (words.say("Tags"), line(" · ".join(item.tags))),
        ]
        self.facts.show_rows([row for row in rows if row[1]], name_width=72)
        self._fill_origin()
        self._fill_warning()
        self._fill_outcome()
        self._fill_seen()
        self.beside.show_preview(self._preview)
        self._showing.treat(*self._texts)
        self._secrets.look(self._spoken)

    @property
    def _spoken(self) -> tuple[str, ...]:
        """Every text of the proposal."""
        item = self._item
        if item is None:
            return ()
        evidence = item.extra.get(say.EVIDENCE) or ""
        return (item.title, item.text, item.subject or "", evidence, *item.tags)

    @property
    def _texts(self) -> tuple[TextView, ...]:
        return self.text, self.evidence, self.now, self.afterwards

    def _on_held(self, on: bool) -> None:
        for view in self._texts:
            view.reveal(on=on)
        if self._item is not None:
            title = self._item.title
            self.heading.show_foreign(title if on else self._showing.line(title))

    def _fill_warning(self) -> None:
        preview = self._preview
        text = ""
        if preview is not None:
            text = say.warnings(self._words, preview, unseen_of(preview), self._spoken)
        text = "\n".join(filter(None, (say.rejected_before(self._words, preview), text)))
        if text:
            self.warning.tell("warn", text)
        else:
            self.warning.dismiss()

    def _fill_outcome(self) -> None:
        preview = self._preview
        words = self._words
        self._say_outcome_title()
        self._sides.hide()
        self._take.hide()
        self._reason.setText("")
        if preview is None:
            error = self._problem
            self.outcome.set_tone("warn" if error else "muted")
            self.outcome.setText(explain(words, error).title if error else words.say("Looking…"))
            self._reason.setText(explain(words, error).next if error else "")
            self._reason.setVisible(bool(error))
            return
        text, tone = say.outcome(words, preview)
        self.outcome.setText(text)
        self.outcome.set_tone(tone)
        if preview.item.state is not State.PENDING:
            self._fill_saved(preview.item)  # what approving would do is no question any more
        elif preview.outcome is Outcome.REFUSED and preview.refusal:
            self._fill_refusal(preview)
        elif preview.existing is not None:
            self._fill_diff(preview, preview.existing)
        elif preview.target_store:
            place = visible(preview.target_store)
            self._reason.setText(words.say("It will be saved in {place}", place=place))
        self._reason.setVisible(bool(self._reason.text()))

    def _say_outcome_title(self) -> None:
        say, item = self._words.say, self._item
        decided = item is not None and item.state is not State.PENDING
        self._outcome_title.setText(say("What became of it") if decided else say("If you approve"))

    def _fill_saved(self, item: Record) -> None:
        """What a decided one was saved as, with the words that are others."""
        story = self._story
        if story is None or item.state is not State.APPROVED:
            return
        self._reason.setText(self._showing.line(say.saved_as(self._words, item, story)))
        if story.memory is not None and story.memory.text != item.text:
            self._show_sides(item.text, story.memory.text, decided=True)

    def _show_sides(self, before: str, after: str, *, decided: bool = False) -> None:
        """Two texts beside each other, with the words that changed."""
        say = self._words.say
        self._now_title.setText(say("Proposed") if decided else say("Saved now"))
        self._after_title.setText(say("Saved") if decided else say("Afterwards"))
        self.now.setAccessibleName(say("Proposed text") if decided else say("Text saved now"))
        spoken = say("Saved text") if decided else say("Text afterwards")
        self.afterwards.setAccessibleName(spoken)
        left, right = word_diff(before[:MOST_SHOWN], after[:MOST_SHOWN])
        self.now.show_pieces(left)
        self.afterwards.show_pieces(right)
        self._sides.show()

    def _fill_refusal(self, preview: ReviewPreview) -> None:
        words = self._words
        self._reason.setText(self._showing.line(say.refusal(words, preview, self._kind)))
        if key := say.proposed_key(preview):
            self._take.setText(
                words.say("Use the key “{key}”", key=visible(self._showing.line(key)))
            )
            self._take.show()
        if preview.existing is not None:
            self._fill_diff(preview, preview.existing)

    def _fill_diff(self, preview: ReviewPreview, existing: Record) -> None:
        new = _one(preview.fields, "text", preview.item.text)
        if existing.text != new:
            self._show_sides(existing.text, new)

    def _on_take_clicked(self) -> None:
        if self._preview and (key := say.proposed_key(self._preview)):
            self.key_proposed.emit(key)


def _side(name: str) -> tuple[SectionLabel, TextView, QVBoxLayout]:
    column = QVBoxLayout()
    column.setSpacing(SPACE_M // 2)
    title, view = named(SectionLabel(), f"{name}_title"), TextView(name)
    column.addWidget(title)
    column.addWidget(view)
    column.addStretch(1)
    view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return title, view, column


def _one(fields: Fields, name: str, other: str | None) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) and value else (other or "")


def _bold(label: TextLabel) -> QFont:
    font = label.font()
    font.setBold(True)
    return font
