# SPDX-License-Identifier: MIT
"""Reads gettext ``.po`` files as ours are written: no contexts, one plural form.

A tenth of what Babel's reader takes, which would be a third of the start in Chinese. A test holds
the two against each other over all our files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LINES: Final = r'((?:"[^\n]*"\n)+)'
_ENTRY: Final = re.compile(
    rf"^msgid {_LINES}(?:msgid_plural {_LINES})?msgstr(?:\[0\])? {_LINES}", re.MULTILINE
)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_MEANT: Final = {"n": "\n", "t": "\t", "r": "\r"}


def messages_of(text: str) -> Iterator[tuple[str, str]]:
    """Each text that has a translation, with it; of one that counts the singular stands for it."""
    for source, _plural, translated in _ENTRY.findall(f"{text}\n"):
        said = _plain(translated)
        if said and (meant := _plain(source)):
            yield meant, said


def _plain(lines: str) -> str:
    whole = lines[1:-2].replace('"\n"', "")
    return _ESCAPED.sub(_unescaped, whole) if "\\" in whole else whole


def _unescaped(found: re.Match[str]) -> str:
    return _MEANT.get(found[1], found[1])
