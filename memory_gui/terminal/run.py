# SPDX-License-Identifier: MIT
"""One call from its arguments to its exit status."""

from __future__ import annotations

import os
import re
import signal
import traceback
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

from memory_gui.domain.errors import Cancelled, IntegrityError, UserError
from memory_gui.services import Services, build_services
from memory_gui.services.neighbours import neighbours_for
from memory_gui.services.own.settings import SETTINGS_FILE, Settings
from memory_gui.terminal import (
    agent,
    agent_view,
    changing,
    checking,
    converting,
    deciding,
    destroying,
    discovering,
    erasing,
    keys,
    later,
    looking,
    protecting,
    proving,
    receipts,
    touring,
)
from memory_gui.terminal.below import tell_error
from memory_gui.terminal.cases import forget
from memory_gui.terminal.cases import verbs as case
from memory_gui.terminal.output import Output
from memory_gui.terminal.parser import LATER, Verb, build_parser
from memory_gui.terminal.session import Session, Streams
from memory_gui.terminal.status import Exit, status_of
from memory_gui.usual import usual_folder
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.words import Words
from memory_gui.words.errors import explain

Run = Callable[[Session], Exit]

VERBS: Final[tuple[Verb, ...]] = (
    *touring.VERBS,
    *looking.VERBS,
    *changing.VERBS,
    *deciding.VERBS,
    *erasing.VERBS,
    *destroying.VERBS,
    *proving.VERBS,
    *receipts.VERBS,
    *protecting.VERBS,
    *keys.VERBS,
    *checking.VERBS,
    *converting.VERBS,
    *discovering.VERBS,
    *agent.VERBS,
    *agent_view.VERBS,
    *forget.VERBS,
    *case.VERBS,
    *later.VERBS,
)
RUN: Final[Mapping[str, Run]] = {
    **touring.RUN,
    **looking.RUN,
    **changing.RUN,
    **deciding.RUN,
    **erasing.RUN,
    **destroying.RUN,
    **proving.RUN,
    **receipts.RUN,
    **protecting.RUN,
    **keys.RUN,
    **checking.RUN,
    **converting.RUN,
    **discovering.RUN,
    **agent.RUN,
    **agent_view.RUN,
    **forget.RUN,
    **case.RUN,
    **later.RUN,
}
ACTING: Final = frozenset(
    {
        *("add", "edit", "trash", "restore", "delete", "tag", "review", "propose"),
        *("forget", "case"),
        *("erase", "destroy", "encrypt", "decrypt", "export", "stores", "lock"),
    }
)
"""Verbs that change something."""
_DASHED: Final = frozenset({"--sort"})
"""Options whose value may begin with a dash."""
_WITHOUT: Final = re.compile(r"-(?!-|h$)\S")
"""What a query may begin with. No option does, but for ``-h``."""


def run(arguments: Sequence[str], streams: Streams, environment: Mapping[str, str]) -> int:
    """Do one verb and give its exit status."""
    words = Words.from_environment(environment, typed=True)
    as_json = "--json" in _before_agent(arguments)
    output = Output(words, as_json=as_json, out=streams.stdout, err=streams.stderr)
    status = _run(arguments, words, output, streams, environment)
    return status if output.flush() else _unread(status, output, streams)


def _before_agent(arguments: Sequence[str]) -> Sequence[str]:
    """Our own arguments: behind an agent's name they are the agent's."""
    for place, argument in enumerate(arguments[1:], 1):
        if argument in agent.KNOWN and agent.VERBS[0].name in arguments[:place]:
            return arguments[:place]
    return arguments


def _unread(status: Exit, output: Output, streams: Streams) -> Exit:
    """The status of a verb whose answer did not arrive: an act that was done stays done."""
    with suppress(OSError, ValueError):  # what is left in the stream must go somewhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), streams.stdout.fileno())
    if isinstance(output.lost, BrokenPipeError):
        return status  # whoever read it has seen enough
    reason = "" if output.lost is None else output.lost.strerror or ""
    output.note(explain(output.words, UserError("usage.unwritten", reason=reason)).text)
    return Exit.FAILED if status is Exit.DONE and not output.acting else status


