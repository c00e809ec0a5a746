# SPDX-License-Identifier: MIT
"""Any run of acts, taken back, is as if nothing had been; and done again, as it was at its end.

Judged by what another connection reads from the files, not by the services.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, State
from memory_gui.engine.connection import open_database
from memory_gui.services import Services, build_services
from memory_gui.services.editing.clashes import Choice, Way
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\x85\u2028\u2029")
TITLES = st.text(st.sampled_from("abc xyz_09éß深色"), min_size=1, max_size=12).filter(
    lambda text: any(c in "abcxyz09" for c in text)
)
TEXTS = st.text(LETTERS, min_size=1, max_size=40).filter(lambda text: text.strip() != "")
TAGS = st.lists(st.sampled_from(["a", "b", "preference", "深色"]), max_size=2, unique=True)
ACTS = st.one_of(
    st.tuples(st.just("add"), TITLES, TEXTS, TAGS),
    st.tuples(st.just("edit"), st.integers(0, 9), st.sampled_from(["title", "text"]), TITLES),
    st.tuples(st.just("tag"), st.integers(0, 9), TAGS),
    st.tuples(st.just("move"), st.integers(0, 9)),
    st.tuples(st.just("trash"), st.integers(0, 9)),
    st.tuples(st.just("restore"), st.integers(0, 9)),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("settle"), st.integers(0, 9), st.sampled_from(["swap", "both"])),
    st.tuples(st.just("instead"), st.integers(0, 9), TITLES),
)
FEW = st.sampled_from(["tea", "Tea", "coffee"])
TWINS = st.one_of(
    st.tuples(st.just("add"), FEW, TEXTS, TAGS),
    st.tuples(st.just("trash"), st.integers(0, 5)),
    st.tuples(st.just("settle"), st.integers(0, 5), st.sampled_from(["swap", "both"])),
    st.tuples(st.just("instead"), st.integers(0, 5), FEW),
)
"""Acts on few names, so that keys are wanted back while another record has them."""
READ = (
    "SELECT id, scope, type, key_normalized, title, content, tags_json, source, created_at,"
    " deleted_at IS NULL FROM memories ORDER BY id"
)


@contextmanager
def opened() -> Iterator[tuple[Path, Services]]:
    folder = Path(tempfile.mkdtemp(prefix="memory-gui-undo-"))
    for name in ("atlas", "home"):
        (folder / name / ".agentao").mkdir(parents=True)
        create_store(folder / name / ".agentao/memory.db", None)
    services = build_services(
        words=Words(), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
    )
    services.library.open(folder / "atlas")
    try:
        yield folder, services
    finally:
        services.close()
        shutil.rmtree(folder)


def stored(folder: Path) -> list[list[tuple[object, ...]]]:
    """Both files' memories, as another connection reads them."""
    found = []
    for name in ("atlas", "home"):
        file = folder / name / ".agentao/memory.db"
        with open_database(file, None, write=False) as connection:
            found.append(connection.execute(READ))
    return found


def memories(services: Services) -> list[Ref]:
    kinds = frozenset({"memory"})
    found = services.library.window(services.library.search(Query(kinds=kinds), "created").ids)
    return sorted(record.ref for record in found if record is not None)


def do(services: Services, act: tuple) -> bool:
    """Whether the act was done (a refusal does nothing)."""
    editing = services.editing
    project = services.library.stores()[0].id
    name, *rest = act
    try:
        if name == "add":
            title, text, tags = rest
            fields = {"title": title, "text": text, "tags": tuple(tags), "scope": "project"}
            return bool(editing.add(project, NewRecord("memory", fields)).done)
        refs = memories(services)
        if not refs:
            return False
        ref = refs[rest[0] % len(refs)]
        record = services.library.record(ref)
        assert record is not None
        if name == "settle":
            clashes = editing.clashes([ref]) if record.state is State.TRASH else ()
            return bool(editing.settle([(one, Choice(Way(rest[1]))) for one in clashes]).done)
        if name == "instead":
            fields = {"title": rest[1], "scope": record.scope or ""}
            holder = editing.key_holder(ref.store, fields, ref)
            instead = None if holder is None else Target(holder.ref)
            if record.state is not State.LIVE or holder is None:
                return False
            renamed = Edit(Target(ref, record.etag), {"title": rest[1], "key": holder.key})
            return bool(editing.edit(renamed, instead=instead).done)
        if name == "edit":
            result = editing.edit(Edit(Target(ref, record.etag), {rest[1]: rest[2]}))
        elif name == "move":
            scope = "user" if record.scope == "project" else "project"
            result = editing.edit(Edit(Target(ref, record.etag), {"scope": scope}))
        elif name == "tag":
            result = editing.tag([ref], add=tuple(rest[1]))
        else:
            result = getattr(editing, name)([ref])
        return bool(result.done)
    except UserError:
        return False


def take_back(services: Services, steps: int) -> None:
    for _ in range(steps):
        services.editing.undo()


def entries(services: Services) -> int:
    """How many acts can be taken back."""
    return len(services.editing._stack._undo)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(ACTS, min_size=1, max_size=8))
def test_undo_of_everything_is_the_beginning_and_redo_the_end(acts):
    with opened() as (folder, services):
        for number in range(3):
            do(services, ("add", f"before {number}", "text", []))
        kept = entries(services)
        beginning = stored(folder)
        for act in acts:
            do(services, act)
        end = stored(folder)
        steps = entries(services) - kept
        take_back(services, steps)
        assert stored(folder) == beginning
        for _ in range(steps):
            services.editing.redo()
        assert stored(folder) == end


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(TWINS, min_size=4, max_size=12))
def test_taken_keys_settled_in_any_way_are_undone_and_done_again(acts):
    with opened() as (folder, services):
        do(services, ("add", "tea", "first", []))
        do(services, ("trash", 0))
        do(services, ("add", "tea", "second", []))
        kept = entries(services)
        beginning = stored(folder)
        for act in acts:
            do(services, act)
        end = stored(folder)
        steps = entries(services) - kept
        take_back(services, steps)
        assert stored(folder) == beginning
        for _ in range(steps):
            services.editing.redo()
        assert stored(folder) == end


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(st.tuples(TITLES, TEXTS, TAGS), min_size=1, max_size=8),
    needle=st.text(LETTERS, max_size=4),
    state=st.sampled_from([frozenset(), frozenset({State.LIVE}), frozenset({State.TRASH})]),
    kind=st.sampled_from([frozenset(), frozenset({"memory"}), frozenset({"event", "meta"})]),
)
def test_search_finds_what_a_look_at_every_record_finds(texts, needle, state, kind):
    with opened() as (_folder, services):
        for number, (title, text, tags) in enumerate(texts):
            do(services, ("add", f"{title} {number}", text, tags))
        for ref in memories(services)[::2]:
            services.editing.trash([ref])
        services.library.poll()
        query = Query(needle, kinds=kind, states=state)
        found = services.library.window(services.library.search(query).ids)
        wanted = set()
        for shelf in services.library.shelves():
            for batch in shelf.work(lambda store: list(store.scan())):
                wanted |= {record.ref for record in batch if query.matches(record)}
        assert {record.ref for record in found} == wanted
        assert len(found) == len(wanted)
