# SPDX-License-Identifier: MIT
"""A receipt on paper: the signed document in a person's words, with the signature to compare."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtGui import QTextDocument

from memory_gui.domain.erasing import MayHold
from memory_gui.ui.fonts import base_font
from memory_gui.ui.paper import print_paper
from memory_gui.ui.pdf import pdf_of
from memory_gui.words import N_, Words
from memory_gui.words.erasure import (
    KEYS,
    STEPS,
    holding,
    limit,
    looked_at,
    place,
    state_text,
)
from memory_gui.words.receipts import DESTROYED, KINDS, NO_SANITISATION

_POINTS: Final = 9.0
TITLE: Final = N_("Receipt of an erasure")

Document = Mapping[str, Any]
Row = tuple[str, str]


def receipt_pdf(words: Words, document: Document) -> bytes:
    """The receipt as a PDF (A4), in the language of ``words``. QApplication exists. No content."""
    text = QTextDocument()
    font = base_font(shipped=True)
    font.setPointSizeF(_POINTS)
    text.setDefaultFont(font)
    text.setHtml(page(words, document))
    return pdf_of(words.say(TITLE), partial(print_paper, text))


def page(words: Words, document: Document) -> str:
    """What stands on it."""
    say = words.say
    parts = [
        f"<h2>{safe(say(TITLE))}</h2>",
        table(_facts(words, document)),
        f"<p>{safe(say(NO_SANITISATION))}</p>",
        heading(say("Counts")),
        table(_counts(words, document)),
        heading(say("Not covered")),
        bullets([limit(words, one["code"], one["params"]) for one in document["not_covered"]]),
        *_holding(words, document),
        heading(say("Steps")),
        table(
            [
                (
                    say(STEPS[step["name"]]) if step["name"] in STEPS else step["name"],
                    step["result"],
                )
                for step in document["steps"]
            ]
        ),
        heading(say("Signature")),
        table(signature_rows(words, document)),
    ]
    return f"<html><body>{''.join(parts)}</body></html>"


def _step(words: Words, name: str) -> str:
    return words.say(STEPS[name]) if name in STEPS else name


def _facts(words: Words, document: Document) -> list[Row]:
    say = words.say
    key = document.get("key", "")
    about = {**KEYS, **DESTROYED}.get(str(key or ""), "")
    rows = [
        (say("Number"), str(document.get("id", ""))),
        (say("Kind"), say(KINDS.get(str(document.get("kind")), KINDS["selective"]))),
        (say("Result"), _result(words, document)),
        (say("Made at"), str(document.get("made_at", ""))),
        (say("Program"), " ".join(str(part) for part in document["program"].values())),
    ]
    rows += [(say("Database"), str(store["path"])) for store in document.get("stores", ())]
    if "path" in document:
        rows.append((say("Database"), str(document["path"])))
    if about:
        rows.append((say("The key"), say(about)))
    proof = document.get("proof")
    if proof:
        looked = looked_at(
            words,
            *(int(proof.get(name, 0)) for name in ("pages", "frames", "files", "bytes")),
        )
        rows.append((say("Read"), looked))
        rows.append((say("Traces found"), words.number(proof["hits"])))
        rows.append((say("Bytes left over"), words.number(proof["structure"]["nonzero_bytes"])))
    rows += [(say("Still in"), place(words, one)) for one in document.get("side_files", ())]
    return rows


def _holding(words: Words, document: Document) -> list[str]:
    """Who may still hold it; an older receipt does not say."""
    told = [MayHold(one["code"], one["params"]) for one in document.get("may_still_hold", ())]
    if not told:
        return []
    title = words.say("Who may still hold it")
    return [heading(title), bullets([holding(words, one) for one in told])]


def _result(words: Words, document: Document) -> str:
    return state_text(
        words,
        str(document["state"]),
        key=str(document.get("key") or ""),
        accepted=bool(document.get("accepted")),
        out_of_reach=bool(document.get("out_of_reach")),
    )


def _counts(words: Words, document: Document) -> list[Row]:
    return [
        (
            table,
            words.say("{found} found, {erased} erased, {kept} kept", **count),
        )
        for table, count in document.get("counts", {}).items()
    ]


def signature_rows(words: Words, document: Document) -> list[Row]:
    """Who signed it, or that nobody did."""
    say = words.say
    if not document.get("signed"):
        return [("", say("It is not signed: nothing shows who made it or whether it was changed."))]
    chain = document.get("chain") or {}
    return [
        (say("Signer"), document["signer"]["fingerprint"]),
        (say("Public key"), document["signer"]["public_key"]),
        (say("Signature"), document["signature"]),
        (say("Receipt before"), str(chain.get("previous", ""))),
    ]


def heading(text: str) -> str:
    """Names what follows."""
    return f"<h4>{safe(text)}</h4>"


def table(rows: Sequence[Row]) -> str:
    """Names and values."""
    lines = "".join(
        f'<tr><td width="34%">{safe(name)}</td><td>{safe(value)}</td></tr>' for name, value in rows
    )
    return f'<table width="100%" cellpadding="2">{lines}</table>'


def bullets(lines: Sequence[str]) -> str:
    """Lines, each with a dot before it."""
    return "<ul>" + "".join(f"<li>{safe(line)}</li>" for line in lines) + "</ul>"


def safe(text: str) -> str:
    """Paths are somebody else's: no tag of theirs is drawn."""
    return html.escape(str(text))
