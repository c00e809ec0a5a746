# SPDX-License-Identifier: MIT
"""Opening stores: from a dialog, a drop, the command line, the sample; one after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.result import EraseResult
from memory_gui.services import OpenedStore, Services
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.shell.choosing import StoreDialog

_KEY_CODES: Final = frozenset({"key.needed", "key.wrong"})

OpenSample = Callable[[], tuple[OpenedStore, ...]]
"""Makes the sample if need be and opens it. In a thread of the bridge."""


def _finish_and_open(
    services: Services, path: str, key: Key | None = None, cancel: CancelToken | None = None
) -> tuple[tuple[EraseResult, ...], tuple[OpenedStore, ...]]:
    """Finish what was begun before anything else opens the store; then open. Any thread."""
    results: tuple[EraseResult, ...] = ()
    with suppress(UserError):  # opening meets the same obstacle and says it with its way on
        results = services.erasing.finish_begun(path, key=key)
    return results, services.library.open(path, key=key, cancel=cancel)


class Opener(QObject):
    """Opens through the bridge. GUI thread."""

    began = Signal(str)
    """A sentence for the spinner."""
    opened = Signal(object)
    """tuple of OpenedStore."""
    sample_made = Signal(object)
    """frozenset of StoreId, before ``opened``."""
    failed = Signal(object)
    """A UserError or IntegrityError."""
    key_problem = Signal(object)
    """A KeyProblem."""
    which_wanted = Signal(object)
    """A UserError ``store.two_formats``: a person has to say which format it is."""
    ended = Signal()
    erase_ended = Signal(object)
    """An EraseResult of an erase that was begun earlier and was gone on with before opening."""

    def __init__(self, context: Context, open_sample: OpenSample, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._open_sample = open_sample
        self._window = window
        self._calls: list[Handle] = []
        """What is being opened."""

    def open(self, path: str, key: Key | None = None) -> None:
        """Open a file or folder, and the agent's other database with it."""
        self.began.emit(self._context.words.say("Opening…"))
        call = self._context.bridge.call(
            partial(_finish_and_open, self._context.services),
            path,
            key=key,
            done=self._on_finished_and_opened,
            failed=partial(self._on_failed, path),
            stopped=self._end,
            broke=self._end,
            cancellable=True,
            apart=True,
        )
        self._calls.append(call)

    def stop(self) -> None:
        """Give up what is being opened: the keychain may be waiting for the person."""
        for call in self._calls:
            call.stop()
        self._context.services.keychain.cancel()

    def open_sample(self) -> None:
        """Open the sample store."""
        self.began.emit(self._context.words.say("Making the sample…"))
        call = self._context.bridge.call(
            self._open_sample,
            done=self._on_sample_made,
            failed=partial(self._on_failed, ""),
            stopped=self._end,  # the keychain's question was given up
            broke=self._end,
            in_turn=True,
        )
        self._calls.append(call)

    def take(self, stores: tuple[OpenedStore, ...], ended: tuple[EraseResult, ...]) -> None:
        """A page opened stores itself; ``ended`` are erases that were gone on with before."""
        self.opened.emit(stores)
        self._context.bridge.call(self._context.services.home.write_down, apart=True)
        for result in ended:
            self.erase_ended.emit(result)

    def choose_file(self) -> None:
        """Ask for a file, or the folder of a project."""
        self._choose(folder=False)

    def choose_folder(self) -> None:
        """Ask for a project folder."""
        self._choose(folder=True)

    def _choose(self, *, folder: bool) -> None:
        dialog = named(StoreDialog(self._context, self._window, folder=folder), "open.dialog")
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_file_selected(self, path: str) -> None:
        self.open(path)

    def _end(self) -> None:
        """One came back: with the last one it is over. What a lock dropped never comes back."""
        before = self._calls
        self._calls = [one for one in before if one.wanted and not one.finished]
        if before and not self._calls:
            self.ended.emit()

    def _on_finished_and_opened(
        self, both: tuple[tuple[EraseResult, ...], tuple[OpenedStore, ...]]
    ) -> None:
        results, stores = both
        self._end()
        self.take(stores, results)

    def _on_sample_made(self, stores: tuple[OpenedStore, ...]) -> None:
        self.sample_made.emit(frozenset(one.id for one in stores))
        self._on_opened(stores)

    def _on_opened(self, stores: tuple[OpenedStore, ...]) -> None:
        self._end()
        self.take(stores, ())

    def _on_failed(self, path: str, error: UserError | IntegrityError) -> None:
        self._end()
        if isinstance(error, UserError) and path:
            self._context.bridge.call(self._context.services.home.failed, path, error)
        if isinstance(error, UserError) and error.code in _KEY_CODES:
            where = str(error.params.get("path") or path)
            self.key_problem.emit(KeyProblem(where, error))
        elif error.code == "store.two_formats":
            self.which_wanted.emit(error)
        else:
            self.failed.emit(error)
