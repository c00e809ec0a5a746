# SPDX-License-Identifier: MIT
"""Making the plan of a case: store by store, by the erasing service's own plans. Writes nothing."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory_gui.cases.case import Case, CheckItem
from memory_gui.cases.finds import CaseFind, Decision, Finds, Place, redacted
from memory_gui.cases.matching import Matcher
from memory_gui.cases.rights import DECIDING
from memory_gui.domain.changes import Fields, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.joining import together
from memory_gui.erasure.keptfiles import spared
from memory_gui.erasure.limits import SYNC
from memory_gui.erasure.plan import ErasePlan
from memory_gui.services.cases.book.holds import Holds
from memory_gui.services.cases.finding.candidates import StoreFacts
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.cases.running.plans import (
    SAMPLE,
    CasePlan,
    FilePart,
    OwnPart,
    PlanCount,
    Redaction,
    StorePart,
)
from memory_gui.services.cases.running.staying import Staying
from memory_gui.services.erased.about import taken
from memory_gui.services.erasing.plans import ErasePlans
from memory_gui.services.library.shelf import Shelf

FILLER: Final = "[…]"
"""What stands where a name was."""
ALWAYS: Final = ("check.vendor", "check.backups", "check.exports", "check.copies")
"""What no program on this computer can reach, whatever the stores are."""


@dataclass(slots=True)
class _Group:
    """What is to be done at one store."""

    finds: list[CaseFind]

    def refs(self, decision: Decision) -> list[Ref]:
        return [one.ref for one in self.finds if one.decision is decision and one.ref is not None]

    def without(self, held: Collection[Ref]) -> _Group:
        return _Group([one for one in self.finds if one.ref not in held])


@dataclass(frozen=True, slots=True)
class _Task:
    """What is the same for every store. ``case`` is the number of the plan's own."""

    case: int
    matcher: Matcher
    where: Where
    staying: Staying


