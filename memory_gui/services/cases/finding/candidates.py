# SPDX-License-Identifier: MIT
"""From a record that names a person to a find: what is shown of it, and what it may become."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.cases.finds import (
    BY_AGENT,
    NO_RECIPE,
    CaseFind,
    Decision,
    Piece,
    Place,
    hits_in,
    judge,
    pieces_of,
)
from memory_gui.cases.matching import AGENT_NAME, Hit, Matcher
from memory_gui.domain.changes import Capability
from memory_gui.domain.folding import fold
from memory_gui.domain.kinds import Kind, allows, without_repeats
from memory_gui.domain.records import Record, Ref, State
from memory_gui.findings.personal import personal_in
from memory_gui.findings.secrets import Level
from memory_gui.stores.contract import Store

_NOBODY: Final = frozenset(
    (
        *("", "default", "default_user", "default-user", "user", "users", "me", "myself", "self"),
        *("anonymous", "system", "assistant", "agent", "none", "null", "global", "test", "unknown"),
    )
)
"""What a store has in the place of a person where it knows none."""
ANY_DATABASE: Final = "sqlite"
"""``Format.name`` of what opens when no other format does."""
_MOST_TEXT: Final = 1 << 16
_MOST_PEOPLE: Final = 2_000
_CONTACTS: Final = frozenset({"email", "phone"})
_TITLE: Final = 120
_LEAST: Final = 2
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What a find has to know of its store."""

    path: str
    format: str
    agent: str
    salt: str
    """In hex, of an encrypted one."""
    capabilities: Capability
    declared: tuple[Kind, ...]
    bookkeeping: frozenset[str]
    opaque: bool
    people: bool = True
    """Whether the subject of a record is a person."""

    @classmethod
    def of(cls, store: Store, salt: bytes) -> StoreFacts:
        """In the store's own thread."""
        info = store.info()
        return cls(
            info.path,
            info.format,
            info.agent,
            salt.hex() if info.encrypted else "",
            info.capabilities,
            info.declared,
            store.bookkeeping,
            store.opaque_ids,
            store.about_people,
        )

    @classmethod
    def bare(cls, path: str, format_: str, agent: str) -> StoreFacts:
        """Only what a file beside it has to know."""
        return cls(path, format_, agent, "", Capability.NONE, (), frozenset(), opaque=True)

    def of_agent(self, agent: str) -> StoreFacts:
        """The same of a database that only its place or its tables tell whose it is."""
        return replace(self, agent=agent) if agent and self.format == ANY_DATABASE else self

    @property
    def name(self) -> str:
        """What names the store in a mark."""
        return self.salt or self.path

    def can(self, kind: str, state: State | None, *, sure_in_text: bool) -> frozenset[Decision]:
        """What may become of such a record."""
        found = {Decision.KEEP}
        if kind in self.bookkeeping:
            return frozenset(found)
        if Capability.ERASE in self.capabilities:
            found |= {Decision.ERASE, Decision.HOLD}
        if sure_in_text and Capability.EDIT in self.capabilities:
            found |= {Decision.REDACT} if allows(self.declared, kind, "edit") else set()
        live = state is State.LIVE and Capability.TRASH in self.capabilities
        if live and allows(self.declared, kind, "trash"):
            found.add(Decision.RESTRICT)
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that names somebody, before it is known who else there is."""

    facts: StoreFacts = field(repr=False)
    ref: Ref
    state: State | None
    etag: str
    title: str = field(repr=False)
    created_at: str | None
    hits: tuple[Hit, ...]
    pieces: tuple[Piece, ...] = field(repr=False)
    text: str = field(repr=False)
    own: bool
    subject: str = field(repr=False)
    """Whom its own field says that it is about, where that is somebody else."""
    contacts: bool
    redactable: bool
    place: Place = Place.RECORD


def candidate_of(
    matcher: Matcher, record: Record, facts: StoreFacts, place: Place = Place.RECORD
) -> Candidate | None:
    """The record as a candidate; None where it does not name the person after all.

    What it only repeats of other records is found in those.
    """
    record = without_repeats(record, facts.declared)
    found = hits_in(matcher, record)
    own = facts.people and matcher.names(record.subject)
    if not facts.people:
        found = tuple((name, text, _of_agent(name, hits)) for name, text, hits in found)
    if not found and not own:
        return None
    text = "\n".join(record.searchable())[:_MOST_TEXT]
    told = (record.subject or "").strip()
    texts = {name for name, _, hits in found if any(hit.sure for hit in hits)}
    return Candidate(
        facts,
        record.ref,
        record.state,
        record.etag,
        record.title[:_TITLE],
        record.created_at,
        tuple(hit for _, _, hits in found for hit in hits),
        pieces_of(found),
        text,
        own,
        "" if own or not facts.people or fold(told) in _NOBODY else told,
        has_contacts(matcher, text),
        redactable=bool(texts) and texts <= {"title", "text", "tags"},
        place=place,
    )


def _of_agent(name: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Where the subject of a record is its agent: that one may be called like the person."""
    if name != "subject":
        return hits
    return tuple(replace(hit, why=hit.why or AGENT_NAME) for hit in hits)


