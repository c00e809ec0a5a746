# SPDX-License-Identifier: MIT
"""Secrets in what is shown: dots in their place, until a person holds a button down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from babel.lists import format_list

from memory_gui.findings.covering import Found
from memory_gui.findings.secrets import DOTS, secrets_in
from memory_gui.ui.pages.marking import Mark, Piece
from memory_gui.words import N_, Words

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "api_key": N_("an API key"),
        "access_token": N_("an access token"),
        "client_secret": N_("a client secret"),
        "cloud_key": N_("a cloud key"),
        "jwt": N_("a signed token"),
        "password": N_("a password or key"),
        "private_key": N_("a private key"),
        "webhook": N_("a webhook address"),
        "email": N_("an e-mail address"),
        "phone": N_("a phone number"),
        "resident_id": N_("an identity card number"),
        "card": N_("a bank card number"),
        "iban": N_("a bank account number"),
    }
)
"""What each kind of secret, or of personal data, is called."""

Find = Callable[[str], Sequence[Found]]
"""What is to be covered in a text: in order, none touching another."""
_KEEP: Final = frozenset({Mark.ADDED, Mark.REMOVED})
"""Marks that say more than that something is secret."""


def masked(text: str, find: Find = secrets_in) -> str:
    """The text with dots in place of its secrets, or what else is to be covered."""
    pieces, at = [], 0
    for one in find(text):
        pieces += [text[at : one.start], DOTS]
        at = one.end
    return "".join((*pieces, text[at:])) if pieces else text


def mask_pieces(pieces: Sequence[Piece], find: Find = secrets_in) -> tuple[Piece, ...]:
    """Pieces of a text with dots, marked SECRET, where its secrets stand."""
    secrets = find("".join(piece.text for piece in pieces))
    return tuple(_masked(pieces, secrets)) if secrets else tuple(pieces)


def kinds_in(words: Words, texts: Iterable[str], find: Find = secrets_in) -> str:
    """The kinds of secrets in some texts, in words, each once; empty when there is none."""
    return kinds_of(words, (one for text in texts for one in find(text)))


def kinds_of(words: Words, found: Iterable[Found]) -> str:
    """The kinds of what was found, in words, each once; empty when nothing was."""
    kinds = dict.fromkeys(one.kind for one in found)
    named = [words.say(KINDS[kind]) for kind in kinds]
    return format_list(named, locale=words.locale) if named else ""


def _masked(pieces: Sequence[Piece], secrets: Sequence[Found]) -> Iterator[Piece]:
    start = 0
    for piece in pieces:
        end, at = start + len(piece.text), start
        for one in secrets:
            first, last = max(one.start, start), min(one.end, end)
            if first >= last:
                continue
            yield from _cut(piece, at - start, first - start)
            if one.start >= start or piece.mark in _KEEP:  # dots once, not for each piece
                yield Piece(DOTS, piece.mark if piece.mark in _KEEP else Mark.SECRET, last - first)
            at = last
        yield from _cut(piece, at - start, len(piece.text))
        start = end


def _cut(piece: Piece, first: int, last: int) -> Iterator[Piece]:
    if first == 0 and last == len(piece.text):
        yield piece
    elif first < last:
        yield Piece(piece.text[first:last], piece.mark, last - first)
