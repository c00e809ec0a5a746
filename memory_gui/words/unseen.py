# SPDX-License-Identifier: MIT
"""What in a proposal a reviewer would not see by themselves, said for each kind of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from memory_gui.domain.hidden import FAR, INVISIBLE, MIXED, kinds_in
from memory_gui.words.catalogue import N_, Words

BYTES: Final = "bytes"
"""Bytes that are no text, which only the store itself can count."""
KINDS: Final = (MIXED, INVISIBLE, FAR, BYTES)
"""In the order in which they are told."""
_SHORT: Final[Mapping[str, str]] = {
    MIXED: N_("letters of two alphabets in one word"),
    INVISIBLE: N_("characters that do not show"),
    FAR: N_("text far out of sight"),
    BYTES: N_("bytes that are no text"),
}


MOST: Final = 20_000
"""Characters of a text that are looked at: as many as a window shows."""


def unseen_in(texts: Iterable[str]) -> Counter[str]:
    """How much of each kind is in the beginnings of some texts."""
    found: Counter[str] = Counter()
    for text in texts:
        found += kinds_in(text[:MOST])
    return found


def unseen_lines(words: Words, found: Mapping[str, int]) -> list[str]:
    """A sentence for each kind, with how it is drawn."""
    many = words.many
    told = {
        MIXED: many(
            "{n} word mixes letters of two alphabets, to look like another word. The foreign"
            " letters are drawn like ⟦U+0430⟧.",
            "{n} words mix letters of two alphabets, to look like other words. The foreign letters"
            " are drawn like ⟦U+0430⟧.",
            found.get(MIXED, 0),
        ),
        INVISIBLE: many(
            "{n} character that does not show is in this proposal. It is drawn like ⟦U+200B⟧.",
            "{n} characters that do not show are in this proposal. They are drawn like ⟦U+200B⟧.",
            found.get(INVISIBLE, 0),
        ),
        FAR: many(
            "{n} long gap of blanks or blank lines pushes text out of sight. It is drawn like"
            " ⟦↵×12⟧, and the text after it is shown.",
            "{n} long gaps of blanks or blank lines push text out of sight. They are drawn like"
            " ⟦↵×12⟧, and the text after them is shown.",
            found.get(FAR, 0),
        ),
        BYTES: many(
            "{n} byte in it is no text. It is drawn like \\xe4, and would be saved as these"
            " letters.",
            "{n} bytes in it are no text. They are drawn like \\xe4, and would be saved as these"
            " letters.",
            found.get(BYTES, 0),
        ),
    }
    return [told[kind] for kind in KINDS if found.get(kind)]


def unseen_short(words: Words, found: Mapping[str, int]) -> str:
    """The kinds in a few words, for one line of a list."""
    return words.row(words.say(_SHORT[kind]) for kind in KINDS if found.get(kind))
