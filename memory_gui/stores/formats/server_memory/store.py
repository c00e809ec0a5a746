# SPDX-License-Identifier: MIT
"""One memory graph: its entities, observations and relations as records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
    Edit,
    Fields,
    NewRecord,
    Snapshot,
    Target,
)
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import KeptSpan, Span, merged
from memory_gui.domain.graphs import Graph
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.plainfile import Content
from memory_gui.stores.fields import refuse_others
from memory_gui.stores.files.document import Item, Splice
from memory_gui.stores.files.labels import Labels
from memory_gui.stores.files.store import Build, FilesStore
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.server_memory import drafts
from memory_gui.stores.formats.server_memory.edits import edited
from memory_gui.stores.formats.server_memory.layout import (
    BOM,
    ENTITY,
    RELATION,
    dumped,
    line_cuts,
    observation_cuts,
    observation_spans,
    written,
)
from memory_gui.stores.formats.server_memory.links import graph_of
from memory_gui.stores.formats.server_memory.placing import inserted
from memory_gui.stores.formats.server_memory.records import (
    KINDS,
    LINE,
    MARK,
    OBSERVATION,
    WHOLE,
    GraphDoc,
    Reader,
)
from memory_gui.stores.formats.server_memory.undo import put_back, snapshot_of

NAME: Final = "mcp-server-memory"


class GraphStore(FilesStore[GraphDoc]):
    """The server reads its file at each call, so it sees a change at once."""

    format = NAME
    agent = "MCP server-memory"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    capabilities = (
        Capability.ADD | Capability.EDIT | Capability.DELETE | Capability.ERASE | Capability.WATCH
    )
    opaque_ids = False
    reasons = MappingProxyType(
        {
            "trash": f"{NAME}.no_trash",
            "restore": f"{NAME}.no_trash",
            "tag": f"{NAME}.no_tags",
            "encrypt": f"{NAME}.text",
        }
    )
    key_columns = MappingProxyType(
        {
            ENTITY: ("name",),
            OBSERVATION: ("name", "label"),
            RELATION: ("from", "relationType", "to"),
            LINE: ("line",),
        }
    )

    def __init__(self, main: Path, mode: Mode, labels: Labels) -> None:
        self._labels = labels
        self._closed = False
        self._owners: set[Ref] = set()
        labels.hold(str(main))
        try:
            super().__init__(main, mode)
        except BaseException:
            self.close()
            raise

    # ---- reading

    def members(self) -> tuple[Path, ...]:
        """One file."""
        return (self.main,)

    def parse(self, path: Path, content: Content) -> GraphDoc:
        """Its lines as records."""
        return Reader(self.id, self._labels).doc(path, content)

    def beside(self) -> tuple[Record, ...]:
        """The entities whose observations were changed."""
        owners, self._owners = self._owners, set()
        return tuple(self.items[ref].record for ref in owners if ref in self.items)

    def side_files(self) -> tuple[SideFile, ...]:
        """What the server leaves when it is ended while it writes: the whole graph once more."""
        pattern = f"{_plain(self.main.name)}.*.tmp"
        try:
            paths = [path for path in sorted(self.main.parent.glob(pattern)) if path.is_file()]
        except OSError:
            return ()
        return tuple(SideFile(str(path), "unfinished_write", "json", True) for path in paths)

    def graph(self, ref: Ref, steps: int = 2, most: int = 200) -> Graph:
        """What an entity is related to, by so many steps."""
        doc = self.doc(self.main)
        item = self.items.get(ref)
        if item is None:
            raise UserError("record.gone", ref=ref.text)
        return graph_of(doc, item.record, steps, most)

    def fields_of(self, record: Record) -> Fields:
        """By kind; what an edit takes."""
        match record.kind:
            case "entity":
                return {"title": record.title, "type": record.type or ""}
            case "observation":
                return {"subject": record.subject or "", "text": record.text}
            case "relation":
                extra, type_ = record.extra, record.type or ""
                return {"from": extra["from"] or "", "type": type_, "to": extra["to"] or ""}
        return {"text": record.text}

    def kind_of(self, fields: Fields) -> str:
        """An observation, where it is said of an entity that is there; else by what is given."""
        return drafts.kind_of(fields, self._entities())

    def classify(self, fields: Fields) -> Fields:
        """The values as they would be stored, as a record of the kind that they make."""
        kind = self.kind_of(fields)
        return drafts.saved(kind, self._given(kind, fields))

    # ---- what goes

    def along(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """With an entity go its observations and every relation that names it, as the server does.

        Entities of one name go together, too.
        """
        names = {item.record.title for item in items if item.record.kind == ENTITY}
        if not names:
            return tuple(items)
        found = {item.record.ref: item for item in items}
        for ref, item in self.items.items():
            record = item.record
            mine = (record.title if record.kind == ENTITY else record.subject) in names
            ends = {record.extra.get("from"), record.extra.get("to")}
            if mine or (record.kind == RELATION and ends & names):
                found.setdefault(ref, item)
        return tuple(found.values())

    def sameness(self, item: Item) -> object:
        """The same observation twice in one entity, the same relation twice."""
        record = item.record
        if record.kind == OBSERVATION:
            return record.kind, record.subject, record.text
        return None

    def cuts(self, doc: GraphDoc, items: Sequence[Item]) -> tuple[Span, ...]:
        """Whole lines, and single observations out of the lines that stay."""
        refs = {item.record.ref for item in items}
        spans: list[Span] = []
        if any(ref.kind == LINE and ref.key == (WHOLE,) for ref in refs):
            return ((0, len(doc.data)),)
        if any(ref.kind == LINE and ref.key == (MARK,) for ref in refs):
            spans.append((0, len(BOM)))
        gone = {doc.places[ref] for ref in refs if ref.kind != OBSERVATION} - {-1}
        spans += line_cuts(doc.lines, gone)
        for place in {doc.places[ref] for ref in refs if ref.kind == OBSERVATION} - gone:
            which = {n for n, ref in enumerate(self.observations(doc, place)) if ref in refs}
            spans += observation_cuts(doc.data, doc.lines[place], which)
        return tuple(spans)

    def kept_spans(self, doc: GraphDoc, gone: set[Ref]) -> tuple[KeptSpan, ...]:
        """Lines that stay, by the record that each is."""
        return tuple(
            KeptSpan(*item.span, item.record.ref.text)
            for item in doc.items
            if item.record.kind != OBSERVATION and item.record.ref not in gone
        )

    # ---- changing

    def add(self, new: NewRecord) -> ChangeSet:
        """A line, or an observation in the line of its entity; as the server writes them."""
        self.must_change()
        values = drafts.draft(new.kind, self._given(new.kind, new.fields))
        if new.kind == OBSERVATION:
            return self._add_observation(values)
        key = drafts.key_of(new.kind, values)
        ref = Ref(self.id, new.kind, key)

        def build(doc: GraphDoc) -> Sequence[Splice]:
            if self._holder(doc, new.kind, values) is not None:
                raise UserError("record.key_taken")
            return (inserted(doc, new.kind, written(new.kind, values)),)

        self.change(build)
        beside = [r for r in self.items if r.kind == OBSERVATION and r.key[:1] == key[:1]]
        return ChangeSet(added=(ref, *(beside if new.kind == ENTITY else ())))

    def may_add(self, new: NewRecord) -> Addition:
        """By the checks of ``add``. What would be said of an entity that is another is refused."""
        fields = self._given(new.kind, new.fields)
        values = drafts.draft(new.kind, fields)
        holder = self._holder(self.doc(self.main), new.kind, values)
        if holder is not None and values.get("observations"):
            raise UserError("record.key_taken")
        return Addition(new.kind, drafts.saved(new.kind, fields), holder)

    def _holder(self, doc: GraphDoc, kind: str, values: Mapping[str, Any]) -> Ref | None:
        """The record that is the same already. Raises what else speaks against a new one."""
        self._refuse_whole(doc)
        if kind == OBSERVATION:
            line = drafts.entity_line(doc.lines, values["name"])
            texts: list[str] = line.value["observations"]
            if values["text"] not in texts:
                return None
            refs = self.observations(doc, doc.lines.index(line))
            return refs[texts.index(values["text"])]
        ref = Ref(self.id, kind, drafts.key_of(kind, values))
        if ref not in doc.places and kind == RELATION:
            drafts.must_have(doc.lines, values)
        return ref if ref in doc.places else None

    def _given(self, kind: str, fields: Fields) -> Fields:
        """Of an observation without its entity's own type, which it cannot change."""
        title = str(fields.get("title") or "").strip()
        own = kind == OBSERVATION and fields.get("type") == self._entities().get(title)
        return {name: value for name, value in fields.items() if not (own and name == "type")}

    def _entities(self) -> dict[str, str]:
        """The names of the entities, with the type of each."""
        found = [item.record for item in self.items.values() if item.record.kind == ENTITY]
        return {one.title: one.type or "" for one in found}

    def _add_observation(self, values: Mapping[str, Any]) -> ChangeSet:
        name, text, label = str(values["name"]), str(values["text"]), ""

        def build(doc: GraphDoc) -> Sequence[Splice]:
            if self._holder(doc, OBSERVATION, values) is not None:
                raise UserError("record.key_taken")
            line = drafts.entity_line(doc.lines, name)
            array, spans = observation_spans(doc.data, line)
            at = spans[-1][1] if spans else array[0] + 1
            return (Splice(at, at, (b"," if spans else b"") + dumped(text)),)

        def settle(doc: GraphDoc) -> None:
            nonlocal label
            label = self._labels.fresh(str(self.id), name, text.encode())
            place = doc.lines.index(drafts.entity_line(doc.lines, name))
            texts, labels = self.labelled(doc, place)
            self.name_as(name, [*texts, text.encode()], [*labels, label])

        self.change(build, settle)
        ref = Ref(self.id, OBSERVATION, (name, label))
        self._note_owner(ref)
        return ChangeSet(added=(ref,))

    def apply(self, edit: Edit) -> ChangeSet:
        """Another name or type of an entity, another text of an observation, a mended line."""
        self.must_change()
        before = self.editable(edit.target, edit.fields)
        ref = before.record.ref

        def build(doc: GraphDoc) -> Sequence[Splice]:
            now = self.editable(edit.target, edit.fields)
            return edited(self, doc, now, edit.fields)

        def settle(doc: GraphDoc) -> None:
            if ref.kind == OBSERVATION:
                texts, labels = self.labelled(doc, doc.places[ref])
                place = labels.index(ref.key[-1])
                texts[place] = str(edit.fields["text"]).strip().encode()
                group = "\0".join(ref.key[:-1])
                self.name_as(group, texts, labels)

        old = set(self.items)
        if not self.change(build, settle):
            return ChangeSet()
        self._note_owner(ref)
        if ref in self.items and set(self.items) == old:
            return ChangeSet(changed=(ref,))
        return _difference(old, set(self.items), ref)

    def delete(self, target: Target) -> ChangeSet:
        """As the server deletes: with an entity goes what names it."""
        self.must_change()
        self.wanted(target)
        going: tuple[Item, ...] = ()

        def build(doc: GraphDoc) -> Sequence[Splice]:
            nonlocal going
            going = self.along([self.wanted(target)])
            return [Splice(start, end) for start, end in merged(self.cuts(doc, going))]

        def settle(doc: GraphDoc) -> None:
            ref = target.ref
            if ref.kind == OBSERVATION:
                texts, labels = self.labelled(doc, doc.places[ref])
                place = labels.index(ref.key[-1])
                del texts[place], labels[place]
                self.name_as("\0".join(ref.key[:-1]), texts, labels)

        self.change(build, settle)
        others = [item.record.ref for item in going if item.record.ref != target.ref]
        self._note_owner(target.ref)
        return ChangeSet(removed=(target.ref, *others))

    # ---- undo

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The lines, or single observations, that ``delete`` of these would take."""
        return snapshot_of(self, refs)

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put them back where they lay.

        Raises:
            UserError: ``record.id_taken``: another record has the name now; ``record.no_entity``.
        """
        del key
        self.must_change()
        before = set(self.items)
        put_back(self, snapshot)
        return ChangeSet(added=tuple(ref for ref in self.items if ref not in before))

    # ---- ending

    def close(self) -> None:
        """Forget the graph and its labels."""
        super().close()
        if not self._closed:
            self._closed = True
            self._labels.release(str(self.main))

    # ---- inside

    def change(
        self,
        build: Build[GraphDoc],
        settle: Callable[[GraphDoc], object] = lambda _doc: None,
    ) -> bool:
        """Write the file anew; as ``rewrite``."""
        return self.rewrite(self.main, build, settle)

    def _note_owner(self, ref: Ref) -> None:
        if ref.kind == OBSERVATION:
            self._owners.add(Ref(self.id, ENTITY, ref.key[:-1]))

    def _refuse_whole(self, doc: GraphDoc) -> None:
        if any(ref.kind == LINE and ref.key == (WHOLE,) for ref in doc.places):
            raise UserError("file.whole", path=str(self.main))

    def observations(self, doc: GraphDoc, place: int) -> list[Ref]:
        """The observations of a line, in the order in which they stand."""
        return [
            item.record.ref
            for item in doc.items
            if item.record.kind == OBSERVATION and doc.places[item.record.ref] == place
        ]

    def name_as(self, group: str, texts: Sequence[bytes], labels: Sequence[str]) -> None:
        """What an entity's observations are called after a change of our own."""
        self._labels.put(str(self.id), group, texts, labels)

    def labelled(self, doc: GraphDoc, place: int) -> tuple[list[bytes], list[str]]:
        """The observations of a line and what they are called."""
        said = doc.lines[place].value["observations"]
        texts = [text.encode("utf-8", "surrogatepass") for text in said]
        return texts, [ref.key[-1] for ref in self.observations(doc, place)]

    def editable(self, target: Target, fields: Fields) -> Item:
        """The record that may be so changed. Raises what speaks against it."""
        item = self.wanted(target)
        kind = next(kind for kind in KINDS if kind.name == item.record.kind)
        if "edit" not in kind.acts or item.record.ref.key in ((MARK,), (WHOLE,)):
            raise self.cannot("edit")
        refuse_others(fields, kind.fields)
        drafts.check_edit(item.record, self.fields_of(item.record), fields, self.items)
        return item


def _difference(old: set[Ref], new: set[Ref], ref: Ref) -> ChangeSet:
    """What became of the records when one of them got another name."""
    kind = [one for one in new - old if one.kind == ref.kind] + [
        one for one in new - old if one.kind != ref.kind
    ]
    return ChangeSet(added=tuple(kind), removed=(ref, *(old - new - {ref})))


def _plain(name: str) -> str:
    """For ``glob``: no letter of it means anything else."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
