# SPDX-License-Identifier: MIT
"""What stands in the editor, as a value; and two drafts of one record brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memory_gui.domain.merge import joined, merged
from memory_gui.domain.records import Record

Fields = dict[str, str | tuple[str, ...]]
NAMES = ("title", "text", "tags", "scope", "type")


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields. ``key`` is empty unless a person took another one than the title gives."""

    title: str = field(repr=False)
    text: str = field(repr=False)
    tags: tuple[str, ...] = field(repr=False)
    scope: str
    type: str
    key: str = field(repr=False, default="")

    def fields(self) -> Fields:
        """As the services take them."""
        fields: Fields = {name: getattr(self, name) for name in NAMES}
        return {**fields, "key": self.key} if self.key else fields

    def changes(self, record: Record) -> Fields:
        """Only what differs from the record."""
        before = draft_of(record).fields()
        return {name: value for name, value in self.fields().items() if value != before.get(name)}


def draft_of(record: Record) -> Draft:
    """A record as the editor begins with it."""
    return Draft(record.title, record.text, record.tags, record.scope or "", record.type or "")


def draft_from(fields: Fields) -> Draft:
    """Fields as ``Draft.fields`` gave them; what is missing is empty."""
    tags = fields.get("tags", ())
    texts = {name: str(fields.get(name, "")) for name in ("title", "text", "scope", "type", "key")}
    return Draft(**texts, tags=(tags,) if isinstance(tags, str) else tuple(tags))


def both(base: Draft, theirs: Draft, mine: Draft) -> tuple[Draft, bool]:
    """What both changed, in one draft; and whether no word of it needs a person's eye."""
    title, text = (
        merged(getattr(base, name), getattr(theirs, name), getattr(mine, name))
        for name in ("title", "text")
    )
    made = Draft(
        title.text if title.clean else mine.title,
        text.text,
        _both_tags(base.tags, theirs.tags, mine.tags),
        theirs.scope if mine.scope == base.scope else mine.scope,
        theirs.type if mine.type == base.type else mine.type,
        mine.key,
    )
    return made, title.clean and text.clean


def beside(draft: Draft, text: str, tags: Sequence[str]) -> Draft:
    """Another record's text and tags added, for a person to shorten."""
    kept = tuple(dict.fromkeys((*draft.tags, *tags)))
    return replace(draft, text=joined(draft.text, text), tags=kept)


def _both_tags(base: Sequence[str], theirs: Sequence[str], mine: Sequence[str]) -> tuple[str, ...]:
    """What neither took away, and what either added."""
    kept = [tag for tag in theirs if tag in mine or tag not in base]
    return tuple(dict.fromkeys((*kept, *(tag for tag in mine if tag not in base))))
