# SPDX-License-Identifier: MIT
"""The words of erasing: states, steps of the recipe, what is not covered. English source texts.

``words.say(STEPS[code])``; limits have placeholders: ``words.say(LIMITS[limit.code],
**limit.params)``. Codes come from ``erasure/``; a test holds these tables against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

from babel.lists import format_list

from memory_gui.domain.erasing import MayHold
from memory_gui.domain.records import State
from memory_gui.words import formats
from memory_gui.words.catalogue import N_, Words
from memory_gui.words.limits import LIMITS
from memory_gui.words.reasons import reason
from memory_gui.words.recovery import day

STATES: Final[dict[str, str]] = {
    "planned": N_("planned; nothing was changed"),
    "proved": N_("erased, and proved gone"),
    "not-finished": N_("not finished"),
    "not-proved": N_("erased, but not proved gone"),
}

ACCEPTED: Final = N_("erased, except for what you accepted")
"""``proved`` where a person accepted that something still repeats it: never "proved gone"."""

KEEPS: Final = N_("erased, and proved gone, except in files that are kept")
"""``proved`` where files stay by a person's decision and hold some of it: never "proved gone"."""

IN_FILES: Final = N_("gone from the files; old blocks cannot be reached on this file system")
"""``proved`` where overwriting in place does not reach the disk, or a program copies the folder
elsewhere: never "proved gone"."""
OTHER_STORE: Final = N_(
    "not proved, and nothing was erased: another database lies at this path now"
)
"""``not-proved`` where the database of the erase is not there: it was left as it is."""

OWN_CLEAR: Final[dict[str, str]] = {
    "text": N_("The agent's own “clear” would have left {kind} readable in the file: {n}."),
    "bytes": N_("The agent's own “clear” would have left the bytes of {kind} in the file: {n}."),
}
"""What an agent's own way leaves of a kind, by ``Habits.own_clear``."""

OLD_FOR_RECOVERY: Final = "new-old-kept-until-recovery"

KEYS: Final[dict[str, str]] = {
    "none": N_("The database is not encrypted."),
    "kept": N_("Its key was kept: old copies of the database still open with it."),
    "new": N_(
        "It has a new key, and the old one was destroyed: nothing that lies on a disk under it can "
        "be read any more."
    ),
    "new-old-not-ours": N_(
        "It has the new key that was given. The old one was not in this program's keeping and was "
        "not destroyed: whoever has it can still read what lies on a disk under it."
    ),
    "new-old-kept-for-files": N_(
        "It has a new key. The old one is kept for other files that need it: what lies on a disk "
        "under it can still be read."
    ),
    "new-old-kept-until-recovery": N_(
        "Erased. The store has a new key; the old one is kept until the new recovery key is "
        "confirmed."
    ),
    "new-old-not-removed": N_(
        "It has a new key. The keychain did not remove the old one yet; that is tried again when "
        "the store is opened."
    ),
}
"""What became of an encrypted database's key, by ``StoreResult.key``."""

KINDS: Final[dict[str, str]] = {
    "memory": N_("memories"),
    "review": N_("proposals"),
    "summary": N_("session summaries"),
    "event": N_("entries of the change log"),
}
PLACES: Final[dict[str, str]] = {
    "memory": N_("memories in this store"),
    "review": N_("proposals in this store"),
    "summary": N_("session summaries in this store"),
    "event": N_("the change log of this store"),
}
"""Kinds of records where erased text still is."""

TABLES: Final = ("table", "copied")
"""What a find is that lies in a table: one that is not the agent's, or a copy in one of its own."""

PARTS: Final[dict[tuple[str, State], str]] = {
    ("memory", State.LIVE): N_("memories"),
    ("memory", State.TRASH): N_("memories in the trash"),
    ("review", State.PENDING): N_("proposals that wait"),
    ("review", State.APPROVED): N_("approved proposals"),
    ("review", State.REJECTED): N_("rejected proposals"),
    ("summary", State.LIVE): N_("session summaries"),
    ("event", State.LIVE): N_("entries of the change log"),
}
"""The parts of a store, by kind and state."""

STATE_NAMES: Final[dict[State, str]] = {
    State.LIVE: N_("in use"),
    State.TRASH: N_("in the trash"),
    State.PENDING: N_("waiting"),
    State.APPROVED: N_("approved"),
    State.REJECTED: N_("rejected"),
    State.EXPIRED: N_("expired"),
}

