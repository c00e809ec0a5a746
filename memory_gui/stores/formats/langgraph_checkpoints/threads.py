# SPDX-License-Identifier: MIT
"""One thread, gathered from its checkpoints and writes, the newest first.

A sentence lies in every later checkpoint of its thread, so that a file grows with the square of a
conversation. Here each object is read once, by a digest of its bytes; what is kept grows with the
conversation alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memory_gui.stores.formats.langgraph_checkpoints.values import (
    SNAPSHOT,
    Message,
    Opened,
    digest,
)
from memory_gui.stores.msgpack import Ext, Value

EARLIER_MOST: Final = 1_000_000
"""Characters of texts that only earlier checkpoints have which are shown."""
_OWN_METADATA: Final = frozenset({"source", "step", "parents", "thread_id", "writes"})


@dataclass(slots=True)
class Kept:
    """A message of a thread; ``since`` is the time of the first checkpoint that has it."""

    message: Message
    key: str
    since: str = ""
    where: str = "now"
    """``now`` (in the newest checkpoint), ``earlier``, ``waiting`` (written, not yet taken in)."""


@dataclass(slots=True)
class Gathered:
    """What a thread has. ``collect`` keeps every text for an erase."""

    collect: bool = False
    messages: dict[str, Kept] = field(default_factory=dict)
    states: dict[tuple[str, str], str] = field(default_factory=dict)
    earlier: list[str] = field(default_factory=list)
    earlier_cut: bool = False
    about: dict[str, str] = field(default_factory=dict)
    """What its caller said of it: a user's id and the like."""
    faults: set[str] = field(default_factory=set)
    texts: dict[str, None] = field(default_factory=dict)
    first: str = ""
    last: str = ""
    _size: int = 0
    _by_digest: dict[bytes, Kept] = field(default_factory=dict)
    _by_words: dict[tuple[str, bytes], Kept] = field(default_factory=dict)
    _other: set[bytes] = field(default_factory=set)
    _seen: set[bytes] = field(default_factory=set)
    _deltas: set[str] = field(default_factory=set)

    def take_checkpoint(self, space: str, opened: Opened, *, newest: bool) -> str:
        """One checkpoint; its time."""
        self._note(opened)
        value = opened.value
        if not isinstance(value, dict):
            return ""
        ts = value.get("ts")
        at = ts if isinstance(ts, str) else ""
        if at:
            self.first = min(self.first or at, at)
            self.last = max(self.last, at)
        channels = value.get("channel_values")
        for channel, found in channels.items() if isinstance(channels, dict) else ():
            where = "now" if newest else "earlier"
            self._take(space, channel, opened, found, at=at, where=where)
        if sends := value.get("pending_sends"):
            self._take(space, "", opened, sends, at=at, where="earlier")
        return at

    def take_metadata(self, opened: Opened) -> None:
        """What its caller said of the thread; older versions kept what was written as well."""
        if opened.fault or not isinstance(opened.value, dict):
            return
        for name, value in opened.value.items():
            if isinstance(value, str) and name not in _OWN_METADATA:
                self.about.setdefault(name, value)
                self._remember(value)
            elif isinstance(value, (dict, list)):
                self._to_earlier(opened, value)

    def take_write(self, opened: Opened, channel: str, at: str, *, waiting: bool) -> None:
        """One value that a task wrote."""
        self._note(opened)
        if opened.value is not None:
            where = "waiting" if waiting else "earlier"
            self._take("", channel, opened, opened.value, at=at, where=where)

    # ---- inside

    def _note(self, opened: Opened) -> None:
        if opened.fault:
            self.faults.add(opened.fault)

    def _take(
        self, space: str, channel: str, opened: Opened, value: Value, *, at: str, where: str
    ) -> None:
        if isinstance(value, Ext) and value.code == SNAPSHOT:
            value = opened.seen(value)
        parts = value if isinstance(value, list) else [value]
        rest = [part for part in parts if not self._is_message(opened, part, at, where)]
        self._note(opened)
        if not rest:
            return
        left = rest if isinstance(value, list) else value
        if where == "now" and (space, channel) not in self.states:
            self.states[space, channel] = opened.shown(left)
            for text in opened.texts(left):
                self._remember(text)
        else:
            self._to_earlier(opened, left)

    def _is_message(self, opened: Opened, value: Value, at: str, where: str) -> bool:
        if not isinstance(value, (Ext, dict)):
            return False
        mark = digest(value)
        if mark in self._other:
            return False
        known = self._by_digest.get(mark)
        if known is None:
            message = opened.message(value)
            if message is None:
                self._other.add(mark)
                return False
            known = self._keep(opened, value, message, mark, where)
        if at and not (known.since and known.since < at):
            known.since = at
        return True

    def _keep(
        self, opened: Opened, value: Value, message: Message, mark: bytes, where: str
    ) -> Kept:
        key = message.id or mark.hex()
        words = (message.role, digest(message.text))
        known = self.messages.get(key)
        repeats = where != "now" and not message.id and words in self._by_words
        if known is None and repeats:
            # As it was before LangGraph gave it an id; of which of several, nothing tells.
            known = Kept(message, key)
        elif known is not None:  # an earlier wording of the same message
            self._to_earlier(opened, value)
        else:
            known = self.messages[key] = self._by_words[words] = Kept(message, key, where=where)
            for text in opened.texts(value):
                self._remember(text)
        self._by_digest[mark] = known
        return known

    def _to_earlier(self, opened: Opened, value: Value) -> None:
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, Ext):  # read once, however often it is there
                mark = digest(part)
                if mark in self._seen:
                    continue
                self._seen.add(mark)
            for text in opened.texts(part):
                if self._remember(text):
                    self._show_earlier(text)

    def _show_earlier(self, text: str) -> None:
        self._size += len(text)
        if self._size > EARLIER_MOST:
            self.earlier_cut = True
        else:
            self.earlier.append(text)

    def _remember(self, text: str) -> bool:
        """Whether it is new."""
        if self.collect:
            self.texts[text] = None
        mark = digest(text)
        new = mark not in self._seen
        self._seen.add(mark)
        return new

    def in_order(self) -> Iterator[Kept]:
        """The messages as they were said: by their checkpoints, then as they stand there."""
        return iter(sorted(self.messages.values(), key=lambda one: one.since))
