# SPDX-License-Identifier: MIT
"""``agent NAME [ARG…]``: start an agent's own program over its encrypted stores."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState
from memory_gui.process.child import command
from memory_gui.services.agent.starting import AgentPlace
from memory_gui.terminal.agent_above import MARK
from memory_gui.terminal.agent_python import START, look, places, python_of
from memory_gui.terminal.keyinput import ask_twice, settings_of
from memory_gui.terminal.parser import Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words

KNOWN: Final = () if sys.platform == "win32" else ("agentao",)
"""On Windows a descriptor cannot be handed on yet, so none can be started there."""
LINE: Final = "memory-cli agent agentao"
"""What a person types, in the folder of the project; the window copies it."""
_REFUSED: Final = {
    "cannot": "agent.cannot",
    "elsewhere": "agent.elsewhere",
    "unknown": "agent.arguments",
}


def _arguments(parser: Parser, words: Words) -> None:
    parser.add_argument(
        "--python",
        metavar="PYTHON",
        help=words.say("the agent’s Python, where it is not found by itself; before NAME"),
    )
    parser.add_argument("name", metavar="NAME", help=words.say("the agent: agentao"))
    parser.add_argument(
        "rest",
        metavar="ARG",
        nargs=argparse.REMAINDER,
        help=words.say("what the agent’s own program is given"),
    )


def agent(session: Session) -> Exit:
    """Start it in this folder, and wait until it ends."""
    args = session.args
    if args.name not in KNOWN:
        raise UserError("agent.unknown", name=args.name, known=", ".join(KNOWN))
    python = python_of(args.name, args.python, session.environment)
    found = look(python, args.rest)
    asked = found["asked"]
    if asked["what"] != "talk":
        raise _refusal(asked)
    stores = _stores(session)
    _say(session, stores)
    helper = None if args.no_keychain else command("keychain")
    handover = {store.role: _handed(store) for store in stores}
    session.close()  # nothing of ours may have the stores open while the agent runs
    return _start(python, {**handover, "helper": helper}, args.rest)


def _refusal(asked: dict[str, str]) -> UserError:
    return UserError(_REFUSED[asked["what"]], what=asked["name"])


def _stores(session: Session) -> tuple[AgentPlace, ...]:
    """Both stores with their keys; an erase that was begun is finished first."""
    found = session.services.agents.paths(Path.cwd())
    for path in found.values():
        if not os.path.lexists(path):
            continue
        for result in session.services.erasing.finish_begun(str(path), key=session.key()):
            if result.state is EraseState.NOT_FINISHED:
                raise UserError("erase.unfinished", path=str(path), state=str(result.state))
    return tuple(_store(session, role, path) for role, path in found.items())


def _store(session: Session, role: str, path: Path) -> AgentPlace:
    """One store; where the keychain has no key for it and a person is there, they are asked."""
    agents, given = session.services.agents, session.key()
    try:
        return agents.place(role, path, given, session.cancel)
    except UserError as error:
        if error.code == "terminal.permission":
            raise UserError("terminal.permission", path=str(path)) from error
        if error.code != "key.needed" or given is not None or not session.attended:
            raise
        place, _ = ask_twice(
            session.out,
            str(path),
            settings_of(session.args),
            error,
            lambda key: agents.place(role, path, key, session.cancel),
        )
        return place


def _say(session: Session, stores: Sequence[AgentPlace]) -> None:
    """Which files the agent is given, and how those that are readable can be encrypted."""
    words = session.words
    for store in stores:
        path = str(store.path)
        if store.encrypted:
            session.out.note(words.say("Encrypted: {path}", path=path))
            continue
        if store.is_new:
            session.out.note(words.say("Not there yet, will be made readable: {path}", path=path))
        else:
            session.out.note(words.say("Readable: {path}", path=path))
        line = shlex.join(["memory-cli", "encrypt", path])
        session.out.note(words.say("Encrypt it at any time: {command}", command=line))


def _handed(store: AgentPlace) -> dict[str, Any]:
    return {"path": str(store.path), "key": None if store.key is None else store.key.hex()}


def _start(python: Path, handover: dict[str, Any], arguments: Sequence[str]) -> Exit:
    """The keys go through a pipe that only the agent's process inherits."""
    source, sink = os.pipe()
    try:
        with os.fdopen(sink, "wb") as stream:
            stream.write(json.dumps(handover).encode())  # below the pipe's 64 KB
        child = subprocess.Popen(  # noqa: S603 - our own file, and the agent's own Python
            [
                *(str(python), "-P", str(START), "run", json.dumps(places()), str(source)),
                *arguments,
            ],
            pass_fds=(source,),
            env={**os.environ, MARK: "agentao"},
        )
    finally:
        os.close(source)
    # Ctrl+C is the agent's: it ends its turn, not us.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return Exit.DONE if child.wait() == 0 else Exit.FAILED
    finally:
        signal.signal(signal.SIGINT, before)


VERBS = (Verb("agent", N_("start an agent over its encrypted stores"), _arguments),)
RUN = {"agent": agent}
