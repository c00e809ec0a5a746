# SPDX-License-Identifier: MIT
"""Words of notes in text files."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

WORDS: Final = FormatWords(
    name="notes",
    title=N_("Notes in text files"),
    kinds={
        "note": KindWords(N_("note"), N_("notes"), NN_("{n} note", "{n} notes")),
        "session": KindWords(N_("session"), N_("sessions"), NN_("{n} session", "{n} sessions")),
    },
    fields={"bytes": N_("Bytes"), "note_file": N_("In the file")},
    reasons={
        "notes.no_trash": N_("The files have no trash: what is deleted is gone from the file."),
        "notes.text": N_("The agent reads these text files as they are; encrypted it could not."),
        "notes.no_tags": N_("Notes are plain text without tags."),
    },
    told={
        "notes.empty_lines": N_(
            "{file}: a note with an empty line inside looks like two notes. Which it was cannot be "
            "known from the file."
        ),
        "notes.no_final_newline": N_(
            "{file}: the last line has no end. What the agent writes next would grow onto the last "
            "note; a change from here ends the line."
        ),
        "notes.mixed_ends": N_(
            "{file}: some lines end as on Windows and others do not. Each stays as it is."
        ),
        "notes.bom": N_("{file}: begins with a byte order mark, which stays."),
        "notes.unread_link": N_("{file} is a link to somewhere else and was not followed."),
        "notes.unread": N_("{file} could not be read."),
        "notes.sessions_unknown": N_(
            "How the agent lays out its session files is not known: each is shown as text, and can "
            "be deleted or erased as a whole."
        ),
    },
)
