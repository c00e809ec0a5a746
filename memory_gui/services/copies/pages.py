# SPDX-License-Identifier: MIT
"""A copy for people: one HTML page that runs nothing, loads nothing and links to no other place.

Memory text is hostile: all of it is escaped, and what does not show in it is drawn. The page
forbids scripts, pictures and connections by its own policy too, should anything slip through.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from babel.dates import format_date

from memory_gui.domain.hidden import far_in, hidden_at
from memory_gui.services.copies.rows import Head, Home
from memory_gui.words import Words, formats
from memory_gui.words import cases as said
from memory_gui.words.copies import ABOUT_YOU, DATA, FIELDS, FILES, LANGUAGE_NAMES, STATES

_STYLE: Final = """
:root{color-scheme:light dark;--t:#1b1f26;--m:#586170;--l:#e1e4e9;--s:#fff;--r:#f5f6f8;--w:#855000}
@media(prefers-color-scheme:dark){:root{--t:#e7e9ed;--m:#a9b1bd;--l:#383c44;--s:#1c1e22;--r:#25282d;
--w:#f0c069}}
body{margin:0;background:var(--s);color:var(--t);font:16px/1.6 system-ui,-apple-system,"Segoe UI",
"Noto Sans SC","PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:46rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 1rem}
h2{font-size:1.2rem;margin:2.6rem 0 .2rem}
h3{font-size:1rem;margin:0 0 .4rem;overflow-wrap:anywhere}
a{color:inherit}nav{text-align:right;color:var(--m)}
.path,.none{color:var(--m);overflow-wrap:anywhere;margin:.1rem 0 1rem}
article{border:1px solid var(--l);border-radius:6px;background:var(--r);padding:.9rem 1.1rem;
margin:.8rem 0;
break-inside:avoid-page}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 .7rem}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.15rem 1rem;margin:0;
font-size:.87rem}
dt{color:var(--m)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
.about{float:right;color:var(--m);font-size:.87rem;margin-left:1rem}
.hidden{color:var(--w);font-family:ui-monospace,monospace}
@media print{article{background:none}nav{display:none}}
"""
_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    + "'"
)
_FACTS: Final = tuple(
    name for name in FIELDS if name not in {"about", "store", "agent", "title", "text", "extra"}
)


def page(head: Head, found: Iterable[Mapping[str, Any]], words: Words) -> Iterator[bytes]:
    """The page in pieces, UTF-8, in the language of ``words``."""
    for piece in _pieces(head, found, words):
        yield piece.encode("utf-8", "replace")


def _pieces(head: Head, found: Iterable[Mapping[str, Any]], words: Words) -> Iterator[str]:
    yield _top(head, words)
    last = 0
    homes = {home.number: home for home in head.homes}
    for row in found:
        if row["store"] != last:
            yield _home(homes[row["store"]], words)
            last = row["store"]
        yield _article(row, words)
    if not last:
        yield _p("none", words.say("Nothing was found."))
    yield _unseen(head, words)
    yield _meanings(words)
    yield "</main></body></html>\n"


def _top(head: Head, words: Words) -> str:
    say = words.say
    title = say("What is held about {name}", name=head.title)
    total = sum(home.count for home in head.homes)
    others = "".join(
        f' <a href="{FILES[language]}" lang="{language.replace("_", "-")}">{name}</a>'
        for language, name in LANGUAGE_NAMES.items()
        if language != words.language
    )
    facts = [
        (say("Right"), said.said(words, said.RIGHTS, head.case.right)),
        (say("Received"), _day(head.case.clock.received, words)),
        (say("Made"), words.moment(head.made_at, "long")),
        (say("Records"), words.number(total)),
        (say("For machines"), say("the same, as JSON, in {file}", file=DATA)),
    ]
    if head.case.number:
        facts.insert(0, (say("Case"), str(head.case.number)))
    return (
        f'<!doctype html>\n<html lang="{words.language.replace("_", "-")}"><head>'
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="referrer" content="no-referrer"><meta name="viewport" '
        f'content="width=device-width"><title>{_seen(title)}</title><style>{_STYLE}</style></head>'
        f"<body><main><nav>{others}</nav><h1>{_seen(title)}</h1>"
        f"{_p('lead', say(_LEAD))}{_facts(facts)}"
    )


_LEAD: Final = (
    "This is a copy of what AI agents keep about you in the stores named below, word for word. "
    "It is for you alone: others may be named in it."
)


def _home(home: Home, words: Words) -> str:
    count = words.many("{n} record", "{n} records", home.count)
    return f"<h2>{_seen(home.agent)} · {_seen(count)}</h2>{_p('path', home.path)}"


def _article(row: Mapping[str, Any], words: Words) -> str:
    about = words.say(ABOUT_YOU.get(row["about"], row["about"]))
    title = row.get("title") or _kind(words, str(row["kind"]))
    facts = [
        (words.say(FIELDS[name].title), _shown(name, row[name], words))
        for name in _FACTS
        if row.get(name)
    ]
    facts += [
        (formats.field(words, name), str(value))
        for name, value in row.get("extra", {}).items()
        if value not in (None, "")
    ]
    text = row.get("text") or ""
    body = f'<div class="text" dir="auto">{_seen(text)}</div>' if text != title else ""
    return (
        f'<article><span class="about">{_seen(about)}</span><h3 dir="auto">{_seen(title)}</h3>'
        f"{body}{_facts(facts)}</article>\n"
    )


def _shown(name: str, value: Any, words: Words) -> str:
    if name == "tags":
        return words.row(value)
    if name == "kind":
        return _kind(words, str(value))
    if name == "state":
        return words.say(STATES.get(str(value), str(value)))
    return formats.value(words, str(value)) if name in {"type", "scope", "source"} else str(value)


def _kind(words: Words, name: str) -> str:
    return words.say(said.FILES[name]) if name in said.FILES else formats.one(words, name)


def _unseen(head: Head, words: Words) -> str:
    lines = [
        words.say(
            "{where}: {what}", where=one.path, what=said.not_looked(words, one.code, one.params)
        )
        for one in head.finds.not_looked
    ]
    if head.finds.stopped:
        lines.append(words.say("The search was stopped before its end."))
    if not lines:
        return ""
    items = "".join(f"<li>{_seen(line)}</li>" for line in lines)
    return f"<h2>{_seen(words.say('What could not be looked into'))}</h2><ul>{items}</ul>"


def _meanings(words: Words) -> str:
    facts = [(words.say(one.title), words.say(one.meaning)) for one in FIELDS.values()]
    return f"<h2>{_seen(words.say('What the fields mean'))}</h2>{_facts(facts)}"


def _facts(rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(
        f'<dt>{_seen(name)}</dt><dd dir="auto">{_seen(value)}</dd>' for name, value in rows
    )
    return f"<dl>{lines}</dl>"


def _p(style: str, text: str) -> str:
    return f'<p class="{style}">{_seen(text)}</p>'


def _day(day: date, words: Words) -> str:
    return str(format_date(day, "long", locale=words.locale))


def _seen(text: str) -> str:
    """Escaped, with what does not show drawn as a sign of its own."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if plain.isascii() and plain.isprintable():
        return html.escape(plain)
    pieces, start = [], 0
    for at, end, lines in far_in(plain):
        pieces.append(_drawn(plain[start:at]))
        pieces.append(_sign(f"↵×{lines}" if lines else f"␣×{end - at}"))
        start = end
    pieces.append(_drawn(plain[start:]))
    return "".join(pieces)


def _drawn(text: str) -> str:
    pieces, start = [], 0
    for at, letter in hidden_at(text):
        pieces.append(html.escape(text[start:at]))
        pieces.append(_sign(f"U+{ord(letter):04X}"))
        start = at + 1
    pieces.append(html.escape(text[start:]))
    return "".join(pieces)


def _sign(text: str) -> str:
    return f'<span class="hidden">⟦{text}⟧</span>'
