# SPDX-License-Identifier: MIT
"""The answer: the clock stands, no name is left, and who was forgotten is noticed again."""

from datetime import date, timedelta

import pytest
from casedesk import by_title

from memory_gui.cases.case import CaseState, Identity, NewCase
from memory_gui.cases.clock import Term
from memory_gui.cases.finds import Decision
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Locked
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering import closing
from memory_gui.services.cases.book import book
from memory_gui.services.cases.book.book import Waiting
from memory_gui.services.copies.letter import letter
from memory_gui.services.own import ownfile
from memory_gui.words import Words
from memory_gui.words.cases import unread

NEXT = date.today() + timedelta(days=2)
NOTE = "the letter came on blue paper with a stamp of the year of the horse"


def raw_words(desk):
    """All that our own file holds, row by row, without its encryption."""
    with desk.services.keeper.ledger().connection() as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        rows = [connection.execute(f'SELECT * FROM "{name}"') for (name,) in tables]
    return repr(rows)


def test_a_closed_case_holds_no_name_and_our_own_file_is_wiped(desk, monkeypatch):
    seen = []
    monkeypatch.setattr(
        ownfile,
        "run_erase",
        lambda *a, run=ownfile.run_erase, **k: seen.append(run(*a, **k)) or seen[-1],
    )
    desk.pair.add("a", "李雷 alone in a street")
    both = desk.pair.add("both", "李雷 and 王五, together")  # it stays, and is no news afterwards
    names = ("li.lei@example.org", "+86 13800138000")
    case = desk.cases.new(NewCase(Subject.of("李雷", names, ["王五"])))
    case = desk.cases.edit(case, notes=NOTE, identity=Identity("identity.call", "confirmed", "Ann"))
    assert NOTE in raw_words(desk)
    case = desk.run(case).case
    done = desk.cases.close(case)
    assert (done.state, done.subject, done.notes) == (CaseState.CLOSED, None, "")
    assert done.identity == Identity("identity.call", "confirmed", at=date.today().isoformat())
    words = raw_words(desk)
    for text in ("李雷", r"\u674e\u96f7", "li.lei@example.org", "13800138000", "blue paper", "Ann"):
        assert text not in words
    assert [one.state for one in seen] == [EraseState.PROVED]  # by our own recipe
    assert done.clock.days_left(date.today() + timedelta(days=99)) is None
    assert desk.cases.due() == ()
    assert [one.number for one in desk.cases.same_as(Subject.of("李雷"))] == [done.number]
    assert [one.number for one in desk.cases.same_as(Subject.of("138 0013 8000"))] == [done.number]
    assert desk.cases.report(done).erased == 1
    with pytest.raises(UserError, match=r"case\.reduced"):
        desk.find(done)
    # Somebody learns it anew: by name, by number, in a field or in the middle of a text.
    back = desk.pair.add("note", "yesterday 李雷 came back")
    phone = desk.pair.add("call", "ring 138-0013-8000 again")
    desk.pair.add("x", "nobody in particular, 138001380001")
    found = {one.ref: (one.case, one.form) for one in desk.cases.back(desk.pair.project.id)}
    assert found[back.ref] == (done.number, "letters")
    assert found[phone.ref] == (done.number, "phone")
    assert len([ref for ref in found if ref.kind == "memory"]) == 2
    # The same case takes them out once more; its clock stands, and it learns no name.
    assert desk.cases.again(Subject.of("李雷", ["ann@x.cn"])) is None
    anew = desk.cases.again(Subject.of("李雷", ["138 0013 8000"]))
    assert (anew.number, anew.title) == (done.number, "李雷")
    result = desk.run(anew)
    assert (result.state, result.case.state) == (EraseState.PROVED, CaseState.CLOSED)
    assert (result.case.subject, result.case.clock) == (None, done.clock)
    assert desk.services.library.record(phone.ref) is None
    assert desk.pair.read(both.ref) == both
    assert desk.cases.report(result.case).erased == 3


@pytest.fixture
def not_wiped(monkeypatch):
    """Wiping our own file takes a second; one test looks at that."""
    monkeypatch.setattr(closing.Closing, "clean", lambda *_: True)


@pytest.mark.usefixtures("not_wiped")
def test_kept_until_a_day_and_reduced_by_itself_after_it(desk, monkeypatch):
    case = desk.new()
    until = date.today() + timedelta(days=30)
    done = desk.cases.close(case, CaseState.WITHDRAWN, keep_until=until)
    assert done.title == "李雷"
    assert desk.cases.tidy() == 0
    for module in (book, closing):
        monkeypatch.setattr(module, "today", lambda: until + timedelta(days=1))
    assert desk.cases.tidy() == 1
    assert desk.cases.case(case.number).subject is None


