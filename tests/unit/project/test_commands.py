# SPDX-License-Identifier: MIT
"""Whatever the window can do the terminal can do, and the other way round.

The verbs that are agreed on, the parser's, and the window's table of acts, pages and views are held
against each other here: a new one on either side must say what it is on the other.
"""

import ast
import re
from pathlib import Path

import pytest

from memory_gui.terminal.parser import LATER
from memory_gui.terminal.run import VERBS

ROOT = Path(__file__).resolve().parents[3]
_VERBS = """
    tour discover stores info list show add edit trash restore delete tag review propose agent-view
    agent erase destroy prove encrypt decrypt migrate key forget case export import move convert
    backup restore-backup rescue check findings duplicates retention receipt lock
"""
AGREED = frozenset(_VERBS.split())
"""The verbs of the terminal's contract."""

ACT, PAGE, VIEW, ROW = "act", "page", "view", "row"
IN_THE_WINDOW = {
    "tour": (ACT, "sample"),
    "stores": (PAGE, "start"),
    "discover": (PAGE, "start"),
    "info": (PAGE, "protect"),
    "check": (PAGE, "protect"),
    "encrypt": (PAGE, "protect"),
    "decrypt": (PAGE, "protect"),
    "key": (PAGE, "protect"),
    "list": (VIEW, "memories"),
    "show": (VIEW, "memories"),
    "add": (ACT, "new"),
    "edit": (ACT, "edit"),
    "trash": (ACT, "trash"),
    "restore": (VIEW, "trash"),
    "delete": (VIEW, "trash"),
    "tag": (ROW, "tag"),
    "review": (PAGE, "review"),
    "erase": (ACT, "erase"),
    "prove": (PAGE, "pending"),
    "export": (ACT, "export"),
    "lock": (ACT, "lock"),
    "agent": (ACT, "agent_line"),
    "agent-view": (ACT, "agent_view"),
    "convert": (ACT, "convert"),
    "forget": (ACT, "people"),
    "case": (PAGE, "cases"),
}
"""A verb that works and what it is in the window."""
TERMINAL_ONLY = {
    "receipt": "whoever was handed a receipt verifies it; the window signs and saves its own",
    "destroy": "a whole store at once: nobody should come upon it by a click",
    "propose": "agents put records in the queue, people decide about them",
    "migrate": "once in a store's life, for files of older programs",
}
WINDOW_ONLY = {
    *("home", "open", "open_folder", "close_stores", "undo", "redo", "search", "settings"),
    *("commands", "shortcuts", "quit", "protect", "clean", "hide", "copy", "filters", "saved"),
}
"""Acts that lead about in the window, or take an act of this very window back."""


def literal(file, name):
    """The names in a table of the window, read without loading Qt."""
    tree = ast.parse((ROOT / "memory_gui/ui" / file).read_text(encoding="utf-8"))
    calls = [n for n in ast.walk(tree) if getattr(getattr(n, "func", None), "id", "") == name]
    return {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}


def pages():
    text = (ROOT / "memory_gui/ui/pages/registry.py").read_text(encoding="utf-8")
    return {"start", *re.findall(r'^        "([a-z_]+)": ', text, re.MULTILINE)}


def test_the_parser_has_exactly_the_verbs_that_were_agreed_on():
    assert {verb.name for verb in VERBS} == AGREED
    assert len({verb.name for verb in VERBS}) == len(VERBS)


def test_every_verb_that_works_is_somewhere_in_the_window():
    works = {verb.name for verb in VERBS} - set(LATER)
    assert works - IN_THE_WINDOW.keys() - TERMINAL_ONLY.keys() == set()
    assert (IN_THE_WINDOW.keys() | TERMINAL_ONLY.keys()) - works == set()


@pytest.mark.parametrize("verb", IN_THE_WINDOW)
def test_what_the_window_has_for_a_verb_exists(verb):
    kind, name = IN_THE_WINDOW[verb]
    there = {
        ACT: literal("shell/actions.py", "Act"),
        PAGE: pages(),
        VIEW: literal("views.py", "View"),
        ROW: {"tag"},
    }[kind]
    assert name in there


def test_every_act_of_the_window_is_a_verb_or_leads_about():
    acts = literal("shell/actions.py", "Act")
    verbs = {name for kind, name in IN_THE_WINDOW.values() if kind == ACT}
    assert acts - verbs - WINDOW_ONLY == set()
    assert len(acts) > 15
