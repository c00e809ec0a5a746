# SPDX-License-Identifier: MIT
"""What of a Letta database is no memory of its own: agents' blocks inside of agents, the server's
tables, what blocks once said.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from store_contract import code, everything

from memory_gui.cases.case import NewCase
from memory_gui.cases.finds import Heap
from memory_gui.cases.names import Subject
from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services, build_services
from memory_gui.services.library.library import OpenedStore
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.letta.format import LettaFormat
from memory_gui.stores.formats.letta.inside import blocks_in
from memory_gui.stores.formats.letta.server import text_columns
from memory_gui.stores.formats.letta.store import LettaStore
from memory_gui.stores.sql.cells import Row
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DATA = Path(__file__).parent.parent / "data" / "letta-old"
FRIEND = 'Zqfriend Ngata is a friend.\nShe said "银杏", and left.'


def opened(path: Path, mode: Mode = Mode.LOOK) -> LettaStore:
    """Open one."""
    return LettaFormat().open(Location((path,)), None, mode)


def execute(path: Path, sql: str, *params: object) -> list[tuple[Any, ...]]:
    """A statement of the server's."""
    with open_database(path, None, write=True) as database:
        return database.execute(sql, params)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """0.5: an agent with one block more than there are rows, and a prompt compiled of it."""
    path = Path(shutil.copy(DATA / "0.5.5/home/.letta/sqlite.db", tmp_path.resolve()))
    memory = json.loads(execute(path, "SELECT memory FROM agents WHERE id = 'agent-1'")[0][0])
    memory["memory"]["friend"] = {"value": FRIEND, "limit": 90, "label": "friend"}
    prompt = f"You are Letta.\n<friend>{FRIEND}</friend>"
    execute(
        path,
        "UPDATE agents SET memory = ?, system = ? WHERE id = 'agent-1'",
        *(json.dumps(memory), prompt),
    )
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """0.11."""
    return Path(shutil.copy(DATA / "0.11.7/home/.letta/sqlite.db", tmp_path.resolve()))


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()


class TestBlocksOfAgents:
    """In 0.5 what an agent remembers stands with the agent; a row of ``block`` may be a copy."""

    def test_one_that_no_row_says_is_a_record_and_no_other(self, old: Path) -> None:
        store = opened(old)
        found = [r for r in everything(store).values() if r.kind == "agent_block"]
        assert [(r.ref.key, r.text, r.subject) for r in found] == [
            (("agent-1", "friend"), FRIEND, "agent mateo-alvarez")
        ]
        (block,) = store.fetch([Ref(store.id, "block", ("block-1h",))])
        assert block is not None
        assert block.subject == "agent mateo-alvarez"  # whose memory says the same
        store.close()

    def test_it_is_corrected_within_its_limit_and_nothing_else_moves(self, old: Path) -> None:
        store = opened(old, Mode.CHANGE)
        ref = Ref(store.id, "agent_block", ("agent-1", "friend"))
        (before,) = store.fetch([ref])
        assert before is not None
        was = json.loads(execute(old, "SELECT memory FROM agents WHERE id = 'agent-1'")[0][0])
        target = Target(ref, before.etag)
        assert code(lambda: store.apply(Edit(target, {"text": "x" * 91}))) == "record.text_long"
        store.apply(Edit(target, {"text": 'Now "薄荷"'}))
        assert code(lambda: store.apply(Edit(target, {"text": "y"}))) == "record.changed"
        now = json.loads(execute(old, "SELECT memory FROM agents WHERE id = 'agent-1'")[0][0])
        was["memory"]["friend"]["value"] = 'Now "薄荷"'
        assert now == was
        store.close()

    def test_erased_it_leaves_the_memory_and_the_compiled_prompt(
        self, old: Path, services: Services
    ) -> None:
        (one,) = services.library.open(old)
        ref = Ref(one.id, "agent_block", ("agent-1", "friend"))
        plan = services.erasing.plans.plan([ref])
        assert dict(plan.counts) == {"agents.memory": 1, "agents.system": 1}
        assert services.erasing.run(plan).state is EraseState.PROVED
        assert b"Zqfriend" not in old.read_bytes()
        memory, system = execute(old, "SELECT memory, system FROM agents WHERE id = 'agent-1'")[0]
        assert json.loads(memory)["memory"]["friend"]["value"] == ""
        assert system == "You are Letta.\n<friend></friend>"
        assert services.library.record(ref) is None

    def test_correcting_a_block_for_good_leaves_its_agents_memory_to_the_correction(
        self, old: Path, services: Services
    ) -> None:
        (one,) = services.library.open(old)
        ref = Ref(one.id, "block", ("block-0p",))
        plan = services.erasing.plans.plan([ref])
        assert dict(plan.counts) == {"block": 1, "agents.memory": 1}
        edit = Edit(Target(ref), {"text": "I am another."})
        assert not services.forgetting.plan(edit).counts  # else the eraser finds another text there
        services.editing.edit(edit)
        (memory,) = execute(old, "SELECT memory FROM agents WHERE id = 'agent-0'")[0]
        assert json.loads(memory)["memory"]["persona"]["value"] == "I am another."

    @pytest.mark.parametrize(
        ("memory", "found"),
        [
            ('{"human": {"value": "a"}, "persona": {"value": ""}}', ["a"]),
            ('{"memory": {"human": {"value": "a"}}, "prompt_template": ""}', ["a"]),
            ('{"memory": {"value": "of a block called memory"}}', ["of a block called memory"]),
            ('{"memory": {"human": "a", "x": {"value": 1}}, "prompt_template": ""}', []),
            ('{"memory": ', []),
            ("[1]", []),
            ("[" * 5_000, []),
            (None, []),
        ],
    )
    def test_memory_that_is_laid_out_otherwise(self, memory: str | None, found: list[str]) -> None:
        row = Row(1, {"id": "agent-0", "memory": memory})
        assert [one.value for one in blocks_in(row)] == found


