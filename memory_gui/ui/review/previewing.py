# SPDX-License-Identifier: MIT
"""What approving the proposal on screen would do: asked for, and shown when it came."""

from __future__ import annotations

from functools import partial

from memory_gui.domain.changes import Fields, ReviewPreview
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Ref
from memory_gui.services.agent.outlook import Outlook
from memory_gui.services.reviewing.story import Story
from memory_gui.ui.review import words as say
from memory_gui.ui.review.deciding import DecidingPage
from memory_gui.ui.review.lines import kind_of


class PreviewingPage(DecidingPage):
    """One question at a time; an answer about another item is dropped. GUI thread."""

    def _ask_preview(self, ref: Ref, fields: Fields | None = None) -> None:
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self.bridge.call(
            self.services.review.preview,
            ref,
            fields,
            done=partial(self._on_preview, fields or {}),
            failed=self._on_no_preview,
            broke=self._on_preview_broke,
        )

    def _on_preview_broke(self) -> None:
        """The window tells of the bug; nothing is approved by what is typed later."""
        self._awaited = None

    def _on_preview(self, fields: Fields, preview: ReviewPreview) -> None:
        """``fields`` are the corrections that it was worked out for."""
        if preview.item.ref == self._queue.ref:
            before, self._previewed = self.card.preview, fields
            self.card.show_preview(preview, self._kind_of(preview))
            self.bridge.call(
                self._look_further,
                preview,
                done=self._on_further,
                failed=partial(self._on_blind, preview),
            )
            self.editor.show_saved_as({} if say.impossible(preview) else preview.fields)
            self._allow()
            self._approve_awaited(before)

    def _kind_of(self, preview: ReviewPreview) -> Kind | None:
        """What a proposal for another agent's store would be; None where it is Agentao's."""
        ref = preview.item.ref
        opened = (one for one in self.services.library.stores() if one.id == ref.store)
        return kind_of(next(opened, None), ref.kind, preview.fields)

    def _look_further(self, seen: ReviewPreview) -> tuple[ReviewPreview, Outlook | None, Story]:
        """Not in the window's thread. What the agent will see of it, and what became of it."""
        return seen, self.services.review.outlook(seen), self.services.stories.of(seen)

    def _on_further(self, found: tuple[ReviewPreview, Outlook | None, Story]) -> None:
        seen, outlook, story = found
        if seen is self.card.preview:
            self.card.show_further(outlook, story)

    def _on_blind(self, seen: ReviewPreview, _error: UserError | IntegrityError) -> None:
        """The preview itself tells what is wrong with the store."""
        if seen is self.card.preview:
            self.card.show_further(None, None)

    def _on_no_preview(self, error: UserError | IntegrityError) -> None:
        self._awaited = None
        if isinstance(error, UserError):
            error = say.in_words(self.words, error)
            self.editor.show_problem(error)
            self.card.show_problem(error)
        else:
            self.frame.show_error(self.words, error)

    def _allow(self) -> None:
        """The button is live when approving can succeed."""
        possible = not say.impossible(self.card.preview)
        self.bar.approve.setEnabled(possible and not self.editor.isVisible())
