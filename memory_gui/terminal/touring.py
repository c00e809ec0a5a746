# SPDX-License-Identifier: MIT
"""``tour``: the main job on the sample store, step by step, each step checked."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Decision, Edit, Outcome, Target, Verdict
from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State
from memory_gui.erasure.result import EraseState
from memory_gui.services import KeyPlace, OpenedStore, Services
from memory_gui.services.home.samples import FOLDER_PREFIX
from memory_gui.terminal import names
from memory_gui.terminal.parser import Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.ui import lazy
from memory_gui.words import N_, Words

_WORD: Final = "sardine"
"""What the tour looks for, edits in and erases; the sample does not hold it."""


def _tour_arguments(parser: Parser, words: Words) -> None:
    parser.add_argument(
        "--pictures", metavar="DIR", help=words.say("also draw the main screens into this folder")
    )


@dataclass(slots=True)
class _Tour:
    """The tour's own state."""

    session: Session
    services: Services
    stores: tuple[OpenedStore, ...]
    steps: list[dict[str, object]] = field(default_factory=list)

    @property
    def main(self) -> OpenedStore:
        """The project's store."""
        return self.stores[0]

    def found(self, text: str, states: frozenset[State] = frozenset({State.LIVE})) -> list[Record]:
        """The memories that hold a text."""
        kinds = frozenset(self.main.info.kinds[:1])
        listing = self.services.library.search(Query(text, kinds=kinds, states=states))
        return [r for r in self.services.library.window(listing.ids) if r is not None]

    def step(self, name: str, text: str, *, ok: bool) -> None:
        """Print a step and remember whether it showed what it should."""
        self.steps.append({"step": name, "ok": ok, "text": text})
        words = self.session.words
        mark = words.say("ok") if ok else words.say("WRONG")
        self.session.out.line(words.say("{mark}  {text}", mark=mark, text=text))


@contextmanager
def records_folder(verb: str, usual: Path) -> Iterator[Path]:
    """Where a verb keeps the app's own records: the tour's are no doing of the person's."""
    if verb not in RUN:
        yield usual
        return
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as folder:
        yield Path(folder) / usual.name


