# SPDX-License-Identifier: MIT
"""When the window locks by itself, and what goes with it: clipboard, dialogs, the countdown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QSessionManager
from PySide6.QtWidgets import QApplication, QWidget

from memory_gui.ui.comfort import wear_comfort
from memory_gui.ui.context import Context
from memory_gui.ui.privacy.closing import close_floating
from memory_gui.ui.privacy.countdown import Countdown
from memory_gui.ui.privacy.session import SessionWatch, session_watch
from memory_gui.ui.shell.watch import Idle


class Guarding(QObject):
    """Idle, the screen’s lock, sleep, the session’s end; the settings of privacy. GUI thread."""

    lock_wanted = Signal()

    def __init__(self, context: Context, idle: Idle, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._idle = idle
        self._countdown = Countdown(context.words, window)
        self._window = window
        self._session: SessionWatch | None = None
        self._locked = False
        idle.counting.connect(self._on_counting)
        idle.stirred.connect(self._countdown.end)
        idle.went_idle.connect(self.lock_wanted)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.commitDataRequest.connect(self._on_session_ends)

    def begin(self) -> None:
        """After the first paint: listen to the system, guard the clipboard, hide what is wanted."""
        privacy, values = self._context.privacy, self._context.services.settings.values
        privacy.clipboard.guard()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            privacy.capture.watch(app)
        privacy.hiding.set_hidden(hidden=values.hide_at_start)
        self.apply()

    def listen(self) -> None:
        """Hear of the screen's lock, of sleep and of the session's end."""
        why = self._context.words.say("Agent Memory locks before the computer sleeps")
        handle = int(self._window.effectiveWinId())
        self._session = session_watch(why, handle, self)
        self._session.screen_locked.connect(self._on_screen_locked)
        self._session.sleeping.connect(self._on_sleeping)
        self._session.ending.connect(self._on_session_ends)
        self._session.start()

    def apply(self) -> None:
        """As the settings say now."""
        values = self._context.services.settings.values
        privacy = self._context.privacy
        privacy.clipboard.set_seconds(values.clipboard_seconds)
        privacy.capture.block(blocked=values.block_capture)
        privacy.masking.set_on(on=values.mask_secrets)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            wear_comfort(app, density=values.density, motion=values.motion)

    def covered(self) -> None:
        """The locked page is shown: nothing may float above it, nothing lie on the clipboard."""
        self._locked = True
        self._idle.stop()
        self._countdown.end()
        close_floating()
        self._context.privacy.forget()

    def let_go(self) -> None:
        """Stores and keys are gone: the computer may sleep."""
        if self._session is not None:
            self._session.slept()

    def uncovered(self) -> None:
        """Unlocked: wait again."""
        self._locked = False
        self._idle.set_minutes(self._context.services.settings.values.auto_lock_minutes)

    def close(self) -> None:
        """The window goes."""
        self._idle.stop()
        if self._session is not None:
            self._session.close()
        self._context.privacy.close()

    def _on_counting(self, seconds: int) -> None:
        self._countdown.show_seconds(seconds)

    def _on_screen_locked(self) -> None:
        if self._context.services.settings.values.lock_on_screen_lock:
            self.lock_wanted.emit()

    def _on_sleeping(self) -> None:
        wanted = self._context.services.settings.values.lock_on_sleep
        if wanted and not self._locked:
            self.lock_wanted.emit()
        else:
            self.let_go()

    def _on_session_ends(self, _manager: QSessionManager | None = None) -> None:
        self.lock_wanted.emit()
