# SPDX-License-Identifier: MIT
"""The screens of a case that are drawn: the list, what was found, what would go, the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from memory_gui.cases.case import Case, NewCase
from memory_gui.cases.names import Subject
from memory_gui.services import Services
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.page import CasePage


class Scene(Protocol):
    """What draws; as in ``memory_gui.ui.pictures``."""

    def take(self, name: str) -> Path:
        """Draw what is there."""
        ...

    def pause(self, seconds: float) -> None:
        """Let it come to rest."""
        ...

    def press(self, name: str) -> None:
        """Press a button by its object name."""
        ...


def case_pictures(
    scene: Scene,
    services: Services,
    go: Callable[[str, object], object],
    page: Callable[[], object],
) -> Iterator[Path]:
    """Draw them for somebody of the sample. Only the open stores are looked into; none changes."""
    case = _somebody(services)
    go("cases", None)
    scene.pause(0.3)
    yield scene.take("cases")
    go("case", case)
    scene.pause(0.3)
    paths = [one.info.path for one in services.library.stores()]
    where = services.cases.where(paths)
    shown = page()
    if isinstance(shown, CasePage):
        shown.show_found(acts.Found(services.cases.find(case, where), where, case))
    scene.pause(0.3)
    yield scene.take("case-finds")
    scene.press("case.to_plan")
    scene.pause(0.3)
    yield scene.take("case-plan")
    if isinstance(shown, CasePage):
        shown.answering.tell()
    scene.pause(0.3)
    yield scene.take("case-answer")
    go("cases", None)
    scene.pause(0.3)


def _somebody(services: Services) -> Case:
    return services.cases.draft(NewCase(Subject.of("Lin Yue", ["林悦"])))
