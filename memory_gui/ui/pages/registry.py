# SPDX-License-Identifier: MIT
"""Which class plays which page. Add a page here; the shell makes it when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from memory_gui.ui.context import Context
from memory_gui.ui.pages.page import Page

PageFactory = Callable[[Context], Page]

PAGES: Final[Mapping[str, PageFactory]] = MappingProxyType({})
