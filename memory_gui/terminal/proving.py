# SPDX-License-Identifier: MIT
"""``prove``: whether anything is left, seen from another process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memory_gui.domain.errors import UserError
from memory_gui.erasure.proof import Proof
from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.terminal.telling import tell_proof
from memory_gui.words import N_, Words


def _prove_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument(
        "--texts",
        metavar="FILE",
        help=words.say("texts that must be gone: one JSON string a line; - is standard input"),
    )


def prove(session: Session) -> Exit:
    """Structure, and content for the given texts; ends 8 when something is still there."""
    texts = _texts(session)
    store = session.open(pair=False)
    proof = session.services.erasing.prove(store.info.path, texts, cancel=session.cancel)
    clean = proof.clean and not proof.still_in and not proof.kept_hits
    session.out.document({"store": store.info.path, "clean": clean, **_proof_data(proof)})
    tell_proof(session, proof)
    session.out.line(_said(session.words, proof, clean=clean))
    return Exit.DONE if clean else Exit.STILL_THERE


def _said(words: Words, proof: Proof, *, clean: bool) -> str:
    """The answer; what nobody asked about is not called the text that somebody asked about."""
    if clean:
        return words.say("Nothing was found.")
    if proof.hits or proof.still_in or proof.kept_hits:
        return words.say("Still there.")
    return words.say("There are remains of something that was changed or deleted.")


def _proof_data(proof: Proof) -> Mapping[str, Any]:
    finds = [find.as_json() for find in proof.still_in]
    return {"proof": proof.as_json(), "side_files": finds}


def _texts(session: Session) -> list[str]:
    """One JSON string a line; empty lines are passed over.

    Raises:
        UserError: ``usage.texts`` (param ``line``).
    """
    if session.args.texts is None:
        return []
    texts: list[str] = []
    for number, line in enumerate(session.read_text(session.args.texts).splitlines(), 1):
        if not line.strip():
            continue
        try:
            text = json.loads(line)
        except ValueError as error:
            raise UserError("usage.texts", line=number) from error
        if not isinstance(text, str):
            raise UserError("usage.texts", line=number)
        texts.append(text)
    return texts


VERBS = (Verb("prove", N_("look whether anything is left"), _prove_arguments),)
RUN = {"prove": prove}
