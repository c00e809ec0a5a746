# SPDX-License-Identifier: MIT
"""Words of persistent memory's stores."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_
from memory_gui.words.formats.shape import FormatWords

WORDS: Final = FormatWords(
    name="persistent-memory",
    title=N_("Persistent memory"),
    fields={
        "revision": N_("Revision"),
        "persistent.user": N_("User"),
        "persistent.key": N_("Key"),
        "persistent.value": N_("Value"),
        "persistent.kind": N_("Kind"),
        "persistent.session": N_("Session"),
    },
    values={
        "episode": N_("episode"),
    },
    reasons={
        "persistent.no_trash": N_("This app has no trash: what it forgets is deleted."),
        "persistent.no_tags": N_("This app keeps no tags."),
        "persistent.no_review": N_("This app saves at once; nothing waits for a decision."),
        "persistent.other_version": N_(
            "The file says another version than the one known here, so it can only be read."
        ),
        "persistent.not_seen": N_(
            "The app refuses this file as it is, so it would never see a new record."
        ),
    },
    alarms=frozenset({"persistent.malformed"}),
    told={
        "persistent.full": N_(
            "Full to: {most} of {per_user} for one user (the fullest of {users}) · "
            "{total} of {in_all} in all · {size} of {limit} MiB"
        ),
        "persistent.prompt": N_(
            "Of a user’s preferences only the first {n} by key reach a prompt by themselves."
        ),
        "persistent.extra_table": N_(
            "The app refuses this file, because of tables that are not its own: {names}"
        ),
        "persistent.extra_column": N_(
            "The app refuses this file, because of columns that are not its own: {names}"
        ),
        "persistent.other_version": N_(
            "The app refuses this file, because it says version {n}; only version 1 is known here."
        ),
        "persistent.too_large": N_(
            "The app refuses this file, because it has more than {limit} MiB. "
            "An erase makes it as small as its records are."
        ),
        "persistent.malformed_rows": N_(
            "Malformed records: {n}. Every listing of the app that comes upon one fails. They can "
            "be mended, deleted or erased here. As stored, they stand at place {places}."
        ),
        "persistent.in_prompt": N_("Reaches every prompt by itself."),
        "persistent.not_in_prompt": N_(
            "Reaches no prompt by itself: five other preferences of this user come first by key."
        ),
        "persistent.malformed": N_(
            "Malformed: every listing of the app that comes upon it fails. Edit it to mend it."
        ),
        "persistent.odd_user": N_("Its user is no text."),
        "persistent.odd_kind": N_("Its kind is neither preference nor episode."),
        "persistent.odd_key": N_("Its key is not of a–z, 0–9 and _ . : - with a–z first."),
        "persistent.odd_value": N_("Its value is blank, too long or no plain text."),
        "persistent.odd_session": N_("Its session is not of A–Z, a–z, 0–9 and _ . -"),
        "persistent.odd_revision": N_("Its revision is no whole number above zero."),
    },
)
