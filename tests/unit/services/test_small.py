# SPDX-License-Identifier: MIT
"""Settings, export, checks, lock."""

from __future__ import annotations

import csv
import json
import os
import stat
from dataclasses import replace

import pytest

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.domain.work import CancelToken

MEMORIES = Query(kinds=frozenset({"memory"}))


class TestExport:
    def test_every_field_is_in_the_json(self, pair, tmp_path):
        one = pair.add("tea", "grün\n第二行", tags=("a", "b"))
        out = tmp_path / "out.json"
        assert pair.services.exporting.export(MEMORIES, out) == 1
        (row,) = json.loads(out.read_text("utf-8"))["records"]
        assert (row["title"], row["text"], row["tags"]) == ("tea", "grün\n第二行", ["a", "b"])
        assert row["etag"] == one.etag
        assert row["extra"]["key_normalized"] == "tea"
        assert stat.S_IMODE(out.stat().st_mode) == 0o600

    def test_only_the_records_that_are_named(self, pair, tmp_path):
        for number in range(3):
            pair.add(f"fact {number}", "text")
        library = pair.services.library
        ids = library.search(Query(), "created").ids
        refs = [record.ref for record in library.window(ids)[:2]]
        out = tmp_path / "two.jsonl"
        gone = replace(refs[0], key=("ffffffff",))
        assert pair.services.exporting.export([*refs, gone], out, "jsonl") == 2
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [row["ref"] for row in rows] == [ref.text for ref in refs]

    def test_a_cell_cannot_begin_a_formula(self, pair, tmp_path):
        for number, text in enumerate(("=1+1", "+1", "-1", "@x", " =2", "plain")):
            pair.add(f"cell {number}", text)
        out = tmp_path / "out.csv"
        pair.services.exporting.export(MEMORIES, out, "csv")
        with out.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == 6
        for row in rows:
            assert not any(cell.lstrip().startswith(tuple("=+-@")) for cell in row.values())

    def test_lines_of_json_and_markdown(self, pair, tmp_path):
        pair.add("# tea", "``` not the end\n# no heading")
        lines, marked = tmp_path / "out.jsonl", tmp_path / "out.md"
        pair.services.exporting.export(MEMORIES, lines, "jsonl")
        assert json.loads(lines.read_text())["title"] == "# tea"
        pair.services.exporting.export(MEMORIES, marked, "md")
        text = marked.read_text()
        assert text.startswith("## \\# tea\n")
        assert "````\n``` not the end\n# no heading\n````" in text

    def test_nothing_is_written_over_not_even_through_a_link(self, pair, tmp_path):
        victim = tmp_path / "victim"
        victim.write_text("mine")
        link, dangling = tmp_path / "link", tmp_path / "dangling"
        link.symlink_to(victim)
        dangling.symlink_to(tmp_path / "nowhere")
        for out in (victim, link, dangling):
            with pytest.raises(UserError, match=r"export\.exists"):
                pair.services.exporting.export(MEMORIES, out)
        assert victim.read_text() == "mine"
        assert not (tmp_path / "nowhere").exists()

    def test_a_stopped_export_leaves_nothing(self, pair, tmp_path):
        pair.add("tea")
        token = CancelToken()
        pair.services.library.search(MEMORIES)
        token.cancel()
        with pytest.raises(Cancelled):
            pair.services.exporting.export(MEMORIES, tmp_path / "out", cancel=token)
        assert not (tmp_path / "out").exists()

    def test_an_unknown_format_is_refused(self, pair, tmp_path):
        with pytest.raises(UserError, match=r"export\.format"):
            pair.services.exporting.export(MEMORIES, tmp_path / "out", "docx")


class TestChecks:
    def codes(self, pair):
        return {line.code: line.ok for line in pair.services.checks.check(pair.project.id)}

    def test_a_sound_store(self, pair):
        pair.add("tea")
        found = self.codes(pair)
        assert found["check.structure"] is True
        assert found["check.private"] is True
        assert found["check.foreign"] is True
        assert False not in found.values()

    def test_a_store_that_others_can_read(self, pair):
        os.chmod(pair.project_file, 0o644)
        for folder in (pair.project_file.parent, *pair.project_file.parents):
            if folder.is_relative_to(pair.folder):
                os.chmod(folder, 0o755)
        private = self.codes(pair)["check.private"]
        open_all_the_way = all(p.stat().st_mode & 0o011 for p in pair.project_file.parents)
        assert private is (None if open_all_the_way else True)

    def test_a_damaged_page_is_certain(self, pair):
        for number in range(50):
            pair.add(f"number {number}", "text " * 100)
        pair.services.library.close_all()
        data = bytearray(pair.project_file.read_bytes())
        data[-4096:-3896] = b"\xff" * 200
        pair.project_file.write_bytes(bytes(data))
        lines = pair.services.checks.check(pair.project_file)
        assert {line.code: line.ok for line in lines}["check.structure"] is False


class TestLock:
    def test_lets_go_of_everything_and_says_what_was_open(self, pair, holders_of):
        pair.add("tea")
        paths = pair.services.lock.lock()
        assert paths == [pair.project.id, pair.user.id]
        assert pair.services.lock.is_locked
        assert pair.services.library.stores() == ()
        assert holders_of(pair.project_file) == []
        with pytest.raises(UserError, match=r"store\.not_open"):
            pair.services.library.store(pair.project.id)

    def test_unlocking_opens_it_again(self, pair):
        pair.add("tea")
        pair.services.lock.lock()
        assert pair.services.lock.unlock() == []
        assert not pair.services.lock.is_locked
        counts = pair.services.library.counts([pair.project.id])
        assert counts["memory"] == {State.LIVE: 1}

    def test_what_needs_a_key_is_left_out_and_named(self, make_pair, tmp_path):
        key = RawKey(bytes(32))
        services = make_pair(project_key=key)
        opened = services.library.open(tmp_path / "atlas", key=key)
        services.lock.lock()
        assert services.lock.unlock() == [opened[0].id]