STEPS: Final[dict[str, str]] = {
    "settings": N_("Keep temporary data in memory and sync every commit"),
    "secure-delete": N_("Zero what is freed"),
    "no-auto-checkpoint": N_("Move the log only when told"),
    "keep-journal": N_("Keep an old journal so that it can be zeroed"),
    "lock": N_("Hold the database alone"),
    "log-mode": N_("Zero the old journal and write to a log"),
    "zero-tail": N_("Zero the file beyond its last page"),
    "checkpoint": N_("Move the log into the file"),
    "zero-log": N_("Zero the log"),
    "delete": N_("Take the rows out"),
    "side-files": N_("Overwrite the text in the agent's other files"),
    "full-text": N_("Build full-text indexes anew"),
    "statistics": N_("Renew samples of index keys"),
    "vacuum": N_("Write the file anew without free space"),
    "full-text-again": N_("Build full-text indexes anew once more"),
    "new-key": N_("Write every page anew under the new key"),
    "truncate-log": N_("Empty the log"),
    "journal-mode": N_("Put the journal mode back"),
    "settings-again": N_("See that the file's settings are as before"),
    "files-swap": N_("Put the file without it in the place of the old one, in one step"),
    "files-wipe": N_("Overwrite the old file's bytes where they lie"),
    "destroy": N_("Overwrite the whole file with zeros and remove it"),
    "sync": N_("Sync file and folder"),
    "check": N_("Check the database through a fresh connection"),
    "check-key": N_("See that the old key opens nothing"),
    "wait-for-other": N_("Wait for another copy of this app that works on it"),
    "prove-structure": N_("Look at every byte of the file"),
    "prove-content": N_("Look for the texts"),
    "prove-side-files": N_("Look into the agent's other files"),
}

HOLDING: Final[dict[str, str]] = {
    "hold.program": N_(
        "{name} (pid {pid}) is running: it may have it in its memory, and save it anew."
    ),
    "hold.provider": N_(
        "The provider of the model {model}: it was used in sessions since this was saved "
        "({count}), and what was sent to it stays with it."
    ),
    "hold.session": N_("{path}: this transcript may tell it in other words. Read it."),
    "hold.summary": N_(
        "{ref} in {path}: this summary of a session it came from may tell it in other words. "
        "Read it."
    ),
    "hold.file": N_("{path}: text of it stands in this file, which is left as it is."),
    "hold.log": N_("{path}: this log was not chosen, and is left as it is."),
}
"""Who may still hold it, by ``MayHold.code``: never claimed to be clean."""


def holding(words: Words, one: MayHold) -> str:
    """Who or what may still hold what was erased."""
    text = HOLDING.get(one.code)
    return words.say(text, **one.params) if text else one.code


def state_text(
    words: Words,
    state: str,
    *,
    key: str = "",
    accepted: bool = False,
    keeps: bool = False,
    out_of_reach: bool = False,
    other_store: bool = False,
) -> str:
    """How an erase ended, for terminal, window and paper; the arguments are a result's own."""
    if other_store:
        return words.say(OTHER_STORE)
    if accepted or keeps:
        return words.say(KEEPS if keeps else ACCEPTED)
    if state == "proved" and key == OLD_FOR_RECOVERY:
        return words.say(KEYS[OLD_FOR_RECOVERY])
    if state == "proved" and out_of_reach:
        return words.say(IN_FILES)
    return words.say(STATES[state]) if state in STATES else state


def new_key_lines(
    words: Words, path: str, paper: str, others: Sequence[str], *, given: bool = False
) -> list[str]:
    """What a new key means for a database and what the old one opens besides, before an erase.

    ``given``: somebody else keeps the old one.
    """
    first = words.say(
        "{path} gets a new key, and the old one is destroyed: what lies on this disk under it "
        "cannot be read any more.",
        path=path,
    )
    if paper or others or given:
        first = words.say("{path} gets a new key.", path=path)
    lines = [first]
    if given:
        lines.append(words.say(LIMITS["limit.old_key_given"]))
    if paper:
        lines.append(limit(words, "limit.old_key_paper", {"date": paper}))
    return lines + [limit(words, "limit.old_key_files", {"path": other}) for other in others]


def held_lines(words: Words, held: Sequence[tuple[str, int, float]]) -> list[str]:
    """For how long stores are held, where their agents wait too short a time: said before."""
    return [
        words.many(
            "{path} will be held for about {n} second. Its agent waits {wait} seconds for it; "
            "what it wants to save meanwhile may be lost.",
            "{path} will be held for about {n} seconds. Its agent waits {wait} seconds for it; "
            "what it wants to save meanwhile may be lost.",
            seconds,
            path=path,
            wait=wait,
        )
        for path, seconds, wait in held
    ]


def returned_text(words: Words, n: int) -> str:
    """How many records are there that were erased before."""
    return words.many(
        "{n} record that was erased is back", "{n} records that were erased are back", n
    )


def kept_key_line(words: Words, path: str) -> str:
    """What it means that a database keeps its key, before an erase."""
    return words.say(
        "{path} keeps its key: old copies of it that lie somewhere still open with it.", path=path
    )


def kind(words: Words, name: str) -> str:
    """A kind of records, several of it; an unknown one stands for itself."""
    text = KINDS.get(name)
    return words.say(text) if text else formats.kind(words, name)


def part_name(words: Words, name: str, state: State) -> str:
    """A kind of records in one state: ``memories, in the trash``."""
    text = PARTS.get((name, state))
    if text:
        return words.say(text)
    return words.row([kind(words, name), words.say(STATE_NAMES[state])])


