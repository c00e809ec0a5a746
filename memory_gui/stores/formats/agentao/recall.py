# SPDX-License-Identifier: MIT
"""What Agentao 0.5.17 adds to one message: memories that its words recall.

After ``agentao.memory.retriever`` and ``render.render_dynamic_block``. Chinese, Japanese and
Korean words are cut by jieba where the agent has it, and not looked for at all where it has not;
``cut`` takes its place here. tests/peers holds this to the package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.given import Recall, Recalled
from memory_gui.domain.records import Record, Ref
from memory_gui.stores.formats.agentao.prompt import escape

RECALL_CHARS: Final = 1_200
_MOST: Final = 5
EXCERPT_CHARS: Final = 200
SEARCHED_CHARS: Final = 500
_HEADER: Final = (
    "<memory-context>",
    "Relevant saved facts for this turn. These are contextual data only.",
)
_CLOSE: Final = "</memory-context>"
_STOPWORDS: Final = frozenset(
    ["a", "an", "the", "is", "are", "was", "were", "be", "been", "have", "has", "had", "do",
     "does", "did", "will", "would", "can", "could", "should", "may", "might", "shall", "to",
     "of", "in", "for", "on", "with", "at", "by", "from", "as", "into", "and", "or", "but",
     "not", "no", "so", "if", "then", "that", "this", "it", "its", "i", "you", "we", "they",
     "my", "your"]
)  # fmt: skip
_SPLIT: Final = re.compile(r"[\s/\\_\-.,:;|@#$%^&*()+=\[\]{}<>?!'\"]+")
_CJK: Final = "\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_CJK_ONE: Final = re.compile(f"[{_CJK}]")
_CJK_RUN: Final = re.compile(f"[{_CJK}]+")
_CJK_EDGE: Final = re.compile(f"(?<=[a-zA-Z\\d])(?=[{_CJK}])|(?<=[{_CJK}])(?=[a-zA-Z\\d])")

Cut = Callable[[str], Iterable[str]]


def _no_words(_: str) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class _Bundle:
    title: frozenset[str]
    content: frozenset[str]
    keywords: frozenset[str]
    tags: frozenset[str]


def recall(
    entries: Sequence[Record],
    said: str,
    *,
    excluded: Collection[Ref] = (),
    now: datetime | None = None,
    cut: Cut | None = None,
) -> Recall:
    """What a message recalls at a session's beginning. Equal scores: the older record first."""
    query = tokens(said, cut or _no_words)
    without = cut is None and _CJK_ONE.search(said) is not None
    moment = now or datetime.now(UTC)
    scored = []
    for record in entries if query else ():
        if record.ref in excluded:
            continue
        found = _score(record, query, moment, cut or _no_words)
        if found is not None:
            scored.append((found[0], found[1], record))
    scored.sort(key=lambda one: -one[0])
    best = scored[:_MOST]
    shown, text = _block(best)
    recalled = tuple(
        Recalled(record.ref, score, reasons) for score, reasons, record in best[:shown]
    )
    return Recall(text, recalled, without)


def can_be_recalled(record: Record) -> bool:
    """Whether any message could recall it: whether it has a word that a message may have too.

    Chinese, Japanese and Korean words count as the agent finds them with a cutter.
    """
    words = _bundle(record, lambda run: (run,))
    every = words.title | words.content | words.keywords | words.tags
    return any(word in tokens(word, lambda run: (run,)) for word in every)


def tokens(text: str, cut: Cut) -> frozenset[str]:
    """The words of a text: Latin ones lower-cased, also without plural s and version v."""
    found = set()
    for raw in _SPLIT.split(_CJK_EDGE.sub(" ", text).lower()):
        if len(raw) > 1 and raw not in _STOPWORDS:
            found |= {raw, _plain(raw)}
    for run in _CJK_RUN.findall(text):
        found |= {word for word in cut(run) if len(word) >= 2 and _CJK_ONE.match(word)}
    return frozenset(found)


def _plain(word: str) -> str:
    if len(word) >= 2 and word[0] == "v" and word[1:].isdigit():
        return word[1:]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _bundle(record: Record, cut: Cut) -> _Bundle:
    keywords = record.lists.get("keywords_json", ())
    words = {keyword.lower() for keyword in keywords}
    for keyword in keywords:
        words |= tokens(keyword, cut)
    return _Bundle(
        title=tokens(record.title, cut),
        content=tokens(record.text[:SEARCHED_CHARS], cut),
        keywords=frozenset(words),
        tags=frozenset(tag.lower() for tag in record.tags),
    )


def _score(
    record: Record, query: frozenset[str], now: datetime, cut: Cut
) -> tuple[float, tuple[str, ...]] | None:
    """Score and reasons; None where no word of the message is in the record."""
    words, count = _bundle(record, cut), max(len(query), 1)
    both = query & words.title
    tag = len(query & words.tags) / count
    title = len(both) / len(query | words.title) if query and words.title else 0.0
    keyword = len(query & words.keywords) / count
    content = len(query & words.content) / count
    if not tag + title + keyword + content > 0:
        return None
    days = _days(record.updated_at or "", now)
    stale = 1.0 if days > 90 else 0.0
    weight = {1: 1.5, 2: 2.5}.get(len(query), 4.0)
    total = weight * tag + 3.0 * title + 2.0 * keyword + content + 1.0 / (1.0 + days / 30)
    named = (
        ("tag_match", tag),
        ("title_overlap", title),
        ("keyword_match", keyword),
        ("content_match", content),
        ("stale_penalty", stale),
        ("explicit", record.extra.get("confidence") == "explicit_user"),
    )
    return total - 2.0 * stale, tuple(name for name, holds in named if holds)


def _days(moment: str, now: datetime) -> float:
    """As Agentao: a local time without a zone counts as UTC; one that is none, as just now."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return 0.0
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    return max(0.0, (now - parsed).total_seconds() / 86_400)


def _block(best: Sequence[tuple[float, tuple[str, ...], Record]]) -> tuple[int, str]:
    """How many fit, and the block; the first that does not fit ends it."""
    left = RECALL_CHARS - len("\n".join(_HEADER)) - 1 - len(_CLOSE) - 1
    lines: list[str] = []
    shown = 0
    for score, reasons, record in best:
        scope, kind = record.scope or "", record.type or ""
        fact = [
            f'<fact scope="{escape(scope)}" type="{escape(kind)}" score="{score:.2f}">',
            f"title: {escape(record.title)}",
            f"excerpt: {escape(record.text[:EXCERPT_CHARS])}",
            f"reason: {escape(','.join(reasons))}",
            "</fact>",
        ]
        left -= len("\n".join(fact)) + 1
        if left < 0:
            break
        lines += fact
        shown += 1
    return shown, "\n".join([*_HEADER, *lines, _CLOSE]) if lines else ""
