# SPDX-License-Identifier: MIT
"""``erase``: what was begun earlier, and how an erase ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.keys import Key
from memory_gui.erasure.plan import ErasePlan, plan_of
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.ledger import SETTLED, PendingErase
from memory_gui.services.erasing.everything import Part
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit, worst
from memory_gui.terminal.telling import tell_result
from memory_gui.words.formats import called

SIDE_FILES: Final = "side-files"


def kinds_of(plan: ErasePlan) -> Mapping[str, str]:
    """Which kind of records each table holds."""
    databases = (store for store in plan.stores if not store.files)
    return {rows.table: called(rows) for store in databases for rows in store.rows}


def named_in(begun: tuple[PendingErase, ...]) -> set[str]:
    """Every text by which an unfinished erase's records can be named."""
    named: set[str] = set()
    for entry in begun:
        plan = plan_of(entry.store_path, entry.scheme)
        for rows in plan.rows:
            for key in rows.keys:
                ident = "/".join(str(part) for part in key)
                named |= {ident, f"{rows.kind}:{ident}"}
    return named


def names_all(begun: tuple[PendingErase, ...], refs: list[str]) -> bool:
    """Whether an unfinished erase names all of these."""
    named = named_in(begun)
    return all(ref in named for ref in refs)


def list_pending(session: Session, begun: tuple[PendingErase, ...]) -> Exit:
    """What is unfinished of a store."""
    session.out.document(
        {
            "pending": [
                {"id": e.id, "store": e.store_path, "started_at": e.started_at, "state": e.state}
                for e in begun
            ]
        }
    )
    for entry in begun:
        session.out.line(
            session.words.say("Begun {time}: {path}", time=entry.started_at, path=entry.store_path)
        )
    if not begun:
        session.out.line(session.words.say("No erase of this store is unfinished."))
    return Exit.NOT_FINISHED if begun else Exit.DONE


def resume_all(session: Session, begun: tuple[PendingErase, ...]) -> Exit:
    """Finish every unfinished erase of the store; the worst status."""
    if not begun:
        session.out.document({"state": EraseState.PROVED.value, "pending": []})
        session.out.line(session.words.say("No erase of this store is unfinished."))
        return Exit.DONE
    key = _key_of_pending(session, begun[0])
    receipt = session.args.receipt
    results = session.services.erasing.resume_all(
        begun,
        key=key,
        new_key=session.new_key(),
        accept_side_files=session.args.accept == SIDE_FILES,
        receipt=None if receipt is None else Path(receipt),
    )
    kinds: dict[str, str] = {}
    for entry in begun:
        kinds |= kinds_of(ErasePlan((plan_of(entry.store_path, entry.scheme),)))
    return finish(session, results, kinds)


def _key_of_pending(session: Session, entry: PendingErase) -> Key | None:
    """The key given, for an encrypted store; the keychain's is found by the service."""
    encrypted = plan_of(entry.store_path, entry.scheme).encrypted
    return session.key() if encrypted else None


def finish(
    session: Session,
    results: Sequence[EraseResult],
    kinds: Mapping[str, str],
    begun: Sequence[PendingErase] = (),
    parts: Sequence[Part] = (),
) -> Exit:
    """Tell the results; when they have left this process, it need not be kept that all is done."""
    older = older_data(begun)
    if len(results) == 1:
        session.out.document({**results[0].as_json(), **parts_data(parts), "older": older})
    else:
        session.out.document({"results": [result.as_json() for result in results], "older": older})
    for result in results:
        tell_result(session, result, kinds)
        if result.state is EraseState.NOT_PROVED:
            _tell_way_on(session, result)
    tell_older(session, begun)
    session.streams.stdout.flush()
    for result in results:
        session.services.erasing.told(result, at_once=session.streams.stdout.isatty())
    return worst(Exit(result.exit_code) for result in results)


def _tell_way_on(session: Session, result: EraseResult) -> None:
    words = session.words
    if result.proof is not None and result.proof.clean and result.finds:
        session.out.line(
            words.say(
                "Clean or delete what is named, then run “erase STORE --resume”; or accept it "
                "with “erase STORE --resume --accept side-files”."
            )
        )
    else:
        session.out.line(words.say("Run “erase STORE --resume” to try again."))


def _older(begun: Sequence[PendingErase]) -> list[PendingErase]:
    """Earlier erases whose rows are gone and that are not proved: each has its own result."""
    return [entry for entry in begun if entry.state in SETTLED]


def older_data(begun: Sequence[PendingErase]) -> list[dict[str, Any]]:
    """Earlier erases that are not proved, for a document."""
    return [
        {"id": entry.id, "started_at": entry.started_at, "state": entry.state}
        for entry in _older(begun)
    ]


def tell_older(session: Session, begun: Sequence[PendingErase]) -> None:
    """The same for a person."""
    for entry in _older(begun):
        session.out.line(
            session.words.say(
                "An earlier erase, begun {time}, is not proved. Finish it with “erase STORE "
                "--resume”, or accept what is left with “--resume --accept side-files”.",
                time=entry.started_at,
            )
        )


def parts_data(parts: Sequence[Part]) -> dict[str, Any]:
    """Of an erase of everything: what became of each part; nothing of another erase."""
    return {"parts": [part.as_json() for part in parts]} if parts else {}
