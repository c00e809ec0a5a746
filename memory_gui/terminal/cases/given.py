# SPDX-License-Identifier: MIT
"""What the arguments of ``case`` give: the case itself, days, texts, what is found about it."""

from __future__ import annotations

from datetime import date

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Finds
from memory_gui.domain.errors import UserError
from memory_gui.services.cases.finding.places import Where
from memory_gui.terminal.cases.run import look
from memory_gui.terminal.session import Session


def missing(session: Session, name: str) -> UserError:
    """That the act needs an argument of that name."""
    detail = session.words.say("This needs {name}.", name=name)
    return UserError("usage.wrong", detail=detail)


def the_case(session: Session) -> Case:
    """The case that is named by its number. Raises UserError ``case.unknown``."""
    text = session.args.subject or ""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise UserError("case.unknown", number=text)
    return session.services.cases.case(int(text))


def given_text(session: Session) -> str:
    """That of ``--text-file``."""
    name = session.args.text_file
    return "" if name is None else session.read_text(name).strip()


def given_day(text: str | None) -> date | None:
    """A day. Raises UserError ``case.date``."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError("case.date", date=text) from error


def finds_of(session: Session, mine: Case, where: Where) -> Finds:
    """What is found about it, with progress."""
    return look(session, [mine], where)[0]
