# SPDX-License-Identifier: MIT
"""What reaches the terminal: text without control characters, or one JSON document.

Memory text is hostile: an escape sequence in it could rewrite the screen, and a bidi character
could show it in another order than it is stored.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TextIO

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.library.keyfinder import result_of
from memory_gui.terminal.unattended import counted
from memory_gui.words import Words
from memory_gui.words.errors import explain
from memory_gui.words.keys import IGNORED, explain_half, explain_key

_KEPT_LINES: Final = "\n"
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ALSO_HIDDEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]|[\U000e0000-\U000e0fff]"
)
_SPACE: Final = "  "


def escape(text: str, *, lines: bool = False) -> str:
    r"""Text in which every character is seen: others stand as ``\\u{202e}``.

    ``lines`` keeps line breaks; else they are escaped too.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter if (lines and letter in _KEPT_LINES) or not _is_hidden(letter) else _code(letter)
        for letter in text
    )


def _is_hidden(letter: str) -> bool:
    if unicodedata.category(letter) in _HIDDEN_CATEGORIES:
        return True
    return _ALSO_HIDDEN.match(letter) is not None


def _code(letter: str) -> str:
    short = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}.get(letter)
    return short or f"\\u{{{ord(letter):x}}}"


def width(text: str) -> int:
    """Columns that a text takes: wide characters take two, combining ones none."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def fit(text: str, columns: int) -> str:
    """Cut to a width with an ellipsis, or fill up with blanks."""
    if width(text) > columns:
        kept, used = [], 0
        for letter in text:
            used += _columns(letter)
            if used > columns - 1:
                break
            kept.append(letter)
        text = "".join(kept) + "…"
    return text + " " * (columns - width(text))


class Output:
    """Prints for a person, or one JSON document; decided once by ``--json``."""

    def __init__(self, words: Words, *, as_json: bool, out: TextIO, err: TextIO) -> None:
        self.words = words
        self.as_json = as_json
        self.lost: OSError | None = None
        """Why what was printed did not all arrive; nothing more is printed then."""
        self.acting = False
        """Whether the verb does something, so that its status says more than its answer."""
        self.records = 0
        """How many records were shown or changed, for what is written down of a call."""
        self._out = out
        self._err = err
        self._english = Words("en", typed=True)

    def document(self, document: Mapping[str, Any]) -> None:
        """The one JSON document; ignored when printing for a person."""
        self.records += counted(document)
        if self.as_json:
            self._print(_json(document, self._out) + "\n")

    def _print(self, text: str) -> None:
        """An act goes on when nobody can read its answer: the failure is kept in ``lost``."""
        if self.lost is None:
            try:
                self._out.write(text)
            except OSError as error:
                self.lost = error

    def flush(self) -> bool:
        """Hand all of it to the reader; False when it did not arrive."""
        if self.lost is None:
            try:
                self._out.flush()
            except OSError as error:
                self.lost = error
        return self.lost is None

    def line(self, text: str = "", *, lines: bool = False) -> None:
        """A line for a person; ignored with ``--json``."""
        if not self.as_json:
            self._print(escape(text, lines=lines) + "\n")

    def note(self, text: str) -> None:
        """A line beside the result, on standard error, with and without ``--json``."""
        with suppress(OSError):
            self._err.write(escape(text, lines=True) + "\n")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], wide: int = -1) -> None:
        """Aligned columns; column ``wide`` takes what is left of the terminal's width."""
        if self.as_json:
            return
        cells = [[escape(cell) for cell in row] for row in [heads, *rows]]
        widths = [max(width(row[i]) for row in cells) for i in range(len(heads))]
        if wide >= 0:
            total = shutil.get_terminal_size((100, 24)).columns
            others = sum(w for i, w in enumerate(widths) if i != wide)
            left = total - others - len(_SPACE) * (len(heads) - 1)
            widths[wide] = min(widths[wide], max(left, 20))
        for row in cells:
            shown = [fit(cell, w) for cell, w in zip(row, widths, strict=True)]
            self._print(_SPACE.join(shown).rstrip() + "\n")

    def tell(self, error: UserError | IntegrityError) -> None:
        """An error's words beside the result, on standard error, before the verb goes on."""
        self.note(_said(self.words, error))

    def error(self, error: UserError | IntegrityError, more: Mapping[str, Any] = {}) -> None:
        """An error: a JSON document with ``--json``, else words on standard error."""
        if self.as_json:
            self.document({"error": self.error_data(error), **more})
        else:
            self.note(_said(self.words, error))

    def error_data(self, error: UserError | IntegrityError) -> dict[str, Any]:
        """``{"code", "params", "text"}``; the text is English whatever the language."""
        return {
            "code": error.code,
            "params": {name: _plain(value) for name, value in error.params.items()},
            "text": _said(self._english, error),
        }


def _said(words: Words, error: UserError | IntegrityError) -> str:
    """The error's words; for a key that is needed also which of the six results it was."""
    text = explain(words, error).text
    if error.code != "key.needed" or not isinstance(error, UserError):
        return text
    if error.params.get("reason") == "half":
        return "\n".join([text, explain_half(words).text])
    result = result_of(error)
    if result is None:
        return text
    why = explain_key(words, result)
    named = error.params.get("ignored", ())
    ignored = [words.say(IGNORED, what=what) for what in named] if isinstance(named, tuple) else []
    return "\n".join([text, why.text, *why.details, *ignored])


def _plain(value: object) -> object:
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value)


def _json(document: Mapping[str, Any], out: TextIO) -> str:
    """JSON that holds no raw control, bidi or invisible character, and fits the encoding."""
    encoding = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "")
    text = json.dumps(document, ensure_ascii=encoding != "utf8", indent=2)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        letter if letter == "\n" or not _is_hidden(letter) else _utf16_escape(letter)
        for letter in text
    )


def _utf16_escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))
