# SPDX-License-Identifier: MIT
"""Files of a store as they stand in plans, messages and pending entries: places, never texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan, merged, moved
from memory_gui.engine.plainfile import Seen, seen_of

REWRITE: Final = "file-rewrite"
"""The recipe for text files: written anew without it, swapped in one step, old bytes zeroed."""

STEPS: Final = ("side-files", "files-swap", "files-wipe")


def cut_message(file: FileCut) -> dict[str, Any]:
    """For the pipe and for a pending entry; where kept records lie is told the prover only."""
    return {
        "path": file.path,
        "seen": list(file.seen),
        "cuts": [list(span) for span in file.cuts],
        "whole": file.whole,
        "puts": [list(put) for put in file.puts],
    }


def cut_from(entry: Mapping[str, Any]) -> FileCut:
    """The same as a value."""
    device, inode, size, changed = (int(number) for number in entry["seen"])
    return FileCut(
        str(entry["path"]),
        (device, inode, size, changed),
        tuple((int(start), int(end)) for start, end in entry["cuts"]),
        bool(entry["whole"]),
        puts=tuple((int(start), int(end), str(new)) for start, end, new in entry.get("puts", ())),
    )


def seen_from(file: FileCut) -> Seen:
    """Which file was planned."""
    return Seen(*file.seen)


def kept_after(file: FileCut) -> tuple[KeptSpan, ...]:
    """Where the records that stay lie when the cuts are made."""
    found = []
    for kept in file.kept:
        span = moved((kept.start, kept.end), file.cuts, file.puts)
        if span is not None:
            found.append(KeptSpan(*span, kept.ref))
    return tuple(found)


def merge_files(before: Sequence[FileCut], now: Sequence[FileCut]) -> tuple[FileCut, ...]:
    """What an unfinished erase was to take, and what a new one takes, of files that are the same.

    Of one that was written since, only the new cuts have their places in it.

    Raises:
        UserError: ``erase.unfinished``: what is put in their places cannot be one of both.
    """
    found = {file.path: file for file in before}
    for file in now:
        old = found.get(file.path)
        if old is None or old.seen != file.seen:
            found[file.path] = file
        elif (old.puts or file.puts) and not set(old.cuts) <= set(file.cuts):
            raise UserError("erase.unfinished", path=file.path, state="not-finished")
        else:
            cuts, whole = merged((*old.cuts, *file.cuts)), old.whole or file.whole
            found[file.path] = replace(file, cuts=cuts, whole=whole)
    return tuple(found.values())


def paths_of(files: Iterable[FileCut]) -> list[Path]:
    """The files themselves."""
    return [Path(file.path) for file in files]


def with_kept(files: Sequence[FileCut], now: Sequence[FileCut]) -> tuple[FileCut, ...]:
    """The cuts of a pending entry, with where the records lie that stay."""
    known = {file.path: file.kept for file in now}
    return tuple(replace(file, kept=known.get(file.path, ())) for file in files)


def is_as_seen(file: FileCut) -> bool:
    """Whether a file is the one that was planned for, and nobody wrote to it since."""
    return seen_of(Path(file.path)) == seen_from(file)