class TestHistory:
    """What a block once said is a record by itself."""

    def test_who_is_named_there_alone_is_found_there_alone(
        self, new: Path, services: Services
    ) -> None:
        value = "Zqfriend Ngata came to dinner."
        execute(new, "UPDATE block_history SET value = ? WHERE id = 'block_hist-0-1'", value)
        (one,) = services.library.open(new)
        records: list[Record] = services.library.shelf(one.id).screen(
            lambda store: list(everything(store).values())
        )
        (block,) = (r for r in records if r.ref.text == "block:block-0")
        assert block.extra["earlier"] == value
        case = services.cases.draft(NewCase(Subject.of("Zqfriend Ngata")))
        finds = services.cases.find(case, services.cases.where([str(new)])).finds
        assert [(one.ref.text, one.heap) for one in finds if one.ref] == [
            ("past:block_hist-0-1", Heap.SURE)
        ]
        plan = services.erasing.plans.plan([Ref(one.id, "past", ("block_hist-0-1",))])
        assert not plan.stores[0].still_in
        assert plan.counts["block_history"] == 1
        assert "block" not in plan.counts


@pytest.fixture
def held(new: Path, services: Services) -> tuple[Path, OpenedStore, Ref]:
    """A passage whose text stands in tables of the server's as well."""
    (text,) = execute(new, "SELECT text FROM archival_passages WHERE id = 'passage-0-3'")[0]
    said = json.dumps([{"key": "note", "value": text}])
    execute(
        new,
        "INSERT INTO steps (id, model, completion_tokens, prompt_tokens, total_tokens, error_data,"
        " is_deleted) VALUES ('step-1', 'm', 0, 0, 0, ?, 0)",
        said,
    )
    execute(
        new,
        "INSERT INTO sources (id, name, description, embedding_config, is_deleted,"
        " organization_id) VALUES ('source-1', 'docs', ?, '{}', 0, 'org-0')",
        text,
    )
    execute(
        new,
        "INSERT INTO identities (id, identifier_key, name, identity_type, properties, is_deleted,"
        " organization_id) VALUES ('identity-1', 'zq@example.com', 'Zqfriend Ngata', 'user', ?, 0,"
        " 'org-0')",
        json.dumps([{"key": "note", "value": "likes rain"}]),
    )
    execute(new, "INSERT INTO identities_agents VALUES ('identity-1', 'agent-0')")
    (one,) = services.library.open(new)
    return new, one, Ref(one.id, "passage", ("passage-0-3",))


class TestServer:
    """Its own tables are read and searched; what they keep is named."""

    def test_tables_that_hold_it_are_named_in_plan_result_and_receipt(
        self, held: tuple[Path, OpenedStore, Ref], services: Services, tmp_path: Path
    ) -> None:
        path, _, ref = held
        plan = services.erasing.plans.plan([ref])
        limits = {one.code: one.params for one in plan.not_covered}
        assert limits["limit.letta_server"] == {}
        assert limits["limit.letta_held"] == {"tables": "sources (1)"}
        assert plan.counts["steps.error_data"] == 1
        receipt = tmp_path / "receipt.json"
        result = services.erasing.run(plan, receipt=receipt)
        assert result.state is EraseState.NOT_PROVED
        assert [one.where for one in result.finds] == ["sources"]
        assert "sources (1)" in receipt.read_text()
        (error,) = execute(path, "SELECT error_data FROM steps")[0]
        assert json.loads(error) == [{"key": "note", "value": ""}]

    def test_its_rows_are_found_and_never_erased(
        self, held: tuple[Path, OpenedStore, Ref], services: Services
    ) -> None:
        _, one, _ = held
        shelf = services.library.shelf(one.id)
        records: list[Record] = shelf.screen(lambda store: list(everything(store).values()))
        tables = {r.extra["table"] for r in records if r.kind == "server"}
        assert tables == {"agents", "archives", "organizations", "sources", "steps", "users"}
        (user,) = (r for r in records if r.ref.text == "server:users/user-0")
        assert user.text == "lin-xiaoyu"
        assert code(lambda: services.erasing.plans.plan([user.ref])) == "store.cannot"

    def test_an_identity_goes_with_what_hangs_on_it(
        self, held: tuple[Path, OpenedStore, Ref], services: Services
    ) -> None:
        _, one, _ = held
        plan = services.erasing.plans.plan([Ref(one.id, "identity", ("identity-1",))])
        assert dict(plan.counts) == {"identities": 1, "identities_agents": 1}
        assert set(plan.texts) == {"Zqfriend Ngata", "zq@example.com", "likes rain"}

    def test_what_opens_something_is_not_read(self) -> None:
        typed = [
            *(("id", "VARCHAR"), ("name", "VARCHAR"), ("api_key", "VARCHAR"), ("note", "TEXT")),
            *(("user_id", "VARCHAR"), ("access_token", "TEXT"), ("n", "INTEGER"), ("more", "JSON")),
            *(("value", "VARCHAR"), ("monkey_business", "VARCHAR")),
        ]
        every = ("name", "note", "more", "value", "monkey_business")
        assert text_columns("a_later_table", typed) == every
        hidden = ("name", "note", "more", "monkey_business")
        assert text_columns("agent_environment_variables", typed) == hidden
