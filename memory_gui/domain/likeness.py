# SPDX-License-Identifier: MIT
"""How alike two texts are, and whether they say the opposite of each other. Pure.

Likeness is Dice's coefficient over character n-grams: three letters, or two of Chinese, Japanese
and Korean, which carry as much. No dictionary, no language is guessed; order counts only locally.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from memory_gui.domain.folding import fold

NEAR: Final = 0.6
"""From here on two texts are told as near-duplicates."""
LONGEST: Final = 4_000
"""Characters that are compared; Agentao's memories are no longer."""
_RELATED: Final = 0.35
"""Texts that share less than this do not contradict each other, whatever words they hold."""

_WIDE: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUNS: Final = re.compile(f"[{_WIDE}]+|[^\\W_{_WIDE}]+")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_CONTRACTED: Final = re.compile(
    r"\b(?:do|does|did|is|are|was|were|ca|wo|must|should|has|have)n['\u2019]t\b"
)
_NOT: Final = "not never no without cannot 不要 不再 不能 不会 不是 不 没有 没 别 勿 非"
_NEGATIONS: Final = tuple(_NOT.split())
_LEFT_OUT: Final = "do does did the a an is are to be 的 了"
_FILLERS: Final = frozenset(_LEFT_OUT.split())
_PAIRS: Final = """
dark/light on/off enable/disable enabled/disabled enables/disables true/false yes/no always/never
allow/forbid allowed/forbidden likes/dislikes like/dislike likes/hates like/hate prefers/avoids
prefer/avoid tabs/spaces before/after with/without short/long concise/detailed brief/verbose
public/private left/right start/stop open/closed single/double include/exclude first/last
minimum/maximum morning/evening must/may
深色/浅色 喜欢/讨厌 喜欢/反感 开启/关闭 打开/关闭 启用/禁用 启用/停用 允许/禁止 可以/禁止
总是/从不 简洁/详细 简短/详细 公开/私有 必须/禁止
之前/之后 包含/排除 上午/下午 早上/晚上 中文/英文 是/否 开/关
"""
_ENDING: Final = re.compile(r"(?<=[a-z]{3})(?<!s)s$")


def _stem(word: str) -> str:
    """``prefers`` and ``does not prefer`` have one word in common."""
    return _ENDING.sub("", word)


_OPPOSITES: Final = tuple(
    dict.fromkeys(
        (_stem(one), _stem(other))
        for one, _, other in (pair.partition("/") for pair in _PAIRS.split())
    )
)


def grams(text: str) -> frozenset[str]:
    """The n-grams of a text: of each run of letters and digits, folded; the rest is left out."""
    found: set[str] = set()
    for run in _RUNS.findall(fold(text[:LONGEST])):
        size = 2 if _is_wide(run) else 3
        padded = run if size == 2 else f" {run} "
        found.update(padded[at : at + size] for at in range(max(1, len(padded) - size + 1)))
    return frozenset(found)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """0 (nothing shared) to 1 (the same n-grams)."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def same(one: str, other: str) -> bool:
    """Whether two texts differ only in case, width of letters and blanks."""
    return " ".join(fold(one).split()) == " ".join(fold(other).split())


def opposed(one: str, other: str) -> bool:
    """Whether they speak of the same thing and give it the opposite, or another, value.

    What is left of both when the words they share are taken away is a pair of opposites, a
    negation in one of them, or different numbers. Anything else is not told as a contradiction.
    """
    left, right = _words(one), _words(other)
    both = left & right
    gone, new = left - both, right - both
    if not both or not (gone or new) or _shared(left, right, both) < _RELATED:
        return False
    negated = _take_negations(gone) % 2 != _take_negations(new) % 2
    turned = _take_opposites(gone, new)
    counted = _take_numbers(gone, new)
    left_over = sum(gone.values()) + sum(new.values())
    if left_over > max(0, sum(both.values()) // 4):
        return False
    return (negated != bool(turned % 2)) or counted


def _shared(left: Counter[str], right: Counter[str], both: Counter[str]) -> float:
    total = sum(left.values()) + sum(right.values())
    return 2 * sum(both.values()) / total if total else 0.0


def _words(text: str) -> Counter[str]:
    """Words of a text; Chinese without its opposites and negations by character."""
    folded = _CONTRACTED.sub(" not ", fold(text[:LONGEST]))
    found: list[str] = []
    for run in _RUNS.findall(folded):
        found += _cut(run) if _is_wide(run) else [run]
    return Counter(_stem(word) for word in found if word not in _FILLERS)


_KNOWN_WIDE: Final = tuple(
    sorted(
        {w for pair in _OPPOSITES for w in pair if not w.isascii()}
        | {w for w in _NEGATIONS if not w.isascii()},
        key=len,
        reverse=True,
    )
)


def _cut(run: str) -> list[str]:
    found, at = [], 0
    while at < len(run):
        word = next((w for w in _KNOWN_WIDE if run.startswith(w, at)), run[at])
        found.append(word)
        at += len(word)
    return found


def _take_negations(words: Counter[str]) -> int:
    taken = 0
    for word in _NEGATIONS:
        taken += words.pop(word, 0)
    return taken


def _take_opposites(left: Counter[str], right: Counter[str]) -> int:
    taken = 0
    for one, other in (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)):
        number = min(left[one], right[other])
        if number:
            left[one] -= number
            right[other] -= number
            taken += number
    return taken


def _take_numbers(left: Counter[str], right: Counter[str]) -> bool:
    mine = [word for word in left if left[word] > 0 and _NUMBER.fullmatch(word)]
    theirs = [word for word in right if right[word] > 0 and _NUMBER.fullmatch(word)]
    if not mine or not theirs:
        return False
    for word in mine:
        left[word] = 0
    for word in theirs:
        right[word] = 0
    return True


def _is_wide(run: str) -> bool:
    return re.match(f"[{_WIDE}]", run) is not None
