# SPDX-License-Identifier: MIT
"""The arguments of ``case``."""

from __future__ import annotations

from typing import Final

from memory_gui.cases.clock import Term
from memory_gui.cases.finds import Decision
from memory_gui.cases.rights import GROUNDS, KEEP_REASONS, METHODS, REFUSALS, Right
from memory_gui.terminal.cases.run import with_everywhere, with_places, with_run
from memory_gui.terminal.changing import with_despite
from memory_gui.terminal.parser import Parser
from memory_gui.terminal.setting import with_set
from memory_gui.words import Words

ACTS: Final = (
    *(
        "new",
        "list",
        "show",
        "edit",
        "extend",
        "check",
        "find",
        "hold",
        "correct",
        "export",
        "open-copy",
    ),
    *("run", "accept", "letter", "close"),
)
LIFT: Final = "lift"
_AS: Final = (*(str(one) for one in Decision), LIFT)
_OUTCOMES: Final = ("closed", "refused", "withdrawn")
_RESULTS: Final = ("pending", "confirmed", "failed")


def case_arguments(parser: Parser, words: Words) -> None:
    """All of them: each act takes those that it says."""
    say = words.say
    parser.add_argument("act", metavar="ACT", choices=ACTS, help=", ".join(ACTS))
    parser.add_argument(
        "subject",
        metavar="CASE",
        nargs="?",
        help=say("the number of a case; with new the name of the person"),
    )
    parser.add_argument(
        "refs",
        metavar="REF",
        nargs="*",
        help=say("hold: records of the store of --store; export, letter: where to write it"),
    )
    parser.add_argument("--all", action="store_true", help=say("list: answered cases too"))
    _about(parser, words)
    _deciding(parser, words)
    parser.add_argument(
        "--outcome", choices=_OUTCOMES, default="closed", help=say("close: how it ends")
    )
    parser.add_argument(
        "--keep-until",
        metavar="DATE",
        help=say("close: until when the request itself is kept; else no name is left in it"),
    )
    parser.add_argument(
        "--leave-undecided",
        action="store_true",
        help=say(
            "close: although finds that are surely about the person are undecided; this is kept "
            "with the case and told in the letter"
        ),
    )
    with_places(parser, words)
    with_everywhere(parser, words)
    with_run(parser, words)
    with_despite(parser, words)
    parser.add_argument(
        "--form",
        choices=("folder", "zip", "sealed"),
        default="folder",
        help=say("export: a folder, a zip, or a zip that is encrypted with a passphrase"),
    )
    parser.add_argument(
        "--copy-passphrase-fd",
        metavar="N",
        type=int,
        help=say("export --form sealed, open-copy: read its passphrase from file descriptor N"),
    )
    parser.add_argument("--receipt", metavar="FILE", help=say("run: where to write the receipt"))


def _about(parser: Parser, words: Words) -> None:
    """What is said of a request, with ``new`` and ``edit``."""
    say = words.say
    parser.add_argument(
        "--also",
        metavar="NAME",
        action="append",
        default=[],
        help=say("another name, e-mail address, telephone number or id of the same person"),
    )
    parser.add_argument(
        "--other",
        metavar="NAME",
        action="append",
        default=[],
        help=say("somebody else who must be kept apart"),
    )
    parser.add_argument("--right", choices=[str(one) for one in Right], help=say("what is asked"))
    parser.add_argument(
        "--ground",
        choices=[one.code for one in GROUNDS],
        metavar="CODE",
        help=say("on what law") + f" ({', '.join(one.code for one in GROUNDS)})",
    )
    parser.add_argument("--ground-text", metavar="TEXT", help=say("more on the ground, in words"))
    parser.add_argument("--received", metavar="DATE", help=say("when it came; else today"))
    parser.add_argument("--term", choices=[str(one) for one in Term], help=say("how long there is"))
    parser.add_argument("--due", metavar="DATE", help=say("until when, if not by the term"))
    parser.add_argument(
        "--identity",
        choices=METHODS,
        metavar="HOW",
        help=say("how it was checked who asks") + f" ({', '.join(METHODS)})",
    )
    parser.add_argument("--identity-result", choices=_RESULTS, help=say("what came of that check"))
    parser.add_argument(
        "--text-file",
        metavar="FILE",
        help=say("new, edit: notes; hold, accept: beside the reason; - is standard input"),
    )


def _deciding(parser: Parser, words: Words) -> None:
    """What is said of records, with ``hold``; and reasons."""
    say = words.say
    parser.add_argument(
        "--store", metavar="STORE", help=say("hold, correct: where the records are")
    )
    with_set(parser, words, required=False)
    parser.add_argument(
        "--file", metavar="PATH", help=say("hold: passages of this file of the agent's")
    )
    parser.add_argument(
        "--as", dest="decision", choices=_AS, default="hold", help=say("hold: what becomes of it")
    )
    parser.add_argument(
        "--reason",
        metavar="CODE",
        default="",
        help=say("hold, accept, close --outcome refused: a code of the list; extend: in words")
        + " ("
        + ", ".join((*KEEP_REASONS, *REFUSALS))
        + ")",
    )
    parser.add_argument("--who", metavar="NAME", default="", help=say("hold: who decided it"))
    parser.add_argument("--until", metavar="DATE", help=say("hold, extend: until when"))
    parser.add_argument("--item", metavar="N", type=int, help=say("check: which of the list"))
    parser.add_argument(
        "--on",
        metavar="DATE",
        help=say("check: when it was done; new, edit: when identity was checked; else today"),
    )
