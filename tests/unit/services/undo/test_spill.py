# SPDX-License-Identifier: MIT
"""Large acts are taken back from the ledger, byte for byte, and nothing there outlives its time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from pairs import MemoryKeychain, Pair, store_in
from plainpages import plain_pages

from memory_gui.domain.changes import Edit, Snapshot, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.engine.connection import open_database
from memory_gui.ledger.ledger import FILE, SERVICE
from memory_gui.services.build import build_services
from memory_gui.services.editing import chunks
from memory_gui.services.undo import parts, stack
from memory_gui.services.undo.parts import NoSpill, Writing
from memory_gui.services.undo.stack import UndoStack
from memory_gui.services.undo.steps import (
    PutBack,
    Redecide,
    SetFields,
    SetTrash,
    TakeOut,
    Together,
    digest_of,
)
from memory_gui.stores.sql.cells import Mangled
from memory_gui.words import Words

MARK = "Zebrastreifen über den Kanal"
RECORDS = 12
TIME = frozenset({"updated_at"})
WRITTEN = frozenset({"updated_at", "keywords_json"})
"""What each edit writes anew, by the agent's own rules."""
KEY = RawKey(bytes(range(32)))
ALL = "SELECT * FROM memories ORDER BY id"
INSERT = (
    "INSERT INTO memories VALUES (?, 'project', 'note', ?, ?, ?, '[\"old\", \"\\u4e00\"]', '[]',"
    " 'explicit', 'explicit_user', 'normal', '2026-10-03T08:30:00', '2026-10-03T08:30:00', NULL)"
)


@pytest.fixture
def small(monkeypatch):
    """Entries that fill a few pieces of a few records each."""
    monkeypatch.setattr(stack, "MOST", 400)
    monkeypatch.setattr(parts, "PIECE", 200)


@pytest.fixture
def app(tmp_path, small):
    store_in(tmp_path / "home/.agentao")
    store_in(tmp_path / "atlas/.agentao")
    keychain = MemoryKeychain()
    keychain.store_in(SERVICE, "a", KEY)
    services = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
    )
    services.keeper.ledger()
    opened = services.library.open(tmp_path / "atlas")
    yield Pair(tmp_path, services, opened[0], opened[1])
    services.close()


def filled(app: Pair, said: str = MARK, first: int = 0, number: int = RECORDS) -> list[Ref]:
    """As an agent has written them, all at once."""
    names = range(first, first + number)
    with open_database(app.project_file, None, write=True) as connection, connection.writing():
        for n in names:
            words = (f"{n:08x}", f"key_{n}", f"{said} {n}", f"text {n} of {said}")
            connection.change(INSERT, words)
    return [Ref(app.project.id, "memory", (f"{n:08x}",)) for n in names]


def pieces(app: Pair) -> int:
    with app.services.keeper.ledger().connection() as connection:
        return connection.execute("SELECT count(*) FROM undo_part")[0][0]


def cells(app: Pair, but: frozenset[str] = frozenset()) -> list[dict[str, object]]:
    """Every stored column of every memory."""
    with open_database(app.project_file, None, write=False) as connection:
        names = [row[1] for row in connection.table_info("memories")]
        rows = [dict(zip(names, row, strict=True)) for row in connection.execute(ALL)]
    return [{name: row[name] for name in names if name not in but} for row in rows]


