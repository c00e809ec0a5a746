# SPDX-License-Identifier: MIT
"""What stands in the editor, as a value; and two drafts of one record brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memory_gui.domain.kinds import Kind
from memory_gui.domain.merge import Merged, joined, merged
from memory_gui.domain.records import Record

Fields = dict[str, str | tuple[str, ...]]
NAMES = ("title", "text", "tags", "scope", "type")
More = tuple[tuple[str, str], ...]
"""Fields that only some kinds of record have, with their values, in the order of the form."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields. ``key`` is empty unless a person took another one than the title gives.

    ``names`` are those of NAMES that the record's kind has.
    """

    title: str = field(repr=False)
    text: str = field(repr=False)
    tags: tuple[str, ...] = field(repr=False)
    scope: str
    type: str
    key: str = field(repr=False, default="")
    more: More = field(repr=False, default=())
    names: tuple[str, ...] = NAMES

    def fields(self) -> Fields:
        """As the services take them."""
        fields: Fields = {name: getattr(self, name) for name in self.names}
        fields |= dict(self.more)
        return {**fields, "key": self.key} if self.key else fields

    def changes(self, record: Record) -> Fields:
        """Only what differs from the record."""
        before: Fields = {**draft_of(record).fields(), "key": ""}
        before |= {name: _stored(record, name) for name, _value in self.more}
        return {name: value for name, value in self.fields().items() if value != before[name]}


def shape(kind: Kind | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a kind: those of NAMES with a place in the form, and those of a line each."""
    if kind is None:
        return NAMES, ()
    lines = [one for one in kind.fields if one not in NAMES or _is_free(kind, one)]
    return tuple(one for one in NAMES if one in kind.fields and one not in lines), tuple(lines)


def _is_free(kind: Kind, name: str) -> bool:
    """A type that is chosen from nothing is typed."""
    return name == "type" and name not in kind.choices


def draft_of(record: Record, kind: Kind | None = None) -> Draft:
    """A record as the editor begins with it."""
    own, lines = shape(kind)
    return Draft(
        record.title,
        record.text,
        record.tags,
        record.scope or "",
        record.type or "",
        more=tuple((name, _stored(record, name)) for name in lines),
        names=own,
    )


def empty(kind: Kind | None = None, *, scope: str = "") -> Draft:
    """A new record before anything is typed."""
    own, lines = shape(kind)
    return Draft("", "", (), scope, "", more=tuple((name, "") for name in lines), names=own)


def _stored(record: Record, name: str) -> str:
    if name in {"subject", "source", "type"}:
        return getattr(record, name) or ""
    return record.extra.get(name) or ""


def draft_from(given: Fields, kind: Kind | None = None) -> Draft:
    """Fields as ``Draft.fields`` gave them; what is missing is empty."""
    tags = given.get("tags", ())
    texts = {name: str(given.get(name, "")) for name in ("title", "text", "scope", "type", "key")}
    own, lines = shape(kind)
    more = tuple((name, str(given.get(name, ""))) for name in lines)
    kept = (tags,) if isinstance(tags, str) else tuple(tags)
    return Draft(**texts, tags=kept, more=more, names=own)


def both(base: Draft, theirs: Draft, mine: Draft) -> tuple[Draft, bool]:
    """What both changed, in one draft; and whether no word of it needs a person's eye."""
    title, text = (
        _merged(getattr(base, name), getattr(theirs, name), getattr(mine, name))
        for name in ("title", "text")
    )
    made = Draft(
        title.text if title.clean else mine.title,
        text.text,
        _both_tags(base.tags, theirs.tags, mine.tags),
        theirs.scope if mine.scope == base.scope else mine.scope,
        theirs.type if mine.type == base.type else mine.type,
        mine.key,
        _both_more(base, theirs, mine),
        mine.names,
    )
    return made, title.clean and text.clean


def _merged(base: str, theirs: str, mine: str) -> Merged:
    """Nothing is compared where only one side changed it: a long text would take a second."""
    if mine in (base, theirs):
        return Merged(theirs, clean=True)
    return Merged(mine, clean=True) if theirs == base else merged(base, theirs, mine)


def beside(draft: Draft, text: str, tags: Sequence[str]) -> Draft:
    """Another record's text and tags added, for a person to shorten."""
    kept = tuple(dict.fromkeys((*draft.tags, *tags)))
    return replace(draft, text=joined(draft.text, text), tags=kept)


def _both_more(base: Draft, theirs: Draft, mine: Draft) -> More:
    before, other = dict(base.more), dict(theirs.more)
    return tuple(
        (name, other.get(name, value) if value == before.get(name) else value)
        for name, value in mine.more
    )


def _both_tags(base: Sequence[str], theirs: Sequence[str], mine: Sequence[str]) -> tuple[str, ...]:
    """What neither took away, and what either added."""
    kept = [tag for tag in theirs if tag in mine or tag not in base]
    return tuple(dict.fromkeys((*kept, *(tag for tag in mine if tag not in base))))
