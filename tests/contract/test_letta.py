# SPDX-License-Identifier: MIT
"""Letta's databases of both generations: contract, markers, correcting blocks, erasing copies."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store_contract import Bench, ReadingContract, code, everything

from memory_gui.domain.changes import Confidence, Edit, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services, build_services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.letta.format import LettaFormat
from memory_gui.stores.formats.letta.store import LettaStore
from memory_gui.stores.formats.letta.texts import places_of, said
from memory_gui.stores.sight import see
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parent.parent / "data" / "letta-old"
FILE = "home/.letta/sqlite.db"
GENERATIONS = ("0.5.5", "0.11.7")
NOW = datetime(2026, 11, 30, 8, 0, 1, 250_000, tzinfo=UTC)
TRACE = (
    "INSERT INTO provider_traces (id, request_json, response_json, step_id, organization_id)"
    " VALUES ('trace-1', ?, ?, 'step-1', 'org-0')"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies of both."""
    folder = tmp_path.resolve() / "samples"
    shutil.copytree(DATA, folder)
    return folder


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()


def opened(path: Path, mode: Mode = Mode.LOOK) -> LettaStore:
    """Open one."""
    return LettaFormat(lambda: NOW).open(Location((path,)), None, mode)


def execute(path: Path, sql: str, *params: object) -> list[tuple[object, ...]]:
    """A statement of the server's."""
    with open_database(path, None, write=True) as database:
        return database.execute(sql, params)


def saying(store: LettaStore, marker: str) -> list[Record]:
    """Records that say it in any field."""
    return [r for r in everything(store).values() if any(marker in t for t in r.searchable())]


