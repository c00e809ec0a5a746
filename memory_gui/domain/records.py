# SPDX-License-Identifier: MIT
"""What a person can read in a store, and how it is named.

Every value here is frozen and safe to hand between threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NewType
from urllib.parse import quote, unquote

from memory_gui.domain.errors import UserError

StoreId = NewType("StoreId", str)
"""Names one store while the app runs.

The resolved path of its main file, or a scheme of the adapter's own.
"""

EMPTY_PART: Final = "%"
"""Stands for an empty key part in text. A ``%`` that is in a key is written ``%25``."""


class State(StrEnum):
    """A property of a record, not a kind."""

    LIVE = "live"
    TRASH = "trash"
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"


PRESENT: Final = frozenset({State.LIVE, State.EXPIRED})
"""What is in the agent's own list: also what it has to forget and has not yet."""


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """Names a record everywhere above ``stores/``: (store, kind, key).

    ``key`` holds the store's own key, one text per column of a composite key.
    """

    store: StoreId
    kind: str
    key: tuple[str, ...]

    @property
    def id(self) -> str:
        """The key part of the text form, parts percent-encoded and joined by ``/``.

        An empty part is a lone ``%``, which no encoding of anything else gives: else the text of
        a record with an empty key would end with its kind, and name none.
        """
        return "/".join(quote(part, safe="") or EMPTY_PART for part in self.key)

    @property
    def plain(self) -> str:
        """The key as it is stored; of several columns the encoded text form."""
        return self.key[0] if len(self.key) == 1 else self.id

    @property
    def text(self) -> str:
        """``kind:key``, as the terminal prints and reads it."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class RefText:
    """A ref as a person wrote it, before a store has said which record it names.

    ``kind`` is None when it was left out, which is allowed where the key alone is unique.
    """

    kind: str | None
    key: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, *, kinds: tuple[str, ...]) -> RefText:
        """Read ``kind:key`` or ``key``; a prefix that is no kind of the store belongs to the key.

        Raises:
            UserError: ``ref.unreadable`` when the text is empty or ends with its kind.
        """
        head, colon, tail = text.partition(":")
        kind, body = (head, tail) if colon and head in kinds else (None, text)
        if not body:
            raise UserError("ref.unreadable", ref=text)
        parts = body.split("/")
        return cls(kind, tuple("" if part == EMPTY_PART else unquote(part) for part in parts))


@dataclass(frozen=True, slots=True)
class Record:
    """One thing in a store that a person can read.

    ``etag`` is the first 16 hex digits of SHA-256 over all stored columns. Times are texts as
    stored; ``created_at_utc`` is ISO 8601 in UTC, or None where the zone is not known. ``zone`` is
    ``utc``, an offset such as ``+08:00``, or ``assumed local``. ``extra`` has every other stored
    column by its name, unknown ones included, as text (None for NULL). ``lists`` has what those of
    them say that are lists in an encoding of the store's, such as JSON: the reading, for searching.
    ``told`` are codes (``words.formats``) of what its agent does with it: whether it ever sees it.
    ``more`` is how many characters of title and text were left out here, for a row of a list.
    ``pale``: its store could not be asked; no text, and the title as it is searched for.
    """

    ref: Ref
    etag: str
    state: State
    title: str
    text: str
    subject: str | None = None
    scope: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    created_at_utc: str | None = None
    updated_at_utc: str | None = None
    zone: str = "assumed local"
    extra: Mapping[str, str | None] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    more: int = 0
    pale: bool = False

    @property
    def kind(self) -> str:
        """The kind, which is part of the ref."""
        return self.ref.kind

    def begun(self, most: int) -> Record:
        """With the first ``most`` characters of its title and of its text."""
        more = max(0, len(self.text) - most) + max(0, len(self.title) - most)
        if not more:
            return self
        return replace(self, title=self.title[:most], text=self.text[:most], more=self.more + more)

    def searchable(self) -> tuple[str, ...]:
        """Every text field of the record, for a plain substring search.

        What an encoding puts around and into a text (brackets, escapes) is not a text.
        """
        fields = (self.title, self.text, self.subject, self.scope, self.type, self.source)
        texts = [value for value in fields if value]
        texts.extend(self.tags)
        for name, value in self.extra.items():
            texts.extend(self.lists.get(name, (value,) if value else ()))
        return tuple(texts)
