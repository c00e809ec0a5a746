# SPDX-License-Identifier: MIT
"""What Agentao makes of a memory's fields when it saves it. Pure; the source is agentao 0.5.17.

Where Agentao silently cuts (a title of more than 120 characters), we refuse: a person who typed
the text is still there to shorten it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from memory_gui.domain.errors import UserError

SCOPES: Final = ("user", "project")
TYPES: Final = (
    "preference",
    "profile",
    "project_fact",
    "workflow",
    "decision",
    "constraint",
    "note",
)
TITLE_LIMIT: Final = 120
KEY_LIMIT: Final = 80
TEXT_LIMIT: Final = 4_000
KEYWORDS_LIMIT: Final = 20

_TYPE_TAGS: Final = (
    "preference",
    "workflow",
    "decision",
    "constraint",
    "profile",
    "project_fact",
)
"""In the order in which Agentao looks for them; the first that is a tag wins."""
_PERSONAL_TAGS: Final = frozenset({"preference", "profile", "personal"})
_STOPWORDS: Final = frozenset(
    {*("a", "an", "the", "is", "in", "of", "to", "and", "or", "for", "with", "on", "at", "by")}
    | {"be", "it", "as", "are", "was", "were"}
)


def bare_key(text: str) -> str:
    """The key that Agentao derives from a text: ``a-z0-9_`` only, at most 80. May be empty."""
    key = re.sub(r"\s+", "_", text.strip().lower())
    key = re.sub(r"[^a-z0-9_]+", "_", key)
    return re.sub(r"_+", "_", key).strip("_")[:KEY_LIMIT]


def normalize_key(text: str) -> str:
    """As ``bare_key``.

    Raises:
        UserError: ``record.key_empty`` when no letter or digit of ASCII is in the text.
    """
    key = bare_key(text)
    if not key:
        raise UserError("record.key_empty")
    return key


def chosen_key(text: str) -> str:
    """A key that a person gave by itself: normalised, and refused when it is too long.

    Raises:
        UserError: ``record.key_empty``, ``record.key_long``.
    """
    if len(text.strip()) > KEY_LIMIT:
        raise UserError("record.key_long", length=len(text.strip()), limit=KEY_LIMIT)
    return normalize_key(text)


def clean_title(text: str) -> str:
    """One line of at most 120 characters, without blanks around it.

    Raises:
        UserError: ``record.title_lines``, ``record.title_empty``, ``record.title_long``,
            ``record.not_unicode``.
    """
    _must_encode(text)
    if "\n" in text or "\r" in text:
        raise UserError("record.title_lines")
    title = text.strip()
    if not title:
        raise UserError("record.title_empty")
    if len(title) > TITLE_LIMIT:
        raise UserError("record.title_long", length=len(title), limit=TITLE_LIMIT)
    return title


def clean_text(text: str) -> str:
    """1 to 4,000 characters, without blanks around them.

    Raises:
        UserError: ``record.text_empty``, ``record.text_long``, ``record.not_unicode``.
    """
    _must_encode(text)
    content = text.strip()
    if not content:
        raise UserError("record.text_empty")
    if len(content) > TEXT_LIMIT:
        raise UserError("record.text_long", length=len(content), limit=TEXT_LIMIT)
    return content


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags as given, without blanks around them and without empty ones.

    Raises:
        UserError: ``record.not_unicode``.
    """
    cleaned = tuple(tag.strip() for tag in tags)
    for tag in cleaned:
        _must_encode(tag)
    return tuple(tag for tag in cleaned if tag)


def scope_for(key: str, tags: Sequence[str], scope: str | None = None) -> str:
    """``user`` or ``project``, as Agentao classifies. ``key`` is the normalised one."""
    if scope in SCOPES:
        return scope
    lowered = {tag.lower() for tag in tags}
    if "user" in lowered or key.startswith("user_") or lowered & _PERSONAL_TAGS:
        return "user"
    return "project"


def type_for(tags: Sequence[str], type_: str | None = None) -> str:
    """The type as given, else the first of Agentao's order that is a tag, else ``note``.

    Raises:
        UserError: ``record.type_unknown``.
    """
    if type_:
        if type_ not in TYPES:
            raise UserError("record.type_unknown", types=", ".join(TYPES))
        return type_
    lowered = {tag.lower() for tag in tags}
    return next((name for name in _TYPE_TAGS if name in lowered), "note")


def keywords_for(title: str, tags: Sequence[str], text: str) -> list[str]:
    """Agentao's second copy of the words, by which it recalls: sorted, at most 20."""
    words = {word.lower() for word in re.findall(r"\w+", title) if len(word) > 2}
    words.update(tag.lower() for tag in tags)
    words.update(re.findall(r"[\w/]+\.\w{2,4}", text))
    words.update(word.lower() for word in re.findall(r"\b[a-z_]{3,}\b", text)[:30])
    return sorted(words - _STOPWORDS)[:KEYWORDS_LIMIT]


def confidence_for(source: str) -> str:
    """What Agentao writes beside a source."""
    return "explicit_user" if source == "explicit" else "auto_summary"


def json_list(values: Iterable[str]) -> str:
    """A JSON array with ASCII escapes, as Agentao writes it."""
    return json.dumps(list(values))


def time_text(moment: datetime) -> str:
    """Local time, no zone, whole seconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def _must_encode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UserError("record.not_unicode") from None
