# SPDX-License-Identifier: MIT
"""Verbs of the plan that are not written yet: they say so and end 2."""

from __future__ import annotations

from memory_gui.domain.errors import UserError
from memory_gui.terminal.parser import LATER, Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words


def _arguments(parser: Parser, words: Words) -> None:
    del words
    parser.add_argument("rest", nargs="*", metavar="…")


def later(session: Session) -> Exit:
    """Say so."""
    raise UserError("usage.later", what=session.args.verb)


VERBS = tuple(Verb(name, N_("not written yet"), _arguments) for name in LATER)
RUN = dict.fromkeys(LATER, later)