class TestReading(ReadingContract):
    """Both generations."""

    @pytest.fixture(params=GENERATIONS)
    def bench(self, folder: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        stores: list[LettaStore] = []

        def open_one(mode: Mode) -> LettaStore:
            stores.append(opened(folder / request.param / FILE, mode))
            return stores[-1]

        yield Bench(open_one, "block", {"text": "another text"})
        for store in stores:
            store.close()


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_marker_is_in_its_state(folder: Path, generation: str) -> None:
    store = opened(folder / generation / FILE)
    markers = json.loads((DATA / generation / "EXPECTED.json").read_text())["markers"]
    for one in markers:
        found = {(r.kind, r.state) for r in saying(store, one["marker"])}
        live = {("block", State.LIVE), ("passage", State.LIVE)}
        wanted = {
            "live": live,
            "transcript": {("message", State.LIVE)},
            "soft-deleted": {("block", State.TRASH)},
            "overwritten": {("past", State.LIVE)},
            "hard-deleted": set(),
        }[one["state"]]
        assert (found & wanted) or (not wanted and not found), one
    assert store.info().agent_version == generation.rpartition(".")[0]
    store.close()


@pytest.mark.parametrize("generation", GENERATIONS)
def test_it_is_known_by_its_tables(folder: Path, generation: str) -> None:
    assert LettaFormat().probe(see(Location((folder / generation / FILE,)))) is Confidence.CERTAIN


def test_a_message_with_two_texts_says_both(folder: Path) -> None:
    path = folder / "0.11.7" / FILE
    execute(path, "UPDATE messages SET text = 'said beside' WHERE id = 'message-0-0'")
    store = opened(path)
    (one,) = store.fetch([Ref(store.id, "message", ("message-0-0",))])
    assert one is not None
    assert one.text.endswith("\nsaid beside")
    assert one.text.startswith("Prefers concise answers")
    assert store.erase_scope([one.ref]).texts[-1] == "said beside"
    store.close()


class TestBlocks:
    """Corrected as Letta itself would write it."""

    def test_the_version_goes_up_and_everything_else_stays(self, folder: Path) -> None:
        path = folder / "0.11.7" / FILE
        store = opened(path, Mode.CHANGE)
        old = next(r for r in everything(store).values() if r.kind == "block")
        before = {ref: r for ref, r in everything(store).items() if ref != old.ref}
        store.apply(Edit(Target(old.ref, old.etag), {"text": "Prefers 银杏 🌿"}))
        (new,) = store.fetch([old.ref])
        assert new is not None
        assert new.text == "Prefers 银杏 🌿"
        assert int(new.extra["version"] or 0) == int(old.extra["version"] or 0) + 1
        assert new.updated_at == "2026-11-30 08:00:01.250000"
        assert {ref: r for ref, r in everything(store).items() if ref != old.ref} == before
        store.close()

    def test_after_the_last_version_it_begins_again(self, folder: Path) -> None:
        path = folder / "0.11.7" / FILE
        execute(path, "UPDATE block SET version = 9223372036854775807")
        store = opened(path, Mode.CHANGE)
        old = next(r for r in everything(store).values() if r.kind == "block")
        store.apply(Edit(Target(old.ref, old.etag), {"text": "one more"}))
        (new,) = store.fetch([old.ref])
        assert new is not None
        assert (new.text, new.extra["version"]) == ("one more", "1")
        store.close()

    def test_agents_copies_are_kept_in_step(self, folder: Path) -> None:
        path = folder / "0.5.5" / FILE
        store = opened(path, Mode.CHANGE)
        block = next(r for r in saying(store, "zqo-letta055-001-6d5915"))
        before = execute(path, "SELECT id, memory FROM agents ORDER BY id")
        store.apply(Edit(Target(block.ref, block.etag), {"text": 'Name: "Lin" 银杏'}))
        after = execute(path, "SELECT id, memory FROM agents ORDER BY id")
        mine = json.loads(str(after[0][1]))
        assert mine["memory"]["human"]["value"] == 'Name: "Lin" 银杏'
        old = json.loads(str(before[0][1]))
        old["memory"]["human"]["value"] = 'Name: "Lin" 银杏'
        assert mine == old
        assert after[1] == before[1]
        store.close()

    def test_limit_etag_and_unknown_fields_are_heeded(self, folder: Path) -> None:
        store = opened(folder / "0.11.7" / FILE, Mode.CHANGE)
        block = next(r for r in everything(store).values() if r.kind == "block")
        target = Target(block.ref, block.etag)
        too_long = Edit(target, {"text": "x" * 5001})
        assert code(lambda: store.apply(too_long)) == "record.text_long"
        assert code(lambda: store.may("edit", target, too_long.fields)) == "record.text_long"
        store.apply(Edit(target, {"text": "x" * 5000}))
        assert code(lambda: store.apply(Edit(target, {"text": "y"}))) == "record.changed"
        fresh = Target(block.ref)
        wrong = Edit(fresh, {"label": "persona"})
        assert code(lambda: store.apply(wrong)) == "record.no_such_field"
        gone = Target(Ref(store.id, "block", ("no such",)))
        assert code(lambda: store.apply(Edit(gone, {"text": "y"}))) == "record.gone"
        assert code(lambda: store.apply(Edit(fresh, {"text": "\ud800"}))) == "record.not_unicode"
        store.close()

    @pytest.mark.parametrize(("kind", "why"), [("passage", "needs_vector"), ("message", "as_said")])
    def test_other_records_are_refused_with_the_reason(
        self, folder: Path, kind: str, why: str
    ) -> None:
        store = opened(folder / "0.11.7" / FILE, Mode.CHANGE)
        record = next(r for r in everything(store).values() if r.kind == kind)
        with pytest.raises(UserError, match=r"store\.cannot") as caught:
            store.apply(Edit(Target(record.ref), {"text": "x"}))
        assert caught.value.params["why"] == f"letta.{why}"
        store.close()

    def test_undo_gives_the_old_text_back(self, folder: Path, services: Services) -> None:
        (one,) = services.library.open(folder / "0.5.5" / FILE)
        shelf = services.library.shelf(one.id)
        records = shelf.screen(everything)
        block = next(r for r in records.values() if r.kind == "block")
        services.editing.edit(Edit(Target(block.ref, block.etag), {"text": "other"}))
        services.editing.undo()
        (back,) = shelf.fetch([block.ref])
        assert back is not None
        assert back.text == block.text


MEMORY = "SELECT memory FROM agents WHERE id = 'agent-{}'"


def left_in(path: Path, *texts: str) -> list[str]:
    """What of the texts is left in the file: as it is, or as JSON writes it."""
    raw = path.read_bytes()
    every = [(text, form) for text in texts for form in (text, json.dumps(text)[1:-1])]
    return [text for text, form in every if form.encode() in raw]


def _own(record: Record) -> str:
    """What goes with it."""
    return f"{record.text}\n{record.extra.get('earlier') or ''}"


class TestErasing:
    """Every copy goes; what else stands beside it stays."""

    @pytest.mark.parametrize("generation", GENERATIONS)
    def test_nothing_of_what_was_erased_is_left(
        self, folder: Path, services: Services, generation: str
    ) -> None:
        path = folder / generation / FILE
        (one,) = services.library.open(path)
        shelf = services.library.shelf(one.id)
        before = shelf.screen(everything)
        chosen = [r for r in before.values() if r.kind in ("block", "passage", "message")][::2]
        chosen += [r for r in before.values() if r.state is State.TRASH]
        markers = json.loads((DATA / generation / "EXPECTED.json").read_text())["markers"]
        names = [one["marker"] for one in markers]
        gone = [name for name in names if any(name in _own(r) for r in chosen)]
        result = services.erasing.run(services.erasing.plans.plan([r.ref for r in chosen]))
        assert result.state is EraseState.PROVED, [s.proof for s in result.stores]
        assert not left_in(path, *gone)
        after = shelf.screen(everything)
        kept = {ref for ref, r in before.items() if not any(one in _own(r) for one in gone)}
        assert kept <= set(after)
        agents = execute(path, "SELECT message_ids FROM agents")
        there = {row[0] for row in execute(path, "SELECT id FROM messages")}
        assert all(name in there for (cell,) in agents for name in json.loads(str(cell)))

    def test_what_agents_copy_of_blocks_that_stay_is_kept_and_named(
        self, folder: Path, services: Services
    ) -> None:
        path = folder / "0.5.5" / FILE
        same = "I am Sam, and I remember everything."
        execute(path, "UPDATE block SET value = ? WHERE label = 'persona'", same)
        memory = json.loads(str(execute(path, MEMORY.format(1))[0][0]))
        memory["memory"]["persona"]["value"] = same
        execute(path, "UPDATE agents SET memory = ? WHERE id = 'agent-1'", json.dumps(memory))
        (one,) = services.library.open(path)
        chosen = [("block", "block-0p"), ("message", "message-0-1")]
        refs = [Ref(one.id, kind, (name,)) for kind, name in chosen]
        result = services.erasing.run(services.erasing.plans.plan(refs))
        assert result.state is EraseState.PROVED, [s.proof for s in result.stores]
        assert result.proof is not None
        kept = {hit.ref for hit in result.proof.kept_hits}
        assert {"agent:agent-1", "block:block-1h", "block:block-1p"} <= kept
        assert json.loads(str(execute(path, MEMORY.format(1))[0][0])) == memory

    def test_what_an_agent_has_of_no_block_is_not_taken_for_kept(
        self, folder: Path, services: Services
    ) -> None:
        path = folder / "0.5.5" / FILE
        (one,) = services.library.open(path)
        ref = Ref(one.id, "message", ("message-0-1",))
        (record,) = services.library.shelf(one.id).fetch([ref])
        assert record is not None
        execute(path, "UPDATE agents SET system = ? WHERE id = 'agent-0'", record.text)
        result = services.erasing.run(services.erasing.plans.plan([ref]))
        assert result.state is EraseState.NOT_PROVED

    def test_traces_links_and_compiled_prompts_go_along(
        self, folder: Path, services: Services
    ) -> None:
        path = folder / "0.11.7" / FILE
        value = str(execute(path, "SELECT value FROM block WHERE id = 'block-1'")[0][0])
        prompt = f"You are Letta.\n<human>{value}</human>\nBe kind."
        request = {"messages": [{"role": "system", "content": prompt}]}
        execute(path, TRACE, json.dumps(request), json.dumps({"choices": []}))
        execute(path, TRACE.replace("trace-1", "trace-2"), '{"messages": []}', "{}")
        execute(path, "INSERT INTO blocks_agents VALUES ('agent-1', 'block-1', 'human')")
        content = json.dumps([{"type": "text", "text": prompt}])
        execute(
            path,
            "UPDATE messages SET role = 'system', content = ? WHERE id = 'message-1-0'",
            content,
        )
        (one,) = services.library.open(path)
        ref = Ref(one.id, "block", ("block-1",))
        plan = services.erasing.plans.plan([ref])
        assert dict(plan.counts) == {
            "block": 1, "block_history": 1, "blocks_agents": 1, "provider_traces": 1,
            "messages.content": 1,
        }  # fmt: skip
        result = services.erasing.run(plan)
        assert result.state is EraseState.PROVED
        assert not left_in(path, value)
        (row,) = execute(path, "SELECT content FROM messages WHERE id = 'message-1-0'")
        assert json.loads(str(row[0]))[0]["text"] == "You are Letta.\n<human></human>\nBe kind."
        assert execute(path, "SELECT id FROM provider_traces") == [("trace-2",)]

    def test_a_history_entry_that_goes_is_pointed_to_no_more(
        self, folder: Path, services: Services
    ) -> None:
        path = folder / "0.11.7" / FILE
        (one,) = services.library.open(path)
        ref = Ref(one.id, "past", ("block_hist-0-1",))
        result = services.erasing.run(services.erasing.plans.plan([ref]))
        assert result.state is EraseState.PROVED
        rows = execute(path, "SELECT id, current_history_entry_id, version FROM block ORDER BY id")
        assert rows == [("block-0", None, 2), ("block-1", "block_hist-1-1", 2)]
        assert not left_in(path, "zqo-letta0117-001-fd6213")


class TestTexts:
    """JSON that is hostile, broken or only looks like it."""

    @pytest.mark.parametrize(
        ("cell", "text"),
        [
            ('{"type": "user_message", "message": "\\u94f6\\u674f"}', "银杏"),
            ('[{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]', "one\ntwo"),
            ("plain {text}", "plain {text}"),
            ('{"broken": ', '{"broken": '),
            ("[" * 50_000, "[" * 50_000),
            ('{"text": ' * 3_000 + '"x"' + "}" * 3_000, None),
        ],
    )
    def test_what_a_message_says(self, cell: str, text: str | None) -> None:
        found = said(cell)
        assert text is None or found == text

    def test_a_text_is_found_in_every_form_and_whole(self) -> None:
        text = 'He said "银杏"\nand left'
        cell = json.dumps({"a": f"before {text} after", "b": text})
        spans = places_of(cell, [text, "银杏"])
        raw = cell.encode()
        for start, end in reversed(spans):
            raw = raw[:start] + raw[end:]
        assert json.loads(raw) == {"a": "before  after", "b": ""}