def tour(session: Session) -> Exit:
    """The main job, on a sample in a temporary folder that is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    pictures: list[str] = []
    try:
        stores = session.services.samples.make(folder)
        one = _Tour(session, session.services, stores)
        for step in _STEPS:
            _checked(one, step)
        session.services.samples.forget(stores)
        for store in stores:  # the pictures show a window in which nothing was done yet
            session.services.journal.forget(store.info.path)
        if session.args.pictures is not None:
            pictures = _draw(session)
    finally:
        session.services.library.close_all()
        shutil.rmtree(folder, ignore_errors=True)
    ok = all(step["ok"] for step in one.steps)
    session.out.document({"ok": ok, "steps": one.steps, "pictures": pictures})
    for picture in pictures:
        session.out.line(picture)
    session.out.line(
        session.words.say("Every step showed what it should.")
        if ok
        else session.words.say("A step did not show what it should.")
    )
    return Exit.DONE if ok else Exit.FAILED


def _checked(one: _Tour, step: Callable[[_Tour], None]) -> None:
    """A step that fails is a step that did not show what it should; the others go on."""
    try:
        step(one)
    except (MemoryGuiError, LookupError) as error:
        code = getattr(error, "code", type(error).__name__)
        text = one.session.words.say(
            "{step} failed: {code}", step=step.__name__.strip("_"), code=code
        )
        one.step(step.__name__.strip("_"), text, ok=False)


def _open(one: _Tour) -> None:
    words, info = one.session.words, one.main.info
    total = sum(n for s in one.stores for st in s.info.counts.values() for n in st.values())
    text = words.say(
        "Open: {total} records of {agent}, encrypted. The key {place}.",
        total=total,
        agent=info.agent,
        place=names.key_place(words, one.main.key_place),
    )
    kept = one.main.key_place in {KeyPlace.KEYCHAIN, KeyPlace.THIS_RUN}
    one.step("open", text, ok=info.encrypted and len(one.stores) == 2 and total > 150 and kept)


def _list(one: _Tour) -> None:
    live = one.found("")
    counts = one.services.library.counts()["memory"]
    text = one.session.words.say("List: {n} live memories.", n=len(live))
    one.step("list", text, ok=len(live) == counts[State.LIVE] > 100)


def _search(one: _Tour) -> None:
    live = one.found("")
    word = next(tag for record in live for tag in record.tags)
    hits = one.found(word)
    honest = [record for record in live if Query(word).matches(record)]
    text = one.session.words.many(
        "Search: {n} memory holds “{word}”.",
        "Search: {n} memories hold “{word}”.",
        len(hits),
        word=word,
    )
    same = {record.ref for record in hits} == {record.ref for record in honest}
    one.step("search", text, ok=bool(hits) and same)


def _edit(one: _Tour) -> None:
    record = one.found("")[0]
    changed = f"{record.text} {_WORD}"
    edit = Edit(Target(record.ref, record.etag), {"text": changed})
    one.services.editing.edit(edit)
    read = one.services.library.record(record.ref)
    after = read is not None and read.text == changed and len(one.found(_WORD)) == 1
    one.services.editing.undo()
    back = one.services.library.record(record.ref)
    undone = back is not None and back.text == record.text and not one.found(_WORD)
    text = one.session.words.say("Edit: changed, read back, found, and taken back.")
    one.step("edit", text, ok=after and undone)


def _approve(one: _Tour) -> None:
    item, preview = next(
        (item, seen)
        for item in one.services.review.items()
        if (seen := one.services.review.preview(item.ref)).outcome is Outcome.NEW
        and not seen.warnings
    )
    one.services.review.decide(Decision(Target(item.ref, item.etag), Verdict.APPROVE))
    read = one.services.library.record(item.ref)
    saved = [r for r in one.found("") if r.text == preview.fields["text"]]
    text = one.session.words.say("Approve: the proposal is a memory now.")
    one.step("approve", text, ok=bool(saved) and read is not None and read.state is State.APPROVED)


def _reject(one: _Tour) -> None:
    before = len(one.found(""))
    item = one.services.review.items()[0]
    one.services.review.decide(Decision(Target(item.ref, item.etag), Verdict.REJECT))
    read = one.services.library.record(item.ref)
    text = one.session.words.say("Reject: the proposal is no memory.")
    rejected = read is not None and read.state is State.REJECTED
    one.step("reject", text, ok=rejected and len(one.found("")) == before)


def _trash(one: _Tour) -> None:
    record = one.found("")[0]
    one.services.editing.trash([record.ref])
    gone = record.ref not in {r.ref for r in one.found("")}
    there = record.ref in {r.ref for r in one.found("", frozenset({State.TRASH}))}
    one.services.editing.restore([record.ref])
    back = record.ref in {r.ref for r in one.found("")}
    text = one.session.words.say("Trash and restore: out of the agent's sight, and back.")
    one.step("trash", text, ok=gone and there and back)


def _erase(one: _Tour) -> None:
    record = one.found("")[0]
    edit = Edit(Target(record.ref, record.etag), {"text": f"{record.text} {_WORD}"})
    one.services.editing.edit(edit)
    record = one.found(_WORD)[0]
    result = one.services.erasing.run(one.services.erasing.plans.plan([record.ref]))
    proof = result.proof
    proved = result.state is EraseState.PROVED and proof is not None and proof.clean
    gone = one.services.library.record(record.ref) is None and not one.found(_WORD)
    again = one.services.erasing.prove(record.ref.store, [record.text])
    text = one.session.words.say(
        "Erase and prove: another process read {pages} pages and found nothing.",
        pages=0 if proof is None else proof.pages,
    )
    one.step("erase", text, ok=proved and gone and again.clean)


_STEPS: Final = (_open, _list, _search, _edit, _approve, _reject, _trash, _erase)


def _draw(session: Session) -> list[str]:
    """Pictures of the main screens. The window's code is loaded only here."""
    out = Path(session.args.pictures)
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    drawn = lazy.pictures().draw(session.services, out)
    return [str(path) for path in drawn or sorted(out.glob("*.png"))]


VERBS = (
    Verb(
        "tour",
        N_("the main job on a sample store, step by step, each step checked"),
        _tour_arguments,
    ),
)
RUN = {"tour": tour}
