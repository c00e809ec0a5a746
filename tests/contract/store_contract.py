# SPDX-License-Identifier: MIT
"""What every store must do, whatever its format. Inherited by one test class per format.

A subclass gives ``bench``: a Bench over a store with at least four records of one kind; for
``StoreContract`` they can be changed, and one of them is in the trash. Nothing here knows tables or
files.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from newrecords import OF_OTHERS, TAKEN, told, variations

from memory_gui.domain.changes import Capability, ChangeSet, Edit, Fields, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.language import literal
from memory_gui.domain.queries import Query, select
from memory_gui.domain.records import Record, Ref, RefText, State
from memory_gui.stores.contract import SCAN_ROWS, Store
from memory_gui.stores.format import Mode

SAID = "A text nobody else has: zq-contract-7731, wörter, 记忆."


@dataclass(frozen=True)
class Bench:
    """A store that may be opened several times, as several programs would.

    ``kind`` is the kind that can be changed, ``fields`` one new record of it. ``says`` gives the
    text of a record that says something, where that has a form of its own.
    """

    open: Callable[[Mode], Store]
    kind: str
    fields: Fields
    says: Callable[[str], str] = str

    def look(self) -> Store:
        """Open for reading."""
        return self.open(Mode.LOOK)

    def change(self) -> Store:
        """Open for writing."""
        return self.open(Mode.CHANGE)


def everything(store: Store) -> dict[Ref, Record]:
    """All records by ref."""
    return {record.ref: record for batch in store.scan() for record in batch}


def one(store: Store, kind: str, state: State = State.LIVE) -> Record:
    """Some record of a kind and state."""
    return next(r for r in everything(store).values() if (r.kind, r.state) == (kind, state))


def code(failing: Callable[[], object]) -> str:
    """The code of the UserError that a call raises."""
    with pytest.raises(UserError) as caught:
        failing()
    return caught.value.code


MANY = 60
"""So many records of a large store are looked at one by one."""


class ReadingContract:
    """What every store must do, also one that can only be looked at."""

    def test_counts_are_those_of_the_records(self, bench: Bench) -> None:
        store = bench.look()
        info = store.info()
        scanned = Counter((r.kind, r.state) for r in everything(store).values())
        counted = {(k, s): n for k, states in info.counts.items() for s, n in states.items()}
        assert counted == dict(scanned)
        assert set(info.kinds) == set(store.kinds) == set(info.counts)
        assert info.id == store.id
        assert info.capabilities == store.capabilities

    def test_a_scan_gives_each_record_once_in_small_batches(self, bench: Bench) -> None:
        store = bench.look()
        batches = list(store.scan())
        assert all(0 < len(batch) <= SCAN_ROWS for batch in batches)
        refs = [r.ref for batch in batches for r in batch]
        assert len(refs) == len(set(refs))
        assert all(ref.store == store.id for ref in refs)

    def test_a_scan_of_one_kind_gives_only_that_kind(self, bench: Bench) -> None:
        store = bench.look()
        for kind in store.kinds:
            kinds = {r.kind for batch in store.scan([kind]) for r in batch}
            assert kinds <= {kind}
        assert bench.kind in {r.kind for batch in store.scan([bench.kind]) for r in batch}

    def test_fetch_keeps_the_order_and_says_what_is_gone(self, bench: Bench) -> None:
        store = bench.look()
        records = list(everything(store).values())
        wanted = [records[-1].ref, Ref(store.id, bench.kind, ("no such key",)), records[0].ref]
        found = store.fetch(wanted)
        assert found == (records[-1], None, records[0])

    def test_another_stores_ref_names_nothing_here(self, bench: Bench) -> None:
        store = bench.look()
        foreign = dataclasses.replace(one(store, bench.kind).ref, store="elsewhere")
        assert store.fetch([foreign]) == (None,)

    def test_a_refs_text_finds_the_record_again(self, bench: Bench) -> None:
        store = bench.look()
        for ref in everything(store):
            parsed = RefText.parse(ref.text, kinds=store.kinds)
            assert store.resolve(parsed) == ref

    def test_a_key_alone_finds_a_record_that_has_it_alone(self, bench: Bench) -> None:
        store = bench.look()
        ref = one(store, bench.kind).ref
        assert store.resolve(RefText(None, ref.key)) == ref
        assert store.resolve(RefText(None, ("no such key",))) is None

    def test_an_id_alone_never_names_another_record(self, bench: Bench) -> None:
        store = bench.look()
        kinds = Counter(ref.key for ref in everything(store))
        for ref in everything(store):
            parsed = RefText.parse(ref.id, kinds=store.kinds)
            assert parsed == RefText(None, ref.key)
            if kinds[ref.key] == 1:
                assert store.resolve(parsed) == ref
            else:
                assert code(lambda: store.resolve(parsed)) == "ref.ambiguous"  # noqa: B023 - called at once

    def test_every_text_of_a_record_can_be_searched(self, bench: Bench) -> None:
        records = list(everything(bench.look()).values())
        for record in records[:: len(records) // MANY + 1]:
            for text in (record.title, record.text, *record.tags):
                assert record in select(Query(text=literal(text)), records)

    def test_records_are_plain_values(self, bench: Bench) -> None:
        for record in everything(bench.look()).values():
            assert isinstance(record.title, str)
            assert isinstance(record.text, str)
            assert len(record.etag) == 16
            assert all(isinstance(part, str) for part in record.ref.key)
            assert all(isinstance(tag, str) for tag in record.tags)
            assert all(v is None or isinstance(v, str) for v in record.extra.values())
            "".join(record.searchable()).encode()

    def test_reading_does_not_move_the_token(self, bench: Bench) -> None:
        store = bench.look()
        before = store.change_token()
        everything(store)
        store.info()
        assert store.change_token() == before

    def test_any_thread_may_interrupt_and_closing_twice_is_fine(self, bench: Bench) -> None:
        store = bench.look()
        thread = threading.Thread(target=store.interrupt)
        thread.start()
        thread.join()
        store.close()
        store.close()
        store.interrupt()

    def test_what_it_cannot_do_is_an_error(self, bench: Bench) -> None:
        """Never a silent no-op: each capability that is not there is a refusal."""
        store = bench.look()
        record = one(store, bench.kind)
        target = Target(record.ref)
        acts: dict[Capability, Callable[[], object]] = {
            Capability.REVIEW: lambda: store.preview(record.ref, None),
            Capability.ERASE: lambda: store.erase_scope([record.ref]),
            Capability.ADD: lambda: store.add(NewRecord(bench.kind, bench.fields)),
            Capability.EDIT: lambda: store.apply(Edit(target, {"text": bench.says(SAID)})),
            Capability.TRASH: lambda: store.trash(target),
            Capability.RESTORE: lambda: store.restore(target),
            Capability.DELETE: lambda: store.delete(target),
        }
        for capability, act in acts.items():
            if capability not in store.capabilities:
                assert code(act) == store.cannot("anything").code
        assert store.fetch([record.ref]) == (record,)


class ChangingContract(ReadingContract):
    """What a store must do whose records can be added, edited, deleted and erased: also without a
    trash, without tags, without a title of their own. ``bench.fields`` has a ``text``.
    """

    def test_a_store_that_is_only_looked_at_refuses_to_change(self, bench: Bench) -> None:
        store = bench.look()
        record = one(store, bench.kind)
        assert code(lambda: store.delete(Target(record.ref))) == "store.read_only"
        assert code(lambda: store.add(NewRecord(bench.kind, bench.fields))) == "store.read_only"
        assert store.fetch([record.ref]) == (record,)

    # ---- changing

    def test_added_is_what_classify_promised(self, bench: Bench) -> None:
        store = bench.change()
        promised = store.classify(bench.fields)
        before = everything(store)
        changes = store.add(NewRecord(bench.kind, bench.fields))
        (ref,) = changes.added
        after = everything(store)
        assert set(after) >= set(before)
        assert all(after[r] == record for r, record in before.items() if r.kind == bench.kind)
        kept = store.fields_of(after[ref])
        assert {name: promised[name] for name in kept if name in promised} == {
            name: kept[name] for name in kept if name in promised
        }
        assert after[ref].state is State.LIVE

    def test_what_is_promised_of_a_new_record_is_done(self, bench: Bench) -> None:
        """Refused beforehand for the same reason, or saved with the very values."""
        store = bench.change()
        before = everything(store)
        for fields in variations(bench.fields):
            told(lambda: store.may_add(NewRecord(store.kind_of(fields), fields)))  # noqa: B023 - called at once
        assert everything(store) == before
        for fields in variations(bench.fields):
            new = NewRecord(store.kind_of(fields), fields)
            promised = told(lambda: store.may_add(new))  # noqa: B023
            valued = told(lambda: store.classify(fields))  # noqa: B023
            done = told(lambda: store.add(new))  # noqa: B023
            if isinstance(promised, str):
                assert done == promised
                assert valued == promised or promised in OF_OTHERS
            elif promised.holder is not None:
                assert done in TAKEN
                assert store.fetch([promised.holder]) != (None,)
            else:
                (kept,) = store.fetch(done.added[:1])
                sure = {n: v for n, v in promised.fields.items() if valued[n] == v}
                assert len(promised.fields) - len(sure) <= (
                    not new.fields.get("title")
                )  # by chance
                own = {n: v for n, v in store.fields_of(kept).items() if n in sure}
                assert own == {name: sure[name] for name in own}

    def test_the_same_key_is_refused_twice(self, bench: Bench) -> None:
        store = bench.change()
        store.add(NewRecord(bench.kind, bench.fields))
        before = everything(store)
        assert code(lambda: store.add(NewRecord(bench.kind, bench.fields))) == "record.key_taken"
        assert everything(store) == before

    def test_an_edit_changes_what_it_names_and_nothing_else(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, bench.kind)
        changes = store.apply(Edit(Target(old.ref, old.etag), {"text": bench.says(SAID)}))
        assert changes == ChangeSet(changed=(old.ref,))
        (new,) = store.fetch([old.ref])
        assert new is not None
        assert (new.text, new.etag != old.etag) == (bench.says(SAID), True)
        same = ("title", "scope", "type", "tags", "source", "created_at", "state", "ref")
        assert all(getattr(new, name) == getattr(old, name) for name in same)

    def test_applying_a_records_own_fields_changes_nothing(self, bench: Bench) -> None:
        store = bench.change()
        for record in list(everything(store).values()):
            if record.kind == bench.kind:
                store.apply(Edit(Target(record.ref, record.etag), store.fields_of(record)))
                assert store.fetch([record.ref]) == (record,)

    def test_tags_are_replaced_by_those_given(self, bench: Bench) -> None:
        store = bench.change()
        if Capability.TAG not in store.capabilities:
            pytest.skip("its records have no tags")
        old = one(store, bench.kind)
        store.apply(Edit(Target(old.ref), {"tags": ("zwei", "标签")}))
        (new,) = store.fetch([old.ref])
        assert new is not None
        assert new.tags == ("zwei", "标签")

    def test_an_unknown_field_is_refused(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, bench.kind)
        edit = Edit(Target(old.ref), {"colour": "red"})
        assert code(lambda: store.apply(edit)) == "record.no_such_field"
        assert store.fetch([old.ref]) == (old,)

    def test_a_lost_update_is_refused(self, bench: Bench) -> None:
        mine, theirs = bench.change(), bench.change()
        seen = one(mine, bench.kind)
        theirs.apply(Edit(Target(seen.ref, seen.etag), {"text": bench.says(SAID)}))
        (now,) = mine.fetch([seen.ref])
        stale = Target(seen.ref, seen.etag)
        for act in (
            lambda: mine.apply(Edit(stale, {"text": "mine"})),
            lambda: mine.delete(stale),
        ):
            assert code(act) == "record.changed"
        assert mine.fetch([seen.ref]) == (now,)

    def test_what_is_gone_cannot_be_changed(self, bench: Bench) -> None:
        store = bench.change()
        ref = Ref(store.id, bench.kind, ("no such key",))
        for act in (
            lambda: store.apply(Edit(Target(ref), {"text": "x"})),
            lambda: store.delete(Target(ref)),
        ):
            assert code(act) == "record.gone"

    @pytest.mark.parametrize("state", [State.LIVE, State.TRASH])
    def test_delete_is_undone_by_its_snapshot(self, bench: Bench, state: State) -> None:
        store = bench.change()
        if state is State.TRASH and Capability.TRASH not in store.capabilities:
            pytest.skip("it has no trash")
        old = one(store, bench.kind, state)
        saved = store.snapshot([old.ref])
        assert old.text not in repr(saved)
        assert store.delete(Target(old.ref, old.etag)) == ChangeSet(removed=(old.ref,))
        assert store.fetch([old.ref]) == (None,)
        assert store.reinstate(saved) == ChangeSet(added=(old.ref,))
        assert store.fetch([old.ref]) == (old,)
        assert store.reinstate(saved) == ChangeSet()

    def test_others_see_a_change_and_their_token_moves(self, bench: Bench) -> None:
        mine, theirs = bench.change(), bench.look()
        record = one(mine, bench.kind)
        own, foreign = mine.change_token(), theirs.change_token()
        mine.apply(Edit(Target(record.ref), {"text": bench.says(SAID)}))
        assert theirs.change_token() != foreign
        assert mine.change_token() == own
        assert theirs.fetch([record.ref])[0].text == bench.says(SAID)  # type: ignore[union-attr]

    def test_counts_follow_every_change(self, bench: Bench) -> None:
        store, other = bench.change(), bench.look()
        (ref,) = store.add(NewRecord(bench.kind, bench.fields)).added
        if Capability.TRASH in store.capabilities:
            store.trash(Target(ref))
        store.delete(Target(one(store, bench.kind).ref))
        for seen in (store, other):
            scanned = Counter((r.kind, r.state) for r in everything(seen).values())
            counts = seen.info().counts
            assert {(k, s): n for k, states in counts.items() for s, n in states.items()} == scanned

    def test_it_tells_beforehand_what_speaks_against_an_act(self, bench: Bench) -> None:
        store = bench.change()
        live = one(store, bench.kind)
        before = everything(store)
        stale = Target(live.ref, "0" * 16)
        gone = Target(Ref(store.id, bench.kind, ("no such key",)))
        store.may("delete", Target(live.ref, live.etag))
        store.may("edit", Target(live.ref), {"text": bench.says(SAID)})
        for act in ("delete", "edit"):
            assert code(lambda: store.may(act, stale)) == "record.changed"  # noqa: B023 - called at once
            assert code(lambda: store.may(act, gone)) == "record.gone"  # noqa: B023
        wrong = {"colour": "red"}
        assert code(lambda: store.may("edit", Target(live.ref), wrong)) == "record.no_such_field"
        assert everything(store) == before

    def test_a_snapshot_never_writes_over_a_later_change(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, bench.kind)
        saved = store.snapshot([old.ref, Ref(store.id, bench.kind, ("no such key",))])
        store.apply(Edit(Target(old.ref), {"text": bench.says(SAID)}))
        assert code(lambda: store.reinstate(saved)) == "record.id_taken"
        (now,) = store.fetch([old.ref])
        assert now is not None
        assert now.text == bench.says(SAID)

    # ---- erasing

    def test_an_erase_names_rows_texts_and_what_is_missing(self, bench: Bench) -> None:
        store = bench.change()
        (ref,) = store.add(NewRecord(bench.kind, {**bench.fields, "text": bench.says(SAID)})).added
        missing = Ref(store.id, bench.kind, ("no such key",))
        scope = store.erase_scope([ref, missing])
        assert scope.store == store.id
        assert scope.missing == (missing,)
        assert SAID in scope.texts
        assert SAID not in repr(scope)
        mine = [rows for rows in scope.rows if rows.kind == bench.kind]
        assert [tuple(map(str, key)) for rows in mine for key in rows.keys] == [ref.key]
        assert all(len(key) == len(r.key_columns) for r in scope.rows for key in r.keys)
        assert store.fetch([ref])[0] is not None

    def test_an_erase_names_what_it_leaves(self, bench: Bench) -> None:
        store = bench.change()
        (ref,) = store.add(NewRecord(bench.kind, {**bench.fields, "text": bench.says(SAID)})).added
        other = next(
            r
            for r in everything(store).values()
            if r.kind == bench.kind and r.ref != ref and r.state is State.LIVE
        )
        store.apply(Edit(Target(other.ref), {"text": bench.says(f"before, {SAID} and after")}))
        assert store.erase_scope([ref]).still_in == (other.ref,)


class StoreContract(ChangingContract):
    """The same of a store that has a trash. One of its records is in it."""

    def test_trash_and_restore(self, bench: Bench) -> None:
        store = bench.change()
        old = one(store, bench.kind)
        assert store.trash(Target(old.ref, old.etag)) == ChangeSet(changed=(old.ref,))
        (trashed,) = store.fetch([old.ref])
        assert trashed is not None
        assert (trashed.state, trashed.text) == (State.TRASH, old.text)
        assert code(lambda: store.trash(Target(old.ref))) == "record.in_trash"
        assert store.restore(Target(old.ref, trashed.etag)) == ChangeSet(changed=(old.ref,))
        (back,) = store.fetch([old.ref])
        assert back is not None
        assert (back.state, back.text, back.title) == (State.LIVE, old.text, old.title)
        assert code(lambda: store.restore(Target(old.ref))) == "record.not_in_trash"

    def test_trash_heeds_the_etag_and_what_is_gone(self, bench: Bench) -> None:
        mine, theirs = bench.change(), bench.change()
        seen = one(mine, bench.kind)
        theirs.apply(Edit(Target(seen.ref, seen.etag), {"text": bench.says(SAID)}))
        assert code(lambda: mine.trash(Target(seen.ref, seen.etag))) == "record.changed"
        gone = Target(Ref(mine.id, bench.kind, ("no such key",)))
        assert code(lambda: mine.trash(gone)) == "record.gone"
        assert code(lambda: mine.restore(gone)) == "record.gone"

    def test_it_tells_beforehand_what_speaks_against_the_trash(self, bench: Bench) -> None:
        store = bench.change()
        live, trashed = one(store, bench.kind), one(store, bench.kind, State.TRASH)
        before = everything(store)
        stale = Target(live.ref, "0" * 16)
        gone = Target(Ref(store.id, bench.kind, ("no such key",)))
        store.may("trash", Target(live.ref, live.etag))
        store.may("restore", Target(trashed.ref))
        assert code(lambda: store.may("restore", Target(live.ref))) == "record.not_in_trash"
        assert code(lambda: store.may("trash", Target(trashed.ref))) == "record.in_trash"
        for act in ("trash", "restore"):
            assert code(lambda: store.may(act, stale)) == "record.changed"  # noqa: B023 - called at once
            assert code(lambda: store.may(act, gone)) == "record.gone"  # noqa: B023
        assert everything(store) == before
