# SPDX-License-Identifier: MIT
"""What of a case goes on paper: the letter, and the signed receipt in a person's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QTextDocument

from memory_gui.cases.finds import NotLooked
from memory_gui.cases.rights import Right
from memory_gui.domain.erasing import MayHold
from memory_gui.services.cases.running.leftover import BEFORE, let_stay
from memory_gui.services.cases.running.plans import StayingFile
from memory_gui.ui.cases.plan_words import ended, let_stay_line
from memory_gui.ui.cases.words import day, unseen_line
from memory_gui.ui.fonts import base_font
from memory_gui.ui.home.phrases import short_path
from memory_gui.ui.paper import print_paper
from memory_gui.ui.pdf import pdf_of
from memory_gui.ui.receipt_pdf import bullets, heading, safe, signature_rows, table
from memory_gui.words import N_, Words, reasons
from memory_gui.words import cases as said
from memory_gui.words.erasure import holding, limit, state_text
from memory_gui.words.reasons import kept_line
from memory_gui.words.receipts import NO_SANITISATION

LETTER: Final = N_("Letter")
TITLE: Final = N_("Receipt of a case")
_LETTER_PT: Final = 10.5
_RECEIPT_PT: Final = 9.0

Document = Mapping[str, Any]


def letter_pdf(words: Words, text: str) -> bytes:
    """The letter as it was typed, on A4. QApplication exists."""
    _loop = QEventLoop()
    paper = _paper(_LETTER_PT)
    paper.setPlainText(text)
    return pdf_of(words.say(LETTER), partial(print_paper, paper))


def receipt_pdf(words: Words, document: Document) -> bytes:
    """The receipt of a case on A4, in the language of ``words``. QApplication exists. No name."""
    _loop = QEventLoop()
    paper = _paper(_RECEIPT_PT)
    paper.setHtml(page(words, document))
    return pdf_of(words.say(TITLE), partial(print_paper, paper))


def _paper(points: float) -> QTextDocument:
    """In a thread of ours a long one starts timers, which want an event loop to be there."""
    paper = QTextDocument()
    font = base_font(shipped=True)
    font.setPointSizeF(points)
    paper.setDefaultFont(font)
    return paper


def page(words: Words, document: Document) -> str:
    """What stands on it."""
    say = words.say
    parts = [f"<h2>{safe(say(TITLE))}</h2>", table(_facts(words, document))]
    parts.append(f"<p>{safe(say(NO_SANITISATION))}</p>")
    parts += [heading(say("Counts")), table(_counts(words, document))]
    for title, lines in (
        (say("Store by store"), [_part(words, one) for one in document["parts"]]),
        (say("Held"), [_held(words, one) for one in document["held"]]),
        (say("Kept, or undecided"), list(_stays(words, document))),
        (say("What stays"), list(_kept_files(words, document))),
        (say("Accepted: it was found again, and stays"), list(_let_stay(words, document))),
        (say("Not looked into"), [_unseen(words, one) for one in document["not_looked"]]),
        (
            say("Not covered"),
            [limit(words, one["code"], one["params"]) for one in document["not_covered"]],
        ),
        (
            say("Who may still hold it"),
            [
                holding(words, MayHold(one["code"], one["params"]))
                for one in document["may_still_hold"]
            ],
        ),
        (say("What cannot be reached"), [_check(words, one) for one in document["checklist"]]),
    ):
        if lines:
            parts += [heading(title), bullets(_once(lines))]
    parts += [heading(say("Signature")), table(signature_rows(words, document))]
    return f"<html><body>{''.join(parts)}</body></html>"


def _facts(words: Words, document: Document) -> list[tuple[str, str]]:
    say, case = words.say, document["case"]
    identity = case["identity"]
    rows = [
        (say("Number"), str(case["number"] or say("not kept"))),
        (say("Receipt"), str(document["id"])),
        (say("Person, as a keyed mark"), str(case["subject"] or "")),
        (say("Right"), said.said(words, said.RIGHTS, Right(case["right"]))),
        (say("Ground"), said.said(words, said.GROUNDS, case["ground"]) if case["ground"] else ""),
        (say("Received on"), _day(words, case["received"])),
        (say("Due on"), _day(words, case["extended_until"] or case["due"])),
        (
            say("Identity checked by"),
            said.said(words, said.METHODS, m) if (m := identity["method"]) else "",
        ),
        (
            say("Result"),
            state_text(
                words,
                str(document["state"]),
                accepted=bool(document.get("accepted")),
                keeps=_keeps(document),
            ),
        ),
        (say("Made at"), str(document["made_at"])),
        (say("Program"), " ".join(str(part) for part in document["program"].values())),
    ]
    return [row for row in rows if row[1]]


def _keeps(document: Document) -> bool:
    """Whether all is proved but for files that stay."""
    proved = document["state"] == "proved" and not document.get("accepted")
    return proved and bool(document.get("kept_files"))


def _counts(words: Words, document: Document) -> list[tuple[str, str]]:
    say, counts = words.say, document["counts"]
    named = (
        ("erased", say("Erased")),
        ("redacted", say("Without the name")),
        ("restricted", say("Restricted")),
        ("corrected", say("Corrected")),
        ("held", say("Held")),
        ("kept", say("Kept")),
        ("undecided", say("Undecided")),
    )
    return [(title, words.number(int(counts.get(name, 0)))) for name, title in named]


def _part(words: Words, part: Document) -> str:
    done = ("erased", "redacted", "restricted", "corrected")
    count = sum(int(part.get(name, 0)) for name in done)
    what = words.many("{n} find", "{n} finds", count)
    result = ended(
        words, str(part["state"]), accepted=bool(part.get("accepted") or part.get(BEFORE))
    )
    where = short_path(str(part["path"]))
    return words.say("{where}: {what}", where=where, what=words.row((what, result)))


def _stays(words: Words, document: Document) -> Iterator[str]:
    """What a person kept, and why; with what undecided it was closed. Older ones do not say."""
    for one in document.get("kept", ()):
        reason = reasons.reason(words, one["reason"]) if one["reason"] else ""
        count = words.many("{n} record", "{n} records", int(one["count"]))
        text = words.say("{count}: {reason}", count=count, reason=reason) if reason else count
        yield text
    if left := int(document["counts"].get("left_undecided", 0)):
        yield said.left_undecided(words, left)


def _kept_files(words: Words, document: Document) -> Iterator[str]:
    """Files that were left byte for byte, and why; older receipts have none."""
    for one in document.get("kept_files", ()):
        file = StayingFile.of(one)
        yield kept_line(words, file.file, file.hits)


def _let_stay(words: Words, document: Document) -> Iterator[str]:
    """What a person accepted, and why."""
    for part in document["parts"]:
        for one in let_stay(str(part["path"]), "", part):
            yield let_stay_line(words, one)


def _held(words: Words, one: Document) -> str:
    count = words.many("{n} record", "{n} records", int(one["count"]))
    reason = reasons.reason(words, one["reason"])
    if not one["until"]:
        return words.say("{count}: {reason}", count=count, reason=reason)
    return words.say(
        "{count}, until {until}: {reason}",
        count=count,
        until=_day(words, one["until"]),
        reason=reason,
    )


def _unseen(words: Words, one: Document) -> str:
    seen = NotLooked(one["path"], one["agent"], one["code"], {"path": one["path"]})
    return unseen_line(words, seen)


def _check(words: Words, one: Document) -> str:
    text = said.check(words, one["code"], one["params"])
    if not one["done_on"]:
        return text
    return words.say("{what} – {date}", what=text, date=_day(words, one["done_on"]))


def _day(words: Words, text: str) -> str:
    return day(words, date.fromisoformat(text))


def _once(lines: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(lines))