def ledger_says(folder: Path, text: str) -> bool:
    """Whether a text is anywhere in the ledger, sealed by its key alone."""
    data = (folder / "data" / FILE).read_bytes()
    journal = (folder / "data" / f"{FILE}-journal").read_bytes()
    forms = (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"))
    places = (data, journal, plain_pages(data, KEY))
    return any(form in place for form in forms for place in places)


class TestWhatIsTakenBack:
    def test_tags_of_many_and_again(self, app):
        refs = [app.add(f"{MARK} {n}", f"text {n}", tags=("old", "一")).ref for n in range(RECORDS)]
        before = cells(app, TIME)
        app.services.editing.tag(refs, add=("new", "二"), remove=("old",))
        after = cells(app, TIME)
        assert pieces(app) > 2
        assert app.services.editing.undo_text() == ("tag", RECORDS)
        app.services.editing.undo()
        assert cells(app, TIME) == before
        app.services.editing.redo()
        assert cells(app, TIME) == after
        app.services.editing.undo()
        assert cells(app, TIME) == before

    def test_what_was_deleted_comes_back_byte_for_byte(self, app):
        refs = filled(app)
        app.services.editing.trash(refs)
        before = cells(app)
        app.services.editing.delete(refs)
        assert cells(app) == []
        app.services.editing.undo()
        assert cells(app) == before

    def test_what_was_changed_since_is_found_out(self, app):
        refs = filled(app)
        app.services.editing.tag(refs, add=("new",))
        with open_database(app.project_file, None, write=True) as connection, connection.writing():
            connection.change("UPDATE memories SET content = 'another' WHERE id = ?", refs[3].key)
        now = cells(app)
        with pytest.raises(UserError) as caught:
            app.services.editing.undo()
        assert caught.value.code == "undo.changed"
        assert cells(app) == now
        assert pieces(app) == 0

    def test_stopped_in_its_middle_the_rest_can_be_later(self, app, monkeypatch):
        monkeypatch.setattr(chunks, "MOST", 10)
        refs = filled(app)
        before = cells(app, WRITTEN)
        app.services.editing.tag(refs, add=("new",))
        token = CancelToken()

        def tick(step, done, total):
            if (step, done) == ("turn", RECORDS // 2 + 1):
                token.cancel()

        app.services.editing.undo(tick=tick, cancel=token)
        assert cells(app, WRITTEN) != before
        app.services.editing.redo()  # the half
        app.services.editing.undo()
        app.services.editing.undo()
        assert cells(app, WRITTEN) == before

    def test_without_a_place_it_stays_in_memory(self, app, monkeypatch):
        refs = filled(app)
        app.services.keeper.close()
        before = cells(app, WRITTEN)
        app.services.editing.tag(refs, add=("new",))
        app.services.editing.undo()
        assert cells(app, WRITTEN) == before

    def test_where_the_pieces_are_gone_it_says_so_and_writes_nothing(self, app):
        refs = filled(app)
        app.services.editing.tag(refs, add=("new",))
        now = cells(app)
        with app.services.keeper.ledger().connection() as connection, connection.writing():
            connection.change("DELETE FROM undo_part")
        with pytest.raises(UserError) as caught:
            app.services.editing.undo()
        assert caught.value.code == "undo.lost"
        assert cells(app) == now
        assert app.services.editing.undo_text() != ("tag", RECORDS)


class TestWhatDoesNotOutlive:
    def test_what_falls_out_of_the_history_goes(self, app):
        refs = filled(app)
        app.services.editing.tag(refs, add=("new",))
        app.services.editing.undo()
        assert pieces(app) > 2
        app.services.editing.edit(Edit(Target(refs[0]), {"text": "other"}))
        assert pieces(app) == 0

    def test_a_store_that_is_closed(self, app):
        app.services.editing.tag(filled(app), add=("new",))
        app.services.library.close(app.project.id)
        assert pieces(app) == 0

    def test_a_lock(self, app):
        services = app.services
        services.editing.tag(filled(app), add=("new",))
        (entry,) = [services.editing._stack.next_undo()]
        services.lock.lock()
        with pytest.raises(UserError, match=r"undo\.lost"):
            list(entry.steps)
        assert not ledger_says(app.folder, MARK)
        services.lock.unlock()
        services.keeper.ledger()
        assert pieces(app) == 0

    def test_an_erase_of_some_of_its_records(self, app):
        services = app.services
        keep = filled(app)
        gone = filled(app, "Kranich am See", first=100, number=3)
        refs = [*keep[:5], *gone, *keep[5:]]
        services.editing.tag(refs, add=("new",))
        result = services.erasing.run(services.erasing.plans.plan(gone))
        assert result.state == "proved"
        with services.keeper.ledger().connection() as connection:
            assert connection.execute("PRAGMA freelist_count") == [(0,)]
        for text in ("Kranich", MARK):
            assert not ledger_says(app.folder, text)
        entry = services.editing._stack.next_undo()
        assert entry.count == len(refs)
        assert entry.refs == frozenset(keep)
        services.editing.undo()
        assert all("new" not in app.read(ref).tags for ref in keep)
        assert all(services.library.record(ref) is None for ref in gone)

    def test_a_kill(self, app, tmp_path):
        script = textwrap.dedent(f"""
            import os, signal, sys
            sys.path.insert(0, {str(Path(__file__).parents[1])!r})
            from pathlib import Path
            from pairs import MemoryKeychain
            from memory_gui.domain.keys import RawKey
            from memory_gui.ledger.ledger import SERVICE
            from memory_gui.services.undo import stack
            from memory_gui.services.undo import parts
            from memory_gui.services.build import build_services
            from memory_gui.words import Words
            stack.MOST, parts.PIECE = 400, 200
            keychain = MemoryKeychain()
            keychain.store_in(SERVICE, "a", RawKey(bytes(range(32))))
            folder = Path({str(tmp_path)!r})
            services = build_services(
                words=Words(), home=folder / "home", data_dir=folder / "data", keychain=keychain
            )
            services.keeper.ledger()
            opened = services.library.open(folder / "atlas")
            from memory_gui.domain.queries import Query
            found = services.library.search(Query("", kinds=frozenset({{"memory"}})))
            services.editing.tag(services.library.refs(found.ids), add=("new",))
            os.kill(os.getpid(), signal.SIGKILL)
        """)
        filled(app)
        app.services.close()
        killed = subprocess.run([sys.executable, "-c", script], check=False, timeout=120)
        assert killed.returncode == -signal.SIGKILL
        with open_database(tmp_path / "data" / FILE, KEY, write=False) as connection:
            assert connection.execute("SELECT count(*) FROM undo_part")[0][0] > 2
        assert not ledger_says(tmp_path, MARK)
        app.services.keeper.ledger()
        assert pieces(app) == 0


STORE, OTHER = StoreId("/a/memory.db"), StoreId("/b")
CELLS = (1 << 62, 0.1, None, b"\xff\x00", Mangled(b"\xfe"))
REF = Ref(STORE, "memory", ("3f",))


def test_so_much_is_kept_in_memory():
    assert stack.MOST == 20_000_000


@pytest.mark.parametrize(
    "step",
    [
        SetFields(REF, digest_of({"title": "t"}), {"title": "neu\x00\u001e\ud800", "tags": ("a",)}),
        SetTrash(Ref(OTHER, "row", ("a", "", "ü/%")), trash=True),
        TakeOut(REF, digest_of({"text": "x", "tags": ()})),
        PutBack(
            REF,
            Snapshot(OTHER, (
                ("t", ("a", "b", "c", "d", "e"), CELLS),
                ("line", ("place", "records"), (2, ((REF, "etag"), (REF, "other")))),
            )),
            {"title": "x"},
            "key",
        ),
        Redecide(REF, State.APPROVED, Verdict.REOPEN, {"key": "k"}),
        Together(REF, (SetTrash(REF, trash=False), Redecide(REF, State.PENDING, Verdict.REJECT))),
    ],
    ids=lambda step: type(step).__name__,
)  # fmt: skip
def test_each_step_reads_back_as_it_was(step):
    writing = Writing()
    said = json.loads(writing.line(step).decode("utf-8", "surrogatepass"))
    again = writing.step(said)
    assert again == step
    if isinstance(step, PutBack):
        cells = zip(again.snapshot.rows[0][2], step.snapshot.rows[0][2], strict=True)
        assert all(type(one) is type(other) for one, other in cells)


def test_the_last_record_is_taken_back_first_packed_or_not(small):
    def refs_of(count):
        gathering = UndoStack(NoSpill()).gathering()
        for number in range(count):
            ref = Ref(STORE, "memory", (str(number),))
            gathering.add((SetTrash(ref, trash=False), SetTrash(ref, trash=True)))
        return [(one.ref.key[0], one.trash) for one in gathering.steps()]

    for count in (3, 500):
        wanted = [(str(n), trash) for n in reversed(range(count)) for trash in (False, True)]
        assert refs_of(count) == wanted


def test_an_act_that_nobody_will_take_back_keeps_nothing(small):
    stack = UndoStack(NoSpill(), large=False)
    gathering = stack.gathering()
    for number in range(500):
        gathering.add((SetTrash(Ref(STORE, "memory", (str(number),)), trash=False),))
    stack.record("trash", gathering.steps(), 500)
    assert stack.next_undo() is None
