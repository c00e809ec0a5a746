# SPDX-License-Identifier: MIT
"""Memory text is hostile: what a person would not see is drawn as something they do see."""

from __future__ import annotations

import re
from typing import Final

from memory_gui.ui import lazy

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_SIGNS: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"))


def visible(text: str) -> str:
    """The text with each hidden character drawn as ``⟦U+202E⟧``; lines are kept."""
    if text.isascii() and text.isprintable():
        return text
    return str(lazy.hidden().drawn(_lines(text)))


def one_line(text: str, limit: int = 400) -> str:
    """The start of the text for a row: line ends become spaces, hidden characters are drawn."""
    return visible(_SPACES.sub(" ", text[: limit * 2]).strip(" ")[:limit])


def plain_tip(text: str) -> str:
    """A tooltip that Qt does not take for rich text."""
    plain = visible(text)
    for sign, said in _SIGNS:
        plain = plain.replace(sign, said)
    return f"<span>{plain}</span>"


def plain_button(text: str) -> str:
    """A button's text in which ``&`` is a letter."""
    return visible(text).replace("&", "&&")


def has_hidden(text: str) -> bool:
    """Whether something in the text was not to be seen."""
    return bool(lazy.hidden().has_hidden(text))


def _lines(text: str) -> str:
    """All three ways to end a line are one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
