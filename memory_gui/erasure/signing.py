# SPDX-License-Identifier: MIT
"""Signing a receipt and checking it: canonical JSON, Ed25519 (RFC 8032). Knows no keychain.

Canonical: UTF-8, keys sorted, no white space, no letter escaped that need not be, no number but
those that JSON's reader gives back as they were. The signature is over the document without its
field ``signature``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from memory_gui import lazy
from memory_gui.domain.errors import UserError

ALGORITHM: Final = "Ed25519"
SIGNATURE: Final = "signature"
GOOD: Final = "good"
ALTERED: Final = "altered"
UNSIGNED: Final = "unsigned"
_LARGEST: Final = 64 << 20

Document = Mapping[str, Any]


def canonical(document: Document) -> bytes:
    """The bytes that are signed and hashed."""
    kept = {name: value for name, value in document.items() if name != SIGNATURE}
    text = json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def digest(document: Document) -> str:
    """SHA-256 of a receipt with its signature, in hex: what the next one is chained to."""
    signature = str(document.get(SIGNATURE, "")).encode()
    return hashlib.sha256(canonical(document) + b"\n" + signature).hexdigest()


def public_key(seed: bytes) -> bytes:
    """The public key, 32 bytes, of a private one."""
    private = lazy.cryptography_ed25519().Ed25519PrivateKey.from_private_bytes(seed)
    public: bytes = private.public_key().public_bytes_raw()
    return public


def fingerprint(public: bytes) -> str:
    """SHA-256 of a public key as 64 hex digits: what people compare."""
    return hashlib.sha256(public).hexdigest()


def sign(document: Document, seed: bytes) -> dict[str, Any]:
    """The document with the signer's public key and the signature."""
    public = public_key(seed)
    signer = {
        "algorithm": ALGORITHM,
        "public_key": base64.b64encode(public).decode(),
        "fingerprint": fingerprint(public),
    }
    named = {**document, "signed": True, "signer": signer}
    private = lazy.cryptography_ed25519().Ed25519PrivateKey.from_private_bytes(seed)
    signature = private.sign(canonical(named))
    return {**named, SIGNATURE: base64.b64encode(signature).decode()}


def check(document: Document) -> str:
    """GOOD, ALTERED, or UNSIGNED where it does not claim to be signed at all."""
    if not document.get("signed") and SIGNATURE not in document:
        return UNSIGNED
    public = signer_of(document)
    try:
        signature = base64.b64decode(str(document.get(SIGNATURE, "")), validate=True)
    except binascii.Error:
        return ALTERED
    if public is None or document["signer"].get("fingerprint") != fingerprint(public):
        return ALTERED
    try:
        key = lazy.cryptography_ed25519().Ed25519PublicKey.from_public_bytes(public)
        key.verify(signature, canonical(document))
    except (lazy.cryptography_exceptions().InvalidSignature, ValueError):
        return ALTERED
    return GOOD


def signer_of(document: Document) -> bytes | None:
    """The public key that it carries; None where it carries none."""
    signer = document.get("signer")
    if not isinstance(signer, dict) or signer.get("algorithm") != ALGORITHM:
        return None
    try:
        public = base64.b64decode(str(signer.get("public_key", "")), validate=True)
    except binascii.Error:
        return None
    return public if len(public) == 32 else None


def read(data: bytes) -> dict[str, Any]:
    """A receipt from a file. A name that stands twice could be read in two ways: refused.

    Raises:
        UserError: ``receipt.unreadable``.
    """
    try:
        document = json.loads(data[:_LARGEST], object_pairs_hook=_once)
    except ValueError as error:
        raise UserError("receipt.unreadable") from error
    if not isinstance(document, dict) or "receipt" not in document:
        raise UserError("receipt.unreadable")
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice")
    return made
