# SPDX-License-Identifier: MIT
"""Words of Agentao's stores."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

WORDS: Final = FormatWords(
    name="agentao",
    title=N_("Agentao"),
    kinds={
        "memory": KindWords(N_("memory"), N_("memories"), NN_("{n} memory", "{n} memories")),
        "review": KindWords(
            N_("review"), N_("review items"), NN_("{n} review item", "{n} review items")
        ),
        "summary": KindWords(N_("summary"), N_("summaries"), NN_("{n} summary", "{n} summaries")),
        "event": KindWords(N_("event"), N_("events"), NN_("{n} event", "{n} events")),
        "meta": KindWords(
            N_("meta"),
            N_("bookkeeping"),
            NN_("{n} entry of bookkeeping", "{n} entries of bookkeeping"),
        ),
    },
    reasons={
        "old_format": N_("The agent no longer uses this format; it can only be read."),
    },
)
