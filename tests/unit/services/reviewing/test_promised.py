# SPDX-License-Identifier: MIT
"""What review promises of a proposal in our queue, approving does; in every format that adds."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.agents import propose
from memory_gui.cases.matching import Matcher
from memory_gui.cases.names import Subject
from memory_gui.domain.changes import Capability, Decision, NewRecord, Outcome, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State
from memory_gui.services import build_services
from memory_gui.services.cases.finding.candidates import StoreFacts
from memory_gui.services.cases.finding.ownqueue import OwnQueue
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.registry import formats
from memory_gui.terminal.reviewstory import would
from memory_gui.ui.review.words import outcome
from memory_gui.words import Words

DATA = Path(__file__).parents[3] / "data"
GRAPH = (
    '{"type":"entity","name":"Lin Wei","entityType":"person","observations":["Likes tea."]}\n'
    '{"type":"entity","name":"Ginkgo","entityType":"project","observations":[]}\n'
)
LIN, VALUE = "user:lin-xiaoyu", '{"text": "Likes oolong tea."}'
FACT = "Likes oolong tea in the morning"
OLD_FACT = "Prefers short answers"

PROPOSED: dict[str, list[tuple[dict[str, str], str]]] = {
    "agentao": [
        ({"title": "tea", "text": "Likes oolong."}, "pair.needed"),
        ({"title": "tea", "text": "Likes oolong.", "scope": "user"}, "new"),
        ({"text": "Likes rye bread.", "scope": "user"}, "new"),
        ({"title": "tea", "text": "Likes green tea.", "scope": "user"}, "replaces"),
        ({"title": "tea", "text": "Likes green tea.", "scope": "user"}, "identical"),
        ({"title": "茶", "text": "喜欢乌龙茶。", "scope": "user"}, "record.key_empty"),
        ({"title": "x", "text": "y", "scope": "user", "colour": "red"}, "record.no_such_field"),
    ],
    "facts": [
        ({"text": FACT}, "facts.whose"),
        ({"subject": LIN, "text": FACT}, "new"),
        ({"subject": LIN, "text": FACT}, "identical"),
        ({"subject": LIN, "text": "short"}, "facts.short"),
        ({"subject": LIN, "text": FACT, "title": "tea"}, "record.no_such_field"),
    ],
    "langgraph-store": [
        ({"subject": "memories.lin", "text": "no object"}, "json.broken"),
        ({"text": VALUE}, "langgraph.namespace"),
        ({"subject": "memories.lin", "text": VALUE}, "new"),
        ({"subject": "memories.lin", "title": "tea", "text": VALUE}, "new"),
        ({"subject": "memories.lin", "title": "tea", "text": '{"text": "Rye."}'}, "replaces"),
    ],
    "mcp-server-memory": [
        ({"title": "Mateo", "text": "Likes rye bread."}, "record.field_empty"),
        ({"title": "Mateo", "type": "person", "text": "Likes rye bread."}, "new"),
        ({"title": "Lin Wei", "text": "Likes rye bread."}, "new"),
        ({"title": "Lin Wei", "type": "person", "text": "Likes tea."}, "identical"),
        ({"title": "Lin Wei", "type": "robot", "text": "Beeps."}, "record.key_taken"),
        ({"subject": "nobody", "text": "Is not there."}, "record.no_entity"),
        ({"text": "Whose is it?"}, "record.field_empty"),
    ],
    "notes": [
        ({"text": "The kettle is new."}, "new"),
        ({"text": "The kettle is new.", "type": "project"}, "identical"),
        ({"text": "one\n\ntwo"}, "record.two_notes"),
        ({"text": "Titled.", "title": "kettle"}, "record.no_such_field"),
        ({"text": "Elsewhere.", "type": "elsewhere"}, "record.scope_unknown"),
    ],
    "persistent-memory": [
        ({"subject": "lin-xiaoyu", "text": "Rye bread"}, "persistent.key"),
        ({"subject": "lin-xiaoyu", "title": "bread", "text": "Rye bread"}, "new"),
        ({"subject": "lin-xiaoyu", "title": "bread", "text": "Oat bread"}, "replaces"),
        ({"subject": "lin-xiaoyu", "title": "bread", "text": "Oat bread"}, "identical"),
        (
            {"subject": "lin-xiaoyu", "title": "b", "text": "x", "type": "y"},
            "record.type_unknown",
        ),
    ],
}


UNABLE = {"letta", "mem0"}
"""Their records need vectors, or a server: they refuse with reasons of their own."""
ALSO = {"langgraph"}
"""The store of ``langgraph-store`` in one file with the checkpoints."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """All of these stores open, and our own queue."""
    folder, keychain = tmp_path_factory.mktemp("promised"), ManyKeychains(SECRETS)
    (folder / "home/.agentao").mkdir(parents=True)
    create_store(folder / "home/.agentao/memory.db", None)
    (folder / "notes").mkdir()
    (folder / "notes/project.md").write_text("The office moved.\n")
    (folder / "memory.jsonl").write_text(GRAPH)
    state = DATA / "persistent-memory/workspace/state/memory.sqlite3"
    paths = {
        "agentao": folder / "home/.agentao/memory.db",
        "facts": Path(shutil.copy(DATA / "facts/memory.db", folder / "facts.db")),
        "langgraph-store": Path(shutil.copy(DATA / "langgraph/store.sqlite", folder)),
        "mcp-server-memory": folder / "memory.jsonl",
        "notes": folder / "notes",
        "persistent-memory": Path(shutil.copy(state, folder)),
    }
    services = build_services(
        words=Words(), home=folder / "home", data_dir=folder / "data", keychain=keychain
    )
    stores = {name: services.library.open(path)[0] for name, path in paths.items()}

    def ask(name: str, fields: dict[str, str]) -> Ref:
        main = paths[name] if name != "notes" else stores[name].info.path
        ident = propose(main, fields, keychain=keychain, data_dir=folder / "data")
        return Ref(stores[name].id, "proposal", (ident,))

    ask.services, ask.stores = services, stores  # type: ignore[attr-defined]
    yield ask
    services.close()


def records(services, store):
    batches = services.library.shelf(store.id).screen(lambda opened: list(opened.scan()))
    return {one.ref: one for batch in batches for one in batch}


def test_the_table_has_every_format_that_adds(desk, tmp_path):
    adding = {
        format_.name
        for format_ in formats(tmp_path)
        if any("add" in kind.acts for kind in format_.declared)
    }
    assert adding - UNABLE - ALSO == set(PROPOSED)
    assert all(Capability.ADD in one.info.capabilities for one in desk.stores.values())


@pytest.mark.parametrize("name", sorted(PROPOSED))
def test_what_is_promised_is_done(desk, name):
    review, editing = desk.services.review, desk.services.editing
    for fields, wanted in PROPOSED[name]:
        ref, store = desk(name, fields), desk.stores[name]
        seen, before = review.preview(ref), records(desk.services, store)
        assert wanted == (seen.refusal or seen.outcome.value), fields
        replaces = None if seen.existing is None else seen.existing.etag
        decision = Decision(Target(ref, seen.item.etag), Verdict.APPROVE, {}, frozenset(), replaces)
        if seen.refusal:
            with pytest.raises(UserError) as caught:
                review.decide(decision)
            assert caught.value.code == seen.refusal
            assert set(seen.cause.params) == set(caught.value.params)
            assert records(desk.services, store) == before
            assert review.item(ref).state is State.PENDING
            new = NewRecord("review", fields)
            with pytest.raises(UserError, match=seen.refusal):
                review.propose(store.id, new)
            continue
        review.decide(decision)
        after = records(desk.services, store)
        made = [one for one in after.values() if before.get(one.ref) != one]
        main = [one for one in made if one.kind not in {"event", "meta"}]
        if seen.outcome is Outcome.IDENTICAL:
            assert not made
        else:
            if seen.outcome is Outcome.REPLACES:
                assert seen.fields.get("proposed_key") or seen.fields["proposed_title"]
            kept = _with_text(main, seen.fields)
            own = desk.services.library.shelf(store.id).screen(lambda s: s.fields_of(kept))  # noqa: B023 - called at once
            both = set(own) & set(seen.fields)
            assert {n: own[n] for n in both} == {n: seen.fields[n] for n in both}
            assert Counter(one.kind for one in main)
        assert review.item(ref).state is State.APPROVED
        assert editing.undo_text() == ("approve", 1)
    editing.undo()


@pytest.mark.parametrize("name", ["facts", "langgraph-store", "mcp-server-memory", "notes"])
def test_taking_back_never_says_that_it_waits_while_its_memory_stays(desk, name):
    fields = {
        "facts": {"subject": LIN, "text": "Takes the early train to work"},
        "langgraph-store": {"subject": "memories.back", "title": "t", "text": '{"t": "Train."}'},
        "mcp-server-memory": {"title": "Train", "type": "thing", "text": "Is early."},
        "notes": {"text": "Takes the early train."},
    }[name]
    review, stopped, editing = (getattr(desk.services, n) for n in ("review", "stopped", "editing"))
    ref = desk(name, fields)
    review.decide(Decision(Target(ref), Verdict.APPROVE))
    result = stopped.take_back_named([ref], Verdict.APPROVE)
    assert [error.code for _, error in result.failed] == ["review.stays"]
    assert review.item(ref).state is State.APPROVED
    editing.undo()
    assert review.item(ref).state is State.PENDING


KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"


@pytest.mark.parametrize(
    ("value", "refused", "despite"),
    [
        (f'{{"n":"\\u0073{KEY[1:]}","kind":"key"}}', "record.secret", "secret"),
        ('{"note":"ask lin.wei\\u0040example.org"}', "review.personal", "personal"),
        ('{"note":"tea\\u200b time"}', "review.hidden", "hidden"),
    ],
    ids=["secret", "personal", "hidden"],
)
def test_an_escape_in_json_hides_nothing(desk, value, refused, despite):
    review, store = desk.services.review, desk.stores["langgraph-store"]
    given = {"subject": "memories.escaped", "title": despite, "text": value}
    by_agent = desk("langgraph-store", given)
    (by_person,) = review.propose(
        store.id, NewRecord("review", {**given, "title": "mine"}, despite=frozenset({despite}))
    ).changes.added
    assert "\\" not in review.item(by_person).text
    review.decide(Decision(Target(by_person), Verdict.REJECT))
    assert review.rejections.list(store.id)
    seen = review.preview(by_agent)
    assert seen.item.text == review.item(by_person).text
    assert seen.item in review.items()
    assert "\\" not in seen.item.text
    assert seen.rejected_at
    assert "only if you insist" in would(Words(), seen)
    assert outcome(Words(), seen) == ("Saved only if you insist", "warn")
    decision = Decision(Target(by_agent, seen.item.etag), Verdict.APPROVE)
    for act in (lambda: review.decide(decision), lambda: review.would([decision]).failed[0][1]):
        with pytest.raises(UserError) as caught:
            raise act()
        assert caught.value.code == refused
    insisting = Decision(decision.target, Verdict.APPROVE, {}, frozenset({despite}))
    (saved, *_) = review.decide(insisting).changes.added
    desk.services.erasing.run(desk.services.erasing.plans.plan([saved]))
    for ref in (by_agent, by_person):
        with pytest.raises(UserError, match=r"record\.gone"):
            review.item(ref)
    assert review.rejections.list(store.id) == ()


def test_a_name_in_escapes_is_found_of_who_is_to_be_forgotten(desk):
    text = json.dumps({"note": "\u6797\u6653\u96e8 likes tea"})
    ref = desk("langgraph-store", {"subject": "memories.named", "title": "tea", "text": text})
    own, store = OwnQueue(desk.services.keeper), desk.stores["langgraph-store"]
    matcher = Matcher(Subject.of("\u6797\u6653\u96e8"))
    facts = desk.services.library.shelf(store.id).screen(lambda opened: StoreFacts.of(opened, b""))
    assert ref in {one.ref for one in own.candidates(matcher, facts)}


def _with_text(made, fields):
    """The record that was promised; with an entity come its observations."""
    return next(
        one
        for one in made
        if fields["text"] in {one.text, one.title} or fields.get("title") == one.title
    )
