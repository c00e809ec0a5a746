# SPDX-License-Identifier: MIT
"""Words of FactMemory's stores."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

WORDS: Final = FormatWords(
    name="facts",
    title=N_("FactMemory"),
    kinds={
        "fact": KindWords(N_("fact"), N_("facts"), NN_("{n} fact", "{n} facts")),
    },
    fields={
        "created": N_("Made, as stored"),
        "vector": N_("Vector"),
        "embedding": N_("Vector"),
        "facts.subject": N_("Subject"),
        "facts.fact": N_("Fact"),
        "facts.source": N_("Source"),
    },
    reasons={
        "facts.no_trash": N_("This agent has no trash: what it forgets is deleted."),
        "facts.no_tags": N_("This agent keeps no tags."),
        "facts.no_review": N_("This agent saves at once; nothing waits for a decision."),
    },
    told={
        "facts.recall": N_(
            "The agent recalls by words of a–z and 0–9, among the newest {n} facts of a subject. "
            "Facts that it can never recall say so."
        ),
        "facts.many": N_(
            "Subjects with more than {n} facts, of which the older ones are never recalled: "
            "{subjects}"
        ),
        "facts.vectors": N_(
            "Facts have a vector beside them. One whose words are changed here loses it, until "
            "the agent makes a new one."
        ),
        "facts.no_word": N_(
            "The agent can never recall it: it has no word of a–z and 0–9, and others are not "
            "compared."
        ),
        "facts.too_old": N_(
            "The agent can never recall it: its subject has 500 newer facts, and no others are "
            "looked at."
        ),
        "facts.no_vector": N_("Has no vector at present: a search by likeness does not find it."),
    },
)
