# SPDX-License-Identifier: MIT
"""What a person reads after an act, and that no secret stands in it."""

import pytest

KEY = "sk-proj-FAKE00000000000000000000000000000000000000000000"


SAID = {
    "en": {
        "trash": "1 record moved to the trash.",
        "restore": "1 record taken back out of the trash.",
        "tag": "Tags changed on 1 record.",
        "delete": "1 record deleted; its bytes may remain in the file.",
        "approve": "1 proposal approved.",
        "reject": "1 proposal rejected.",
        "reopen": "1 proposal waits again.",
    },
    "zh_CN": {
        "trash": "已将 1 条记录移入回收站。",
        "restore": "已从回收站恢复 1 条记录。",
        "tag": "已更改 1 条记录的标签。",
        "delete": "已删除 1 条记录；部分内容可能仍残留在文件中。",
        "approve": "已批准 1 条提议。",
        "reject": "已拒绝 1 条提议。",
        "reopen": "已将 1 条提议重新送审。",
    },
}


@pytest.mark.parametrize("language", SAID)
def test_each_act_tells_what_was_done(terminal, language):
    terminal.language = f"{language}.UTF-8"
    said = SAID[language]
    for act, *more in (
        ("trash",),
        ("restore",),
        ("tag", "--add", "c"),
        ("trash",),
        ("delete", "--yes"),
    ):
        assert terminal.verb(act, "00000000", *more).out.strip() == said[act]


@pytest.mark.parametrize("language", SAID)
def test_each_decision_tells_what_was_done(terminal, language):
    terminal.language = f"{language}.UTF-8"
    values = ("--set", "title=one", "--set", "text=likes one")
    ref = terminal.verb("propose", "--json", *values).json["ref"]
    for act in ("reject", "reopen", "approve"):
        # A second line says that nothing remembers the rejection: there is no keychain.
        first, *more = terminal.verb("review", act, ref).out.strip().splitlines()
        assert (first, len(more)) == (SAID[language][act], act == "reject")


class TestSecrets:
    def test_a_person_reads_dots_and_why(self, terminal):
        for verb, more in (("add", ("--despite", "secret")), ("propose", ("--despite", "secret"))):
            values = ("--set", f"title=key {KEY}", "--set", f"text=the key is {KEY}")
            done = terminal.verb(verb, *values, *more)
            assert done.status == 0
            assert KEY not in done.out
        ref = terminal.verb("list", "--query", "key", "--json").json["records"][0]["ref"]
        for verb, *more in (
            ("list",),
            ("list", "--kind", "all"),
            ("show", ref),
            ("review", "list"),
        ):
            told = terminal.verb(verb, *more).out
            assert KEY not in told, verb
            assert "••••" in told, verb
            covered = "A secret or personal data is covered here. With --json it is shown."
            assert told.count(covered) == 1, verb

    def test_a_program_gets_every_letter(self, terminal):
        values = ("--set", "title=login", "--set", f"text=the key is {KEY}")
        ref = terminal.verb("add", *values, "--despite", "secret", "--json").json["ref"]
        assert KEY in terminal.verb("show", ref, "--json").json["text"]
        assert KEY in terminal.verb("list", "--json").out

    def test_nothing_is_said_where_nothing_is_covered(self, terminal):
        for verb, *more in (("list",), ("show", "00000000"), ("review", "list")):
            assert "covered" not in terminal.verb(verb, *more).out
