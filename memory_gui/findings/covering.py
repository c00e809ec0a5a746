# SPDX-License-Identifier: MIT
"""What is covered in a text until a person asks for it: secrets, and personal data. Any thread."""

from __future__ import annotations

from memory_gui.findings.personal import Personal, personal_in
from memory_gui.findings.secrets import DOTS, Secret, secrets_in

Found = Secret | Personal


def everything_in(text: str) -> tuple[Found, ...]:
    """Secrets, and personal data that stand in none of them, in order."""
    secrets = secrets_in(text)
    others = [
        one
        for one in personal_in(text)
        if not any(one.start < other.end and other.start < one.end for other in secrets)
    ]
    return tuple(sorted((*secrets, *others), key=lambda one: one.start))


def cover(text: str) -> str:
    """The text with dots in their place."""
    pieces, at = [], 0
    for one in everything_in(text):
        pieces += [text[at : one.start], DOTS]
        at = one.end
    return "".join((*pieces, text[at:])) if pieces else text
