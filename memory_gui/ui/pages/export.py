# SPDX-License-Identifier: MIT
"""Export: write what a list shows to a new file that only this person can read."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.services import Listing
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame, padded
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.path_field import PathField
from memory_gui.ui.tokens import SPACE_M
from memory_gui.ui.views import VIEWS
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Button, Choice, Panel, PrimaryButton, TextLabel
from memory_gui.words import N_

FORMATS: Final = (
    ("json", N_("JSON: every field, for programs")),
    ("jsonl", N_("JSON lines: one record a line")),
    ("csv", N_("CSV: a table, for spreadsheets")),
    ("md", N_("Markdown: for reading")),
)


class ExportPage(Page):
    """Which format, which file; then how many records are in it."""

    icon_name = Icon.EXPORT

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "export")
        self._what: Query | tuple[Ref, ...] = Query()
        self._total = 0
        self._writing = False
        self._wish = object()
        """Another one whenever the page is shown for something else."""
        self._call: Handle | None = None
        """Counts or writes what is shown; what is written for an earlier wish goes on."""
        self.frame = Frame("export")
        self.lead = named(TextLabel(), "export.lead")
        self.format = named(Choice(), "export.format")
        for value, _text in FORMATS:
            self.format.addItem("", value)
        self.path = PathField(self.words, "export")
        self._format_label = named(TextLabel(wrap=False), "export.format.label")
        self._path_label = named(TextLabel(wrap=False), "export.path.label")
        self.caution = named(TextLabel(tone="muted"), "export.caution")
        self.cancel = named(Button(), "export.cancel")
        self.export = named(PrimaryButton(icon=Icon.EXPORT), "export.run")
        self._lay_out()
        self.format.currentIndexChanged.connect(self._on_format_changed)
        self.path.changed.connect(self._on_path_changed)
        self.path.entered.connect(self._on_export_clicked)
        self.export.clicked.connect(self._on_export_clicked)
        self.cancel.clicked.connect(self._on_cancel_clicked)
        self.frame.retried.connect(self._count)
        self.frame.stopped.connect(self._on_stopped)
        self.retranslate()

    def show_for(self, argument: object) -> None:
        self._forget_call()
        self._what = argument if isinstance(argument, Query | tuple) else Query()
        self.frame.banner.dismiss()
        self.path.set_path("~/memories.json")
        self.format.setCurrentIndex(0)
        self._count()

    def clear(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._call, self._writing = None, False
        self._what, self._total = Query(), 0
        self.path.wipe()
        self.frame.banner.dismiss()

    def retranslate(self) -> None:
        words = self.words
        self.frame.title.setText(words.say("Export"))
        self.frame.banner.set_close_name(words.say("Close"))
        for number, (_, text) in enumerate(FORMATS):
            self.format.setItemText(number, words.say(text))
        self._format_label.setText(words.say("Format"))
        self._path_label.setText(words.say("File"))
        self.caution.setText(
            words.say(
                "The new file is readable, not encrypted. Only you can open it on this computer, "
                "but whoever gets a copy can read it. No file is ever overwritten."
            )
        )
        self.cancel.setText(words.say("Cancel"))
        self.path.retranslate()
        self._say_total()

    def _say_total(self) -> None:
        words = self.words
        self.lead.setText(self._lead())
        self.export.setText(words.many("Export {n} record", "Export {n} records", self._total))
        self._on_path_changed()

    def _lead(self) -> str:
        """How many, and of what: a list shows one view, and perhaps only what was searched for."""
        words, query = self.words, self._what
        if not isinstance(query, Query):
            return words.many(
                "{n} record, with every field: the one that you chose.",
                "{n} records, with every field: those that you chose.",
                self._total,
            )
        opened = [
            one
            for one in self.services.library.stores()
            if not query.stores or one.id in query.stores
        ]
        one = (query.kinds, query.states)
        title = next(
            (view.title for view in VIEWS if (view.kinds_of(opened), view.states) == one), ""
        )
        if not title:
            return words.many(
                "{n} record with every field it has.",
                "{n} records with every field they have.",
                self._total,
            )
        view = words.say(title)
        if query.text or query.facets:
            return words.many(
                "{n} record, with every field: what search and filters show of the view “{view}”.",
                "{n} records, with every field: what search and filters show of the view “{view}”.",
                self._total,
                view=view,
            )
        return words.many(
            "{n} record, with every field: the view “{view}” only. "
            "To export another view, go there first.",
            "{n} records, with every field: the view “{view}” only. "
            "To export another view, go there first.",
            self._total,
            view=view,
        )

    # ---- counting

    def _forget_call(self) -> None:
        """Another wish: no count that is on its way is its own."""
        if self._call is not None and not self._writing:
            self._call.cancel()
        self._call, self._writing, self._wish = None, False, object()

    def _count(self) -> None:
        self._forget_call()
        if not isinstance(self._what, Query):
            self._show_total(len(self._what))
            return
        self._total = 0  # that of the wish before allows nothing
        self._on_path_changed()
        self.frame.show_busy(self.words.say("Counting…"))
        self._call = self.bridge.call(
            self.services.library.search,
            self._what,
            done=self._on_counted,
            failed=self._on_not_counted,
            broke=self._on_count_broke,
        )

    def _on_counted(self, listing: Listing) -> None:
        self._show_total(listing.total)

    def _show_total(self, total: int) -> None:
        self._total = total
        self._say_total()
        self.frame.show_state(frame.CONTENT)
        self.path.setFocus()

    def _on_count_broke(self) -> None:
        self._say_total()
        self._end()

    def _on_not_counted(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    # ---- writing

    def _on_format_changed(self) -> None:
        path = self.path.path
        known = {f".{value}" for value, _ in FORMATS}
        if path is not None and path.suffix in known:
            text = self.path.line.text()
            self.path.set_path(f"{text[: -len(path.suffix)]}.{self.format.currentData()}")

    def _on_path_changed(self) -> None:
        self.export.setEnabled(self._total > 0 and self.path.path is not None)

    def _on_export_clicked(self) -> None:
        path = self.path.path
        if path is None or self._writing or not self.export.isEnabled():
            return
        self.frame.banner.dismiss()
        self.frame.show_busy(self.words.say("Writing…"), self.words.say("Cancel"))
        wish, self._writing = self._wish, True
        self._call = self.bridge.call(
            self.services.exporting.export,
            self._what,
            path,
            self.format.currentData(),
            done=partial(self._on_exported, wish, path),
            failed=partial(self._on_not_exported, wish),
            stopped=partial(self._on_export_stopped, wish),
            broke=partial(self._on_broke, wish),
            tick=partial(self._on_tick, wish),
            cancellable=True,
        )

    def _shows(self, wish: object) -> bool:
        """Whether the page is still about what was written."""
        return self._writing and wish is self._wish

    def _on_tick(self, wish: object, _step: str, done: int, total: int) -> None:
        if self._shows(wish):
            self.frame.busy.progress(self.words.say("Writing…"), done, total)

    def _on_exported(self, wish: object, path: Path, count: int) -> None:
        shown = self._shows(wish)
        self.told.emit(
            "ok",
            self.words.many(
                "{n} record was written to {path}",
                "{n} records were written to {path}",
                count,
                path=visible(str(path)),
            ),
        )
        if shown:
            self._end()
            self.closed.emit()

    def _end(self) -> None:
        self._call, self._writing = None, False
        self.frame.show_state(frame.CONTENT)

    def _on_broke(self, wish: object) -> None:
        """The window tells of the bug; here it must not look as if something still ran."""
        if self._shows(wish):
            self._end()

    def _on_not_exported(self, wish: object, error: UserError | IntegrityError) -> None:
        if not self._shows(wish):
            self.bridge.error.emit(error)
            return
        self._end()
        self.frame.say_error(self.words, error)

    def _on_stopped(self) -> None:
        """It may be too late: then the file is there, and it is said where."""
        if self._call is not None:
            self._call.stop()

    def _on_export_stopped(self, wish: object) -> None:
        if self._shows(wish):
            self._end()
            self.frame.banner.tell("info", self.words.say("Stopped. No file was written."))

    def _on_cancel_clicked(self) -> None:
        self.closed.emit()

    def _lay_out(self) -> None:
        panel = named(Panel(), "export.panel")
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_M)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for label, field in ((self._format_label, self.format), (self._path_label, self.path)):
            label.setBuddy(field)
            form.addRow(label, field)
        inside = padded(panel, SPACE_M)
        inside.addWidget(self.lead)
        inside.addLayout(form)
        inside.addWidget(self.caution)
        self.frame.content.addWidget(panel)
        self.frame.content.addStretch(1)
        self.frame.foot.addWidget(self.cancel)
        self.frame.foot.addWidget(self.export)
        self.frame.foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