class Planning:
    """Makes plans. Any thread; each store is opened as long as it is planned."""

    def __init__(self, looking: Looking, plans: ErasePlans, holds: Holds) -> None:
        self._holds = holds
        self._looking = looking
        self._plans = plans

    def plan(
        self,
        case: Case,
        finds: Finds,
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> CasePlan:
        """What becomes of the finds as they are decided now.

        A store that cannot be opened, or refuses, is a part with an ``error``: the others go on.

        Raises:
            Cancelled: as asked.
        """
        groups = _grouped(finds)
        paths = dict.fromkeys(one.path for one in finds.finds if one.place is Place.FILE)
        staying = Staying(finds, case.number, self._holds.files(paths, besides=case.number))
        task = _Task(case.number, Matcher(finds.subject), where, staying)
        parts, counts = self._parts(groups, task, tick, cancel)
        files = tuple(_files(finds, staying))
        counts += [_file_count(one) for one in files]
        own = tuple(OwnPart(store, tuple(refs)) for store, refs in _own(finds).items())
        counts += [
            PlanCount(str(one.store), "memory-gui", "proposal", erase=len(one.refs)) for one in own
        ]
        ticked = finds.ticked
        going = [one for one in ticked if not one.bound]
        decided = Counter(one.decision for one in finds.finds)
        return CasePlan(
            case=case,
            id=secrets.token_hex(8),
            parts=tuple(parts),
            files=files,
            own=own,
            counts=tuple(counts),
            total=len(going),
            held=decided[Decision.HOLD]
            + sum(part.held for part in parts)
            + sum(one.place is Place.FILE and staying.stays(one) for one in ticked),
            kept=decided[Decision.KEEP],
            kept_files=staying.told,
            undecided=decided[Decision.NONE],
            asks=len(finds.asked) if case.right in DECIDING else 0,
            not_looked=finds.not_looked,
            checklist=checklist_of(parts),
            sample=tuple(one.title for one in going if one.title)[:SAMPLE],
            finds=finds,
            where=where,
        )

    # ---- stores

    def _parts(
        self,
        groups: dict[str, _Group],
        task: _Task,
        tick: Tick,
        cancel: CancelToken | None,
    ) -> tuple[list[StorePart], list[PlanCount]]:
        parts: list[StorePart] = []
        counts: list[PlanCount] = []
        waiting, late = deque(groups), set[str]()
        while waiting:
            path = waiting.popleft()
            if path not in groups:
                continue  # went with its pair's other one
            tick("case-plan", len(parts), len(groups) + len(parts))
            if cancel is not None:
                cancel.check()
            try:
                with self._looking.opened(path, task.where, cancel) as shelf:
                    if shelf.info.role == "user" and waiting and path not in late:
                        late.add(path)
                        waiting.append(path)  # a project takes the person's own along
                        continue
                    part, more = self._part(shelf, groups, task, cancel)
            except UserError as error:
                part, more = _failed(path, groups.pop(path), error), []
            parts.append(part)
            counts += more
        return parts, counts

    def _part(
        self,
        shelf: Shelf,
        groups: dict[str, _Group],
        task: _Task,
        cancel: CancelToken | None,
    ) -> tuple[StorePart, list[PlanCount]]:
        partner = self._looking.library.partner_of(shelf)
        shelves = [shelf] if partner is None else [shelf, partner]
        mine = [groups.pop(one.info.path) for one in shelves if one.info.path in groups]
        held = self._held(mine, task.case)
        mine = [group.without(held) for group in mine]
        refs = tuple(ref for group in mine for ref in group.refs(Decision.ERASE))
        info = shelf.info
        part = StorePart(info.path, info.agent, info.format, refs, held=len(held))
        try:
            restrict = [
                Target(one.ref, one.etag)
                for group in mine
                for one in group.finds
                if one.decision is Decision.RESTRICT and one.ref is not None
            ]
            changes = [
                change
                for group in mine
                for change in self._redactions(group.refs(Decision.REDACT), task.matcher)
            ]
            erase = self._erase(refs, changes, cancel)
            if erase is not None:
                task.staying.check(erase)
                erase = self._holds.kept(task.case, spared(erase, task.staying.files))
        except UserError as error:
            return replace(part, error=error), []
        part = replace(part, redactions=tuple(changes), restrict=tuple(restrict), erase=erase)
        return part, list(_counts(part))

    def _held(self, groups: Sequence[_Group], case: int) -> set[Ref]:
        """What another case keeps: it is not this one's to take, to change or to hide."""
        chosen = {one.ref: one.decision for group in groups for one in group.finds if one.ref}
        by = self._holds.of(chosen)
        # That it is to be restricted is kept before it is done.
        return {ref for ref, one in by.items() if chosen[ref] is Decision.ERASE or one.case != case}

    def _erase(
        self, refs: Sequence[Ref], changes: Sequence[Redaction], cancel: CancelToken | None
    ) -> ErasePlan | None:
        """One act for all that goes from a store, and for the old texts of what is changed."""
        plan = self._plans.plan(refs, cancel=cancel) if refs else None
        for one in changes:
            ref = one.target.ref
            new = [text for value in one.fields.values() for text in _texts(value)]
            more = self._plans.plan_correction(ref, new)
            plan = more if plan is None else together(plan, more)
        return plan

    def _redactions(self, refs: Sequence[Ref], matcher: Matcher) -> Iterator[Redaction]:
        """The records without the name. Raises UserError ``record.gone``, ``case.no_redaction``."""
        for ref, record in self._looking.library.records(refs).items():
            if record is None:
                raise UserError("record.gone", ref=ref.text)
            fields = redacted_fields(record, matcher)
            if not fields:
                raise UserError("case.no_redaction", ref=ref.text)
            yield Redaction(Target(ref, record.etag), fields)


def _files(finds: Finds, staying: Staying) -> Iterator[FilePart]:
    """The passages that go. What is kept of the same file stays where it is."""
    by_path: dict[str, list[CaseFind]] = {}
    for one in finds.ticked:
        if one.place is Place.FILE and not staying.stays(one):
            by_path.setdefault(one.path, []).append(one)
    for path, mine in by_path.items():
        file = finds.beside[path]
        yield FilePart(
            path,
            str(mine[0].store),
            mine[0].agent,
            file,
            _bare_facts(mine[0]),
            {one.heap: one.decision for one in mine},
            sum(one.hits for one in mine),
        )


def redacted_fields(record: Record, matcher: Matcher) -> Fields:
    """Title, text and tags without the names that are sure; only those that change."""
    found: dict[str, str | tuple[str, ...]] = {}
    for name in ("title", "text"):
        text = str(getattr(record, name))
        new = redacted(text, matcher.find(text), FILLER)
        if new != text:
            found[name] = new
    tags = tuple(redacted(tag, matcher.find(tag), FILLER) for tag in record.tags)
    if tags != record.tags:
        found["tags"] = tags
    return found


def checklist_of(parts: Sequence[StorePart]) -> tuple[CheckItem, ...]:
    """What cannot be reached from here: agents that run, folders that are copied, and the rest."""
    items = [CheckItem(code) for code in ALWAYS]
    for part in parts:
        plan = part.erase
        if plan is None:
            continue
        running = (one.params["name"] for one in plan.may_hold if one.code == "hold.program")
        items += [CheckItem("check.agent", {"name": name}) for name in running]
        synced = (limit.params for limit in plan.not_covered if limit.code == SYNC)
        items += [CheckItem("check.sync", dict(params)) for params in synced]
    return tuple({(one.code, *one.params.values()): one for one in items}.values())


def _grouped(finds: Finds) -> dict[str, _Group]:
    groups: dict[str, _Group] = {}
    for one in finds.ticked:
        if one.place is Place.RECORD:
            groups.setdefault(str(one.store), _Group([])).finds.append(one)
    return groups


def _own(finds: Finds) -> dict[StoreId, list[Ref]]:
    found: dict[StoreId, list[Ref]] = {}
    for one in finds.ticked:
        if one.place is Place.OWN and one.ref is not None:
            found.setdefault(one.store, []).append(one.ref)
    return found


def _failed(path: str, group: _Group, error: UserError) -> StorePart:
    first = group.finds[0]
    refs = tuple(group.refs(Decision.ERASE))
    return StorePart(path, first.agent, first.format, refs, error=error)


def _counts(part: StorePart) -> Iterator[PlanCount]:
    """By store and kind: what was chosen, and what goes along with it."""
    chosen = Counter((str(ref.store), ref.kind) for ref in part.refs)
    redact = Counter((str(o.target.ref.store), o.target.ref.kind) for o in part.redactions)
    hidden = Counter((str(one.ref.store), one.ref.kind) for one in part.restrict)
    going: Counter[tuple[str, str]] = Counter()
    for store in part.erase.stores if part.erase is not None else ():
        going.update((store.path, kind) for kind, _ in taken(store))
    for path, kind in dict.fromkeys((*chosen, *redact, *hidden, *going)):
        place = (path, kind)
        yield PlanCount(
            path,
            part.agent,
            kind,
            erase=chosen[place],
            redact=redact[place],
            restrict=hidden[place],
            along=max(0, going[place] - chosen[place]),
        )


def _file_count(one: FilePart) -> PlanCount:
    erases = Decision.ERASE in one.wanted.values()
    return PlanCount(
        one.store,
        one.agent,
        one.file.what,
        file=one.path,
        erase=one.hits if erases else 0,
        redact=0 if erases else one.hits,
    )


def _bare_facts(find: CaseFind) -> StoreFacts:
    return StoreFacts.bare(str(find.store), find.format, find.agent)


def _texts(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
