# SPDX-License-Identifier: MIT
"""The queue in the terminal: rules, the queue of our own, lengths."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "services"))

from memory_gui.stores.formats.agentao.create import create_store


@pytest.fixture
def kept(permitted):
    """Calls a verb over a terminal's store, with its keychain."""

    def call(verb, *arguments, store=permitted.store, **more):
        return permitted(verb, str(store), *arguments, **more)

    call.terminal = permitted
    return call


def propose(call, text, times=1, **fields):
    sets = [f"--set={name}={value}" for name, value in fields.items()]
    for _ in range(times):
        done = call("propose", "--json", f"--set=text={text}", *sets)
    assert done.status == 0, done.err
    return done.json["ref"]


class TestRules:
    def test_there_are_none_and_that_is_said(self, kept):
        assert "no rules" in kept("review", "rules").out
        assert kept("review", "rules", "--json").json["rules"] == []

    def test_made_tried_run_listed_taken_back(self, kept):
        tea = propose(kept, "likes green tea", times=3)
        propose(kept, "今天天气很好", key="weather")
        made = kept("review", "rules", "add", "--seen", "3", "--json").json["rules"]
        assert [(one["verdict"], one["seen"]) for one in made] == [("approve", 3)]
        assert kept("review", "rules", "add", "--pattern", "-", stdin="天气*好\n").status == 0
        dry = kept("review", "rules", "run", "--dry-run", "--json").json
        assert dry["counts"] == {"approved": 1, "rejected": 1}
        assert {one["verdict"] for one in dry["decisions"]} == {"approve", "reject"}
        assert kept("review", "list", "--json").json["total"] == 2, "nothing was written"
        run = kept("review", "rules", "run", "--json")
        assert (run.status, run.json["counts"]) == (
            0,
            {"approved": 1, "rejected": 1, "failed": 0},
        )
        log = kept("review", "rules", "--log", "--json").json["decisions"]
        assert kept("review", "rules", "log", "--json").json["decisions"] == log
        number = next(str(one["number"]) for one in log if one["ref"] == tea)
        assert all(one["can_be_taken_back"] for one in log)
        back = kept("review", "rules", "back", number, "--json")
        assert back.json["counts"] == {"reopened": 1, "failed": 0}
        assert kept("review", "rules", "back", number).status == 5
        assert kept("review", "rules", "run", "--json").json["left"] == {"opened_again": 1}
        assert kept("review", "list", "--json").json["total"] == 1

    def test_rest_resume_remove(self, kept):
        (rule,) = kept("review", "rules", "add", "--seen=3", "--json").json["rules"]
        (rested,) = kept("review", "rules", "rest", rule["id"], "--json").json["rules"]
        assert rested["running"] is False
        assert "rests" in kept("review", "rules").out
        assert kept("review", "rules", "resume", rule["id"]).status == 0
        assert kept("review", "rules", "remove", rule["id"], "--json").json["rules"] == []
        assert kept("review", "rules", "remove", rule["id"]).status == 5

    @pytest.mark.parametrize(
        "arguments",
        [
            ["dance"],
            ["add"],
            ["add", "--seen", "3", "--pattern", "tea"],
            ["add", "--seen", "1"],
            ["add", "--pattern", "*"],
            ["remove"],
            ["back"],
            ["list", "more"],
        ],
    )
    def test_wrong_use_ends_two(self, kept, arguments):
        assert kept("review", "rules", *arguments).status == 2

    def test_without_a_keychain_none_can_be_kept(self, terminal):
        done = terminal.verb("review", "rules", "add", "--seen", "3", "--json")
        assert done.json["error"]["code"] == "rules.nowhere"