@pytest.mark.usefixtures("not_wiped")
def test_a_refusal_needs_its_reason(desk):
    case = desk.new()
    with pytest.raises(UserError, match=r"case\.no_reason"):
        desk.cases.close(case, CaseState.REFUSED)
    done = desk.cases.close(case, CaseState.REFUSED, reason="refuse.unfounded")
    assert (done.state, done.refusal) == (CaseState.REFUSED, "refuse.unfounded")
    with pytest.raises(UserError, match=r"case\.is_final"):
        desk.cases.edit(done, notes="x")


class TestUndecided:
    def test_it_is_not_done_and_not_closed_before_a_decision(self, desk):
        desk.pair.add("a", "李雷 alone in a street")
        desk.pair.add("b", "李雷 alone in a lane")
        case = desk.new()
        finds = desk.find(case)
        desk.cases.decide(case, finds, [by_title(finds, "b").number], Decision.NONE)
        finds = desk.find(case)  # what is not ticked stays so
        case = desk.run(case, finds).case
        assert (case.state, case.asking) == (CaseState.ASKING, 1)
        with pytest.raises(UserError, match=r"case\.undecided"):
            desk.cases.close(case)
        finds = desk.find(case)
        with pytest.raises(UserError, match=r"case\.keep_reason"):
            desk.cases.decide(case, finds, [1], Decision.KEEP)
        with pytest.raises(UserError, match=r"case\.keep_reason"):
            desk.cases.decide(case, finds, [1], Decision.KEEP, reason="hold.other")
        kept = desk.cases.decide(case, finds, [1], Decision.KEEP, reason="keep.not_theirs")
        assert kept.by_number(1).reason == "keep.not_theirs"
        again = desk.find(case).by_number(1)
        assert (again.decision, again.reason) == (Decision.KEEP, "keep.not_theirs")
        case = desk.cases.case(case.number)
        assert (case.state, case.asking) == (CaseState.DONE, 0)
        report = desk.cases.report(case)
        assert (report.left, report.left_why) == (1, (("keep.not_theirs", 1),))
        done = desk.cases.close(case, keep_until=NEXT)
        assert desk.cases.report(done).left_why == (("keep.not_theirs", 1),)
        assert (done.left_undecided, desk.cases.report(done).undecided) == (0, 0)

    def test_a_choice_to_close_all_the_same_is_kept_and_told(self, desk):
        desk.pair.add("a", "李雷 alone in a street")
        case = desk.new()
        desk.find(case)
        with pytest.raises(UserError, match=r"case\.undecided"):  # found, and never run
            desk.cases.close(case)
        done = desk.cases.close(case, leave_undecided=True, keep_until=NEXT)
        assert (done.state, done.left_undecided, done.asking) == (CaseState.CLOSED, 1, 0)
        assert desk.cases.receipt(done)["counts"]["left_undecided"] == 1
        assert "1 record about you is still there" in letter(Words(), desk.cases.report(done))
        copy = desk.new(right=Right.ACCESS)  # a copy is the answer; nothing has to become of it
        desk.find(copy)
        assert desk.cases.close(copy, keep_until=NEXT).state is CaseState.CLOSED

    def test_a_store_that_is_gone_asks_no_more(self, desk):
        desk.pair.add("a", "李雷 alone in a street")
        case = desk.new()
        desk.find(case)
        desk.services.library.close_all()
        (desk.folder / "atlas/.agentao/memory.db").rename(desk.folder / "away.db")
        for one in desk.services.library.known():
            if "atlas" in one.path:
                desk.services.library.forget(one.path)
        desk.cases.find(case, desk.cases.where(usual=False))
        assert desk.cases.case(case.number).asking == 0


