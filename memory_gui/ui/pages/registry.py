# SPDX-License-Identifier: MIT
"""Which class plays which page. Add a page here; the shell makes it when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtWidgets import QWidget

from memory_gui.ui.activity.page import ActivityPage
from memory_gui.ui.agent.page import AgentPage
from memory_gui.ui.cases.list_page import CasesPage
from memory_gui.ui.cases.new_page import NewCasePage
from memory_gui.ui.cases.page import CasePage
from memory_gui.ui.clashes.page import ClashPage
from memory_gui.ui.context import Context
from memory_gui.ui.graph.page import GraphPage
from memory_gui.ui.pages.clean import CleanPage
from memory_gui.ui.pages.erase import ErasePage
from memory_gui.ui.pages.export import ExportPage
from memory_gui.ui.pages.key import KeyPage
from memory_gui.ui.pages.locked import LockedPage
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.pending import PendingPage
from memory_gui.ui.pages.recovery import RecoveryPage
from memory_gui.ui.pages.settings import SettingsPage
from memory_gui.ui.pages.which import WhichPage
from memory_gui.ui.protect.page import ProtectPage
from memory_gui.ui.review.page import ReviewPage
from memory_gui.ui.review.rulespage import RulesPage

PageFactory = Callable[[Context, QWidget], Page]
"""Makes a page where it will stand: to move it there would take a fourth of the time again."""

PAGES: Final[Mapping[str, PageFactory]] = MappingProxyType(
    {
        "review": ReviewPage,
        "rules": RulesPage,
        "clash": ClashPage,
        "activity": ActivityPage,
        "agent": AgentPage,
        "graph": GraphPage,
        "erase": ErasePage,
        "clean": CleanPage,
        "pending": PendingPage,
        "key": KeyPage,
        "locked": LockedPage,
        "protect": ProtectPage,
        "recovery": RecoveryPage,
        "export": ExportPage,
        "cases": CasesPage,
        "case_new": NewCasePage,
        "case": CasePage,
        "settings": SettingsPage,
        "which": WhichPage,
    }
)
