# SPDX-License-Identifier: MIT
"""Asking a prover: a process of its own, for a database or for the files beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.keys import Key
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.filecuts import kept_after
from memory_gui.erasure.messages import (
    Message,
    key_message,
    proof_from,
    rows_message,
    side_files_message,
    tables_message,
)
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.proof import Find, Proof
from memory_gui.process.child import Child


def prove_store(
    plan: StorePlan,
    key: Key | None,
    *,
    tick: Tick,
    cancel: CancelToken | None = None,
    words: bool = True,
) -> Proof:
    """Ask a prover of its own. ``words``: the shortest texts count as whole words only.

    Raises:
        ChildGone, Cancelled, UserError: as the prover says.
    """
    if plan.files:
        return prove_files(plan, tick=tick, cancel=cancel, words=words)
    message: Message = {
        "do": "prove",
        "path": plan.path,
        "key": key_message(key),
        "texts": list(plan.texts),
        "side_files": side_files_message(plan.side_files),
        "tables": tables_message(plan.tables),
        "rows": rows_message(plan.rows),
        "words": words,
    }
    return proof_from(_answer(message, tick, cancel)["proof"])


def prove_files(
    plan: StorePlan,
    *,
    tick: Tick,
    cancel: CancelToken | None = None,
    expected: Mapping[str, str] | None = None,
    words: bool = True,
) -> Proof:
    """The same of a store that is made of text files.

    ``expected``: by path the SHA-256 of what an erase left of a file; it goes through the pipe
    only, for a digest of a short text tells the text.
    """
    known = expected or {}
    message: Message = {
        "do": "prove-files",
        "files": [
            {
                "path": file.path,
                "gone": file.whole,
                "expected": known.get(file.path, ""),
                "size": file.size_after,
                "kept": [[one.start, one.end, one.ref] for one in kept_after(file)],
            }
            for file in plan.files
        ],
        "texts": list(plan.texts),
        "side_files": side_files_message(plan.side_files),
        "words": words,
    }
    return proof_from(_answer(message, tick, cancel)["proof"])


def search(plan: ErasePlan, *, tick: Tick, cancel: CancelToken | None = None) -> tuple[Find, ...]:
    """Which side files hold text of a plan now, from a process of its own. Writes nothing.

    Raises:
        ChildGone, Cancelled.
    """
    return search_files(plan.side_files, plan.texts, tick=tick, cancel=cancel)


def search_files(
    files: Sequence[SideFile],
    texts: Sequence[str],
    *,
    tick: Tick,
    cancel: CancelToken | None = None,
) -> tuple[Find, ...]:
    """Which of these files hold one of the texts, from a process of its own. Writes nothing.

    Raises:
        ChildGone, Cancelled.
    """
    if not files or not texts:
        return ()
    message: Message = {
        "do": "search",
        "texts": list(texts),
        "side_files": side_files_message(files),
    }
    return tuple(Find(**find) for find in _answer(message, tick, cancel)["finds"])


def _answer(message: Message, tick: Tick, cancel: CancelToken | None) -> Message:
    """What a prover of its own says to one question."""
    child = Child.start("prover")
    try:
        return child.ask(message, tick=tick, cancel=cancel)
    finally:
        with contextlib.suppress(MemoryGuiError):
            child.close()
