# SPDX-License-Identifier: MIT
"""``edit --forget-old``: another text for a record, and the old one gone for good."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.changes import Edit
from memory_gui.domain.errors import UserError
from memory_gui.services.shapes import record_data
from memory_gui.terminal.looking import print_record
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.terminal.telling import tell_result
from memory_gui.words.erasure import new_key_lines


def forget_old(session: Session, edit: Edit, *, despite_foreign: bool) -> Exit:
    """Edit, erase, prove; the status is that of the erase.

    Raises:
        UserError: as ``Forgetting.edit``; as ``Session.confirm``.
    """
    receipt = session.args.receipt
    plan = session.services.forgetting.plan(edit)
    for store in plan.stores:
        if store.gets_new_key:
            told = (store.path, store.paper, store.others)
            for line in new_key_lines(session.words, *told, given=store.given):
                session.out.line(line)
    session.confirm(
        session.words.say(
            "Change {ref} and erase its old text for good? This cannot be undone.",
            ref=edit.target.ref.text,
        )
    )
    done = session.services.forgetting.edit(
        edit,
        plan,
        cancel=session.cancel,
        receipt=None if receipt is None else Path(receipt),
        despite_foreign=despite_foreign,
    )
    kinds = {rows.table: rows.kind for store in plan.stores for rows in store.rows}
    kept = (*done.edit.changes.changed, *done.edit.changes.added)
    ref = next((ref for ref in kept if ref.kind == edit.target.ref.kind), edit.target.ref)
    record = session.services.library.record(ref)
    if record is None:
        raise UserError("record.gone", ref=ref.text)
    session.out.document(
        {
            "store": str(ref.store),
            **record_data(record),
            "erase": done.erase.as_json(),
        }
    )
    print_record(session, record)
    tell_result(session, done.erase, kinds)
    session.services.erasing.told(done.erase, at_once=session.streams.stdout.isatty())
    return Exit(done.erase.exit_code)
