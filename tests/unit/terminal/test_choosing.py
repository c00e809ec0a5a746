# SPDX-License-Identifier: MIT
"""What a verb is given: which store, which records, which texts; and what is a slip."""

from __future__ import annotations

import io
import json
import os
import time

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.terminal.inputs import MOST_TEXT, read_text
from memory_gui.terminal.progress import progress
from memory_gui.words import Words


class TestAQueryOfAChangingVerb:
    @pytest.mark.parametrize(
        "verb",
        [
            ("trash",),
            ("restore",),
            ("delete", "--yes"),
            ("tag", "--add", "x"),
            ("review", "reject"),
            ("erase", "--yes"),
        ],
    )
    @pytest.mark.parametrize("dry", [(), ("--dry-run",)])
    def test_an_empty_one_is_a_slip(self, terminal, tmp_path, verb, dry):
        before = terminal.rows()
        empty = tmp_path / "empty"
        empty.write_text("\n")
        name, *more = verb
        for query in (("--query", ""), ("--query", ' "" '), ("--query-file", str(empty))):
            place = (more[0], *query, *dry) if name == "review" else (*more, *query, *dry)
            done = terminal.verb(name, *place, "--json")
            assert (done.status, done.json["error"]["code"]) == (2, "usage.empty_query")
        assert terminal.rows() == before

    def test_a_mistake_chooses_nothing_and_is_told(self, terminal):
        before = terminal.rows()
        done = terminal.verb("trash", "--query", "before:soon")
        assert "soon is no date" in done.err
        assert terminal.rows() == before

    def test_a_value_that_nothing_has_is_told_as_in_the_window(self, terminal, tmp_path):
        before = terminal.rows()
        out = str(tmp_path / "out.json")
        for verb, *more in (
            ("list",), ("trash",), ("erase", "--yes"), ("export", out), ("review", "list")
        ):  # fmt: skip
            place = [*more, "--query", "type:wrokflow"]
            done = terminal.verb(verb, *place)
            assert done.err.count("Nothing here has type:wrokflow.") == 1, verb
        without = terminal.verb("list", "--query", "-type:wrokflow", "--json")
        assert without.json["total"] == 3
        assert "Nothing here" not in without.err
        assert terminal.verb("trash", "--query", "--dry-run").status == 2
        assert terminal.rows() == before

    def test_looking_may_have_an_empty_one(self, terminal, tmp_path):
        assert terminal.verb("list", "--query", "", "--json").json["total"] == 3
        assert terminal.verb("export", str(tmp_path / "all.json"), "--query", "").status == 0
        assert terminal.verb("review", "list", "--query", "").status == 0


class TestTexts:
    @pytest.mark.parametrize("verb", ["list", "trash"])
    def test_what_is_no_utf8_is_refused(self, terminal, tmp_path, verb):
        (tmp_path / "bad").write_bytes(b"app\xffle")
        done = terminal.verb(verb, "--query-file", str(tmp_path / "bad"), "--json")
        assert (done.status, done.json["error"]["code"]) == (2, "usage.unreadable")
        assert terminal.verb(verb, "--query", os.fsdecode(b"app\xffle")).status == 2
        bad = f"title={os.fsdecode(bytes([255]))}"
        assert terminal.verb("add", "--set", bad, "--set", "text=x").status == 2

    def test_standard_input_is_read_strictly_whatever_the_stream_lets_through(self):
        stdin = io.TextIOWrapper(io.BytesIO(b"app\xffle"), "utf-8", errors="surrogateescape")
        with pytest.raises(UserError, match=r"usage\.unreadable"):
            read_text("-", stdin)
        stdin = io.TextIOWrapper(io.BytesIO("梨\r\nö".encode()), "ascii", errors="surrogateescape")
        assert read_text("-", stdin) == "梨\nö"

    @pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "fifo", "folder"])
    def test_only_plain_files(self, terminal, tmp_path, name):
        os.mkfifo(tmp_path / "fifo")
        (tmp_path / "folder").mkdir()
        given = f"text=@{tmp_path / name}"
        assert terminal.verb("add", "--set", "title=x", "--set", given).status == 2
        assert len(terminal.rows()) == 3

    def test_not_without_end(self, terminal, tmp_path):
        with (tmp_path / "large").open("wb") as stream:
            stream.truncate(MOST_TEXT + 1)
        done = terminal.verb("list", "--query-file", str(tmp_path / "large"), "--json")
        assert (done.status, done.json["error"]["code"]) == (2, "usage.too_much")


class TestSlips:
    @pytest.mark.parametrize("verb", ["list", "info", "check", "trash"])
    def test_an_empty_store_is_not_the_current_folder(self, terminal, monkeypatch, verb):
        monkeypatch.chdir(terminal.store.parent.parent)
        more = ("x",) if verb == "trash" else ()
        assert terminal(verb, ".", *more, "--no-keychain").status in {0, 5}
        done = terminal(verb, "", *more, "--no-keychain", "--json")
        assert (done.status, done.json["error"]["code"]) == (2, "usage.no_store")

    def test_stores_forget_of_nothing(self, terminal):
        assert terminal("stores", "forget", "", "--no-keychain").status == 2

    def test_a_receipt_of_an_edit_that_erases_nothing(self, terminal, tmp_path):
        receipt = tmp_path / "receipt.json"
        done = terminal.verb("edit", "00000000", "--set", "title=x", "--receipt", str(receipt))
        assert done.status == 2
        assert not receipt.exists()
        assert terminal.rows()[0][1] == "apple"

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--json", "import", "STORE"),
        ],
    )
    def test_a_later_verb_says_so_with_any_option(self, terminal, arguments):
        done = terminal(*arguments)
        assert (done.status, done.json["error"]["code"]) == (2, "usage.later")


class TestProgress:
    def test_one_line_on_a_terminal_taken_away_at_the_end(self):
        stream = io.StringIO()
        stream.isatty = lambda: True  # type: ignore[method-assign]
        with progress(Words("en"), stream) as tick:
            tick("trash", 1, 40)  # at once: not worth a line
            time.sleep(0.11)
            tick("trash", 40, 40)
        assert stream.getvalue() == "\r\x1b[K40 of 40\r\x1b[K"

    def test_nothing_elsewhere(self, terminal):
        assert terminal.verb("trash", "--query", "fruit").err == ""
        assert json.loads(terminal.verb("list", "--json").out)["total"] == 0