class TestTheQueueOfOurOwn:
    """A store whose agent has no queue: the person's database alone."""

    @pytest.fixture
    def own(self, kept):
        folder = kept.terminal.home / ".agentao"
        folder.mkdir()
        create_store(folder / "memory.db", None)

        def call(*arguments, **more):
            return kept(*arguments, store=folder / "memory.db", **more)

        call.file = folder / "memory.db"
        return call

    def test_proposed_listed_and_only_approval_writes_the_store(self, own):
        before = own.file.read_bytes()
        said = "I said that I like green tea"
        ref = propose(own, "likes green tea", title="tea", scope="user", evidence=said)
        propose(own, "lives in Bern", title="town", scope="user", session="s1")
        listed = own("review", "list", "--json").json
        assert listed["total"] == 2
        (tea,) = [one for one in listed["records"] if one["ref"] == ref]
        assert tea["extra"]["evidence"] == said
        assert tea["preview"]["outcome"] == "new"
        assert own("review", "list", "--query", "bern", "--json").json["total"] == 1
        assert own.file.read_bytes() == before
        assert own("list", "--json").json["total"] == 0
        assert own("review", "approve", ref, "--json").json["counts"] == {
            "approved": 1,
            "failed": 0,
        }
        assert [one["text"] for one in own("list", "--json").json["records"]] == ["likes green tea"]
        town = own("review", "reject", "--query", "bern", "--json")
        assert town.json["counts"] == {"rejected": 1, "failed": 0}
        assert own("review", "reopen", town.json["results"][0]["ref"]).status == 0
        assert own("review", "list", "--json").json["total"] == 1
        assert "1 item waits" in own("review", "list").out
        shown = own("show", town.json["results"][0]["ref"])
        assert "lives in Bern" in shown.out
        assert own("show", ref, "--json").json["story"]["saved_as"]["text"] == "likes green tea"

    def test_what_its_store_could_not_save_is_refused_at_once(self, kept):
        graph = kept.terminal.home / "memory.jsonl"
        graph.write_text('{"type":"entity","name":"Ann","entityType":"person","observations":[]}\n')
        bob = ("propose", "--set=title=Bob", "--set=text=Likes rye")
        asked = kept(*bob, store=graph)
        assert (asked.status, "“type” is empty" in asked.err) == (6, True)
        assert kept(*bob, "--set=type=person", "--json", store=graph).status == 0
        assert kept("propose", "--set=title=Ann", "--set=text=Likes tea", store=graph).status == 0
        wrong = kept(*bob, "--set=colour=red", store=graph).err
        assert "title, type, subject, text, from, to, evidence, session" in wrong
        done = kept("review", "approve", "--query=likes", "--json", store=graph).json
        assert done["counts"] == {"approved": 2, "failed": 0}
        assert '"observations":["Likes tea"]' in graph.read_text()

    def test_help_names_what_a_proposal_may_hold(self, terminal, capsys):
        assert terminal("propose", "--help").status == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "evidence, the words that it was concluded from, and session" in told

    def test_what_is_not_there_ends_five(self, own):
        assert own("review", "approve", "proposal:ffffffffffff").status == 5


def test_how_much_of_a_text_the_agent_reads_is_answered(terminal):
    short = terminal.verb("add", "--set=title=a", "--set=text=short", "--json").json
    assert short["agent_reads"] == {"chars": 5, "always": 5, "searched": 5, "recalled": 5}
    long = terminal.verb("edit", short["ref"], f"--set=text={'x ' * 300}", "--json").json
    assert long["agent_reads"] == {"chars": 599, "always": 240, "searched": 500, "recalled": 200}
    told = terminal.verb("edit", short["ref"], f"--set=text={'y ' * 150}").out
    assert "every request shows the first 240" in told
    item = terminal.verb("propose", "--set=text=likes tea", "--json").json
    done = terminal.verb("review", "approve", item["ref"], f"--set=text={'z ' * 150}", "--json")
    assert done.json["agent_reads"]["chars"] == 299
    assert json.dumps(done.json)


class TestEvidence:
    def test_health_counts_it_and_one_verb_erases_it(self, kept):
        said = "Anna said on Monday that Bob likes green tea in the morning, very hot"
        ref = propose(kept, "likes green tea in the morning", key="tea", evidence=said)
        propose(kept, "still waits for a decision", key="waits", evidence="and waits with this")

        def told():
            lines = kept("check", "--json").json["checks"]
            return next(
                (one["ok"], one["params"]) for one in lines if one["code"].endswith("evidence")
            )

        assert told() == (True, {"count": 0})
        kept("review", "approve", ref)
        assert told() == (None, {"count": 1})
        dry = kept("erase", "--evidence", "--dry-run", "--json").json
        assert (dry["state"], dry["counts"]["memory_review_queue"]["found"]) == ("planned", 1)
        done = kept("erase", "--evidence", "--yes", "--json")
        assert (done.status, done.json["state"]) == (0, "proved")
        assert b"Anna said" not in kept.terminal.store.read_bytes()
        assert told() == (True, {"count": 0})
        assert kept("review", "list", "--json").json["total"] == 1
        assert "likes green tea in the morning" in [row[2] for row in kept.terminal.rows()]

    def test_of_our_own_queue_too(self, kept):
        folder = kept.terminal.home / ".agentao"
        folder.mkdir()
        create_store(folder / "memory.db", None)
        at = {"store": folder / "memory.db"}
        done = kept(
            "propose",
            "--json",
            "--set=text=tea",
            "--set=scope=user",
            "--set=evidence=he said",
            **at,
        )
        assert kept("review", "reject", done.json["ref"], **at).status == 0
        assert kept("erase", "--evidence", "--yes", "--json", **at).json["own"] == 1
        assert kept("erase", "--evidence", "--yes", **at).status != 0


