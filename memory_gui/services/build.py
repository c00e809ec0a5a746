# SPDX-License-Identifier: MIT
"""Composing the services; made once by a front door."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.ledger import AnyLedger, Ledger
from memory_gui.ledger.begun import BegunActs
from memory_gui.ledger.keynotes import KeyNotes
from memory_gui.ledger.ledger import FILE
from memory_gui.ledger.place import read_place, write_place
from memory_gui.rotation.rekey import KeyChanges
from memory_gui.services.activity.activity import Activity
from memory_gui.services.activity.journal import Journal
from memory_gui.services.activity.uses import Uses
from memory_gui.services.agent.starting import Agents
from memory_gui.services.agent.view import AgentViews
from memory_gui.services.cases.build import build_cases
from memory_gui.services.cases.cases import Cases
from memory_gui.services.checks import Checks
from memory_gui.services.converting import Converting
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing
from memory_gui.services.editing.merging import Merging
from memory_gui.services.erased.receipts import Receipts
from memory_gui.services.erased.returned import Returned
from memory_gui.services.erasing.destroying import Destroying
from memory_gui.services.erasing.erasing import Erasing
from memory_gui.services.erasing.everything import Everything
from memory_gui.services.erasing.forgetting import Forgetting
from memory_gui.services.erasing.keys import EraseKeys
from memory_gui.services.erasing.standing import Standing
from memory_gui.services.exporting import Exporting
from memory_gui.services.graphs import Graphs
from memory_gui.services.home.discovery import Discovery
from memory_gui.services.home.home import Home
from memory_gui.services.home.keyproblems import key_problems
from memory_gui.services.home.samples import Samples
from memory_gui.services.keys.keeping import Keeping
from memory_gui.services.keys.migrating import Migrating
from memory_gui.services.keys.protect import Protect
from memory_gui.services.keys.recovery import Recovery
from memory_gui.services.keys.rotating import Rotating
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.lending import Lending
from memory_gui.services.library.library import Library
from memory_gui.services.locking.drafts import Drafts
from memory_gui.services.locking.lock import Lock
from memory_gui.services.neighbours import AnyNeighbours, NoNeighbours
from memory_gui.services.neighbours.apart import Apart
from memory_gui.services.neighbours.desk import Desk
from memory_gui.services.own.filters import Filters
from memory_gui.services.own.known import KnownStores, LedgerKeeper
from memory_gui.services.own.layout import LAYOUT_FILE, LayoutFile
from memory_gui.services.own.ownfile import OwnFile
from memory_gui.services.own.settings import SETTINGS_FILE, Settings
from memory_gui.services.reviewing.review import Review
from memory_gui.services.reviewing.rules import Rules
from memory_gui.services.reviewing.stopped import StoppedDecisions
from memory_gui.services.reviewing.story import Stories
from memory_gui.services.undo.spill import LedgerSpill
from memory_gui.services.undo.stack import UndoStack
from memory_gui.stores.pair import pair_of
from memory_gui.stores.registry import Registry, formats
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.words import Words

PATIENCE_S = 20.0
"""Seconds for which a verb waits for a store that another copy of the app works on."""
_NOT_THIS_KEY = frozenset({"key.wrong", "store.not_a_database"})


@dataclass(frozen=True, slots=True)
class Services:
    """Everything window and terminal may ask for. ``close`` when done."""

    words: Words
    library: Library
    editing: Editing
    review: Review
    rules: Rules
    stopped: StoppedDecisions
    stories: Stories
    erasing: Erasing
    everything: Everything
    standing: Standing
    filters: Filters
    forgetting: Forgetting
    destroying: Destroying
    receipts: Receipts
    returned: Returned
    protect: Protect
    merging: Merging
    rotating: Rotating
    exporting: Exporting
    checks: Checks
    settings: Settings
    lock: Lock
    drafts: Drafts
    samples: Samples
    home: Home
    discovery: Discovery
    layout: LayoutFile
    keychain: AnyKeychain
    keeper: LedgerKeeper
    neighbours: AnyNeighbours
    desk: Desk
    uses: Uses
    activity: Activity
    journal: Journal
    agents: Agents
    keys: Keeping
    recovery: Recovery
    migrating: Migrating
    converting: Converting
    graphs: Graphs
    agent_views: AgentViews
    cases: Cases

    def listen(self) -> None:
        """Let other running copies of the app ask this one, until ``close``."""
        self.neighbours.listen(self.desk)

    def close(self) -> None:
        """Close every store, the ledger and the keychain's helper."""
        self.library.close_all()  # and with them goes what could be taken back
        self.neighbours.close()
        self.keeper.close()
        self.keychain.close()


