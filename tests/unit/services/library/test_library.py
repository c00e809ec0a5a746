# SPDX-License-Identifier: MIT
"""Opening, the pair, searching, foreign changes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import Absent, RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import PRESENT, Ref, State
from memory_gui.domain.work import CancelToken
from memory_gui.engine.connection import open_database
from memory_gui.index import ready
from memory_gui.services import KeyPlace
from memory_gui.services.library import searching
from memory_gui.services.library.reading import Reading

KEY = RawKey(bytes(range(32)))
INSERT = (
    "INSERT INTO memories(id, scope, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', ?, ?, ?, '2026-01-01T00:00:00', '2026-01-01T00:00:00')"
)


def write_elsewhere(path: Path, *rows: tuple[str, str, str, str]) -> None:
    """Another connection, as another program has it."""
    with open_database(path, None, write=True) as other, other.writing():
        for row in rows:
            other.execute(INSERT, row)


class TestThePair:
    def test_project_first_and_each_names_the_other(self, pair):
        assert [pair.project.name, pair.user.name] == ["atlas", "you"]
        assert pair.project.partner == pair.user.id
        assert pair.services.library.store(pair.user.id).partner == pair.project.id

    def test_opening_twice_gives_the_same_store(self, pair):
        again = pair.services.library.open(pair.project_file)
        assert [one.id for one in again] == [pair.project.id, pair.user.id]
        assert len(pair.services.library.stores()) == 2

    def test_a_link_to_an_open_store_is_that_store(self, pair, tmp_path):
        link = tmp_path / "link.db"
        link.symlink_to(pair.project_file)
        assert pair.services.library.open(link)[0].id == pair.project.id

    def test_an_absent_half_is_told_and_nothing_is_made(self, single):
        assert single.project.partner_problem.code == "pair.absent"
        assert not single.user_file.exists()

    def test_a_half_without_key_is_told(self, make_pair, tmp_path):
        services = make_pair(user_key=KEY)
        opened = services.library.open(tmp_path / "atlas")
        assert len(opened) == 1
        assert opened[0].partner_problem.code == "key.needed"
        assert opened[0].partner_problem.params["reason"] == "unavailable"

    def test_the_given_key_opens_both_halves_where_it_fits(self, make_pair, tmp_path):
        services = make_pair(project_key=KEY, user_key=KEY)
        opened = services.library.open(tmp_path / "atlas", key=KEY)
        assert [one.key_place for one in opened] == [KeyPlace.TYPED, KeyPlace.TYPED]

    def test_a_given_key_that_fits_one_half_only(self, make_pair, tmp_path):
        services = make_pair(project_key=KEY, user_key=RawKey(bytes(32)))
        opened = services.library.open(tmp_path / "atlas", key=KEY)
        assert opened[0].partner_problem.code == "key.needed"


class TestKeys:
    def test_without_a_key_the_error_says_which_of_the_six(self, make_pair, tmp_path):
        services = make_pair(project_key=KEY)
        with pytest.raises(UserError) as caught:
            services.library.open(tmp_path / "atlas")
        assert caught.value.code == "key.needed"
        assert caught.value.params["reason"] == "unavailable"

    def test_a_wrong_key_opens_nothing_and_leaves_no_store(self, make_pair, tmp_path):
        services = make_pair(project_key=KEY)
        with pytest.raises(UserError, match=r"key\.wrong"):
            services.library.open(tmp_path / "atlas", key=RawKey(bytes(32)))
        assert services.library.stores() == ()

    def test_absent_is_told_apart(self, make_pair, tmp_path, monkeypatch):
        services = make_pair(project_key=KEY)
        monkeypatch.setattr(
            type(services.keychain),
            "find_in",
            lambda self, service: Absent("SecretService.Keyring"),
        )
        with pytest.raises(UserError) as caught:
            services.library.open(tmp_path / "atlas")
        assert caught.value.params["reason"] == "absent"

    def test_a_key_for_a_readable_store_is_not_used(self, pair, tmp_path):
        pair.services.library.close_all()
        opened = pair.services.library.open(tmp_path / "atlas", key=KEY)
        assert opened[0].key_place is KeyPlace.NONE

    def test_a_question_to_the_keychain_can_be_given_up(self, make_pair, tmp_path, monkeypatch):
        services = make_pair(project_key=KEY)
        asked, given_up = threading.Event(), threading.Event()

        def find(_self, _service):
            asked.set()
            assert given_up.wait(60)
            raise Cancelled

        monkeypatch.setattr(type(services.keychain), "find_in", find)
        monkeypatch.setattr(type(services.keychain), "cancel", lambda _self: given_up.set())
        token = CancelToken()
        threading.Timer(0.2, token.cancel).start()
        with pytest.raises(Cancelled):
            services.library.open(tmp_path / "atlas", cancel=token)
        assert asked.is_set()


class TestSearching:
    def test_a_plain_substring_in_any_field_in_any_language(self, pair):
        one = pair.add("tea", "Straße 100% _x_ 深色主题", tags=("Garten",))
        pair.add("other", "nothing of it")
        for text in ("STRASSE", "100%", "_x_", "色主", "garten", "tea"):
            ids = pair.services.library.search(Query(text, kinds=frozenset({"memory"}))).ids
            found = pair.services.library.window(ids)
            assert [record.ref for record in found] == [one.ref], text

    def test_operators_are_plain_text(self, pair):
        pair.add("a", "text")
        for text in ("te%t", "t_xt", 'te"xt', "-text", "te*"):
            assert pair.services.library.search(Query(text, kinds=frozenset({"memory"}))).total == 0

    def test_no_empty_list_is_left_unexplained(self, pair):
        pair.add("a", "text")
        library = pair.services.library
        library.search(Query())

        def codes(text):
            query = Query(text, kinds=frozenset({"memory"}), states=PRESENT)
            return [hint.code for hint in library.hints(query)]

        assert codes("state:live") == codes("kind:memory") == codes("-state:trash") == []
        assert codes("state:trash") == ["query.elsewhere"]
        assert codes("type:nosuch") == codes("kind:nosuch") == ["query.value_unknown"]
        assert codes("subject:nobody") == ["query.no_values"]

    def test_nothing_matches_across_two_fields(self, pair):
        pair.add("first", "second")
        assert pair.services.library.search(Query("firstsecond")).total == 0
        assert pair.services.library.search(Query("first\uffffsecond")).total == 0

    def test_sorting_both_ways(self, pair):
        for title in ("b", "c", "a"):
            pair.add(title)
        query = Query(kinds=frozenset({"memory"}))

        def titles(sort):
            found = pair.services.library.window(pair.services.library.search(query, sort).ids)
            return [record.title for record in found]

        assert titles("title") == ["a", "b", "c"]
        assert titles("-title") == ["c", "b", "a"]
        with pytest.raises(UserError, match=r"list\.sort"):
            titles("colour")

    def test_counts_add_up_to_the_tables(self, pair):
        for number in range(5):
            pair.add(f"memory {number}")
        with open_database(pair.project_file, None, write=False) as other:
            tables = ("memories", "memory_events", "schema_meta")
            rows = sum(other.execute(f"SELECT count(*) FROM {t}")[0][0] for t in tables)
        pair.services.library.poll()
        counts = pair.services.library.counts([pair.project.id])
        assert sum(n for states in counts.values() for n in states.values()) == rows

    def test_listing_ids_stay_the_same_and_are_never_used_twice(self, pair):
        kept, gone = pair.add("kept"), pair.add("gone")
        library = pair.services.library
        library.search(Query())
        before = library.id_of(kept.ref), library.id_of(gone.ref)
        pair.services.editing.trash([gone.ref])
        pair.services.editing.delete([gone.ref])
        new = pair.add("new")
        assert library.id_of(kept.ref) == before[0]
        assert library.window([before[1]]) == [None]
        assert library.id_of(new.ref) not in before


def no_comparison(_reading):
    raise AssertionError("the whole store was compared")


class TestForeignChanges:
    def test_are_noticed_and_folded_in_within_two_seconds(self, pair, stopwatch):
        library = pair.services.library
        pair.add("mine")
        library.search(Query())
        library.poll()
        write_elsewhere(pair.project_file, ("0000aaaa", "theirs", "theirs", "from elsewhere"))
        watch = stopwatch()
        changed = library.poll()
        assert changed == {pair.project.id}
        assert library.search(Query("from elsewhere")).total == 1
        assert watch.seconds < 2
        assert library.poll() == frozenset()

    def test_our_own_changes_are_none(self, pair):
        library = pair.services.library
        record = pair.add("mine")
        library.search(Query())
        library.poll()
        pair.services.editing.edit(Edit(Target(record.ref), {"text": "x"}))
        library.poll()
        assert library.poll() == frozenset()

    def test_our_own_changes_need_no_comparison(self, pair, monkeypatch):
        library, editing = pair.services.library, pair.services.editing
        library.search(Query())
        monkeypatch.setattr(Reading, "compare", no_comparison)
        one, two, gone = pair.add("one"), pair.add("two"), pair.add("gone")
        editing.edit(Edit(Target(one.ref), {"text": "x"}))
        editing.trash([two.ref, gone.ref])
        editing.restore([two.ref])
        editing.delete([gone.ref])
        editing.undo()
        library.poll()
        shelf = library.shelf(pair.project.id)
        for kind, states in shelf.screen(lambda store: store.info()).counts.items():
            assert shelf.content.counts().get(kind, {}) == states
        for record in shelf.screen(lambda store: [r for some in store.scan() for r in some]):
            assert shelf.content.etag(record.ref) == record.etag

    def test_one_that_came_just_before_our_first_change_is_not_lost(
        self, tmp_path, services_in, empty_store
    ):
        file = empty_store(tmp_path / "atlas/.agentao")
        write_elsewhere(file, ("0000aaaa", "mine", "mine", "here from the start"))
        library = (services := services_in(tmp_path)).library
        store = library.open(file)[0]
        library.search(Query())
        write_elsewhere(file, ("0000bbbb", "theirs", "theirs", "from elsewhere"))
        services.editing.trash([Ref(store.id, "memory", ("0000aaaa",))])
        library.poll()
        assert library.search(Query("from elsewhere")).total == 1

    def test_a_lost_update_is_refused(self, pair):
        record = pair.add("mine")
        with open_database(pair.project_file, None, write=True) as other, other.writing():
            other.execute("UPDATE memories SET content = 'theirs'")
        with pytest.raises(UserError, match=r"record\.changed"):
            pair.services.editing.edit(Edit(Target(record.ref, record.etag), {"text": "ours"}))
        assert pair.read(record.ref).text == "theirs"

    def test_another_file_at_the_path_is_opened_instead(self, pair, tmp_path, empty_store):
        library = pair.services.library
        pair.add("mine")
        library.search(Query())
        fresh = empty_store(tmp_path / "fresh")
        write_elsewhere(fresh, ("0000bbbb", "other", "other", "in the other file"))
        for suffix in ("-wal", "-shm"):
            Path(f"{pair.project_file}{suffix}").unlink(missing_ok=True)
        os.replace(fresh, pair.project_file)
        assert pair.project.id in library.poll()
        found = library.window(library.search(Query("in the other file")).ids)
        assert [record.title for record in found] == ["other"]

    def test_a_store_that_is_gone_is_told_once(self, pair):
        library = pair.services.library
        library.search(Query())
        moved = pair.project_file.with_name("moved.db")
        pair.project_file.rename(moved)
        assert library.poll() == {pair.project.id}
        assert library.poll() == frozenset()
        moved.rename(pair.project_file)
        assert library.poll() == {pair.project.id}
        assert library.poll() == frozenset()


class TestLooking:
    def test_leaves_the_bytes_alone(self, tmp_path, empty_store, services_in):
        file = empty_store(tmp_path / "atlas/.agentao")
        write_elsewhere(file, ("0000aaaa", "k", "t", "x"))
        before = file.read_bytes(), file.stat().st_mtime_ns
        services = services_in(tmp_path)
        opened = services.library.open(file)
        services.library.search(Query("x"))
        assert opened[0].info.writable is False
        services.close()
        assert (file.read_bytes(), file.stat().st_mtime_ns) == before

    def test_foreign_objects_want_a_yes_with_their_sql(self, pair):
        pair.services.library.close_all()
        with open_database(pair.project_file, None, write=True, maintain=True) as other:
            other.execute("CREATE VIEW strange AS SELECT 1")
        store = pair.services.library.open(pair.project_file, pair=False)[0]
        with pytest.raises(UserError) as caught:
            pair.add("mine")
        assert caught.value.code == "store.foreign_objects"
        assert "CREATE VIEW strange" in caught.value.params["sql"]
        pair.services.library.allow_writing(store.id, despite_foreign=True)
        assert pair.add("mine").state is State.LIVE


def test_closing_one_half_tells_the_other(pair):
    pair.services.library.close(pair.user.id)
    left = pair.services.library.stores()
    assert [one.partner_problem.code for one in left] == ["pair.closed"]


class TestTheVersionThatWasRead:
    """A store that was read by columns: etags are looked up when an act needs them."""

    @pytest.fixture
    def listed(self, pair):
        write_elsewhere(pair.project_file, ("aaaaaaaa", "tea", "tea", "green"))
        (number,) = pair.services.library.search(Query("green", kinds=frozenset({"memory"}))).ids
        (ref,) = pair.services.library.refs([number])
        assert pair.services.library.shelf(ref.store).content.etag(ref) is None
        return ref

    def test_an_act_on_it_is_done(self, pair, listed):
        assert pair.services.editing.trash([listed]).failed == ()
        assert pair.read(listed).state is State.TRASH

    def test_what_another_program_wrote_since_is_not_overwritten(self, pair, listed):
        with open_database(pair.project_file, None, write=True) as other, other.writing():
            other.change("UPDATE memories SET content = 'black' WHERE id = 'aaaaaaaa'")
        ((ref, error),) = pair.services.editing.trash([listed]).failed
        assert (ref, error.code) == (listed, "record.changed")
        assert pair.read(listed).state is State.LIVE


class TestOrdersMadeReady:
    """Orders that take long are made in the background where there are many records."""

    @staticmethod
    def wait_for_orders() -> None:
        for thread in threading.enumerate():
            if thread.name == "orders":
                thread.join(20)

    @pytest.mark.parametrize(
        ("large", "names"), [(1, {"updated", "created", "title"}), (10**6, {"updated"})]
    )
    def test_once_all_was_read(self, pair, monkeypatch, large, names):
        monkeypatch.setattr(searching, "_LARGE", large)
        library = pair.services.library
        for _ in range(2):
            library.search(Query())
            self.wait_for_orders()
        orders = library._searching._index().ready._orders
        assert {name for name, _ in orders} == names
        by_title = library.search(Query(), "title").ids
        titles = [record.title for record in library.window(by_title)]
        assert titles == sorted(titles, key=str.casefold)

    def test_not_while_an_act_is_under_way(self, pair, monkeypatch):
        monkeypatch.setattr(searching, "_LARGE", 1)
        library = pair.services.library
        ready_made = library._searching._index().ready._orders
        with library.changing():
            library.search(Query())
            self.wait_for_orders()
            assert {name for name, _ in ready_made} == {"updated"}  # the list's own
        library.search(Query())
        self.wait_for_orders()
        assert {name for name, _ in ready_made} == {"updated", "created", "title"}

    def test_an_act_that_begins_ends_the_making(self, pair, monkeypatch):
        monkeypatch.setattr(searching, "_LARGE", 1)
        library = pair.services.library
        made, ordered = [], ready.ordered

        def noted(joined, slots, name, *check):
            if threading.current_thread().name == "orders":
                made.append(name)
                with library.changing():
                    return ordered(joined, slots, name, *check)
            return ordered(joined, slots, name, *check)

        monkeypatch.setattr(ready, "ordered", noted)
        library.search(Query())
        self.wait_for_orders()
        orders = library._searching._index().ready._orders
        assert made == ["created"]
        assert {name for name, _ in orders} == {"updated"}

    def test_changes_of_ours_and_of_others_are_put_into_them(self, pair, monkeypatch):
        monkeypatch.setattr(searching, "_LARGE", 1)
        library = pair.services.library
        write_elsewhere(pair.project_file, ("bbbbbbbb", "tea", "tea", "black"))
        first = library.window(library.search(Query()).ids)
        self.wait_for_orders()
        monkeypatch.setattr(ready, "ordered", None)  # none is made anew
        memory = next(one for one in first if one.kind == "memory")
        pair.services.editing.edit(Edit(Target(memory.ref), {"title": "mmm"}))
        write_elsewhere(pair.project_file, ("aaaaaaaa", "nnn", "nnn", "green"))
        assert library.poll()
        titles = [one.title for one in library.window(library.search(Query(), "title").ids)]
        assert titles == sorted(titles, key=str.casefold)
        assert {"mmm", "nnn"} <= set(titles)
        assert len(titles) == library.search(Query()).total

    def test_they_go_with_the_stores(self, pair, monkeypatch):
        monkeypatch.setattr(searching, "_LARGE", 1)
        library = pair.services.library
        library.search(Query())
        library.close_all()
        self.wait_for_orders()
        assert not library._searching._index().ready._orders
