# SPDX-License-Identifier: MIT
"""Words of databases whose meaning nobody declared: their tables keep their own names."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_
from memory_gui.words.formats.shape import FormatWords

WORDS: Final = FormatWords(
    name="sqlite",
    title=N_("SQLite database"),
    reasons={
        "sqlite.unknown": N_(
            "What its program expects of the rows is not known here, so nothing in it is changed."
        ),
    },
    told={
        "sqlite.not_opened": N_(
            "Views, virtual tables and the tables behind them are listed and not opened: {names}"
        ),
        "sqlite.searched": N_(
            "A search looks through all texts and through BLOBs of up to {kb} KB that are text in "
            "UTF-8, such as JSON. Of other BLOBs only the size is known."
        ),
        "sqlite.triggers": N_("It has triggers. None of them runs while it is looked at: {names}"),
        "sqlite.more_tables": N_(
            "It has {n} tables; the first {most} are shown, in the order of their names."
        ),
    },
)
