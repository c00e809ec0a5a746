# SPDX-License-Identifier: MIT
"""The words of the copy that a person gets of what is held about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memory_gui.words.catalogue import N_

FILES: Final[dict[str, str]] = {"en": "what-is-held.en.html", "zh_CN": "what-is-held.zh.html"}
"""The page of each language; a person sees which one is theirs before anything is opened."""
DATA: Final = "data.json"
LANGUAGE_NAMES: Final[dict[str, str]] = {"en": "English", "zh_CN": "简体中文"}
"""Each as it calls itself."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a field is called on the page, and what it means."""

    title: str
    meaning: str


ABOUT_YOU: Final[dict[str, str]] = {
    "sure": N_("about you"),
    "mentions": N_("mentions you"),
    "shared": N_("about you and others"),
}
"""By the heap in which it was found; said to the person."""

STATES: Final[dict[str, str]] = {
    "live": N_("remembered"),
    "trash": N_("in the trash"),
    "pending": N_("waiting for review"),
    "approved": N_("approved"),
    "rejected": N_("rejected"),
    "expired": N_("expired"),
}
"""As a person would say it; the data has the codes."""

FIELDS: Final[dict[str, Field]] = {
    "about": Field(
        N_("Concerns"),
        N_(
            "“sure”: it is about you. “mentions”: your name stands in it. “shared”: about you "
            "and about others."
        ),
    ),
    "store": Field(N_("Store"), N_("In which of the stores listed under “stores” it lies.")),
    "agent": Field(N_("Agent"), N_("The AI agent that keeps it.")),
    "path": Field(N_("File"), N_("Where it lies on the computer on which it was found.")),
    "ref": Field(N_("Name"), N_("What names this record in its store.")),
    "kind": Field(
        N_("Kind"),
        N_(
            "What sort of record it is: a memory, a summary, a proposal, an entry of a log, a file."
        ),
    ),
    "state": Field(
        N_("State"),
        N_(
            "“live”: the agent uses it. “trash”: it no longer does. “pending”, “approved”, "
            "“rejected”: a proposal, and what was decided about it. “expired”: its time is over."
        ),
    ),
    "title": Field(N_("Title"), N_("What the record is called.")),
    "text": Field(N_("Text"), N_("What it says, word for word.")),
    "subject": Field(
        N_("Person or thing"), N_("What it is about, where its agent writes that down.")
    ),
    "scope": Field(N_("Scope"), N_("Whether it holds for one project or everywhere.")),
    "type": Field(N_("Type"), N_("How the agent sorts it, such as preference or decision.")),
    "tags": Field(N_("Tags"), N_("Words that were added so that it is found.")),
    "source": Field(
        N_("Source"), N_("How it came in, such as said by you or concluded by the agent.")
    ),
    "created_at": Field(N_("Made"), N_("When it was made, as it is stored.")),
    "updated_at": Field(N_("Changed"), N_("When it was last changed, as it is stored.")),
    "created_at_utc": Field(
        N_("Made (UTC)"), N_("The same in universal time, where that is known.")
    ),
    "updated_at_utc": Field(N_("Changed (UTC)"), N_("The same in universal time, where known.")),
    "zone": Field(N_("Time zone"), N_("Which time zone the stored times are in.")),
    "extra": Field(
        N_("Other fields"), N_("Everything else that is stored with it, by its own name.")
    ),
}
"""Of every field of the data, in the order of the page."""