class TestWords:
    """What a person at a terminal is told, beside what the document says."""

    def test_a_key_that_becomes_the_same_is_refused_with_its_reason_and_another_key(self, terminal):
        for key, text in (("preference_简洁", "likes short answers"), ("preference_深色", "night")):
            terminal.verb("propose", f"--set=key={key}", f"--set=text={text}", "--json")
        first, second = (
            one["ref"] for one in terminal.verb("review", "list", "--json").json["records"]
        )
        assert terminal.verb("review", "approve", first).status == 0
        saved = terminal.verb("list", "--query", "short", "--json").json["records"][0]["ref"]
        listed = terminal.verb("review", "list").out
        assert f"its key is that of {saved}; a free one is preference_2" in listed
        done = terminal.verb("review", "approve", second)
        assert done.status == 6
        assert "only a–z, 0–9 and _" in done.out
        assert "preference_2" in done.out
        terminal.language = "zh_CN.UTF-8"
        assert "preference_2" in terminal.verb("review", "approve", second).out
        assert "键只保留 a–z" in terminal.verb("review", "approve", second).out

    def test_a_key_of_which_nothing_is_left_comes_with_a_free_one(self, terminal):
        ref = terminal.verb("propose", "--set=key=茶", "--set=text=喜欢乌龙茶", "--json").json[
            "ref"
        ]
        assert "A free key is note." in terminal.verb("review", "list").out
        done = terminal.verb("review", "approve", ref)
        assert (done.status, "A free key is note." in done.out) == (6, True)
        assert terminal.verb("review", "approve", ref, "--set=key=note").status == 0
        again = terminal.verb("propose", "--set=key=水", "--set=text=喜欢热水", "--json").json[
            "ref"
        ]
        shown = terminal.verb("show", again, "--json").json["preview"]
        assert (shown["refusal"], shown["fields"]) == (
            "record.key_empty",
            {"proposed_key": "note_2"},
        )

    def test_the_same_text_under_another_key_is_told_before_and_after(self, terminal):
        for key in ("tea", "drink"):
            terminal.verb("propose", f"--set=key={key}", "--set=text=likes green tea at noon")
        first, second = (
            one["ref"] for one in terminal.verb("review", "list", "--json").json["records"]
        )
        terminal.verb("review", "approve", first)
        for more in (["--dry-run"], []):
            done = terminal.verb("review", "approve", second, *more)
            assert f"{second}: the same text is saved under another key, as memory:" in done.out
            counted = "1 adds a memory whose text is saved under another key" in done.out
            assert counted == bool(more)

    def test_many_that_fail_for_one_cause_are_one_line(self, terminal):
        for n in range(6):
            terminal.verb("propose", f"--set=key=key {n}", f"--set=text=p\u0430y {n} at once")
        done = terminal.verb("review", "approve", "--query=once")
        (line,) = (one for one in done.out.splitlines() if "review:" in one)
        assert (done.status, line.count("review:"), "and 3 more: " in line) == (6, 3, True)
        assert (
            len(terminal.verb("review", "approve", "--query=once", "--json").json["results"]) == 6
        )

    def test_each_kind_of_what_is_hidden_has_its_own_words(self, terminal):
        terminal.verb("propose", "--set=key=pay", "--set=text=pay at p\u0430ypal.com")
        terminal.verb("propose", "--set=key=far", f"--set=text=seen{' ' * 200}unseen")
        listed = terminal.verb("review", "list").out
        assert "letters of two alphabets in one word" in listed
        assert "text far out of sight" in listed
        assert "characters that do not show" not in listed

    def test_personal_data_is_covered_and_needs_to_be_insisted_on(self, terminal):
        values = ("--set=key=zhang", "--set=text=张伟的手机是 13812345678")
        ref = terminal.verb("propose", *values, "--set=evidence=打 13812345678", "--json").json[
            "ref"
        ]
        assert (
            "add a memory; personal data; only if you insist" in terminal.verb("review", "list").out
        )
        shown = terminal.verb("show", ref).out
        assert "13812345678" not in shown
        assert "A secret or personal data is covered here" in shown
        assert "13812345678" in terminal.verb("show", ref, "--json").out
        assert terminal.verb("review", "approve", ref).status == 6
        terminal.language = "zh_CN.UTF-8"
        assert "含个人信息；只有坚持才会保存" in terminal.verb("review", "list").out
        assert terminal.verb("review", "approve", ref, "--despite", "personal").status == 0

    def test_a_filter_that_finds_nothing_says_so(self, terminal):
        terminal.verb("propose", "--set=text=likes green tea")
        assert (
            "Nothing that waits has these words."
            in terminal.verb("review", "list", "--query", "coffee").out
        )
        for act in ("approve", "reject"):
            done = terminal.verb("review", act, "--query", "coffee")
            assert "Nothing that waits has these words." in done.out
            assert done.status == 0

    def test_the_query_of_a_decision_may_come_from_standard_input(self, terminal):
        terminal.verb("propose", "--set=text=likes green tea")
        done = terminal.verb("review", "reject", "--query-file", "-", "--json", stdin="green\n")
        assert done.json["counts"] == {"rejected": 1, "failed": 0}

    def test_show_tells_what_a_proposal_became(self, terminal):
        ref = terminal.verb("propose", "--set=text=likes tea", "--set=key=tea", "--json").json[
            "ref"
        ]
        assert "Decided" not in terminal.verb("show", ref).out
        terminal.verb("review", "approve", ref, "--set=text=likes green tea")
        shown = terminal.verb("show", ref)
        assert "Saved with another text, as memory:" in shown.out
        assert "likes green tea" in shown.out
        story = terminal.verb("show", ref, "--json").json["story"]
        assert story["saved_as"]["text"] == "likes green tea"
        assert story["decided_at"]
        other = terminal.verb("propose", "--set=text=likes rye", "--set=key=rye", "--json").json
        terminal.verb("review", "approve", other["ref"])
        assert "Saved as it was proposed: memory:" in terminal.verb("show", other["ref"]).out

    def test_a_rejection_that_nothing_can_keep_says_so(self, kept):
        terminal = kept.terminal
        ref = propose(kept, "likes tea", key="tea")
        done = terminal.verb("review", "reject", ref)
        assert "no keychain" in done.out
        terminal.verb("review", "reopen", ref)
        assert not terminal.verb("review", "reject", ref, "--json").json["remembered"]
        rye = propose(kept, "likes rye", key="rye")
        assert "keychain" not in kept("review", "reject", rye).out
        oat = propose(kept, "likes oat", key="oat")
        assert kept("review", "reject", oat, "--json").json["remembered"]
        propose(kept, "likes oat", key="oat")
        propose(kept, "likes barley", key="barley")
        again = kept("review", "reject", "--rejected-before", "--json").json["counts"]
        assert again == {"rejected": 1, "failed": 0}

    def test_decisions_are_taken_back_by_name_in_a_later_run(self, terminal):
        tea, rye = (
            terminal.verb("propose", f"--set=text=likes {one}", f"--set=key={one}", "--json").json[
                "ref"
            ]
            for one in ("tea", "rye")
        )
        terminal.verb("review", "approve", tea, "--set=text=likes green tea", "--set=key=green tea")
        terminal.verb("review", "reject", rye)
        live = "SELECT content FROM memories WHERE deleted_at IS NULL AND content LIKE 'likes%'"
        assert terminal.rows(live) == [("likes green tea",)]
        assert terminal.verb("review", "reject", tea, "--take-back").status == 6
        done = terminal.verb("review", "approve", tea, "--take-back", "--json")
        assert (done.status, done.json["counts"]) == (0, {"reopened": 1, "failed": 0})
        assert terminal.rows(live) == []
        assert terminal.verb("review", "reject", rye, "--take-back").status == 0
        assert terminal.verb("review", "list", "--json").json["total"] == 2
        assert terminal.verb("review", "approve", "--query", "tea", "--take-back").status == 2

    def test_show_tells_what_approving_would_do_word_by_word(self, terminal):
        ref = terminal.verb(
            "propose", "--set=text=apple is a red fruit", "--set=key=apple", "--json"
        ).json["ref"]
        shown = terminal.verb("show", ref)
        assert "confidence: the agent inferred it" in shown.out
        assert "apple is a {+red +}fruit" in shown.out
        assert "Approving would: replace a memory" in shown.out
        far = f"--set=text=seen at p\u0430ypal{chr(10) * 30}unseen"
        ref = terminal.verb("propose", far, "--set=key=far", "--json").json["ref"]
        shown = terminal.verb("show", ref).out
        assert "p⟦U+0430⟧ypal" in shown
        assert "⟦↵×29⟧" in shown
        assert chr(10) * 3 not in shown
        assert "1 word mixes letters" in shown


def test_what_differs_between_two_secrets_is_covered(kept):
    start = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    sets = ["--set=title=Token", f"--set=text=the token is {start}ABCDEFGHIX"]
    added = kept("add", *sets, "--despite", "secret")
    assert added.status == 0, added.err
    sets = ["--set=title=Token", f"--set=text=the token is {start}ABCDEFGHIY"]
    again = kept("propose", "--json", *sets, "--despite", "secret")
    shown = kept("show", again.json["ref"]).out
    assert "against it" in shown
    assert "GHIX" not in shown
    assert "GHIY" not in shown
