# SPDX-License-Identifier: MIT
"""New records of every sort, and why one may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import UserError

TAKEN = {"record.key_taken", "facts.same", "persistent.key_taken"}
OF_OTHERS = {"record.secret", "record.no_entity", "scope.other_store", *TAKEN}
"""Why a record is refused whose values are good: because of the store, or of a guard."""


def told(call: Callable[[], Any]) -> Any:
    """What a call gives, or the code of what it raises."""
    try:
        return call()
    except UserError as error:
        return error.code


def variations(fields: Fields) -> list[Fields]:
    """A new record, the same again, and each of its values left out, empty, odd, or too long."""
    odd = ("", "half \ud800", "long " * 1_000, "other", " ", "\0", "中文", "sk-ant-" + "a1" * 20)
    some = {name: odd if name in {"text", "title"} else odd[:4] for name in fields}
    changed = [{**fields, name: one} for name, values in some.items() for one in values]
    without = [{n: v for n, v in fields.items() if n != name} for name in fields]
    more = [{**fields, "colour": "red"}, {**fields, "title": "one more", "type": "person"}, {}]
    return [fields, fields, *changed, *without, *more]
