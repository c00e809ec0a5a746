# SPDX-License-Identifier: MIT
"""The words of hints about what was typed into the search box, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.words.catalogue import N_, Words

_TEXTS: Final[Mapping[str, str]] = {
    "query.quote_open": N_("The quote in {text} is not closed. Add another one at its end."),
    "query.value_missing": N_("Write what it should be after {field}:, without a space."),
    "query.date": N_(
        "{text} is no date. After {field}: write a day (2026-06-15), a month (2026-06), a year "
        "(2026) or an age (7d, 2w, 3m, 1y)."
    ),
    "query.state_unknown": N_("There is no state {text}. The states are: {states}."),
    "query.value_unknown": N_("Nothing here has {field}:{text}. There is: {values}."),
    "query.no_values": N_("Nothing here has a {field}, so {field}:{text} finds nothing."),
    "query.elsewhere": N_("This list leaves out {field}:{text}. Look for it in another list."),
    "query.field_unknown": N_("{text} is searched for as text. Did you mean {field}:?"),
    "query.findings": N_("{text} is searched for as text: no list knows of findings yet."),
    "query.only_without": N_(
        "Shown is everything without {text}. To find a text that begins with -, put it in quotes."
    ),
}


def say_hint(words: Words, code: str, params: Mapping[str, object]) -> str:
    """A hint as one sentence or two; a code without words is said as itself."""
    text = _TEXTS.get(code)
    return code if text is None else words.say(text, **params)
