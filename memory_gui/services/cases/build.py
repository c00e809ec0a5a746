# SPDX-License-Identifier: MIT
"""Composing the use cases of "forget me" from the services that are there."""

from __future__ import annotations

from pathlib import Path

from memory_gui.services.cases.answering.accepting import Accepting
from memory_gui.services.cases.answering.closing import Closing
from memory_gui.services.cases.answering.reporting import Reporting
from memory_gui.services.cases.answering.returning import Returning
from memory_gui.services.cases.book.book import CaseBook
from memory_gui.services.cases.book.deciding import Deciding
from memory_gui.services.cases.book.holds import Holds
from memory_gui.services.cases.book.lifting import Lifting
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.cases import Cases
from memory_gui.services.cases.finding.finding import Finding
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.ownqueue import OwnQueue
from memory_gui.services.cases.finding.places import Places
from memory_gui.services.cases.running.afterwards import Afterwards
from memory_gui.services.cases.running.planning import Planning
from memory_gui.services.cases.running.running import Running
from memory_gui.services.cases.running.unfinished import Unfinished
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing
from memory_gui.services.erased.receipts import Receipts
from memory_gui.services.erasing.destroying import Destroying
from memory_gui.services.erasing.erasing import Erasing
from memory_gui.services.erasing.forgetting import Forgetting
from memory_gui.services.home.discovery import Discovery
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.library import Library
from memory_gui.services.locking.drafts import Drafts
from memory_gui.services.own.known import LedgerKeeper


def build_cases(
    *,
    library: Library,
    finder: KeyFinder,
    keeper: LedgerKeeper,
    discovery: Discovery,
    acts: Acts,
    editing: Editing,
    erasing: Erasing,
    destroying: Destroying,
    forgetting: Forgetting,
    receipts: Receipts,
    drafts: Drafts,
    data_dir: Path,
) -> Cases:
    """Make them, and have what must stay refused wherever something would be taken."""
    books = CaseBooks(keeper, data_dir)
    book = CaseBook(books)
    looking = Looking(library, finder)
    places = Places(library, discovery)
    own = OwnQueue(keeper)
    finding = Finding(places, looking, own)
    holds = Holds(books, library)
    deciding = Deciding(books, looking, editing, holds.forget)
    reporting = Reporting(books, holds, receipts)
    erasing.plans.guard_with(holds.guard)
    erasing.plans.tell_overtaken_with(holds.overtaken)
    acts.refuse_with(holds.refuse)
    destroying.refuse_with(holds.refuse_store)
    return Cases(
        book=book,
        books=books,
        places=places,
        looking=looking,
        finding=finding,
        deciding=deciding,
        planning=Planning(looking, erasing.plans, holds),
        running=Running(
            books,
            book,
            looking,
            own,
            erasing=erasing,
            editing=editing,
            receipts=receipts,
            deciding=deciding,
        ),
        afterwards=Afterwards(book, finding, deciding),
        accepting=Accepting(books, book, erasing, reporting),
        reporting=reporting,
        closing=Closing(
            books, book, Unfinished(books, erasing), data_dir, forget_typed=drafts.close_case
        ),
        returning=Returning(books, book, library),
        holds=holds,
        lifting=Lifting(books, places, looking, editing, holds.forget),
        forgetting=forgetting,
    )
