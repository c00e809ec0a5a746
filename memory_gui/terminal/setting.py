# SPDX-License-Identifier: MIT
"""``--set f=v``: the option, and the fields that it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.session import Session
from memory_gui.words import Words

FIELDS: Final = ("title", "text", "scope", "type", "tags", "key")
"""What it takes in every store."""


def with_set(parser: Parser, words: Words, *, required: bool) -> None:
    """``--set f=v…``."""
    parser.add_argument(
        "--set",
        metavar="F=V",
        action="append",
        required=required,
        help=words.say(
            "give field F (title, text, scope, type, tags, key; subject and source where the "
            "agent has them) the value V; F=@FILE reads a file, F=- standard input; others on "
            "this computer can see arguments"
        ),
    )


def values_of(
    session: Session, also: Sequence[str] = (), offered: Sequence[str] = ()
) -> dict[str, str | tuple[str, ...]]:
    """The fields of ``--set f=v``; ``f=@FILE`` and ``f=-`` are read; tags are cut at commas.

    ``also`` are names that this verb takes beside FIELDS; ``offered`` are those that a
    refusal names, where records of this store have few.

    Raises:
        UserError: ``usage.set``, ``usage.unreadable``.
    """
    fields: dict[str, str | tuple[str, ...]] = {}
    known = (*FIELDS, *also)
    for item in session.args.set or ():
        name, equals, value = item.partition("=")
        if not equals or name not in known:
            names = dict.fromkeys(offered or known)
            raise UserError("usage.set", fields=", ".join(names))
        if value == "-":
            value = session.read_text("-").removesuffix("\n")
        elif value.startswith("@"):
            value = session.read_text(value[1:]).removesuffix("\n")
        value = plain(value, f"--set {name}")
        if name == "tags":
            fields[name] = tuple(tag.strip() for tag in value.split(",") if tag.strip())
        else:
            fields[name] = value
    return fields
