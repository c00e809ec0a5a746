# SPDX-License-Identifier: MIT
"""``agent-view STORE [--say TEXT]``: what the agent will be given."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from memory_gui.services.agent.view import AgentView
from memory_gui.terminal.inputs import plain
from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.agentview import LONE, WITHOUT_CJK, in_every_request, sight_counts


def _arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--say",
        metavar="TEXT",
        help=words.say(
            "also what a message with this text would recall; others on this computer can see"
            " arguments, so use --say-file for what is private"
        ),
    )
    parser.add_argument(
        "--say-file",
        metavar="FILE",
        help=words.say("read that text from a file, or from standard input with -"),
    )


def agent_view(session: Session) -> Exit:
    """Print both blocks as the agent would send them, with lines that belong to neither noted."""
    said = session.args.say
    if session.args.say_file is not None:
        said = session.read_text(session.args.say_file)
    elif said is not None:
        said = plain(said, "--say")
    store = session.open()
    view = session.services.agent_views.view(store, said, session.cancel)
    session.out.document(_data(view))
    session.out.records += _shown(view)
    if not session.out.as_json:
        _tell(session, view)
    return Exit.DONE


def _data(view: AgentView) -> dict[str, Any]:
    stable, found = view.stable, view.recall
    data: dict[str, Any] = {
        "stores": list(view.stores),
        "lone": view.lone,
        "memories": view.memories,
        "stable": {
            "text": stable.text,
            "chars": len(stable.text),
            "most": view.room,
            "records": [ref.text for ref in stable.shown],
            "no_room": [ref.text for ref in stable.no_room],
        },
        "recall": None,
        "each": [
            {"ref": ref.text, "store": str(ref.store), "when": seen.sight.value, "why": seen.why}
            for ref, seen in view.sights
        ],
    }
    if found is not None:
        data["recall"] = {
            "text": found.text,
            "chars": len(found.text),
            "most": view.recall_room,
            "records": [
                {"ref": one.ref.text, "score": round(one.score, 4), "reasons": list(one.reasons)}
                for one in found.recalled
            ],
            "without_cjk": found.without_cjk,
        }
    return data


def _shown(view: AgentView) -> int:
    return len(view.stable.shown) + (0 if view.recall is None else len(view.recall.recalled))


_NAMED: Final = 5
"""So many of those without room are named for a person; ``--json`` names all."""


def _tell(session: Session, view: AgentView) -> None:
    out, words = session.out, session.words
    stable, found = view.stable, view.recall
    out.note(
        in_every_request(
            words,
            len(stable.shown),
            memories=view.memories,
            chars=len(stable.text),
            most=view.room,
        )
    )
    out.line(stable.text, lines=True)
    if stable.no_room:
        named = ", ".join(ref.text for ref in stable.no_room[:_NAMED])
        out.note(
            words.many(
                "{n} memory belongs there and has no room: {refs}",
                "{n} memories belong there and have no room, among them: {refs}",
                len(stable.no_room),
                refs=named,
            )
        )
    numbers = Counter(seen.sight.value for _ref, seen in view.sights)
    out.note(sight_counts(words, numbers))
    if view.lone:
        out.note(words.say(LONE))
    if found is None:
        return
    out.note(
        words.many(
            "Added to this message: {n} memory.",
            "Added to this message: {n} memories.",
            len(found.recalled),
        )
    )
    out.line(found.text, lines=True)
    if found.without_cjk:
        out.note(words.say(WITHOUT_CJK))


VERBS = (
    Verb(
        "agent-view",
        N_("what the agent will be given of its memories"),
        _arguments,
    ),
)
RUN = {"agent-view": agent_view}
