# SPDX-License-Identifier: MIT
"""Settings: each takes effect at once, and the page says what is kept and where it is not."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.services.settings import SettingValues
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.widgets import Button, Caption, Choice, Panel, SectionLabel, TextLabel
from memory_gui.ui.widgets.checkbox import CheckBox
from memory_gui.words import N_

MINUTES: Final = (0, 1, 5, 10, 15, 30, 60)
_LANGUAGES: Final = (("", N_("Like the system")), ("en", "English"), ("zh_CN", "简体中文"))
_LOOKS: Final = (
    ("system", N_("Like the system")),
    ("light", N_("Light")),
    ("dark", N_("Dark")),
)
_KEPT: Final = (
    N_("The settings on this page, in a file of their own."),
    N_("Paths and names of stores that were opened, if you allow it; encrypted with a key in the "
       "keychain."),
    N_("Erasures that are not finished: which rows, no text."),
    N_("Keys: only in the system's keychain."),
)  # fmt: skip


def values_of(services: Services) -> SettingValues:
    """The settings; any thread."""
    return services.settings.values


class SettingsPage(Page):
    """Language, appearance, auto-lock, what is kept."""

    icon_name = Icon.SETTINGS

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "settings")
        self._values: SettingValues | None = None
        self.frame = Frame("settings")
        self.language = named(Choice(), "settings.language")
        self.appearance = named(Choice(), "settings.appearance")
        self.auto_lock = named(Choice(), "settings.auto_lock")
        self.remember = named(CheckBox(), "settings.remember_stores")
        self._fill_choices()
        self._labels = [named(TextLabel(wrap=False), f"settings.label{n}") for n in range(3)]
        self._look_title = named(SectionLabel(), "settings.look")
        self._privacy_title = named(SectionLabel(), "settings.privacy")
        self._kept_title = named(SectionLabel(), "settings.kept")
        self._kept = [named(TextLabel(), f"settings.kept{n}") for n in range(len(_KEPT))]
        self._nowhere = named(Caption(), "settings.nowhere")
        self.leave = named(Button(), "settings.leave")
        self._lay_out()
        self.leave.clicked.connect(self.closed)
        for box, name in self._combos():
            box.activated.connect(lambda _index, box=box, name=name: self._on_chosen(box, name))
        for check, name in self._checks():
            check.clicked.connect(lambda on, name=name: self._change(**{name: bool(on)}))
        self.frame.retried.connect(self.refresh)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        if self._values is None:
            self.frame.show_busy(self.words.say("Reading the settings…"))
        self.refresh()
        self.language.setFocus()

    def refresh(self) -> None:
        self.bridge.call(values_of, self.services, done=self._on_values, failed=self._on_failed)

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Settings"))
        self.frame.banner.set_close_name(words.say("Close"))
        self.leave.setText(words.say("Close"))
        names = (words.say("Language"), words.say("Appearance"), words.say("Lock by itself"))
        for label, name, (box, _) in zip(self._labels, names, self._combos(), strict=True):
            label.setText(name)
            box.setAccessibleName(name)
        self.language.setItemText(0, words.say("Like the system"))
        for number, (_, text) in enumerate(_LOOKS):
            self.appearance.setItemText(number, words.say(text))
        for number, minutes in enumerate(MINUTES):
            text = (
                words.many("after {n} minute", "after {n} minutes", minutes)
                if minutes
                else words.say("never")
            )
            self.auto_lock.setItemText(number, text)
        self.remember.setText(words.say("Remember which stores were opened"))
        self._look_title.setText(words.say("Look"))
        self._privacy_title.setText(words.say("Privacy"))
        self._kept_title.setText(words.say("What this program keeps"))
        for label, text in zip(self._kept, _KEPT, strict=True):
            label.setText(words.say(text))
        self._nowhere.setText(words.say("Text of memories is kept nowhere outside their stores."))

    # ---- values

    def _on_values(self, values: SettingValues) -> None:
        self._values = values
        minutes = values.auto_lock_minutes
        if minutes not in MINUTES and self.auto_lock.findData(minutes) < 0:
            self.auto_lock.addItem(
                self.words.many("after {n} minute", "after {n} minutes", minutes), minutes
            )
        for box, name in self._combos():
            box.setCurrentIndex(box.findData(getattr(values, name)))
        for check, name in self._checks():
            check.setChecked(bool(getattr(values, name)))
        self.frame.show_state(frame.CONTENT)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        if self._values is None:
            self.frame.show_error(self.words, error)
        else:
            self.frame.say_error(self.words, error)
            self._on_values(self._values)

    def _on_chosen(self, box: Choice, name: str) -> None:
        self._change(**{name: box.currentData()})

    def _change(self, **values: Any) -> None:
        self.frame.banner.dismiss()
        self.bridge.call(
            self.services.settings.change,
            **values,
            done=self._on_changed,
            failed=self._on_failed,
            in_turn=True,
        )

    def _on_changed(self, values: SettingValues) -> None:
        self._on_values(values)
        self.go.emit("settings_changed", None)

    # ---- building

    def _combos(self) -> tuple[tuple[Choice, str], ...]:
        return (
            (self.language, "language"),
            (self.appearance, "appearance"),
            (self.auto_lock, "auto_lock_minutes"),
        )

    def _checks(self) -> tuple[tuple[CheckBox, str], ...]:
        return ((self.remember, "remember_stores"),)

    def _fill_choices(self) -> None:
        for value, text in _LANGUAGES:
            self.language.addItem(text, value)
        for value, text in _LOOKS:
            self.appearance.addItem(text, value)
        for minutes in MINUTES:
            self.auto_lock.addItem("", minutes)

    def _lay_out(self) -> None:
        look, privacy, kept = (named(Panel(), f"settings.panel{n}") for n in range(3))
        inside = padded(look, SPACE_M)
        inside.addWidget(self._look_title)
        inside.addLayout(self._form(((0, self.language), (1, self.appearance))))
        inside = padded(privacy, SPACE_M)
        inside.addWidget(self._privacy_title)
        inside.addLayout(self._form(((2, self.auto_lock),)))
        inside.addWidget(self.remember)
        inside = padded(kept)
        for label in (self._kept_title, *self._kept, self._nowhere):
            inside.addWidget(label)
        for panel in (look, privacy, kept):
            self.frame.content.addWidget(panel)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.leave)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)

    def _form(self, rows: tuple[tuple[int, Choice], ...]) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_M)
        for number, box in rows:
            label = self._labels[number]
            label.setFixedWidth(140)
            label.setBuddy(box)
            box.setMinimumWidth(220)
            form.addRow(label, box)
        return form
