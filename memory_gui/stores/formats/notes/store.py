# SPDX-License-Identifier: MIT
"""One folder of notes, or one file of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from memory_gui.domain.changes import (
    Addition,
    Capability,
    ChangeSet,
    Edit,
    Fields,
    NewRecord,
    Snapshot,
    Target,
    Told,
)
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import Span, merged
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.plainfile import Content, read_file
from memory_gui.engine.replacing import remove_file
from memory_gui.stores.fields import refuse_others
from memory_gui.stores.files.document import Item, Splice, etag_of
from memory_gui.stores.files.labels import Labels
from memory_gui.stores.files.store import FilesStore
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.notes.drafts import (
    appended,
    appended_raw,
    final_newline,
    note_text,
)
from memory_gui.stores.formats.notes.layout import (
    blocks,
    cuts,
    newline_of,
    stored,
)
from memory_gui.stores.formats.notes.records import (
    FIELDS,
    FILES,
    KINDS,
    SESSIONS,
    NotesDoc,
    joined,
    note_item,
    session_item,
    told_of,
)

_MOST_SESSIONS: Final = 2_000
_MOST_TOLD: Final = 5


class NotesStore(FilesStore[NotesDoc]):
    """Notes have no identity: they are named by their file and a digest of their text."""

    format = "notes"
    agent = "agent-harness"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    capabilities = (
        Capability.ADD | Capability.EDIT | Capability.DELETE | Capability.ERASE | Capability.WATCH
    )
    reasons = MappingProxyType(
        {
            "trash": "notes.no_trash",
            "restore": "notes.no_trash",
            "tag": "notes.no_tags",
            "encrypt": "notes.text",
        }
    )
    opaque_ids = False
    key_columns = MappingProxyType({"note": ("file", "label"), "session": ("file",)})

    def __init__(self, main: Path, mode: Mode, labels: Labels) -> None:
        self._labels = labels
        self._problems: dict[Path, UserError] = {}
        self._closed = False
        labels.hold(str(main))
        try:
            super().__init__(main, mode)
        except BaseException:
            self.close()
            raise

    # ---- the files

    def members(self) -> tuple[Path, ...]:
        """Both files of notes and every session; of a file that was named, that file."""
        if not self.main.is_dir():
            return (self.main,)
        return (*map(self.main.joinpath, FILES), *self._sessions())

    def _sessions(self) -> tuple[Path, ...]:
        folder = self.main / SESSIONS
        try:
            if folder.is_symlink():
                return ()
            with os.scandir(folder) as entries:
                found = [
                    entry.name
                    for entry in entries
                    if entry.is_file(follow_symlinks=False) and not entry.name.startswith(".")
                ]
        except OSError:
            return ()
        return tuple(folder / name for name in sorted(found)[:_MOST_SESSIONS])

    def read(self, path: Path) -> Content:
        """A file of a folder that cannot be read does not keep the others from it."""
        self._problems.pop(path, None)
        try:
            return read_file(path)
        except UserError as error:
            if path == self.main:
                raise
            self._problems[path] = error
            return Content()

    def parse(self, path: Path, content: Content) -> NotesDoc:
        """Its notes; a session is one record."""
        if self.goes_whole(path):
            return NotesDoc(
                path, content, (session_item(self.id, path, content),) if content.seen else ()
            )
        found = blocks(content.data)
        raws = [content.data[block.start : block.end] for block in found]
        labels = self._labels.give(str(self.main), path.name, raws)
        items = tuple(
            note_item(self.id, path, block, raw, label)
            for block, raw, label in zip(found, raws, labels, strict=True)
        )
        return NotesDoc(path, content, items, told_of(path, content, found), found, labels)

    def cuts(self, doc: NotesDoc, items: Sequence[Item]) -> tuple[Span, ...]:
        """The notes, each with the empty line that belongs to it."""
        gone = {item.record.ref for item in items}
        places = [n for n, item in enumerate(doc.items) if item.record.ref in gone]
        return cuts(doc.data, doc.blocks, places)

    def goes_whole(self, path: Path) -> bool:
        """A session is a file."""
        return path.parent.name == SESSIONS and path.parent.parent == self.main

    def side_files(self) -> tuple[SideFile, ...]:
        """Sessions repeat what is remembered; the agent wrote them by itself."""
        return tuple(
            SideFile(str(path), "session", "json" if ".json" in path.suffix else "text", True)
            for path in self._sessions()
        )

    def unread(self) -> tuple[Path, ...]:
        """What the harness may read and this app did not: links, and what it may not open."""
        return (*self._problems, *self._linked())

    def _linked(self) -> tuple[Path, ...]:
        """The folder of sessions, or sessions in it, where they lead elsewhere."""
        folder = self.main / SESSIONS
        if folder.is_symlink():
            return (folder,)
        try:
            with os.scandir(folder) as entries:
                found = [entry.name for entry in entries if entry.is_symlink()]
        except OSError:
            return ()
        return tuple(folder / name for name in sorted(found)[:_MOST_SESSIONS])

    def told(self) -> tuple[Told, ...]:
        """Besides: what could not be read, and that session files are of an unknown layout."""
        said = [
            Told(
                "notes.unread_link" if error.code == "file.link" else "notes.unread",
                {"file": path.name},
            )
            for path, error in self._problems.items()
        ]
        linked = [path.relative_to(self.main).as_posix() for path in self._linked()]
        said += [Told("notes.unread_link", {"file": name}) for name in linked[:_MOST_TOLD]]
        if any(item.record.kind == "session" for item in self.items.values()):
            said.append(Told("notes.sessions_unknown"))
        return (*joined(super().told()), *said)

    # ---- changing

    def classify(self, fields: Fields) -> Fields:
        """A note as it would be stored.

        Raises:
            UserError: ``record.*``.
        """
        refuse_others((name for name, value in fields.items() if value), FIELDS)
        return {
            "text": note_text(str(fields.get("text", ""))),
            "type": self._file_named(str(fields.get("type") or "")),
        }

    def fields_of(self, record: Record) -> Fields:
        """A note has a text, and lies in a file."""
        return {"text": record.text, "type": record.type or ""}

    def add(self, new: NewRecord) -> ChangeSet:
        """Append a note as its agent does."""
        self.must_change()
        if new.kind != "note":
            raise self.cannot("add")
        values = self.classify(new.fields)
        text, path = str(values["text"]), self._path_of(str(values["type"]))
        label = ""

        def build(doc: NotesDoc) -> Sequence[Splice]:
            if any(item.record.text == text for item in doc.items):
                raise UserError("record.key_taken")
            return (appended(doc.data, text),)

        def settle(doc: NotesDoc) -> None:
            nonlocal label
            raw = stored(text, newline_of(doc.data))
            label = self._labels.fresh(str(self.main), path.name, raw)
            self._relabel(doc, len(doc.blocks), [raw], [label])

        self.rewrite(path, build, settle)
        return ChangeSet(added=(Ref(self.id, "note", (str(values["type"]), label)),))

    def may_add(self, new: NewRecord) -> Addition:
        """By the checks of ``add``; the same note again is in its way."""
        if new.kind != "note":
            raise self.cannot("add")
        values = self.classify(new.fields)
        items = self.doc(self._path_of(str(values["type"]))).items
        same = (one.record.ref for one in items if one.record.text == values["text"])
        return Addition("note", values, next(same, None))

    def apply(self, edit: Edit) -> ChangeSet:
        """Another text for a note; all others keep every byte."""
        self.must_change()
        item = self.editable(edit.target, edit.fields)
        ref = item.record.ref
        file = str(edit.fields.get("type") or item.record.type)
        if file != item.record.type:
            return self._move(edit, item, file)

        def build(doc: NotesDoc) -> Sequence[Splice]:
            now = self.editable(edit.target, edit.fields)
            text = str(edit.fields.get("text", now.record.text))
            if text == now.record.text:
                return ()
            start, end = now.span
            own = doc.data[start:end]
            raw = stored(note_text(text), newline_of(own if b"\n" in own else doc.data))
            return (Splice(start, end, raw), *final_newline(doc.data, end))

        def settle(doc: NotesDoc) -> None:
            place = [one.record.ref for one in doc.items].index(ref)
            text = note_text(str(edit.fields["text"]))
            own = doc.data[item.span[0] : item.span[1]]
            raw = stored(text, newline_of(own if b"\n" in own else doc.data))
            self._relabel(doc, place, [raw], [doc.labels[place]], instead=1)

        changed = self.rewrite(item.path, build, settle)
        return ChangeSet(changed=(ref,)) if changed else ChangeSet()

    def _move(self, edit: Edit, item: Item, file: str) -> ChangeSet:
        """To the other file: there first, so that a stop leaves it twice and never not at all."""
        text = edit.fields.get("text", item.record.text)
        added = self.add(NewRecord("note", {"text": text, "type": file})).added
        self.delete(edit.target)
        return ChangeSet(added=added, removed=(item.record.ref,))

    def delete(self, target: Target) -> ChangeSet:
        """Take a note out with its empty line; or a session with its file."""
        self.must_change()
        item = self.wanted(target)
        if item.record.kind == "session":
            remove_file(item.path, self.doc(item.path).content)
            self.reread()
            return ChangeSet(removed=(target.ref,))

        def build(doc: NotesDoc) -> Sequence[Splice]:
            found = self.wanted(target)
            return [Splice(start, end) for start, end in merged(self.cuts(doc, [found]))]

        def settle(doc: NotesDoc) -> None:
            place = [one.record.ref for one in doc.items].index(target.ref)
            self._relabel(doc, place, (), (), instead=1)

        self.rewrite(item.path, build, settle)
        return ChangeSet(removed=(target.ref,))

    # ---- undo

    def snapshot(self, refs: Sequence[Ref]) -> Snapshot:
        """The bytes of the records, and between which others they lay."""
        rows = []
        for ref in refs:
            item = self.items.get(ref)
            if item is None:
                continue
            doc = self.doc(item.path)
            place = [one.record.ref for one in doc.items].index(ref)
            raw = doc.data[item.span[0] : item.span[1]]
            rows.append((str(item.path), ("key", "place", "raw"), (ref.key, place, raw)))
        return Snapshot(self.id, tuple(rows))

    def reinstate(self, snapshot: Snapshot, *, key: str = "") -> ChangeSet:
        """Put notes back where they lay.

        Raises:
            UserError: ``record.id_taken`` when another text has the label.
        """
        del key
        self.must_change()
        added = []
        for file, _columns, values in snapshot.rows:
            own, place, raw = cast("tuple[tuple[str, ...], int, bytes]", values)
            path, kind = Path(file), "session" if self.goes_whole(Path(file)) else "note"
            ref = Ref(self.id, kind, own)
            now = self.items.get(ref)
            if now is not None:
                if now.record.etag != etag_of(raw):
                    raise UserError("record.id_taken")
                continue
            if kind == "session":
                self._put_session(path, raw)
            else:
                self._put_back(path, place, raw, ref.key[1])
            added.append(ref)
        return ChangeSet(added=tuple(added))

    def _put_back(self, path: Path, place: int, raw: bytes, label: str) -> None:
        def at_of(doc: NotesDoc) -> int:
            return min(place, len(doc.blocks))

        def build(doc: NotesDoc) -> Sequence[Splice]:
            at, newline = at_of(doc), newline_of(doc.data)
            if at == len(doc.blocks):
                return (appended_raw(doc.data, raw, newline),)
            start = doc.blocks[at].start
            return (Splice(start, start, raw + newline + newline),)

        def settle(doc: NotesDoc) -> None:
            self._relabel(doc, at_of(doc), [raw], [label])

        self.rewrite(path, build, settle)

    def _put_session(self, path: Path, raw: bytes) -> None:
        self.create(path, raw)

    # ---- inside

    def close(self) -> None:
        """Forget the notes and their labels."""
        super().close()
        if not self._closed:
            self._closed = True
            self._labels.release(str(self.main))

    def _file_named(self, name: str) -> str:
        """One of the files; the first where none is named. Raises ``record.scope_unknown``."""
        if name and name not in self._files():
            raise UserError("record.scope_unknown", scope=name)
        return name or self._files()[0]

    def _files(self) -> tuple[str, ...]:
        if self.main.is_dir():
            return tuple(name.removesuffix(".md") for name in FILES)
        return (self.main.name.removesuffix(".md"),)

    def _path_of(self, file: str) -> Path:
        return self.main / f"{file}.md" if self.main.is_dir() else self.main

    def editable(self, target: Target, fields: Fields) -> Item:
        """The note that may be so changed. Raises what speaks against it."""
        item = self.wanted(target)
        if item.record.kind != "note":
            raise self.cannot("edit")
        refuse_others(fields, FIELDS)
        self._file_named(str(fields.get("type") or item.record.type))
        text = str(fields.get("text", item.record.text))
        if text != item.record.text:
            note_text(text)
        return item

    def _relabel(
        self,
        doc: NotesDoc,
        place: int,
        raws: Sequence[bytes],
        labels: Sequence[str],
        instead: int = 0,
    ) -> None:
        """What the file's notes are called after a change of our own."""
        before = [doc.data[block.start : block.end] for block in doc.blocks]
        texts = [*before[:place], *raws, *before[place + instead :]]
        named = [*doc.labels[:place], *labels, *doc.labels[place + instead :]]
        self._labels.put(str(self.main), doc.path.name, texts, named)