def build_services(
    *,
    words: Words,
    home: Path,
    data_dir: Path,
    keychain: AnyKeychain,
    neighbours: AnyNeighbours | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Services:
    """Compose. ``home`` is where agents keep user databases, ``data_dir`` the app's own.

    ``neighbours`` are the other running copies of the app (none: no one is asked).
    """
    neighbours = neighbours or NoNeighbours()
    lending = Lending(
        patience=PATIENCE_S if neighbours.front == "terminal" else 0.0,
        elsewhere=neighbours.claimed,
    )
    settings = Settings(data_dir / SETTINGS_FILE)
    keychain.record(read_place(data_dir))

    def open_ledger() -> AnyLedger:
        ledger = Ledger.open(data_dir, keychain)
        if isinstance(ledger, Ledger):
            write_place(data_dir, ledger.key_place)
        return ledger

    keeper = LedgerKeeper(
        open_ledger,
        kept=lambda: (data_dir / FILE).exists() or any(data_dir.glob("pending/*")),
    )

    def remember() -> bool:
        return settings.values.remember_stores

    finder = KeyFinder(
        keychain,
        inspect=inspect,
        opens=opens,
        recorded=lambda salt: known.key_place(salt),  # noqa: PLW0108 - made after it
    )
    known = KnownStores(
        keeper, wanted=lambda: settings.values.remember_stores, key_place=finder.place
    )
    registry = Registry(formats(home), recorded=lambda path: known.format_of(path))  # noqa: PLW0108 - as above
    library = Library(
        registry,
        pair_of,
        finder,
        known,
        home=home,
        lending=lending,
    )
    front = "terminal" if neighbours.front == "terminal" else "window"
    # The terminal ends after one act: nobody takes a large one back.
    spill = LedgerSpill(keeper, OwnFile(keeper.ledger, data_dir).clean)
    stack = UndoStack(spill, large=front == "window")
    acts = Acts(library)
    journal = Journal(keeper, data_dir, front, wanted=remember)
    known.also_forget(journal.clear)
    uses = Uses(keeper, data_dir)
    begun = BegunActs(data_dir)
    editing = Editing(library, acts, stack, begun, journal)
    review = Review(library, acts, editing, begun=begun, keeper=keeper, journal=journal)
    apart = Apart(library, lending, neighbours)
    recovery = Recovery(library, keeper)
    notes = KeyNotes(data_dir)
    changes = KeyChanges(keychain, notes)
    rotating = Rotating(library, keeper, apart, changes, recovery, keep=journal.store_done)
    protect = Protect(
        library,
        keychain,
        apart,
        notes=notes,
        formats={one.name: one for one in formats(home)},
        tell=rotating.tell,
        keep=journal.store_done,
        pending=lambda: keeper.ledger().pending if keeper.is_kept else None,
    )
    library.tidy_also(protect.finish)
    library.tidy_also(rotating.finish)
    drafts = Drafts(library, keeper)
    receipts = Receipts(keeper, keychain, words)
    returned = Returned(library, keeper, data_dir)
    erasing = Erasing(
        library,
        finder,
        keeper,
        stack,
        apart,
        keys=EraseKeys(rotating),
        receipts=receipts,
        returned=returned,
        journal=journal,
    )
    erasing.when_erased(drafts.erase_with)
    erasing.when_erased(review.erase_with)
    erasing.when_erased(spill.erase_with)
    stories = Stories(library, journal)
    lock = Lock(library, stack, keychain, drafts, keeper)
    discovery = Discovery(registry, finder, settings, home=home, environment=environment)
    destroying = Destroying(
        library,
        keeper,
        keychain,
        apart=apart,
        rotating=rotating,
        receipts=receipts,
        plans=erasing.plans,
    )
    forgetting = Forgetting(library, editing, erasing, stack)
    return Services(
        words=words,
        library=library,
        editing=editing,
        review=review,
        rules=Rules(library, review, acts, editing, journal=journal, keeper=keeper),
        stopped=StoppedDecisions(
            library, review, acts, editing, begun=begun, journal=journal, stories=stories
        ),
        stories=stories,
        erasing=erasing,
        everything=Everything(library),
        standing=Standing(library, keeper, erasing, keychain),
        filters=Filters(keeper),
        destroying=destroying,
        forgetting=forgetting,
        receipts=receipts,
        returned=returned,
        protect=protect,
        merging=Merging(library, editing, acts),
        rotating=rotating,
        exporting=Exporting(library),
        checks=Checks(library, returned, evidence=review.with_evidence),
        settings=settings,
        lock=lock,
        drafts=drafts,
        samples=Samples(library, keychain),
        layout=LayoutFile(data_dir / LAYOUT_FILE),
        home=Home(
            library,
            known,
            keeper,
            recovery=recovery.state,
            agents={one.name: one.agent for one in formats(home)},
            settings=lambda: settings.values,
            keys=lambda: key_problems(rotating, protect),
            begun=begun,
        ),
        discovery=discovery,
        keychain=keychain,
        keeper=keeper,
        neighbours=neighbours,
        desk=Desk(library, lending, stack, lock),
        uses=uses,
        activity=Activity(library, journal, uses),
        journal=journal,
        agents=Agents(finder, home=home),
        keys=Keeping(library, finder, keychain, known, recovery),
        recovery=recovery,
        migrating=Migrating(library, finder, keychain),
        converting=Converting(library),
        graphs=Graphs(library),
        agent_views=AgentViews(library),
        cases=build_cases(
            library=library,
            finder=finder,
            keeper=keeper,
            discovery=discovery,
            acts=acts,
            editing=editing,
            erasing=erasing,
            destroying=destroying,
            forgetting=forgetting,
            receipts=receipts,
            drafts=drafts,
            data_dir=data_dir,
        ),
    )


def opens(path: Path, key: RawKey) -> bool:
    """Whether a key opens the file, by a connection that is closed again at once."""
    try:
        open_database(path, key, write=False).close()
    except UserError as error:
        if error.code in _NOT_THIS_KEY:
            return False
        raise
    return True
