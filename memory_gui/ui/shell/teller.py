# SPDX-License-Identifier: MIT
"""Says what went wrong in the window's banner."""

from __future__ import annotations

import sys
from functools import partial

from PySide6.QtCore import QObject

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui.context import Context
from memory_gui.ui.shell.bugs import describe
from memory_gui.ui.widgets import Banner
from memory_gui.words.errors import explain


class Teller(QObject):
    """Listens to the bridge for what no page took itself. GUI thread."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._words = context.words
        self._banner = banner
        self._clipboard = context.privacy.clipboard
        context.bridge.error.connect(self.error)
        context.bridge.bug.connect(self.bug)

    def error(self, error: UserError | IntegrityError) -> None:
        """Something a person can understand."""
        self._banner.tell_anew(partial(self._say_error, error))

    def bug(self, error: BaseException) -> None:
        """Something that is ours to mend: where it happened, never with which values."""
        details = describe(error)
        sys.stderr.write(details + "\n")
        self._banner.tell_anew(partial(self._say_bug, details))

    def _say_error(self, error: UserError | IntegrityError) -> None:
        self._banner.tell("warn", explain(self._words, error).text)

    def _say_bug(self, details: str) -> None:
        say = self._words.say
        self._banner.tell(
            "warn",
            say("Something went wrong in the app itself. The store was not harmed by this."),
            (say("Copy the details"), partial(self._clipboard.copy_plain, details)),
        )
