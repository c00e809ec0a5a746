# SPDX-License-Identifier: MIT
"""No control, bidi or invisible character reaches the terminal."""

from __future__ import annotations

import io
import json

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.terminal.output import Output, escape, fit, width
from memory_gui.terminal.status import Exit, status_of, worst
from memory_gui.words import Words


class Stream(io.StringIO):
    def __init__(self, encoding="utf-8"):
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self):
        return self._encoding


def output(*, as_json=False, encoding="utf-8", language="en"):
    out, err = Stream(encoding), Stream(encoding)
    return Output(Words(language), as_json=as_json, out=out, err=err), out, err


class TestEscaping:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("plain", "plain"),
            ("深色 straße", "深色 straße"),
            ("a\nb", r"a\nb"),
            ("\x1b[2Jx", r"\u{1b}[2Jx"),
            ("a\x07\x9b31m", r"a\u{7}\u{9b}31m"),
            ("\u202eevil", r"\u{202e}evil"),
            ("zero\u200bwidth", r"zero\u{200b}width"),
            ("tag\U000e0041", r"tag\u{e0041}"),
            ("half\ud800", r"half\u{d800}"),
            ("\u3164", r"\u{3164}"),
        ],
    )
    def test_every_character_is_seen(self, text, shown):
        assert escape(text) == shown

    def test_lines_are_kept_where_wanted(self):
        assert escape("a\nb\rc", lines=True) == "a\nb\\rc"

    def test_json_holds_no_raw_one_and_reads_back_the_same(self):
        text = "\x1b[2J\u202e\u200b\x7f\x9b\U000e0041 深色"
        printer, out, _ = output(as_json=True)
        printer.document({"text": text})
        raw = out.getvalue()
        assert not any(c in raw for c in "\x1b\u202e\u200b\x7f\x9b\U000e0041")
        assert "深色" in raw
        assert json.loads(raw) == {"text": text}

    def test_json_fits_a_poor_terminal(self):
        printer, out, _ = output(as_json=True, encoding="ascii")
        printer.document({"text": "深色"})
        assert out.getvalue().isascii()

    def test_columns_line_up_with_wide_letters(self):
        assert width("深色a") == 5
        assert width(fit("深色主题", 5)) == 5
        assert fit("abc", 5) == "abc  "


class TestErrors:
    def test_json_errors_are_english_whatever_the_language(self):
        printer, out, err = output(as_json=True, language="zh_CN")
        printer.error(UserError("store.missing", path="/x"))
        document = json.loads(out.getvalue())["error"]
        assert document["code"] == "store.missing"
        assert document["params"] == {"path": "/x"}
        assert document["text"].startswith("There is no file at /x.")
        assert err.getvalue() == ""

    def test_people_are_told_on_standard_error_in_their_language(self):
        printer, out, err = output(language="zh_CN")
        printer.error(UserError("key.empty"))
        assert out.getvalue() == ""
        assert "口令" in err.getvalue()


class TestStatus:
    @pytest.mark.parametrize(
        ("code", "status"),
        [
            ("store.missing", 5),
            ("record.gone", 5),
            ("ref.unknown", 5),
            ("record.changed", 6),
            ("record.secret", 6),
            ("store.cannot", 6),
            ("pair.needed", 6),
            ("key.wrong", 3),
            ("key.needed", 3),
            ("vault.locked", 3),
            ("store.locked", 4),
            ("rotation.in_use", 4),
            ("usage.wrong", 2),
            ("store.damaged", 1),
            ("store.not_a_database", 1),
            ("export.exists", 1),
            ("export.format", 2),
            ("list.sort", 2),
            ("propose.no_text", 6),
            ("propose.nowhere", 3),
            ("json.broken", 6),
            ("json.refused", 6),
            ("langgraph.no_object", 6),
            ("mem0.faiss_index", 6),
            ("rules.nowhere", 3),
        ],
    )
    def test_of_one_error(self, code, status):
        assert status_of(code) == status

    def test_of_several_the_worst(self):
        order = [7, 4, 3, 6, 5, 0]
        for place, status in enumerate(order):
            assert worst([Exit(s) for s in reversed(order[place:])]) == status
