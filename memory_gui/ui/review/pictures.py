# SPDX-License-Identifier: MIT
"""Pictures of the review page: a contradiction beside a proposal, several at once, what is decided.

Knows no other screen; ``memory_gui.ui.pictures`` calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget

from memory_gui.ui.review.page import ReviewPage


class Taking(Protocol):
    """What is needed of a set of pictures."""

    @property
    def window(self) -> QWidget:
        """The window."""
        ...

    def take(self, name: str) -> Path:
        """Draw what is there."""
        ...

    def pause(self, seconds: float) -> None:
        """Let timers run out."""
        ...


def review_pictures(one: Taking) -> Iterator[Path]:
    """The review page is on screen."""
    page = one.window.findChild(ReviewPage)
    if page is None:
        return
    wanted: tuple[tuple[str, Callable[[ReviewPage], bool]], ...] = (
        ("review-beside", lambda shown: shown.card.beside.isVisible()),
        ("review-warned", lambda shown: shown.card.warning.isVisible()),
    )
    for name, fits in wanted:
        if _find(one, page, fits):
            if name == "review-beside":
                page.frame.reveal(page.card.beside)
            one.pause(0.2)
            yield one.take(name)
    page.many.setChecked(True)
    one.pause(0.4)
    page.frame.to_top()
    yield one.take("review-several")
    page.many.setChecked(False)
    page.which.setCurrentIndex(1)
    one.pause(0.3)
    yield one.take("review-decided")
    page.which.setCurrentIndex(0)
    one.pause(0.2)


def _find(one: Taking, page: ReviewPage, fits: Callable[[ReviewPage], bool]) -> bool:
    """Go on until the item on screen fits."""
    while page.previous.isEnabled():
        page.previous.click()
        one.pause(0.05)
    while not fits(page):
        if not page.next.isEnabled():
            return False
        page.next.click()
        one.pause(0.2)
    return True
