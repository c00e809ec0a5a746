# SPDX-License-Identifier: MIT
"""What ``show`` tells of a proposal beside its fields: when it was seen, what it was saved as."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, State
from memory_gui.findings.covering import cover
from memory_gui.services import OpenedStore
from memory_gui.services.reviewstory import Story
from memory_gui.terminal import names
from memory_gui.terminal.session import Session

QUEUES: Final = frozenset({"review", "proposal"})


def own_item(session: Session, store: OpenedStore, given: str) -> Record | None:
    """An item of our own queue, by its name; None where that is none."""
    if not given.startswith("proposal:"):
        return None
    items = session.services.review.proposals.items((store.id,), tuple(State))
    return next((one for one in items if one.ref.text == given), None)


def story_of(session: Session, record: Record) -> Story | None:
    """That of an item of a queue; None for other records, and where it cannot be found out."""
    if record.kind not in QUEUES:
        return None
    with suppress(UserError):
        return session.services.stories.of(session.services.review.preview(record.ref))
    return None


def story_data(story: Story) -> dict[str, Any]:
    """As JSON."""
    memory = story.memory
    return {
        "last_seen": story.last_seen,
        "decided_at": story.decided,
        "saved_as": None if memory is None else {"ref": memory.ref.text, "text": memory.text},
        "gone": story.gone,
    }


def tell_story(session: Session, record: Record, story: Story) -> None:
    """For a person."""
    out, words = session.out, session.words
    if story.last_seen:
        out.line(words.say("Last seen: {when}", when=names.here(story.last_seen)))
    if story.decided:
        out.line(words.say("Decided: {when}", when=names.here(story.decided)))
    memory = story.memory
    if story.gone:
        out.line(words.say("The memory that it was saved as is not there any more."))
    if memory is None or record.state is not State.APPROVED:
        return
    if memory.text == record.text:
        out.line(words.say("Saved as it was proposed: {ref}", ref=memory.ref.text))
    else:
        out.line(words.say("Saved with another text, as {ref}:", ref=memory.ref.text))
        out.line(cover(memory.text), lines=True)
