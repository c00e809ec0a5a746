# SPDX-License-Identifier: MIT
"""How a verb ends: the numbers of CLI.md."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from memory_gui.stores.registry import REFUSING


class Exit(IntEnum):
    """Exit statuses."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NO_KEY = 3
    NOT_FINISHED = 4
    NO_SUCH = 5
    REFUSED = 6
    NOT_PROVED = 7
    STILL_THERE = 8
    WRONG = 9


_ORDER: Final = (
    Exit.NOT_PROVED,
    Exit.NOT_FINISHED,
    Exit.NO_KEY,
    Exit.REFUSED,
    Exit.NO_SUCH,
    Exit.FAILED,
    Exit.DONE,
)
"""Of several the worst, in this order."""

_BY_CODE: Final = {
    "store.missing": Exit.NO_SUCH,
    "discover.no_folder": Exit.NO_SUCH,
    "store.two_formats": Exit.USAGE,
    "store.no_such_format": Exit.USAGE,
    "store.is_folder": Exit.NO_SUCH,
    "store.is_above": Exit.NO_SUCH,
    "store.not_open": Exit.NO_SUCH,
    "record.gone": Exit.NO_SUCH,
    "ref.unknown": Exit.NO_SUCH,
    "ref.unreadable": Exit.NO_SUCH,
    "known.not_found": Exit.NO_SUCH,
    "store.locked": Exit.NOT_FINISHED,
    "store.away": Exit.NOT_FINISHED,
    "store.let_go": Exit.NOT_FINISHED,
    "store.let_go_window": Exit.NOT_FINISHED,
    "neighbours.held": Exit.NOT_FINISHED,
    "neighbours.silent": Exit.NOT_FINISHED,
    "acts.none": Exit.NO_SUCH,
    "rules.pattern": Exit.USAGE,
    "rules.seen": Exit.USAGE,
    "rules.unknown": Exit.NO_SUCH,
    "rules.decision": Exit.NO_SUCH,
    "rules.gone": Exit.NO_SUCH,
    "rules.memory_changed": Exit.REFUSED,
    "erase.missing": Exit.NO_SUCH,
    "erase.on_hold": Exit.REFUSED,
    "erase.file_on_hold": Exit.REFUSED,
    "erase.holds_unseen": Exit.REFUSED,
    "case.unknown": Exit.NO_SUCH,
    "case.unknown_find": Exit.NO_SUCH,
    "case.no_such_subject": Exit.NO_SUCH,
    "case.nothing": Exit.NO_SUCH,
    "case.nothing_left": Exit.NO_SUCH,
    "case.no_name": Exit.USAGE,
    "case.short_name": Exit.USAGE,
    "case.long_name": Exit.USAGE,
    "case.many_names": Exit.USAGE,
    "case.date": Exit.USAGE,
    "case.future": Exit.USAGE,
    "case.past": Exit.USAGE,
    "case.ground": Exit.USAGE,
    "case.method": Exit.USAGE,
    "case.subjects": Exit.USAGE,
    "case.list_columns": Exit.USAGE,
    "case.list_line": Exit.USAGE,
    "case.list_empty": Exit.USAGE,
    "case.list_long": Exit.USAGE,
    "case.hold_reason": Exit.USAGE,
    "case.keep_reason": Exit.USAGE,
    "case.no_reason": Exit.USAGE,
    "case.no_item": Exit.NO_SUCH,
    "case.no_ledger": Exit.NO_KEY,
    "case.running": Exit.NOT_FINISHED,
    "case.stopped": Exit.NOT_FINISHED,
    "case.not_seen": Exit.NOT_FINISHED,
    "erase.nothing": Exit.NO_SUCH,
    "erase.more_rows": Exit.REFUSED,
    "erase.rowids": Exit.REFUSED,
    "erase.rowid_reference": Exit.REFUSED,
    "erase.contentless": Exit.REFUSED,
    "erase.cascade": Exit.REFUSED,
    "erase.unfinished": Exit.NOT_FINISHED,
    "erase.running": Exit.NOT_FINISHED,
    "erase.in_use": Exit.NOT_FINISHED,
    "rotation.in_use": Exit.NOT_FINISHED,
    "rotation.running": Exit.NOT_FINISHED,
    "rotation.unsettled": Exit.NOT_FINISHED,
    "rotation.hard_links": Exit.REFUSED,
    "rotation.cipher": Exit.REFUSED,
    "rotation.slots_full": Exit.REFUSED,
    "rotation.old_key_waits": Exit.REFUSED,
    "process.gone": Exit.NOT_FINISHED,
    "store.cannot": Exit.REFUSED,
    "store.read_only": Exit.REFUSED,
    "store.old_format": Exit.REFUSED,
    "store.newer_schema": Exit.REFUSED,
    "store.constraint": Exit.REFUSED,
    "store.number": Exit.REFUSED,
    "store.foreign_objects": Exit.REFUSED,
    "list.sort": Exit.USAGE,
    "export.format": Exit.USAGE,
    "terminal.permission": Exit.REFUSED,
    "terminal.may_not_keep": Exit.REFUSED,
    "terminal.may_not_ask": Exit.REFUSED,
    "agent.unknown": Exit.USAGE,
    "agent.arguments": Exit.USAGE,
    "agent.not_found": Exit.FAILED,
    "agent.no_python": Exit.FAILED,
    "key.not_encrypted": Exit.FAILED,
    "keys.twice": Exit.NO_KEY,
    "keys.does_not_open": Exit.NO_KEY,
    "recovery.readable": Exit.REFUSED,
    "recovery.passphrase": Exit.REFUSED,
    "recovery.settings": Exit.REFUSED,
    "recovery.not_here": Exit.REFUSED,
    "recovery.exists": Exit.FAILED,
    "recovery.not_written": Exit.FAILED,
    "store.half_header": Exit.REFUSED,
    "store.no_page_checks": Exit.REFUSED,
    "receipt.missing": Exit.NO_SUCH,
    "edit.forget_and_move": Exit.REFUSED,
    "edit.nothing_new": Exit.REFUSED,
    "receipt.no_key": Exit.NO_KEY,
    "filters.unknown": Exit.NO_SUCH,
    "filters.no_name": Exit.USAGE,
    "filters.nothing": Exit.USAGE,
    "filters.no_ledger": Exit.NO_KEY,
    "returned.no_ledger": Exit.NO_KEY,
    "propose.nowhere": Exit.NO_KEY,
    "rules.nowhere": Exit.NO_KEY,
}
_BY_AREA: Final = {
    "keys": Exit.REFUSED,
    "recovery": Exit.NO_KEY,
    "usage": Exit.USAGE,
    "key": Exit.NO_KEY,
    "vault": Exit.NO_KEY,
    "record": Exit.REFUSED,
    "review": Exit.REFUSED,
    "guard": Exit.REFUSED,
    "pair": Exit.REFUSED,
    "scope": Exit.REFUSED,
    "protect": Exit.REFUSED,
    "undo": Exit.REFUSED,
    "standing": Exit.REFUSED,
    "case": Exit.REFUSED,
    "agent": Exit.REFUSED,
    "json": Exit.REFUSED,
    "propose": Exit.REFUSED,
    "filters": Exit.REFUSED,
    **dict.fromkeys(REFUSING, Exit.REFUSED),
}


def status_of(code: str) -> Exit:
    """The exit status for the code of an error."""
    return _BY_CODE.get(code) or _BY_AREA.get(code.partition(".")[0]) or Exit.FAILED


def worst(statuses: Iterable[Exit]) -> Exit:
    """Of several the worst, in the order 7, 4, 3, 6, 5, (1,) 0."""
    found = set(statuses)
    for status in (Exit.USAGE, Exit.STILL_THERE, Exit.WRONG):
        if status in found:
            return status
    return next((status for status in _ORDER if status in found), Exit.DONE)
