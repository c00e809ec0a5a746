# SPDX-License-Identifier: MIT
"""``case export``, ``open-copy`` and ``letter``: what the person is handed."""

from __future__ import annotations

from pathlib import Path

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Finds
from memory_gui.domain.errors import UserError
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.copies import Form, open_copy, write_copy
from memory_gui.services.copies.letter import letter, write_letter
from memory_gui.terminal.cases.finds import status_of_finds, tell_not_looked
from memory_gui.terminal.cases.given import missing
from memory_gui.terminal.inputs import read_descriptor
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, worst


def export(session: Session, mine: Case, finds: Finds, where: Where) -> Exit:
    """Everything found, for the person: pages and JSON.

    Raises:
        UserError: ``copy.*``, ``usage.wrong`` without a place to write it to.
    """
    if not finds.finds:
        session.out.error(UserError("case.no_such_subject"))
        tell_not_looked(session, finds.not_looked)
        return worst([Exit.NO_SUCH, status_of_finds(finds)])
    form = Form(session.args.form)
    out = Path(_one_name(session, "OUT"))
    with session.progress() as tick:
        done = write_copy(
            session.services.cases,
            mine,
            finds,
            where,
            out,
            form=form,
            passphrase=_passphrase(session) if form is Form.SEALED else "",
            tick=tick,
            cancel=session.cancel,
        )
    session.out.document(
        {
            "path": str(done.path),
            "finds": done.records,
            "files": list(done.files),
            "sha256": done.sha256 or None,
            "not_looked": [{"path": one.path, "code": one.code} for one in finds.not_looked],
        }
    )
    tell_not_looked(session, finds.not_looked)
    session.out.line(
        session.words.many(
            "{n} find written to {path}", "{n} finds written to {path}", done.records,
            path=str(done.path),
        )
    )  # fmt: skip
    return worst([Exit.DONE, status_of_finds(finds)])


def opened(session: Session) -> Exit:
    """A sealed copy as the zip that is in it."""
    sealed = session.args.subject or ""
    out = open_copy(Path(sealed), Path(_one_name(session, "OUT")), _passphrase(session))
    session.out.document({"path": str(out)})
    session.out.line(session.words.say("Written to {path}", path=str(out)))
    return Exit.DONE


def answer(session: Session, mine: Case) -> Exit:
    """The letter to the person, as a text that can be changed before it is sent."""
    report = session.services.cases.report(mine)
    text = letter(session.words, report, to=mine.title)
    if not session.args.refs:
        session.out.document({"letter": text})
        session.out.line(text, lines=True)
        return Exit.DONE
    out = write_letter(Path(_one_name(session, "OUT")), text)
    session.out.document({"path": str(out)})
    session.out.line(session.words.say("Written to {path}", path=str(out)))
    return Exit.DONE


def _one_name(session: Session, name: str) -> str:
    refs: list[str] = session.args.refs
    if len(refs) != 1:
        raise missing(session, name)
    return refs[0]


def _passphrase(session: Session) -> str:
    number = session.args.copy_passphrase_fd
    if number is None:
        raise missing(session, "--copy-passphrase-fd")
    return read_descriptor(number)
