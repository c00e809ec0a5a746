# SPDX-License-Identifier: MIT
"""An erasure's result and proof as lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memory_gui.domain.errors import UserError
from memory_gui.erasure.proof import COPIED, TABLE, Find, Proof
from memory_gui.erasure.result import NONE, OLD_FOR_RECOVERY, EraseResult, EraseState
from memory_gui.services.erasing.everything import Part
from memory_gui.terminal.session import Session
from memory_gui.words import Words
from memory_gui.words.erasure import (
    KEYS,
    OWN_CLEAR,
    holding,
    kind,
    looked_at,
    part_name,
    state_text,
    where,
)
from memory_gui.words.erasure import limit as limit_words
from memory_gui.words.errors import explain


def tell_result(session: Session, result: EraseResult, kinds: Mapping[str, str]) -> None:
    """The state first, then what went, what is left, who is in the way.

    ``kinds`` says of each table which kind of records it holds.
    """
    out, words = session.out, session.words
    out.line(_state(words, result))
    told: set[str] = set()
    for table, count in result.counts.items():
        name = kind(words, kinds.get(table, table))
        if name in told:  # one more table of the same kind
            name = f"{name} ({table})"
        told.add(name)
        out.line(
            words.say(
                "{kind}: {found} found, {erased} erased, {kept} kept",
                kind=name,
                found=count.found,
                erased=count.erased,
                kept=count.kept,
            )
        )
    for store in result.stores:
        if store.reason:
            reason = explain(words, UserError(store.reason, **store.reason_params))
            out.line(words.say("{path}: {reason}", path=store.path, reason=reason.text), lines=True)
    for holder in result.open_by:
        out.line(
            words.say("{name} (pid {pid}) has it open.", name=holder.name, pid=str(holder.pid))
        )
    _tell_cleaned(session, result)
    if result.proof is not None:
        if result.proof.by == "structure":
            out.line(words.say("By structure only: no text was known to search for."))
        tell_proof(session, result.proof)
    shown = {NONE, OLD_FOR_RECOVERY}
    if result.key not in shown and result.state is not EraseState.PLANNED:
        out.line(words.say(KEYS[result.key]))
    _tell_open(session, result)
    if result.receipt:
        out.line(words.say("Receipt: {path}", path=result.receipt))


def _tell_open(session: Session, result: EraseResult) -> None:
    """What is not covered, and who may still hold it."""
    out, words = session.out, session.words
    if result.not_covered:
        out.line(words.say("Not covered:"))
    for limit in result.not_covered:
        out.line(words.say("- {limit}", limit=limit_words(words, limit.code, limit.params)))
    if result.may_hold:
        out.line(words.say("Who may still hold it:"))
    for one in result.may_hold:
        out.line(words.say("- {limit}", limit=holding(words, one)))


def _tell_cleaned(session: Session, result: EraseResult) -> None:
    for find in result.cleaned:
        if find.removed:
            session.out.line(session.words.say("Taken away: {path}", path=find.where))
            continue
        session.out.line(
            session.words.many(
                "Overwritten in {path}: {n} place.",
                "Overwritten in {path}: {n} places.",
                find.count,
                path=find.where,
            )
        )


def _state(words: Words, result: EraseResult) -> str:
    text = result_text(words, result)
    if result.state is EraseState.PROVED and not result.accepted and result.key == OLD_FOR_RECOVERY:
        return text  # a sentence by itself
    return words.say("Result: {state}.", state=text)


def result_text(words: Words, result: EraseResult) -> str:
    """How an erase ended."""
    return state_text(
        words,
        str(result.state),
        key=result.key,
        accepted=result.accepted,
        keeps=result.keeps,
        out_of_reach=result.out_of_reach,
        other_store=result.other_store,
    )


def tell_parts(session: Session, parts: Sequence[Part]) -> None:
    """Of an erase of everything: part by part, and what the agent's own "clear" leaves of it."""
    out, words = session.out, session.words
    left: Counter[tuple[str, str]] = Counter()
    for part in parts:
        name = part_name(words, part.kind, part.state)
        if part.erased is None:
            out.line(words.say("{path}: {what}: {n}", path=part.store, what=name, n=part.found))
        else:
            out.line(
                words.say(
                    "{path}: {what}: {erased} of {found} erased",
                    path=part.store,
                    what=name,
                    erased=part.erased,
                    found=part.found,
                )
            )
        if part.own_clear:
            left[part.own_clear, part.kind] += part.found
    for (how, name), n in left.items():
        out.line(words.say(OWN_CLEAR[how], kind=kind(words, name), n=n))


def tell_proof(session: Session, proof: Proof) -> None:
    """What was looked at, what was found and where."""
    out, words = session.out, session.words
    out.line(
        words.say(
            "Looked at from another process: {what}. {hits} finds of erased text, {bytes} bytes "
            "where nothing should be.",
            what=looked_at(words, proof.pages, proof.frames, proof.files, proof.bytes),
            hits=proof.hits,
            bytes=proof.structure.nonzero_bytes,
        )
    )
    for hit in proof.kept_hits:
        out.line(words.say("{ref} was kept and holds some of that text.", ref=hit.ref))
    for find in proof.still_in:
        tell_find(session, find)


def tell_left(session: Session, result: EraseResult) -> None:
    """Why an erase that was done is not proved: which places still hold text of it."""
    if result.state is not EraseState.NOT_PROVED or result.proof is None:
        return
    for hit in result.proof.kept_hits:
        line = session.words.say("{ref} was kept and holds some of that text.", ref=hit.ref)
        session.out.line(line)
    for find in result.finds:
        tell_find(session, find)


def can_be_accepted(result: EraseResult) -> bool:
    """Whether nothing but what stands in other files keeps it from being proved."""
    not_proved = result.state is EraseState.NOT_PROVED
    return not_proved and result.proof is not None and result.proof.clean and bool(result.finds)


def tell_find(session: Session, find: Find) -> None:
    """Where text still is, or where nobody could look."""
    words = session.words
    if find.error and find.what == COPIED:
        session.out.line(
            words.say(
                "The texts were no longer known: the table {table} may hold copies, because a "
                "trigger that is not the agent's writes into it when rows go.",
                table=find.where,
            )
        )
    elif find.error:
        session.out.line(words.say("{path} could not be read.", path=find.where))
    if find.count and find.what == COPIED:
        session.out.line(
            words.many(
                "Still in table {table}, where a trigger that is not the agent's writes what is "
                "taken out: {n} place.",
                "Still in table {table}, where a trigger that is not the agent's writes what is "
                "taken out: {n} places.",
                find.count,
                table=find.where,
            )
        )
    elif find.count and find.what == TABLE:
        session.out.line(
            words.many(
                "Still in table {table}, from which nothing is taken here: {n} place.",
                "Still in table {table}, from which nothing is taken here: {n} places.",
                find.count,
                table=find.where,
            )
        )
    elif find.count:
        session.out.line(
            words.many(
                "Still in {path}: {n} place.",
                "Still in {path}: {n} places.",
                find.count,
                path=where(words, find.where),
            )
        )