def counted(words: Words, name: str, n: int) -> str:
    """So many rows of a kind."""
    if name == "memory":
        return words.many("{n} memory", "{n} memories", n)
    if name == "review":
        return words.many("{n} proposal, with its evidence", "{n} proposals, with evidence", n)
    if name == "event":
        return words.many("{n} entry of the change log", "{n} entries of the change log", n)
    if name == "summary":
        return words.many("{n} session summary", "{n} session summaries", n)
    if not formats.is_kind(name) and PurePath(name).suffix:
        return words.many("{n} record in {file}", "{n} records in {file}", n, file=name)
    return formats.kind_counted(words, name, n)


def looked_at(words: Words, pages: int, frames: int, files: int, size: int) -> str:
    """What a proof read: of a database its pages, of text files all of their bytes."""
    if files:
        return words.many(
            "{n} file, all of its {size} bytes",
            "{n} files, all of their {size} bytes",
            files,
            size=size,
        )
    return words.say("{pages} pages, {frames} log frames", pages=pages, frames=frames)


def where(words: Words, name: str) -> str:
    """A place that still holds erased text: a kind of records by its words, a file by its path."""
    text = PLACES.get(name)
    return words.say(text) if text else name


def place(words: Words, found: Mapping[str, Any]) -> str:
    """Where text still is, by an entry of ``side_files``, or that nobody could look there."""
    name = str(found.get("path", ""))
    if found.get("what") in TABLES:
        table = words.say("the table {table}", table=name)
        unsearched = words.say("{where} (could not be looked for)", where=table)
        return unsearched if "error" in found else table
    if "error" in found:
        return words.say("{where} (could not be read)", where=name)
    return where(words, name)


def limit(words: Words, code: str, params: Mapping[str, str]) -> str:
    """Something that an erase does not reach; an unknown code stands for itself."""
    text = LIMITS.get(code)
    if text is None:
        return code
    if "path" in params:
        params = {**params, "path": where(words, params["path"])}
    if "reason" in params:
        params = {**params, "reason": reason(words, params["reason"])}
    if "date" in params:
        params = {**params, "date": day(words, params["date"])}
    return words.say(text, **params)


def records(chosen: Mapping[str, int], going: Mapping[str, int]) -> int:
    """How many records go; both are by kind. What is only the past of a record is part of it."""
    more = _more(chosen, going)
    return _alone(chosen, going) + sum(n for name, n in more.items() if name not in _PAST)


def what_goes(words: Words, chosen: Mapping[str, int], going: Mapping[str, int]) -> str:
    """``1 record and 2 older copies of it in the trash``: also what was not chosen by name."""
    n = _alone(chosen, going)
    parts = [words.many("{n} record", "{n} records", n)] if n else []
    more = _more(chosen, going)
    if copies := more.get("memory", 0):
        parts.append(_copies(words, copies, of_one=n == 1))
    if proposals := more.get("review", 0):
        parts.append(
            words.many("{n} proposal that repeats it", "{n} proposals that repeat it", proposals)
        )
    others = (name for name in more if name not in ("memory", "review"))
    parts += [counted(words, name, more[name]) for name in others]
    return listed(words, parts)


def _copies(words: Words, n: int, *, of_one: bool) -> str:
    if of_one:
        return words.many(
            "{n} older copy of it in the trash", "{n} older copies of it in the trash", n
        )
    return words.many("{n} older copy in the trash", "{n} older copies in the trash", n)


def listed(words: Words, items: Sequence[str]) -> str:
    """``a, b and c``; in Chinese with a space between an ideograph and a Latin letter."""
    texts = list(items)
    if len(texts) > 1 and words.language != "en":
        if texts[-1][:1].isascii():
            texts[-1] = f" {texts[-1]}"
        if texts[-2][-1:].isascii():
            texts[-2] = f"{texts[-2]} "
    return format_list(texts, style="standard", locale=words.locale)


def short_name(path: str, most: int = 32) -> str:
    """A file's name for a heading: a long one without its middle."""
    name = PurePath(path).name
    if len(name) <= most:
        return name
    half = (most - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


_PARTS: Final = frozenset(
    {
        *("event", "embedding", "embedding_metadata", "embedding_metadata_array"),
        "embeddings_queue",
    }
)
"""Kinds of rows that are no record by themselves: they belong to one."""
_PAST: Final = frozenset({"history", "past", "trace", "checkpoints", "writes", "store_vectors"})
"""What a record was, where it was sent, of what rows it is made: one record goes, with those."""


_WHOLE: Final = {"message": "thread", "state": "thread", "earlier": "thread"}
"""Kinds of which none goes without the whole that it is in (LangGraph's): that is what is said."""


def _alone(chosen: Mapping[str, int], going: Mapping[str, int]) -> int:
    """Chosen records that are not in a whole that goes with them."""
    return sum(n for name, n in chosen.items() if _WHOLE.get(name) not in going)


def _more(chosen: Mapping[str, int], going: Mapping[str, int]) -> dict[str, int]:
    """Records by kind that go and were not chosen by name."""
    found = {name: n - chosen.get(name, 0) for name, n in going.items() if name not in _PARTS}
    return {name: n for name, n in found.items() if n > 0}