class TestBook:
    def test_it_is_kept_with_its_clock_over_a_restart(self, desk, make_desk):
        received = date.today() - timedelta(days=20)
        case = desk.new("李雷", "li@x.cn", received=received, term=Term.DAYS_30, ground="other")
        again = make_desk()
        found = again.cases.case(case.number)
        assert found == case
        (line,) = again.cases.due()
        assert (line.number, line.title, line.days_left) == (case.number, "李雷", 10)

    def test_what_is_due_comes_first_and_nobody_is_asked_before_a_case_was_made(self, desk):
        asked = desk.keychain.asked
        assert (desk.cases.any_yet, desk.cases.due(), desk.cases.all()) == (False, (), ())
        assert desk.cases.back(desk.pair.project.id) == ()
        assert desk.keychain.asked == asked
        late = desk.new("Ann Weber", received=date.today() - timedelta(days=40))
        desk.new("Bo Berg")
        lines = desk.cases.due()
        assert [line.number for line in lines] == [late.number, late.number + 1]
        assert lines[0].days_left < 0

    def test_what_cannot_be_read_is_said_with_its_reason(self, desk, make_desk):
        assert desk.cases.waiting() == Waiting()
        desk.new()
        desk.keychain.answer = Locked("SecretService.Keyring")
        found = make_desk(open_stores=False).cases.waiting()
        assert found.lines == ()
        assert unread(Words(), found.unread.code, found.unread.result) == (
            "The system keychain (Secret Service) is locked. Cases that may be due cannot be read."
        )

    def test_more_time_once_and_told_within_the_first(self, desk, monkeypatch):
        case = desk.new(received=date(2026, 1, 31))
        monkeypatch.setattr(book, "today", lambda: date(2026, 2, 28))
        with pytest.raises(UserError, match=r"case\.no_reason"):
            desk.cases.extend(case, " ")
        with pytest.raises(UserError, match=r"case\.too_long"):
            desk.cases.extend(case, "many", date(2026, 5, 1))
        longer = desk.cases.extend(case, "many stores")
        assert longer.clock.ends == date(2026, 4, 30)
        with pytest.raises(UserError, match=r"case\.extended"):
            desk.cases.extend(longer, "again")
        late = desk.new("Bo Berg", received=date(2026, 1, 1))
        with pytest.raises(UserError, match=r"case\.too_late"):
            desk.cases.extend(late, "forgot")

    def test_another_day_of_receipt_moves_the_end_and_an_own_end_stays(self, desk):
        case = desk.new(received=date(2026, 10, 31))
        assert desk.cases.edit(case, received=date(2026, 11, 2)).clock.due == date(2026, 12, 2)
        assert desk.cases.edit(case, due=date(2026, 11, 20)).clock.due == date(2026, 11, 20)
        with pytest.raises(UserError, match=r"case\.date"):
            desk.cases.edit(case, due=date(2026, 10, 1))
        with pytest.raises(UserError, match=r"case\.state"):
            desk.cases.edit(case, state=CaseState.CLOSED)

    def test_what_cannot_be(self, desk):
        with pytest.raises(UserError, match=r"case\.unknown"):
            desk.cases.case(77)
        with pytest.raises(UserError, match=r"case\.ground"):
            desk.cases.draft(NewCase(Subject.of("李雷"), ground="gdpr.nothing"))
        with pytest.raises(UserError, match=r"case\.date"):
            desk.cases.draft(NewCase(Subject.of("李雷"), received=date(1999, 1, 1)))

    def test_what_was_done_lies_behind_us_and_what_is_kept_until_then_before_us(self, desk):
        today = date.today()
        tomorrow, yesterday = today + timedelta(days=1), today - timedelta(days=1)
        with pytest.raises(UserError, match=r"case\.future"):
            desk.cases.draft(NewCase(Subject.of("李雷"), received=tomorrow))
        checked = Identity("identity.call", "confirmed", at=tomorrow.isoformat())
        with pytest.raises(UserError, match=r"case\.future"):
            desk.cases.draft(NewCase(Subject.of("李雷"), identity=checked))
        with pytest.raises(UserError, match=r"case\.date"):
            desk.cases.draft(NewCase(Subject.of("李雷"), due=today + timedelta(days=400)))
        desk.pair.add("a", "李雷 alone in a street")
        case = desk.new(received=yesterday)
        for wrong in ({"received": tomorrow}, {"identity": checked}):
            with pytest.raises(UserError, match=r"case\.future"):
                desk.cases.edit(case, **wrong)
        finds = desk.find(case)
        more = {"reason": "hold.claims", "until": yesterday}
        with pytest.raises(UserError, match=r"case\.past"):
            desk.cases.decide(case, finds, [1], Decision.HOLD, **more)
        case = desk.run(case, finds).case
        for day, code in ((tomorrow, "future"), (yesterday - timedelta(days=1), "date")):
            with pytest.raises(UserError, match=rf"case\.{code}"):
                desk.cases.check_off(case, 0, day, "")
        assert desk.cases.check_off(case, 0, yesterday, "").checklist[0].done_on == yesterday
        with pytest.raises(UserError, match=r"case\.past"):
            desk.cases.close(case, keep_until=today)
        assert desk.cases.case(case.number).clock.received == yesterday