def _run(
    arguments: Sequence[str],
    words: Words,
    output: Output,
    streams: Streams,
    environment: Mapping[str, str],
) -> Exit:
    try:
        args = _parse(arguments, words, streams)
        return Exit.DONE if args is None else _call(args, output, streams, environment)
    except (UserError, IntegrityError) as error:
        output.error(error)
        return status_of(error.code)
    except Exception as error:  # noqa: BLE001 - a bug: told without its text, which may be content
        output.error(UserError("bug.found", kind=type(error).__name__, where=_places(error)))
        return Exit.FAILED


def _places(error: BaseException) -> str:
    """Where it was raised: modules and lines, nothing of what they worked with."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))


def _parse(arguments: Sequence[str], words: Words, streams: Streams) -> Namespace | None:
    """The arguments; None when help was asked for and given."""
    parser = build_parser(words, VERBS)
    if not arguments:
        streams.stderr.write(parser.format_help())
        raise UserError("usage.verb")
    try:
        args, unknown = parser.parse_known_args(_joined(arguments))
    except SystemExit:
        return None
    more = _more_refs(args, unknown, arguments)
    if unknown and not more and args.verb not in LATER:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.verb is None:
        raise UserError("usage.verb")
    return args


def _more_refs(args: Namespace, unknown: list[str], arguments: Sequence[str]) -> bool:
    """Take records that stand behind an option, as in ``erase STORE --yes REF``.

    argparse has ended their list by then.
    """
    if not isinstance(getattr(args, "refs", None), list):
        return False
    given = list(arguments)
    behind = given[given.index("--") + 1 :] if "--" in given else []
    more = [one for one in unknown if one != "--"]
    if any(one.startswith("-") and one not in behind for one in more):
        return False
    args.refs += more
    return True


def _joined(arguments: Sequence[str]) -> list[str]:
    """``--sort -title`` as ``--sort=-title``: argparse takes a dash for an option."""
    joined: list[str] = []
    ours = _before_agent(arguments)
    waiting = iter(ours)
    for argument in waiting:
        if argument == "--":
            return [*joined, argument, *waiting, *arguments[len(ours) :]]
        if joined[-1:] == ["--query"] and _WITHOUT.match(argument):
            joined[-1] = f"--query={argument}"
        elif argument in _DASHED:
            value = next(waiting, None)
            joined.append(argument if value is None else f"{argument}={value}")
        else:
            joined.append(argument)
    return [*joined, *arguments[len(ours) :]]


def _acts(args: Namespace) -> bool:
    """Whether the verb does something, so that its status says more than its answer."""
    reads = getattr(args, "dry_run", False) or getattr(args, "act", "") == "list"
    return args.verb in ACTING and not (reads or getattr(args, "pending", False))


def _call(
    args: Namespace,
    output: Output,
    streams: Streams,
    environment: Mapping[str, str],
) -> Exit:
    output.acting = _acts(args)
    with touring.records_folder(args.verb, usual_folder()) as data_dir:
        return _call_with(data_dir, args, output, streams, environment)


def _call_with(
    data_dir: Path,
    args: Namespace,
    output: Output,
    streams: Streams,
    environment: Mapping[str, str],
) -> Exit:
    def make_services(keychain: AnyKeychain) -> Services:
        services = build_services(
            words=output.words,
            home=Path.home(),
            data_dir=data_dir,
            keychain=keychain,
            neighbours=neighbours_for("terminal", data_dir),
            environment=environment,
        )
        services.listen()
        return services

    session = Session(
        args,
        output,
        streams,
        make_services=make_services,
        settings=lambda: Settings(data_dir / SETTINGS_FILE).values,
        environment=environment,
    )

    def stop(_number: int, _frame: FrameType | None) -> None:
        if session.cancel.cancelled:
            raise KeyboardInterrupt
        session.cancel.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        status = _guarded(session, output)
        session.write_down(args.verb, int(status))
        return status
    finally:
        session.close()
        signal.signal(signal.SIGINT, before)


def _guarded(session: Session, output: Output) -> Exit:
    try:
        return RUN[session.args.verb](session)
    except (UserError, IntegrityError) as error:
        return status_of(tell_error(session, error).code)
    except (Cancelled, KeyboardInterrupt):
        output.error(UserError("usage.stopped"))
        return Exit.NOT_FINISHED
