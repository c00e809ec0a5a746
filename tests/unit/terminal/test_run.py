# SPDX-License-Identifier: MIT
"""How a call ends when nobody reads its answer, or it cannot be written."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-I", "-m", "memory_gui.cli"]


@pytest.fixture
def shell(terminal):
    """Runs a line of shell in which ``$CLI`` is the program and ``$STORE`` the store."""

    def call(line: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "HOME": str(terminal.home),
            "PATH": "/usr/bin:/bin",
            "CLI": " ".join(PROGRAM),
            "STORE": str(terminal.store),
        }
        return subprocess.run(
            ["/bin/bash", "-c", line],
            check=False,
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    return call


class TestTheReaderLeaves:
    def test_the_verbs_own_status_is_kept_quietly(self, shell):
        done = shell("$CLI show $STORE nothing --json --no-keychain | true; exit ${PIPESTATUS[0]}")
        assert (done.returncode, done.stderr) == (5, "")
        done = shell("$CLI list $STORE --json --no-keychain | true; exit ${PIPESTATUS[0]}")
        assert (done.returncode, done.stderr) == (0, "")

    def test_an_act_is_done_all_the_same(self, shell, terminal):
        done = shell("$CLI trash $STORE 00000000 99 --no-keychain | true; exit ${PIPESTATUS[0]}")
        assert done.returncode == 5
        line = "$CLI delete $STORE 00000000 --yes --no-keychain | true; exit ${PIPESTATUS[0]}"
        shell("$CLI trash $STORE 00000000 --no-keychain | true")
        assert (shell(line).returncode, len(terminal.rows())) == (0, 2)


@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
class TestTheAnswerCannotBeWritten:
    def test_a_verb_that_reads_fails_with_one_line(self, shell, where):
        verbs = ["list $STORE --json", "list $STORE", "info $STORE"]
        for verb in [*verbs, "--help"] if where == ">/dev/full" else verbs:
            done = shell(f"$CLI {verb} --no-keychain {where}")
            assert done.returncode == 1, verb
            assert done.stderr.startswith("The answer could not be written"), done.stderr
            assert "Traceback" not in done.stderr
            assert "bug" not in done.stderr

    def test_an_act_keeps_its_status_and_says_so(self, shell, terminal, where):
        done = shell(f"$CLI trash $STORE 00000000 --json --no-keychain {where}")
        assert done.returncode == 0
        assert "could not be written" in done.stderr
        assert terminal.rows("SELECT count(*) FROM memories WHERE deleted_at IS NOT NULL") == [(1,)]
        done = shell(f"$CLI trash $STORE 00000000 --json --no-keychain {where}")
        assert done.returncode == 6

    def test_a_dry_run_is_reading(self, shell, where):
        assert shell(f"$CLI trash $STORE 00000001 --dry-run --no-keychain {where}").returncode == 1


def test_closed_streams_are_no_files_of_ours(shell):
    done = shell("$CLI trash $STORE 00000000 --no-keychain <&- >&- 2>&-")
    assert done.returncode == 0
