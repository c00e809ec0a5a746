# SPDX-License-Identifier: MIT
"""Receipts of erasures: signed with this installation's key, chained, and looked at again."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.erasure import signing
from memory_gui.erasure.receipt import unsigned, write_receipt
from memory_gui.ledger import Marks
from memory_gui.ledger.receipts import KnownSigner, signing_key
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.words import Words
from memory_gui.words.receipts import NOT_SIGNED

OURS: Final = "ours"
KNOWN: Final = "known"
UNKNOWN: Final = "unknown"
ALTERED: Final = signing.ALTERED
UNSIGNED: Final = signing.UNSIGNED

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be thought of a receipt.

    ``code`` is OURS (signed by this installation), KNOWN (since ``since``), UNKNOWN, ALTERED or
    UNSIGNED; ``number`` is its place in this installation's chain, None where it has none.
    """

    code: str
    fingerprint: str = ""
    since: str = ""
    number: int | None = None
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The public half of this installation's key."""

    fingerprint: str
    public_key: str
    """Base64 of 32 bytes."""


class Receipts:
    """Signs, writes and verifies. Any thread; asks the keychain."""

    def __init__(self, keeper: LedgerKeeper, keychain: AnyKeychain, words: Words) -> None:
        self._words = words
        self._keeper = keeper
        self._keychain = keychain

    def marks(self) -> Marks:
        """What names records without telling them."""
        return Marks.open(self._keychain)

    def write(self, document: Document, path: Path) -> dict[str, Any]:
        """Sign a receipt as far as that is possible here, and write it to a new file (0600).

        Raises:
            UserError: ``receipt.exists``, ``receipt.failed``: then the chain has a gap.
        """
        signed = self._signed(document)
        write_receipt(path, signed)
        return signed

    def key(self) -> OwnKey | None:
        """This installation's key; None where there is none and none can be kept."""
        seed = signing_key(self._keychain, make=True)
        if seed is None:
            return None
        public = signing.public_key(bytes(seed))
        self._know(signing.fingerprint(public), own=True)
        return OwnKey(signing.fingerprint(public), base64.b64encode(public).decode())

    def verify(self, path: Path, signer: str = "") -> Verdict:
        """Look at a receipt. A ``signer`` that is named by a person and fits is known from now on.

        Raises:
            UserError: ``receipt.missing``, ``receipt.unreadable``.
        """
        document = signing.read(_read(path))
        state = signing.check(document)
        if state != signing.GOOD:
            return Verdict(state, document=document)
        mark = signing.fingerprint(signing.signer_of(document) or b"")
        wanted = signer.replace(":", "").replace(" ", "").lower()
        number = self._number(document)
        if wanted and wanted != mark:
            return Verdict(UNKNOWN, mark, document=document)
        known = self._known(mark)
        if known is None and wanted:
            known = self._know(mark, own=False)
        if known is not None and known.own:
            return Verdict(OURS, mark, known.since, number, document)
        if known is not None:
            return Verdict(KNOWN, mark, known.since, number, document)
        return Verdict(UNKNOWN, mark, document=document)

    # ---- inside

    def _signed(self, document: Document) -> dict[str, Any]:
        seed = signing_key(self._keychain, make=True)
        rows = self._keeper.ledger().receipts
        if seed is None:
            return unsigned(document, self._words.say(NOT_SIGNED))
        signed: dict[str, Any] = {}

        def make(number: int, before: str) -> str:
            chained = {**document, "chain": {"number": number, "previous": before}}
            signed.update(signing.sign(chained, bytes(seed)))
            return signing.digest(signed)

        if rows is None:
            return signing.sign({**document, "chain": None}, bytes(seed))
        self._know(signing.fingerprint(signing.public_key(bytes(seed))), own=True)
        rows.add(_now(), make)
        return signed

    def _number(self, document: Document) -> int | None:
        rows = self._keeper.ledger().receipts if self._keeper.is_kept else None
        return None if rows is None else rows.number_of(signing.digest(document))

    def _known(self, mark: str) -> KnownSigner | None:
        rows = self._keeper.ledger().receipts if self._keeper.is_kept else None
        found = None if rows is None else rows.signer(mark)
        if found is None:
            seed = signing_key(self._keychain, make=False)
            if seed is not None and signing.fingerprint(signing.public_key(bytes(seed))) == mark:
                return KnownSigner(mark, "", own=True)
        return found

    def _know(self, mark: str, *, own: bool) -> KnownSigner:
        rows = self._keeper.ledger().receipts
        signer = KnownSigner(mark, _now(), own)
        if rows is not None:
            rows.know(signer)
            return rows.signer(mark) or signer
        return signer


def _read(path: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            return stream.read(64 << 20)
    except OSError as error:
        raise UserError("receipt.missing", path=str(path)) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
