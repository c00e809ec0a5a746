# SPDX-License-Identifier: MIT
"""``receipt``: whether a receipt is as it was signed, and by whom; this installation's key."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.services.erased.receipts import ALTERED, KNOWN, OURS, UNKNOWN, UNSIGNED, Verdict
from memory_gui.terminal.parser import Parser, Verb
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.receipts import VERDICTS

_STATUS: Final = {
    OURS: Exit.DONE,
    KNOWN: Exit.DONE,
    UNKNOWN: Exit.REFUSED,
    UNSIGNED: Exit.REFUSED,
    ALTERED: Exit.FAILED,
}


def _arguments(parser: Parser, words: Words) -> None:
    say = words.say
    parser.add_argument(
        "act", choices=("verify", "key"), help=say("verify a receipt, or show this app's key")
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help=say("the receipt, with verify"))
    parser.add_argument(
        "--signer",
        metavar="FINGERPRINT",
        default="",
        help=say("with verify: who must have signed it; that signer is known from then on"),
    )


def receipt(session: Session) -> Exit:
    """Verify one, or show the key."""
    if session.args.act == "key":
        return _key(session)
    if session.args.file is None:
        raise UserError("usage.receipt_file")
    verdict = session.services.receipts.verify(Path(session.args.file), session.args.signer)
    _tell(session, verdict)
    return _STATUS[verdict.code]


def _tell(session: Session, verdict: Verdict) -> None:
    out, words = session.out, session.words
    document = verdict.document or {}
    out.document(
        {
            "verdict": verdict.code,
            "signer": verdict.fingerprint,
            "known_since": verdict.since,
            "number": verdict.number,
            "id": document.get("id"),
            "state": document.get("state"),
        }
    )
    out.line(words.say(VERDICTS[verdict.code], date=verdict.since))
    if verdict.fingerprint:
        out.line(words.say("Signer: {fingerprint}", fingerprint=verdict.fingerprint))
    if verdict.number is not None:
        out.line(words.say("It is number {n} of the receipts made here.", n=verdict.number))


def _key(session: Session) -> Exit:
    session.check_it_may_ask()
    key = session.services.receipts.key()
    if key is None:
        raise UserError("receipt.no_key")
    session.out.document({"fingerprint": key.fingerprint, "public_key": key.public_key})
    session.out.line(session.words.say("Signer: {fingerprint}", fingerprint=key.fingerprint))
    session.out.line(session.words.say("Public key (Ed25519): {key}", key=key.public_key))
    return Exit.DONE


VERBS = (Verb("receipt", N_("verify a receipt, or show who signs here"), _arguments),)
RUN = {"receipt": receipt}
