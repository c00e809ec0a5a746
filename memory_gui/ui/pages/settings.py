# SPDX-License-Identifier: MIT
"""Settings: each takes effect at once, and the page says what is kept and where it is not."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.services.own.settings import SettingValues
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.settings_rows import Row, make_row
from memory_gui.ui.pages.settings_table import NO_CAPTURE, SECTIONS, TABLE
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.widgets import Button, Caption, Panel, SectionLabel, TextLabel
from memory_gui.words import N_

_KEPT: Final = (
    N_("The settings on this page, in a file of their own."),
    N_("Paths and names of stores that were opened, if you allow it; encrypted with a key in the "
       "keychain."),
    N_("Erasures that are not finished: which rows, no text."),
    N_("What you were typing when the window locked, sealed with the key of its store, until you "
       "take it up again or discard it."),
    N_("Keys: only in the system's keychain."),
)  # fmt: skip


def values_of(services: Services) -> SettingValues:
    """The settings; any thread."""
    return services.settings.values


class SettingsPage(Page):
    """Made from the table; knows no setting by name but what the system cannot do."""

    icon_name = Icon.SETTINGS

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "settings")
        self._values: SettingValues | None = None
        self._asking = Asking(self.bridge)
        self.frame = Frame("settings")
        self.rows = {what.name: make_row(context.words, what) for what in TABLE}
        self._titles = {name: named(SectionLabel(), f"settings.{name}") for name, _ in SECTIONS}
        self._kept_title = named(SectionLabel(), "settings.kept")
        self._kept = [named(TextLabel(), f"settings.kept{n}") for n in range(len(_KEPT))]
        self._nowhere = named(Caption(), "settings.nowhere")
        self.leave = named(Button(), "settings.leave")
        self._lay_out()
        self.leave.clicked.connect(self.closed)
        for row in self.rows.values():
            row.changed.connect(self._on_row_changed)
        self.frame.retried.connect(self.refresh)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        if self._values is None:
            self.frame.show_busy(self.words.say("Reading the settings…"))
        self.refresh()
        row = self.rows.get(argument) if isinstance(argument, str) else None
        (row or self._first).field.setFocus()
        if row is not None:
            self.frame.reveal(row)

    def refresh(self) -> None:
        self._asking.anew(values_of, self.services, done=self._on_values, failed=self._on_failed)

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Settings"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.leave.setText(words.say("Close"))
        for name, text in SECTIONS:
            self._titles[name].setText(words.say(text))
        for row in self.rows.values():
            row.retranslate()
        if not self.context.privacy.capture.possible:
            capture = self.rows["block_capture"]
            capture.setEnabled(False)
            capture.say_help(words.say(NO_CAPTURE))
        self._kept_title.setText(words.say("What this program keeps"))
        for label, text in zip(self._kept, _KEPT, strict=True):
            label.setText(words.say(text))
        self._nowhere.setText(words.say("Text of memories is kept nowhere outside their stores."))

    # ---- values

    @property
    def _first(self) -> Row:
        return self.rows[TABLE[0].name]

    def _on_values(self, values: SettingValues) -> None:
        self._values = values
        for name, row in self.rows.items():
            row.show_value(getattr(values, name))
        if not self.context.privacy.capture.possible:
            self.rows["block_capture"].show_value(False)
        self.frame.show_state(frame.CONTENT)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        if self._values is None:
            self.frame.show_error(self.words, error)
        else:
            self.frame.say_error(self.words, error)
            self._on_values(self._values)

    def _on_row_changed(self, name: str, value: object) -> None:
        self.frame.banner.dismiss()
        self._asking.drop()  # what was read before it
        self.bridge.call(
            self.services.settings.change,
            **{name: value},  # type: ignore[arg-type]  # goes to ``change``, not to ``call``
            done=self._on_changed,
            failed=self._on_failed,
            in_turn=True,
            asked=partial(self.words.say, N_("change a setting")),
        )

    def _on_changed(self, values: SettingValues) -> None:
        self._on_values(values)
        self.go.emit("settings_changed", None)

    # ---- building

    def _lay_out(self) -> None:
        for section, _ in SECTIONS:
            panel = named(Panel(), f"settings.panel.{section}")
            inside = padded(panel, SPACE_M)
            inside.addWidget(self._titles[section])
            for what in TABLE:
                if what.section == section:
                    inside.addWidget(self.rows[what.name])
            self.frame.content.addWidget(panel)
        kept = named(Panel(), "settings.panel.kept")
        inside = padded(kept)
        for label in (self._kept_title, *self._kept, self._nowhere):
            inside.addWidget(label)
        self.frame.content.addWidget(kept)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
