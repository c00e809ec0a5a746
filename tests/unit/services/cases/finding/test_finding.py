# SPDX-License-Identifier: MIT
"""What is found about a person, in which heap it lies, and where nobody could look."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from pairs import store_in

from memory_gui.cases.case import NewCase
from memory_gui.cases.finds import Decision, Heap, Place
from memory_gui.cases.matching import Matcher
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services.cases.finding.candidates import StoreFacts, candidate_of, finished

KEY = RawKey(bytes(range(32)))
SAMPLES = Path(__file__).parents[4] / "data"


def heaps(finds):
    return {one.title: str(one.heap) for one in finds.finds}


def test_two_people_whose_names_begin_alike(desk):
    """R6: exact, partial and shared apart; only the first is ticked."""
    for number in range(3):
        desk.pair.add(f"his {number}", f"李雷的第{number}条")
        desk.pair.add(f"hers {number}", f"李雷雷的第{number}条")
    desk.pair.add("both", "李雷和李雷雷一起去")
    finds = desk.find(desk.new())
    assert heaps(finds) == {
        **{f"his {n}": "sure" for n in range(3)},
        **{f"hers {n}": "mentions" for n in range(3)},
        "both": "shared",
    }
    ticked = {one.title for one in finds.ticked}
    assert ticked == {"his 0", "his 1", "his 2"}
    assert len(finds.undecided) == 4


def test_every_state_and_kind_and_the_persons_own_database(desk):
    gone = desk.pair.add("gone", "李雷 in the trash")
    desk.services.editing.trash([gone.ref])
    desk.pair.add("own", "李雷 in the other one", scope="user")
    new = NewRecord("review", {"title": "waits", "text": "李雷 waits", "scope": "project"})
    desk.services.review.propose(desk.pair.project.id, new)
    finds = desk.find(desk.new())
    assert {one.title: one.state for one in finds.finds} == {
        "gone": State.TRASH,
        "own": State.LIVE,
        "waits": State.PENDING,
    }
    assert set(finds.looked) == {str(desk.pair.project.id), str(desk.pair.user.id)}


def test_stores_that_are_not_open_are_looked_into_and_stay_closed(desk, make_desk):
    desk.pair.add("a", "李雷 alone")
    case = desk.new()
    again = make_desk(open_stores=False)
    finds = again.find(again.cases.case(case.number))
    assert [one.title for one in finds.finds] == ["a"]
    assert again.services.library.stores() == ()


def test_somebody_elses_contact_makes_it_shared(desk):
    desk.pair.add("one", "李雷，邮箱 li@x.cn")
    desk.pair.add("two", "李雷，抄送 han@x.cn")
    finds = desk.find(desk.new("李雷", "li@x.cn"))
    assert heaps(finds) == {"one": "sure", "two": "shared"}


@pytest.mark.parametrize("right", [Right.ACCESS, Right.RESTRICT])
def test_what_is_ticked_depends_on_the_right(desk, right):
    desk.pair.add("a", "李雷 alone")
    (one,) = desk.find(desk.new(right=right)).finds
    assert one.decision is (Decision.RESTRICT if right is Right.RESTRICT else Decision.NONE)


def test_an_agent_that_is_called_like_the_person_makes_nothing_sure():
    record = Record(Ref(StoreId("x"), "message", ("1",)), "e", State.LIVE, "", "hello", "Ann Weber")
    matcher = Matcher(Subject.of("Ann Weber"))
    for people, heap in ((True, Heap.SURE), (False, Heap.MENTIONS)):
        facts = replace(StoreFacts.bare("x", "letta", "Letta"), people=people)
        candidate = candidate_of(matcher, record, facts)
        assert finished(candidate, matcher, frozenset(), 1).heap is heap


def test_passages_of_the_agents_other_files(desk):
    desk.log.write_text("a\n李雷 said so\n李雷雷 too\n")
    sessions = desk.folder / "atlas/.agentao/sessions"
    sessions.mkdir()
    (sessions / "1.json").write_text(r'{"m": "hello\n\u674e\u96f7 was here\nbye"}')
    (desk.folder / "atlas/AGENTAO.md").write_text("Ask 李雷.\n")
    finds = desk.find(desk.new())
    assert {(one.title, one.heap, one.kind) for one in finds.finds} == {
        ("agentao.log", Heap.SURE, "log"),
        ("agentao.log", Heap.MENTIONS, "log"),
        ("1.json", Heap.SURE, "session"),
        ("AGENTAO.md", Heap.SHARED, "instructions"),  # a person wrote it
    }
    assert {one.place for one in finds.finds} == {Place.FILE}
    (session,) = [one for one in finds.finds if one.kind == "session"]
    assert session.pieces[0].text == "李雷 was here"


def test_where_nobody_could_look_is_named(desk, tmp_path):
    locked = store_in(tmp_path / "secret/.agentao", KEY)
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\0" + bytes(200))
    link = desk.log
    link.symlink_to(tmp_path / "elsewhere.txt")
    (tmp_path / "elsewhere.txt").write_text("李雷\n")
    where = desk.cases.where([str(locked), str(broken), str(desk.pair.project_file)])
    finds = desk.cases.find(desk.new(), where)
    codes = {one.path: one.code for one in finds.not_looked}
    assert codes[str(locked)] == "key.needed"
    assert codes[str(broken)].startswith("store.")
    assert codes[str(link)] == "file.link"
    assert finds.looked == (str(desk.pair.project_file),)


def test_a_given_key_opens_what_the_keychain_cannot(desk, tmp_path):
    locked = store_in(tmp_path / "secret/.agentao", KEY)
    where = desk.cases.where([str(locked)], key=KEY)
    assert desk.cases.find(desk.new(), where).looked == (str(locked),)
    wrong = desk.cases.where([str(locked)], key=RawKey(bytes(32)))
    assert desk.cases.find(desk.new(), wrong).not_looked[0].code == "key.wrong"


def test_stopped_it_says_what_it_did_not_reach(desk):
    desk.pair.add("a", "李雷 alone")
    stop = CancelToken()

    def tick(step, done, total):
        if step == "case-find" and done == 1:
            stop.cancel()

    finds = desk.cases.find(desk.new(), desk.where(), tick=tick, cancel=stop)
    assert finds.stopped
    assert len(finds.looked) == 1
    assert [one.code for one in finds.not_looked] == ["case.stopped"]


def test_several_people_in_one_pass(desk):
    desk.pair.add("a", "李雷 alone")
    desk.pair.add("b", "mail ann@x.org")
    drafts = [
        desk.cases.draft(NewCase(Subject.of(one))) for one in ("李雷", "ann@x.org", "Nobody X")
    ]
    found = desk.cases.find_many(drafts, desk.where())
    assert [heaps(one) for one in found] == [{"a": "sure"}, {"b": "sure"}, {}]


def test_a_folder_is_looked_through_and_nothing_beside_it(desk, tmp_path):
    desk.pair.add("a", "李雷 alone")
    store_in(tmp_path / "deep/er/.agentao")
    finds = desk.cases.find(desk.new(), desk.cases.where([str(tmp_path / "deep")]))
    assert finds.looked == (str(tmp_path / "deep/er/.agentao/memory.db"),)
    with pytest.raises(UserError, match=r"store\.missing"):
        desk.cases.where([str(tmp_path / "nowhere")])


def test_finds_in_full(desk):
    desk.pair.add("a", "李雷 alone")
    desk.log.write_text("a\n李雷 said so\n")
    finds = desk.find(desk.new())
    told = {c.find.title: c.text or c.record.text for c in desk.cases.contents(finds, desk.where())}
    assert told == {"a": "李雷 alone", "agentao.log": "李雷 said so"}


@pytest.mark.parametrize("named", ["history-chroma.db", "."])
def test_a_store_that_is_found_from_two_of_its_files_is_counted_once(desk, tmp_path, named):
    folder = tmp_path / "mem0"
    copytree(SAMPLES / "mem0", folder, ignore=ignore_patterns("home", "tmp-*", "*faiss*"))
    subject = Subject.of("lin.xiaoyu@example.com")
    finds = desk.services.cases.find(
        desk.services.cases.draft(NewCase(subject)),
        desk.services.cases.where([str(folder / named)]),
    )
    told = [(one.kind, one.ref.key) for one in finds.finds]
    assert told
    assert len(set(told)) == len(told)
