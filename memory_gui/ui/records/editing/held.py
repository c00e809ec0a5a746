# SPDX-License-Identifier: MIT
"""Says that a case keeps the record that is shown, before somebody tries what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record, Ref
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import AskingSoon
from memory_gui.ui.widgets import TextLabel
from memory_gui.words import Words, reasons
from memory_gui.words import cases as said

if TYPE_CHECKING:  # cases are loaded when they are wanted, not with the list
    from memory_gui.services.cases.book.holds import HoldLine

RESTRICT: Final = "restrict"
HELD: Final = frozenset({"edit", "trash", "tag", "delete", "erase"})
"""What a hold refuses."""
RESTRICTED: Final = frozenset({"restore", "delete", "erase"})
"""What a restriction refuses: the record is in the trash, and may be corrected."""


def refused(hold: HoldLine) -> frozenset[str]:
    """The acts that are refused because of it."""
    return RESTRICTED if hold.what == RESTRICT else HELD


def held_text(words: Words, hold: HoldLine) -> str:
    """Which case keeps it, why, until when, and what then."""
    case = str(hold.case)
    if hold.what == RESTRICT:
        return words.say(
            "Case {case} restricts it: it is kept out of its agent’s sight. Lift that in the case "
            "first.",
            case=case,
        )
    reason = reasons.reason(words, hold.reason)
    if hold.until is None:
        return words.say(
            "Case {case} holds it: {reason}. Lift the hold in the case first.",
            case=case,
            reason=reason,
        )
    return words.say(
        "Case {case} holds it until {date}: {reason}. Lift the hold in the case first.",
        case=case,
        reason=reason,
        date=said.day(words, hold.until),
    )


class HeldLine(QWidget):
    """Hidden where nothing keeps the record. GUI thread."""

    forbidden = Signal(object, str)
    """The acts that are refused, and why."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asking = AskingSoon(context.bridge, self)
        self._record: Record | None = None
        self._hold: HoldLine | None = None
        self.label = named(TextLabel(tone="warn", selectable=True), "detail.held")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.label)
        self.hide()

    @property
    def refused(self) -> tuple[frozenset[str], str]:
        """The acts that are refused for the record that is shown, and why."""
        hold = self._hold
        return (refused(hold), self.label.text()) if hold is not None else (frozenset(), "")

    def show_for(self, record: Record | None) -> None:
        """Tell of another record, or of the same one as it is now; None: of none."""
        before, self._record = self._record, record
        if record is None:
            self.clear()
            return
        if before is None or before.ref != record.ref:
            self._show(None)
        self._asking.soon(
            self._context.services.cases.kept_by,
            (record.ref,),
            done=self._on_known,
            failed=self._on_failed,
        )

    def clear(self) -> None:
        """Forget it."""
        self._record = None
        self._asking.drop()
        self._show(None)

    def retranslate(self) -> None:
        """Say it again."""
        self._show(self._hold)

    def _on_known(self, kept: dict[Ref, HoldLine]) -> None:
        self._show(kept.get(self._record.ref) if self._record is not None else None)

    def _on_failed(self, _error: UserError | IntegrityError) -> None:
        """The act itself says why it is refused."""
        self._show(None)

    def _show(self, hold: HoldLine | None) -> None:
        before, self._hold = self._hold, hold
        text = "" if hold is None else held_text(self._context.words, hold)
        self.label.setText(text)
        self.setVisible(bool(text))
        if hold is not None or before is not None:
            self.forbidden.emit(refused(hold) if hold is not None else frozenset(), text)
