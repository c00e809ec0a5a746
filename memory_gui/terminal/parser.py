# SPDX-License-Identifier: MIT
"""The command line's grammar, said in the person's language. Imports no service."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from memory_gui import __version__
from memory_gui.domain.errors import UserError
from memory_gui.words import N_, Words

Configure = Callable[["Parser", Words], None]


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its name, one line of help (source text) and its arguments."""

    name: str
    help: str
    configure: Configure


_PATTERNS: Final = (
    (
        re.compile(r"the following arguments are required: (.*)"),
        N_("These arguments are missing: {detail}."),
    ),
    (re.compile(r"unrecognized arguments: (.*)"), N_("These arguments are not known: {detail}.")),
    (re.compile(r"argument (.*): expected .*"), N_("A value is missing after {detail}.")),
    (
        re.compile(r"argument (.*): invalid .*"),
        N_("The value after {detail} is not one of those possible."),
    ),
    (
        re.compile(r"argument (.*): not allowed with .*"),
        N_("{detail} does not go with the others."),
    ),
)
"""argparse's own messages, which are English only, in words of ours."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Says ``usage:`` in the person's language."""

    usage_word = "usage: "

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """With our own prefix."""
        super().add_usage(usage, actions, groups, self.usage_word if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """Raises UserError ``usage.wrong`` instead of ending the program."""

    def __init__(self, *, words: Words, **options: Any) -> None:
        usage_word = words.say("usage: ")

        class Formatter(_Formatter):
            pass

        Formatter.usage_word = usage_word
        super().__init__(add_help=False, formatter_class=Formatter, allow_abbrev=False, **options)
        self.words = words
        self._positionals.title = words.say("what to name")
        self._optionals.title = words.say("options")
        self.add_argument("-h", "--help", action="help", help=words.say("show this help and end"))

    def format_help(self) -> str:
        """Headings end in the colon of the language, as everything else here does."""
        text = super().format_help()
        if self.words.language != "zh_CN":
            return text
        return re.sub(r"(?m)^(\S.*[\u4e00-\u9fff]):$", r"\1：", text)

    def error(self, message: str) -> NoReturn:
        """Raise ``usage.wrong``; the detail names arguments only, never their values."""
        for pattern, text in _PATTERNS:
            found = pattern.match(message)
            if found:
                detail = found.group(1)
                raise UserError("usage.wrong", detail=self.words.say(text, detail=detail))
        raise UserError("usage.wrong", detail=message)


def with_common(
    parser: Parser, words: Words, *, top: bool = False, own_format: bool = False
) -> None:
    """Options that every verb takes. Before the verb they may stand as well (``top``).

    ``own_format``: the verb means something else by ``--format``.
    """
    missing: Any = None if top else argparse.SUPPRESS
    unset: Any = False if top else argparse.SUPPRESS
    group = parser.add_argument_group(words.say("options of every verb"))
    group.add_argument(
        "--json",
        action="store_true",
        default=unset,
        help=words.say("print one JSON document and nothing else"),
    )
    group.add_argument(
        "--key-fd",
        type=int,
        metavar="N",
        default=missing,
        help=words.say("read the raw key (64 hex digits) or a recovery key from file descriptor N"),
    )
    group.add_argument(
        "--passphrase-fd",
        type=int,
        metavar="N",
        default=missing,
        help=words.say("read a passphrase from file descriptor N"),
    )
    group.add_argument(
        "--cipher",
        type=int,
        choices=(1, 2, 3, 4),
        default=missing,
        help=words.say("SQLCipher version of the store, instead of finding it out"),
    )
    group.add_argument(
        "--cipher-settings",
        metavar="LIST",
        default=missing,
        help=words.say(
            "how another program set SQLCipher up: page=, iterations=, hmac=, kdf=, header=, salt="
        ),
    )
    group.add_argument(
        *(("--store-format",) if top or own_format else ("--format", "--store-format")),
        dest="format_name",
        metavar="NAME",
        default=missing,
        help=words.say("of which format the store is, where that cannot be told by itself"),
    )
    group.add_argument(
        "--no-keychain",
        action="store_true",
        default=unset,
        help=words.say("never touch the keychain"),
    )


def with_store(parser: Parser, words: Words) -> None:
    """The store that a verb is about."""
    parser.add_argument(
        "store", metavar="STORE", help=words.say("a file or folder, or name:NAME of a known store")
    )


def with_query(parser: Parser, words: Words) -> None:
    """Choosing records by a text in them."""
    parser.add_argument(
        "--query",
        metavar="TEXT",
        help=words.say(
            "records that hold this text; others on this computer can see arguments, so use "
            "--query-file for what is private"
        ),
    )
    parser.add_argument(
        "--query-file",
        metavar="FILE",
        help=words.say("read that text from a file, or from standard input with -"),
    )


def with_refs(parser: Parser, words: Words) -> None:
    """Choosing records by name or by a text in them."""
    parser.add_argument(
        "refs",
        metavar="REF",
        nargs="*",
        help=words.say("records: kind:key, or the key alone; after -- when one begins with -"),
    )
    with_query(parser, words)


def build_parser(words: Words, verbs: Iterable[Verb]) -> Parser:
    """The whole grammar."""
    parser = Parser(
        words=words,
        prog="memory-cli",
        description=words.say("See, correct and erase what AI agents remember, with proof."),
        epilog=words.say(
            "Exit status: 0 done, 1 failed, 2 usage, 3 no key, 4 not finished, 5 no such record, "
            "6 refused, 7 erased but not proved, 8 still there, 9 something is wrong."
        ),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"memory-cli {__version__}",
        help=words.say("show the version and end"),
    )
    with_common(parser, words, top=True)
    made = parser.add_subparsers(
        dest="verb", metavar="VERB", title=words.say("verbs"), parser_class=Parser
    )
    for verb in verbs:
        text = words.say(verb.help)
        sub = made.add_parser(verb.name, help=text, description=text, words=words)
        verb.configure(sub, words)
        if verb.name not in LATER:
            with_common(sub, words, own_format=verb.name == "export")
    return parser


LATER: Final = (
    "import",
    "move",
    "backup",
    "restore-backup",
    "rescue",
    "findings",
    "duplicates",
    "retention",
)
"""Verbs of the plan that are not written yet: they say so and end 2."""
