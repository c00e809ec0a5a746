# SPDX-License-Identifier: MIT
"""Which class plays which page. Add a page here; the shell makes it when it is first shown."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from PySide6.QtWidgets import QWidget

from memory_gui.ui.context import Context
from memory_gui.ui.pages.page import Page


class PageFactory:
    """Makes a page; loads its module before, which takes as long as to make it."""

    def __init__(self, module: str, name: str) -> None:
        self._module = f"memory_gui.ui.{module}"
        self._name = name

    @property
    def loaded(self) -> bool:
        """Whether its module is there."""
        return self._module in sys.modules

    def load(self) -> type[Page]:
        """The class."""
        found: type[Page] = getattr(import_module(self._module), self._name)
        return found

    def make(self, context: Context, parent: QWidget) -> Page:
        """Where it will stand: to move it there would take a fourth of the time again."""
        return self.load()(context, parent)


PAGES: Final[Mapping[str, PageFactory]] = MappingProxyType(
    {
        "review": PageFactory("review.page", "ReviewPage"),
        "rules": PageFactory("review.rulespage", "RulesPage"),
        "clash": PageFactory("clashes.page", "ClashPage"),
        "activity": PageFactory("activity.page", "ActivityPage"),
        "agent": PageFactory("agent.page", "AgentPage"),
        "graph": PageFactory("graph.page", "GraphPage"),
        "erase": PageFactory("pages.erase", "ErasePage"),
        "clean": PageFactory("pages.clean", "CleanPage"),
        "pending": PageFactory("pages.pending", "PendingPage"),
        "key": PageFactory("pages.key", "KeyPage"),
        "locked": PageFactory("pages.locked", "LockedPage"),
        "protect": PageFactory("protect.page", "ProtectPage"),
        "recovery": PageFactory("pages.recovery", "RecoveryPage"),
        "export": PageFactory("pages.export", "ExportPage"),
        "cases": PageFactory("cases.list_page", "CasesPage"),
        "case_new": PageFactory("cases.new_page", "NewCasePage"),
        "case": PageFactory("cases.page", "CasePage"),
        "settings": PageFactory("pages.settings", "SettingsPage"),
        "shortcuts": PageFactory("shell.sheet", "ShortcutsPage"),
        "which": PageFactory("pages.which", "WhichPage"),
    }
)