def finished(one: Candidate, matcher: Matcher, people: frozenset[str], number: int) -> CaseFind:
    """With its heap, now that everybody is known whom a store has a field for."""
    others = others_in(one.text, matcher, people)
    judged = judge(
        one.hits,
        own=one.own,
        other_subject=one.subject,
        others=[name for name in others if fold(name) != fold(one.subject)],
        contacts=one.contacts,
    )
    can = one.facts.can(one.ref.kind, one.state, sure_in_text=one.redactable)
    why = judged.why
    if one.place is Place.OWN:
        can = frozenset({Decision.ERASE, Decision.KEEP})
    elif Decision.ERASE not in can:
        theirs = one.ref.kind in one.facts.bookkeeping
        why = (*why, BY_AGENT if theirs else NO_RECIPE)
    return CaseFind(
        number=number,
        store=one.ref.store,
        format=one.facts.format,
        agent=one.facts.agent,
        place=one.place,
        kind=one.ref.kind,
        heap=judged.heap,
        path=one.facts.path,
        ref=one.ref,
        state=one.state,
        title=one.title,
        pieces=one.pieces,
        hits=len(one.hits) or 1,
        why=why,
        others=judged.others,
        can=can,
        etag=one.etag,
        created_at=one.created_at,
    )


def others_in(text: str, matcher: Matcher, people: frozenset[str]) -> tuple[str, ...]:
    """Who else is named: those whom the case names, and those whom a store has a field for.

    A name that only stands inside one of the person's own is nobody else's.
    """
    rest = _without(text, [hit for hit in matcher.find(text) if hit.sure])
    named = list(matcher.mentions_others(rest))
    if not people:
        return tuple(named)
    folded = fold(rest)
    told = {fold(one) for one in named}
    asked = (one for one in sorted(people)[:_MOST_PEOPLE] if _is_name(one) and one not in told)
    return (*named, *(one for one in asked if _stands_in(folded, one)))


def has_contacts(matcher: Matcher, text: str) -> bool:
    """Whether an e-mail address or a telephone number of somebody else is in it."""
    found = [p for p in personal_in(text) if p.kind in _CONTACTS and p.level is Level.CERTAIN]
    if not found:
        return False
    own = [(hit.start, hit.end) for hit in matcher.find(text)]
    return any(not _overlaps(p.start, p.end, own) for p in found)


def _without(text: str, hits: Sequence[Hit]) -> str:
    parts, at = [], 0
    for hit in hits:
        parts += [text[at : hit.start], "\n"]
        at = hit.end
    return "".join((*parts, text[at:]))


def _overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(a < end and start < b for a, b in spans)


def _is_name(person: str) -> bool:
    """Whether it can be a person's: one short word of small letters is a role or an id."""
    if person in _NOBODY or len(person) < _LEAST:
        return False
    return not person.isascii() or " " in person or "@" in person


def _stands_in(folded: str, person: str) -> bool:
    at = folded.find(person)
    while at >= 0:
        before, after = folded[at - 1 : at], folded[at + len(person) : at + len(person) + 1]
        if not person.isascii() or not (before.isalnum() or after.isalnum()):
            return True
        at = folded.find(person, at + 1)
    return False
