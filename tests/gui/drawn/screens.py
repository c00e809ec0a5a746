# SPDX-License-Identifier: MIT
"""How each screen is reached and what it shows, in reels: each begins with a new window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import scene
from fake_services import PROJECT, USER, record
from fakes.graphs import some_relations
from PySide6.QtWidgets import QScrollArea, QWidget

from drawn.casescreens import NAMES as CASE_NAMES
from drawn.casescreens import cases
from drawn.reviewing import NAMES as REVIEW_NAMES
from drawn.reviewing import review_states
from drawn.stage import NOW, Stage
from memory_gui.domain.changes import KeyHolder, OpenBy
from memory_gui.domain.erasing import MayHold
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ledger import LastSeen
from memory_gui.services.activity.activity import About, Happening, Who
from memory_gui.services.editing.clashes import Clash
from memory_gui.services.erasing.everything import Part
from memory_gui.services.home.discovery import Discovered, Found
from memory_gui.services.home.glances import Glance
from memory_gui.services.home.view import Card, Cause, HomeView, Problem
from memory_gui.ui.home.discovery import DiscoveryPanel
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.pages.whole import Whole
from memory_gui.ui.pictures_keys import draw_keys
from memory_gui.ui.records.editing.pictures import editing_pictures
from memory_gui.ui.records.pictures import list_pictures

STRANGE = "/home/ann/beta/.agentao/memory.db"


def home_view() -> HomeView:
    """Every kind of card and some problems."""
    far = "/home/ann/work/clients/northwind/migration/.agentao/memory.db"
    gone = "/media/stick/.agentao/memory.db"
    changed = NOW.timestamp() - 7_200
    cards = (
        Card(
            str(PROJECT), "atlas", "Agentao",
            Glance(encrypted=True, writable=True, changed_at=changed),
            store=PROJECT, seen=LastSeen(1204, 7, 12, ""), live=True,
            holders=(OpenBy(4121, "agentao"),),
        ),
        Card(
            str(USER), "you", "Agentao",
            Glance(encrypted=False, writable=True, changed_at=changed - 200_000),
            store=USER, seen=LastSeen(31, 0, 0, ""), live=True,
        ),
        Card(
            far, "migration", "Agentao",
            Glance(encrypted=True, writable=True, changed_at=changed - 900_000),
            seen=LastSeen(98_123, 120, 3, "2026-11-20T08:00:00+00:00"),
        ),
        Card(gone, "stick", "Agentao", Glance(error=UserError("store.missing", path=gone))),
    )  # fmt: skip
    key = UserError("key.needed", path=far, reason="locked", backend="SecretService.Keyring")
    problems = (
        Problem(Cause.GONE, gone, "stick", error=UserError("store.missing", path=gone)),
        Problem(Cause.KEY, far, "migration", error=key),
        Problem(Cause.IN_USE, str(PROJECT), "atlas", holders=(OpenBy(4121, "agentao"),)),
    )
    return HomeView(cards, problems, True, True)


def found_stores() -> Discovered:
    """Of several agents: some open, some are only named, one cannot be read, one is encrypted."""
    near = "/home/ann/projects"

    def one(path: str, format_: str, agent: str, **more) -> Found:
        given = {"opens": True, "encrypted": False, "usual": True, "is_database": True} | more
        return Found(Path(path), format_, agent, **given)

    named = {"opens": False}
    text = {"opens": False, "is_database": False}
    return Discovered(
        asked=True,
        looks=True,
        roots=(near,),
        found=(
            one("/home/ann/.agent-harness/memory", "notes", "Agent harness", is_database=False),
            one(f"{near}/ferry/.agentao/memory.db", "agentao", "Agentao", encrypted=True),
            one(f"{near}/harbour/.agentao/memory.db", "agentao", "Agentao"),
            one("/home/ann/.claude/projects/-home-ann-atlas/memory", "claude-code", "Claude Code",
                **text),
            one("/home/ann/.mem0/history.db", "mem0", "Mem0", **named),
            one("/home/ann/.local/share/mcp-memory/sqlite_vec.db", "mcp-memory-service",
                "mcp-memory-service", opens=False, encrypted=None, is_database=False,
                problem="store.no_permission"),
        ),
        done=True,
        folders=812,
        unreadable=2,
        limits=("depth",),
    )  # fmt: skip


def happenings() -> list[Happening]:
    """Of today, yesterday and last week: ours, the agent's and another program's."""

    def one(hours: int, who: Who, code: str, by: str, *titles: str, store=PROJECT, **more):
        about = tuple(About(record(n, store=store).ref, title) for n, title in enumerate(titles))
        return Happening(
            NOW - timedelta(hours=hours), "", who, code, by, store, str(store), len(about), about,
            **more,
        )  # fmt: skip

    return [
        one(1, Who.YOU, "edit", "", "response_style_36"),
        one(2, Who.AGENT, "update", "Agentao", "deploy_port_37"),
        one(3, Who.YOU, "trash", "", "tests_first_34", "no_force_push_35", "回答语言_33"),
        one(26, Who.AGENT, "create", "Agentao", "deutsch_32", store=USER),
        one(29, Who.YOU, "approve", "", "Short answers", in_terminal=True),
        one(24 * 8, Who.YOU, "restore", "", "response_style_6"),
        one(24 * 8 + 1, Who.AGENT, "create", "Agentao", ""),
    ]


# ---- where stores are opened, and what they hold


def discoveries(on: Stage) -> None:
    """What is found on the computer, and the search on its way."""
    discovery, panel = on.fake.discovery, on.window.findChild(DiscoveryPanel)
    discovery.view = discovery.result = found_stores()
    panel.clear()
    panel.begin()
    on.settle()
    area = panel.parent()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parent()
    if area is not None:
        area.ensureWidgetVisible(panel.findChild(QWidget, "start.discovery.again"))
    on.take("discovery")
    discovery.view = Discovered(asked=True, looks=True, roots=(), done=True)
    panel.clear()


def lists(on: Stage) -> None:
    window = on.window
    on.fake.home.view = HomeView((), (), True, True)
    on.fake.discovery.view = Discovered(asked=False, looks=False, roots=())
    panel = window.findChild(DiscoveryPanel)
    panel.clear()
    panel.begin()
    window.go("start")
    on.take("start")
    on.fake.home.view = home_view()
    window.go("start")
    on.take("home")
    discoveries(on)
    on.view("memories")
    on.take("memories")
    window.search("answer")
    on.settle()
    window.memories.go_to(0)
    on.take("search")
    window.search("")
    on.settle()
    for _ in list_pictures(on, window.memories, window.stopped):
        pass
    on.view("memories")
    hiding = window._context.privacy.hiding
    hiding.set_hidden(hidden=True)
    on.take("hidden")
    hiding.set_hidden(hidden=False)
    for name in ("summaries", "trash", "activity"):
        on.view(name)
        on.take(name)
    on.fake.activity.happenings = []
    on.view("memories")
    on.view("activity")
    on.take("activity-empty")


def editing(on: Stage) -> None:
    window = on.window
    on.view("memories")
    window.memories.go_to(1)  # its key came from its title, and follows it
    on.settle()
    window.memories.edit_current()
    on.take("edit")
    window.memories.may_leave()
    on.settle()
    first, second = _two(on)
    key = on.fake.editing.classify(second.ref.store, {"title": second.title})["key"]
    fields = {"title": second.title, "text": second.text, "key": key, "scope": second.scope}
    holder = replace(first, title=second.title, text=f"{second.text} 2027.")
    on.fake.editing.held = {second.ref: Clash(second.ref, fields, holder, key, f"{key}_2")}
    for name in editing_pictures(on, window.memories, on.fake, window.go):
        taken = name == "edit-both"  # the next one is edit-taken
        on.fake.editing.holder = KeyHolder(second.ref, key, f"{key}_2") if taken else None
    on.view("memories")
    window.memories.new_memory()
    on.take("new")
    window.memories.may_leave()


def _two(on: Stage):
    """The chosen record and the next one of its scope: what ``editing_pictures`` takes."""
    page = on.window.memories
    first = page.right.detail.record
    records = (page.model.record(row) for row in range(page.model.rowCount()))
    return first, next(
        one
        for one in records
        if one.ref != first.ref
        and one.scope == first.scope
        and one.title == one.extra.get("key_normalized")
    )


# ---- pages


def pages(on: Stage) -> None:
    window = on.window
    on.view("review")
    on.take("review-new")
    window._panes.host.show_page("review", scene.REPLACES.ref)
    on.take("review")
    review_states(on)
    on.view("memories")
    window.go("export", window.memories.query)
    on.take("export")
    for name in ("settings", "pending", "shortcuts"):
        window.go(name)
        on.take(name)
    window.go("agent")
    on.take("agent-view")
    on.view("memories")
    window._quick.toggle()
    on.take("commands")
    window._quick.toggle()


def protecting(on: Stage) -> None:
    window = on.window
    on.fake.protect.open_by = (OpenBy(4121, "agentao"),)
    window.go("protect", PROJECT)
    on.take("protect")
    for name, button in (("protect-readable", "decrypt"), ("protect-key", "rotate")):
        window.go("protect", PROJECT)
        on.settle()
        on.press(f"protect.{button}")
        on.take(name)
        on.press("protect.cancel")
    on.view("memories")
    on.fake.erasing.plan_value = scene.plan()
    window.go("erase", (window.memories.model.record(0).ref,))
    on.take("erase-plan")
    on.fake.erasing.result = scene.result()
    on.press("erase.run")
    on.take("erase-result")
    on.press("erase.done")
    window.lock()
    on.take("locked")


def everything(on: Stage) -> None:
    """Erasing all of a store, keeping it clean, and erased records that are back."""
    window, fake = on.window, on.fake
    window.go("clean", PROJECT)
    on.take("clean")
    fake.everything.found = tuple(window.memories.model.record(row).ref for row in range(2))
    fake.everything.planned = parts = (
        Part(str(PROJECT), "memory", State.LIVE, 9, None, "text"),
        Part(str(PROJECT), "memory", State.TRASH, 3, None, "text"),
        Part(str(PROJECT), "review", State.REJECTED, 2, None, "text"),
        Part(str(PROJECT), "summary", State.LIVE, 2, None, "bytes"),
    )
    fake.everything.done = tuple(replace(part, erased=part.found) for part in parts)
    told = (
        MayHold("hold.program", {"name": "agentao", "pid": "4121"}),
        MayHold("hold.provider", {"model": "deepseek-chat", "count": "4"}),
        MayHold("hold.session", {"path": "/home/ann/atlas/.agentao/sessions/20261126.json"}),
    )
    fake.erasing.plan_value = replace(scene.plan(), may_hold=told)
    window.go("erase", Whole(PROJECT))
    on.take("erase-everything")
    fake.erasing.result = replace(scene.result(), may_hold=told)
    on.press("erase.run")
    on.take("erase-everything-result")
    on.press("erase.done")
    on.view("memories")
    fake.returned.back = fake.everything.found
    window._returned.look([one.id for one in fake.library.stores()])
    on.take("returned")


def relations(on: Stage) -> None:
    """A few, with their names; and as many as are drawn at most."""
    for name, many in (("relations", 0), ("relations-many", 199)):
        on.fake.graphs.graph = some_relations(PROJECT, many)
        on.window.go("graph", on.fake.graphs.graph.nodes[0].ref)
        on.settle()
        on.take(name)
        on.view("memories")


def keys(on: Stage) -> None:
    path = UserError("key.needed", reason="absent", path=STRANGE)
    on.window.go("key", KeyProblem(STRANGE, path))
    on.take("key")
    for _ in draw_keys(on, STRANGE):
        pass


REELS: dict[str, tuple[Callable[[Stage], object], tuple[str, ...]]] = {
    "lists": (
        lists,
        (
            *(
                "start",
                "home",
                "discovery",
                "memories",
                "search",
                "filters",
                "bulk",
                "compact",
                "stopped",
            ),
            *("hidden", "summaries", "trash", "activity", "activity-empty"),
        ),
    ),
    "editing": (editing, ("edit", "edit-diff", "edit-both", "edit-taken", "clash", "new")),
    "relations": (relations, ("relations", "relations-many")),
    "pages": (
        pages,
        (
            *("review-new", "review"),
            *REVIEW_NAMES,
            *("export", "settings", "pending", "shortcuts", "agent-view", "commands"),
        ),
    ),
    "protecting": (
        protecting,
        ("protect", "protect-readable", "protect-key", "erase-plan", "erase-result", "locked"),
    ),
    "everything": (
        everything,
        ("clean", "erase-everything", "erase-everything-result", "returned"),
    ),
    "cases": (cases, CASE_NAMES),
    "keys": (
        keys,
        (
            *("key", "key-absent", "key-locked", "key-denied", "key-unavailable"),
            *("key-mismatch", "key-moved", "key-half"),
            *("recovery", "recovery-shown", "recovery-enter"),
        ),
    ),
}
"""Each with the names of its pictures, in the order in which they are taken."""
NAMES = [name for _, names in REELS.values() for name in names]
