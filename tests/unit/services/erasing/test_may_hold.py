# SPDX-License-Identifier: MIT
"""Who may still hold what is erased: in the plan, the result and the receipt, never as clean."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.erasing import MayHold
from memory_gui.engine.connection import open_database
from memory_gui.words import Words
from memory_gui.words.erasure import HOLDING, holding

TEXT = "the canary of this test sings at seven every morning"


def codes(told):
    return {(one.code, *one.params.values()) for one in told}


def transcript(pair, name, session, model, when, text=""):
    file = pair.folder / "atlas/.agentao/sessions" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    messages = [{"role": "user", "content": text}]
    file.write_text(
        json.dumps(
            {"session_id": session, "model": model, "updated_at": when, "messages": messages}
        )
    )
    return str(file)


def test_models_since_then_and_transcripts_and_summaries_of_its_session(pair, tmp_path):
    new = {"title": "canary", "text": TEXT, "scope": "project", "session": "s-1"}
    (item,) = pair.services.review.propose(pair.project.id, NewRecord("review", new)).changes.added
    later, before = "2999-01-01T00:00:00+00:00", "2001-01-01T00:00:00+00:00"
    of_it = transcript(pair, "1", "s-1", "model-a", later)
    transcript(pair, "2", "s-2", "model-a", later)
    repeats = transcript(pair, "3", "s-3", "model-b", later, f"So: {TEXT}")
    transcript(pair, "4", "s-4", "model-old", before)
    (pair.folder / "atlas/.agentao/sessions/5.json").write_text("[not json")
    with open_database(pair.project_file, None, write=True) as connection, connection.writing():
        connection.execute(
            "INSERT INTO session_summaries(id, session_id, summary_text, created_at)"
            " VALUES ('0123456789ab', 's-1', 'it sang', '2026-01-01T00:00:00')"
        )
    plan = pair.services.erasing.plans.plan([item])
    assert codes(plan.may_hold) == {
        ("hold.provider", "model-a", "2"),
        ("hold.provider", "model-b", "1"),
        ("hold.session", of_it),
        ("hold.summary", "summary:0123456789ab", str(pair.project_file)),
    }
    receipt = tmp_path / "receipt.json"
    result = pair.services.erasing.run(plan, receipt=receipt)
    assert codes(result.may_hold) == codes(plan.may_hold) | {("hold.session", repeats)}
    written = json.loads(receipt.read_text())["may_still_hold"]
    assert {one["code"] for one in written} == {"hold.provider", "hold.session", "hold.summary"}
    assert TEXT not in receipt.read_text()


def test_a_log_that_was_not_chosen_is_named(pair):
    one = pair.add("canary", TEXT)
    log = pair.folder / "atlas/agentao.log"
    log.write_text("nothing of it")
    plan = pair.services.erasing.plans.plan([one.ref])
    assert plan.may_hold == ()
    result = pair.services.erasing.run(plan, clean_side_files=False)
    assert codes(result.may_hold) == {("hold.log", str(log))}


@pytest.fixture
def agent(tmp_path):
    """Starts a program named agentao, as its package's own script is started, in a folder."""
    started = []

    def start(folder):
        script = tmp_path / "bin/agentao"
        script.parent.mkdir(exist_ok=True)
        script.write_text("import sys\nprint('up', flush=True)\nsys.stdin.read()\n")
        # The child of a child: not of our family.
        code = "import os,sys\nif os.fork(): os._exit(0)\nos.execv(sys.argv[1], sys.argv[1:])"
        process = subprocess.Popen(
            [sys.executable, "-c", code, sys.executable, str(script)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdout.readline() == b"up\n"
        started.append(process)

    yield start
    for process in started:
        process.stdin.close()
        process.stdout.read()
        process.stdout.close()
        process.wait()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_agent_that_runs_in_the_projects_folder_is_named_with_its_pid(pair, agent):
    one = pair.add("canary", TEXT)
    agent(pair.folder / "atlas")
    until = time.monotonic() + 60
    told = ()
    while not told and time.monotonic() < until:
        told = pair.services.erasing.plans.plan([one.ref]).may_hold
    assert {held.params["name"] for held in told} == {"agentao"}
    assert all(int(held.params["pid"]) > 1 for held in told)
    other = pair.services.erasing.plans.programs([pair.project.info])
    assert len(other) == 1


def test_every_one_has_words_in_both_languages():
    params = {"name": "n", "pid": "1", "model": "m", "count": "2", "path": "/p", "ref": "r"}
    for code in HOLDING:
        english, chinese = (holding(Words(one), MayHold(code, params)) for one in ("en", "zh_CN"))
        assert "{" not in english + chinese
        assert english != chinese
