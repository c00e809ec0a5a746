# SPDX-License-Identifier: MIT
"""Why a list is empty, and what to do about it."""

from __future__ import annotations

from memory_gui.ui.icons import Icon
from memory_gui.ui.views import MEMORIES, TRASH, View
from memory_gui.ui.widgets import EmptyState
from memory_gui.words import Words


def say_nothing(
    words: Words, place: EmptyState, view: View, *, searched: bool, filtered: bool = False
) -> None:
    """Put the words for an empty list into its place."""
    say = words.say
    if filtered and searched:
        place.say(
            say("Nothing found"),
            say("No record here contains these words and fits all of the chosen filters."),
            say("Clear all filters"),
            icon=Icon.FILTER,
        )
    elif filtered:
        place.say(
            say("Nothing found"),
            say("No record here fits all of the chosen filters."),
            say("Clear all filters"),
            icon=Icon.FILTER,
        )
    elif searched:
        place.say(
            say("Nothing found"),
            say("No record here contains these words. Parts of words count too."),
            say("Clear the search"),
            icon=Icon.SEARCH,
        )
    elif view is TRASH:
        place.say(
            say("The trash is empty"),
            say("What you move to the trash waits here until you restore or erase it."),
            icon=Icon.TRASH,
        )
    else:
        place.say(
            say("Nothing here yet"),
            say("As soon as the agent keeps something, it shows up here."),
            say("New memory") if view is MEMORIES else "",
            icon=view.icon,
        )
