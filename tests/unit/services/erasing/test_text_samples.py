# SPDX-License-Identifier: MIT
"""Real stores that are text files: every marker is found in its state, and erased without a trace.

What a sample holds stands in its EXPECTED.json, written down when the agents' own software made it.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.language import literal
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.engine.plainfile import read_file
from memory_gui.engine.replacing import Part, part_of
from memory_gui.erasure.result import EraseState

DATA = Path(__file__).parents[3] / "data"
SAMPLES = {"notes": "home", "mcp-server-memory": "."}


@dataclass
class Sample:
    folder: Path
    path: Path
    markers: list[dict[str, object]] = field(default_factory=list)

    @property
    def live(self) -> list[str]:
        return [str(one["marker"]) for one in self.markers if one["state"] == "live"]

    def files(self) -> list[Path]:
        names = ("EXPECTED.json", "MADE.md")
        return [p for p in self.folder.rglob("*") if p.is_file() and p.name not in names]

    def holds(self, text: str) -> list[str]:
        """The files whose bytes have it: as it is, in UTF-16, with JSON escapes, in any case."""
        escaped = json.dumps(text)[1:-1].encode()
        forms = {text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), escaped}
        lower = {form.lower() for form in forms}
        return [
            str(file)
            for file in self.files()
            if any(form in file.read_bytes().lower() for form in lower)
        ]


@pytest.fixture(params=SAMPLES)
def sample(request, tmp_path):
    folder = tmp_path / request.param
    shutil.copytree(DATA / request.param, folder)
    expected = json.loads((folder / "EXPECTED.json").read_text("utf-8"))
    return Sample(folder, folder / SAMPLES[request.param], expected["markers"])


@pytest.fixture
def services(services_in, tmp_path):
    return services_in(tmp_path / "own")


def found(services, text):
    ids = services.library.search(Query(text=literal(text)), "created").ids
    return services.library.window(ids)


def opened(services, sample):
    (store,) = services.library.open(sample.path)
    return store


def test_every_marker_is_found_in_its_state(sample, services):
    store = opened(services, sample)
    for one in sample.markers:
        records = found(services, one["marker"])
        assert len(records) == (1 if one["state"] == "live" else 0), one
        assert all(r.state is State.LIVE and r.ref.store == store.id for r in records)
        assert [str(Path(f).relative_to(sample.folder)) for f in sample.holds(one["marker"])] == (
            one["found_in"]
        )


def test_each_is_erased_without_a_trace_and_the_others_stay(sample, services):
    opened(services, sample)
    left = sample.live
    while left:
        mine, left = left[:8], left[8:]
        refs = [record.ref for marker in mine for record in found(services, marker)]
        texts = [t for r in services.library.records(refs).values() for t in (r.text,) if t]
        result = services.erasing.run(services.erasing.plans.plan(refs))
        assert result.state is EraseState.PROVED
        assert result.proof.hits == 0
        assert result.proof.files >= 1
        for text in (*mine, *texts):
            assert sample.holds(text) == []
        for marker in left:
            assert len(found(services, marker)) == 1
    assert services.erasing.pending() == ()


def test_all_of_it_at_once(sample, services):
    store = opened(services, sample)
    plan = services.erasing.plans.plan_query(Query(stores=frozenset({store.id})))
    result = services.erasing.run(plan)
    assert result.state is EraseState.PROVED
    assert not any(sample.holds(marker) for marker in sample.live)
    assert services.library.search(Query(), "created").total == 0
    for file in sample.files():
        assert file.read_bytes().strip() == b""


def test_a_destroyed_one_leaves_no_file(sample, services):
    store = opened(services, sample)
    done = services.destroying.run(services.destroying.plan(store.id))
    assert done.gone.state is EraseState.PROVED
    assert sample.files() == []


def test_undo_of_each_act_leaves_the_bytes_as_they_were(sample, services):
    store = opened(services, sample)
    before = {file: file.read_bytes() for file in sample.files()}
    records = [r for marker in sample.live for r in found(services, marker)]
    for record in (records[0], records[-1]):
        services.editing.edit(Edit(Target(record.ref, record.etag), {"text": "something else"}))
        services.editing.undo()
        services.editing.delete([record.ref])
        services.editing.undo()
    kind = records[0].kind
    fields = {"text": "added", **({"subject": records[0].subject} if kind != "note" else {})}
    services.editing.add(store.id, NewRecord(kind, fields))
    services.editing.undo()
    assert {file: file.read_bytes() for file in sample.files()} == before


def test_our_own_change_is_no_foreign_one_and_an_agent_s_is(sample, services):
    opened(services, sample)
    (record,) = found(services, sample.live[0])
    services.library.poll()
    services.editing.edit(Edit(Target(record.ref, record.etag), {"text": "changed by us"}))
    assert services.library.poll() == frozenset()
    file = sample.files()[0]
    with file.open("ab") as stream:
        line = b'\n{"type":"entity","name":"new","entityType":"x","observations":[]}'
        stream.write(b"\n\nchanged by an agent\n" if file.suffix == ".md" else line)
    assert services.library.poll() == {record.ref.store}


class TestWhatIsNotErased:
    @pytest.fixture
    def sample(self, tmp_path):
        shutil.copytree(DATA / "mcp-server-memory", tmp_path / "mcp")
        expected = json.loads((tmp_path / "mcp/EXPECTED.json").read_text("utf-8"))
        return Sample(tmp_path / "mcp", tmp_path / "mcp", expected["markers"])

    def plan(self, services, sample, marker):
        opened(services, sample)
        return services.erasing.plans.plan([r.ref for r in found(services, marker)])

    def test_a_change_since_the_plan_stops_it(self, sample, services):
        plan = self.plan(services, sample, sample.live[0])
        file = sample.path / "memory.jsonl"
        with file.open("ab") as stream:
            stream.write(b"\n")
        before = file.read_bytes()
        with pytest.raises(UserError) as caught:
            services.erasing.run(plan)
        assert caught.value.code == "erase.file_changed"
        assert file.read_bytes() == before
        assert services.erasing.pending() == ()

    def test_one_that_a_program_has_open_is_left(self, sample, services):
        plan = self.plan(services, sample, sample.live[0])
        file = sample.path / "memory.jsonl"
        before = file.read_bytes()
        with file.open("rb") as stream:
            reader = subprocess.Popen(["sleep", "60"], stdin=stream)
        try:
            result = services.erasing.run(plan)
        finally:
            reader.kill()
            reader.wait()
        assert result.state is EraseState.NOT_FINISHED
        assert result.open_by
        assert file.read_bytes() == before
        (waiting,) = services.erasing.finish_waiting()
        assert waiting.state is EraseState.PROVED
        assert not sample.holds(sample.live[0])

    def test_what_a_kept_record_shares_is_named(self, sample, services):
        store = opened(services, sample)
        text = "A sentence of more than thirty-two letters that two of them share."
        one, two = (
            services.editing.add(store.id, NewRecord("observation", {"subject": s, "text": text}))
            for s in ("林晓雨", "Mateo Álvarez")
        )
        result = services.erasing.run(services.erasing.plans.plan(one.changes.added))
        assert result.state is EraseState.PROVED
        assert [hit.ref for hit in result.proof.kept_hits] == ["entity:Mateo%20%C3%81lvarez"]
        assert services.library.record(two.changes.added[0]) is not None

    def test_the_server_s_unfinished_write_is_cleaned_in_the_same_act(self, sample, services):
        left = sample.path / f"memory.jsonl.{'0' * 32}.tmp"
        left.write_bytes((sample.path / "memory.jsonl").read_bytes())
        result = services.erasing.run(self.plan(services, sample, sample.live[0]))
        assert result.state is EraseState.PROVED
        assert [find.where for find in result.cleaned] == [str(left)]
        assert not sample.holds(sample.live[0])

    def test_receipts_and_pending_notes_name_no_key(self, sample, services, tmp_path):
        plan = self.plan(services, sample, sample.live[0])
        out = tmp_path / "receipt.json"
        services.erasing.run(plan, receipt=out)
        assert "林晓雨" not in out.read_text("utf-8")
        assert '"file-rewrite"' in out.read_text("utf-8")


class TestNamesThatChange:
    """An edit may give a record another name, and a mended line is a record of another kind."""

    @pytest.fixture
    def graph(self, tmp_path, services):
        file = tmp_path / "memory.jsonl"
        shutil.copy(DATA / "mcp-server-memory" / "memory.jsonl", file)
        with file.open("ab") as stream:
            stream.write(b'\n{"type":"ent')
        (store,) = services.library.open(file)
        return file, store

    def test_a_new_name_is_taken_back_to_the_last_byte(self, graph, services):
        file, store = graph
        before = file.read_bytes()
        target = Target(Ref(store.id, "entity", ("林晓雨",)))
        services.editing.edit(Edit(target, {"title": "Lin"}))
        assert services.library.record(Ref(store.id, "entity", ("Lin",))) is not None
        services.editing.undo()
        assert file.read_bytes() == before

    def test_a_mended_line_is_an_entity(self, graph, services):
        file, _store = graph
        (line,) = [r for r in found(services, '{"type":"ent') if r.kind == "line"]
        whole = '{"type":"entity","name":"x","entityType":"t","observations":[]}'
        done = services.editing.edit(Edit(Target(line.ref, line.etag), {"text": whole}))
        assert done.changes.added[0].text == "entity:x"
        assert file.read_text("utf-8").endswith(whole)

    def test_a_note_moves_to_the_other_file_and_back(self, tmp_path, services):
        shutil.copytree(DATA / "notes" / "home", tmp_path / "home")
        services.library.open(tmp_path / "home")
        (note,) = found(services, "zqo-harness-001-cc0c6b")
        (moved,) = services.editing.edit(Edit(Target(note.ref), {"type": "user"})).changes.added
        assert moved.key == ("user", note.ref.key[1])
        services.editing.undo()
        (back,) = found(services, "zqo-harness-001-cc0c6b")
        assert back.ref == note.ref


class TestAfterAStop:
    """The eraser was killed; what lies there tells how far it came, and it is finished."""

    @pytest.fixture
    def stopped(self, tmp_path, services):
        shutil.copytree(DATA / "notes", tmp_path / "notes")
        sample = Sample(tmp_path / "notes", tmp_path / "notes" / "home")
        opened(services, sample)
        (record,) = found(services, "zqo-harness-008-34b0bb")
        plan = services.erasing.plans.plan([record.ref])
        (entry,) = services.erasing.announce(plan)
        file = sample.path / ".agent-harness/memory/user.md"
        return sample, services, entry, file

    def finish(self, services):
        (entry,) = services.erasing.pending()
        return services.erasing.resume(entry)

    def test_before_the_swap(self, stopped):
        sample, services, _entry, file = stopped
        part_of(file).write_bytes(b"half of a new file")
        assert self.finish(services).state is EraseState.PROVED
        assert not sample.holds("zqo-harness-008-34b0bb")
        assert not part_of(file).exists()

    @pytest.mark.parametrize("wiped", [False, True])
    def test_after_the_swap(self, stopped, wiped):
        sample, services, entry, file = stopped
        before = read_file(file)
        cut = next(c for c in entry.scheme["files"] if c["path"] == str(file))["cuts"][0]
        after = before.data[: cut[0]] + before.data[cut[1] :]
        part = Part.write(file, before, after)
        noted = {**entry.scheme, "new_files": {str(file): part.inode}}
        part.swap()
        if wiped:
            part.wipe()
        os.close(part._number)  # as a kill leaves it
        services.keeper.ledger().pending.put(replace(entry, scheme=noted, state="erasing"))
        assert self.finish(services).state is EraseState.PROVED
        assert file.read_bytes() == after
        assert not part_of(file).exists()
        assert not sample.holds("zqo-harness-008-34b0bb")
