# SPDX-License-Identifier: MIT
"""What the page of clashes is shown for, and what it asks the shell for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from memory_gui.domain.records import Record, Ref

Act = Literal["restore", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class ClashRequest:
    """Settle what stood in an act's way. ``refs`` are the records that ``restore`` is about.

    Proposals that are to be reopened are restored here, too.
    """

    act: Act
    refs: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """Edit ``into`` with another record's values beside its own; nothing is written before."""

    into: Record = field(repr=False)
    title: str = field(repr=False)
    text: str = field(repr=False)
    tags: tuple[str, ...] = field(repr=False, default=())
