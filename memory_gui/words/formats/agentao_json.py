# SPDX-License-Identifier: MIT
"""Words of Agentao's old JSON files."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_
from memory_gui.words.formats.shape import FormatWords

WORDS: Final = FormatWords(
    name="agentao-json",
    title=N_("Agentao’s old JSON file"),
    reasons={
        "agentao-json.old_format": N_(
            "No version of Agentao that is in use reads this file. Make a database of it to go on "
            "with what is in it; it can be erased here."
        ),
    },
)
