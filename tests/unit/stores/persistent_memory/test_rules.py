# SPDX-License-Identifier: MIT
"""What may be written, and what of a stored row makes the app refuse it."""

from __future__ import annotations

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.stores.formats.persistent_memory import rules
from memory_gui.stores.sql.cells import Cell, Mangled, Row, cells_of

GOOD: dict[str, Cell] = {
    "user_id": "lin",
    "kind": "preference",
    "memory_key": "editor.theme",
    "value": "Dark 深色",
    "source_session": "session-1",
    "revision": 1,
}


def refusal(**cells: Cell) -> str:
    """The code with which a row is refused; empty for one that is taken."""
    try:
        rules.check({**GOOD, **cells}, ["用户"])
    except UserError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("memory_key", "a", ""),
        ("memory_key", "a" * 64, ""),
        ("memory_key", "z0_.:-", ""),
        ("memory_key", "", "record.title_empty"),
        ("memory_key", "a" * 65, "record.key_long"),
        ("memory_key", "0a", "persistent.key"),
        ("memory_key", "Theme", "persistent.key"),
        ("memory_key", "a b", "persistent.key"),
        ("memory_key", "a\n", "persistent.key"),
        ("memory_key", "主题", "persistent.key"),
        ("memory_key", "a\u202e", "persistent.key"),
        ("value", "x" * 512, ""),
        ("value", "🌶" * 512, ""),
        ("value", "x" * 513, "record.text_long"),
        ("value", " \n\t", "record.text_empty"),
        ("value", "a\0b", "persistent.nul"),
        ("value", "\ud800", "record.not_unicode"),
        ("value", Mangled(b"\xff"), "record.not_unicode"),
        ("source_session", "S_1.a-b", ""),
        ("source_session", "会话", "persistent.session"),
        ("source_session", "", "persistent.session"),
        ("source_session", "s" * 65, "persistent.session"),
        ("source_session", "-s", "persistent.session"),
        ("user_id", "用户", ""),  # is there already
        ("user_id", "别人", "persistent.user"),
        ("user_id", "", "persistent.user"),
        ("kind", "episode", ""),
        ("kind", "note", "record.type_unknown"),
    ],
)
def test_what_is_refused_before_it_is_written(column: str, value: Cell, code: str) -> None:
    assert refusal(**{column: value}) == code


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("memory_key", "Bad Key", "persistent.odd_key"),
        ("memory_key", b"a", "persistent.odd_key"),
        ("value", "a\0b", "persistent.odd_value"),
        ("value", Mangled(b"\xff\xfe"), "persistent.odd_value"),
        ("value", None, "persistent.odd_value"),
        ("value", "x" * 513, "persistent.odd_value"),
        ("source_session", "会话", "persistent.odd_session"),
        ("revision", 1.5, "persistent.odd_revision"),
        ("revision", 0, "persistent.odd_revision"),
        ("revision", "2", "persistent.odd_revision"),
        ("kind", "note", "persistent.odd_kind"),
        ("user_id", b"\0", "persistent.odd_user"),
    ],
)
def test_what_the_app_refuses_to_read_is_named(column: str, value: Cell, code: str) -> None:
    assert rules.faults(Row(1, {**GOOD, column: value})) == (code,)
    assert rules.faults(Row(1, GOOD)) == ()


def test_a_field_that_it_does_not_have_is_refused() -> None:
    with pytest.raises(UserError, match=r"record\.no_such_field"):
        cells_of({"tags": ("a",)}, rules.COLUMN_OF)
