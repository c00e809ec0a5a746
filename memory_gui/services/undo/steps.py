# SPDX-License-Identifier: MIT
"""Steps that take an act back. Undo never writes old bytes back: a step is a new edit.

Each names what it expects to find and what it then does, and gives its own opposite, so redo is
undo of the undo.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from memory_gui.domain.changes import Snapshot, Verdict
from memory_gui.domain.records import Ref, State

Values = Mapping[str, str | tuple[str, ...]]


Expected = Values | str
"""Values that a record must have, or their digest."""


@dataclass(frozen=True, slots=True)
class SetFields:
    """Give a record other field values; ``expected`` are the ones it must have now."""

    ref: Ref
    expected: Expected = field(repr=False)
    fields: Values = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetTrash:
    """Trash a live record, or restore one from the trash."""

    ref: Ref
    trash: bool


@dataclass(frozen=True, slots=True)
class TakeOut:
    """Delete a record that was added; ``expected`` are the values it must still have."""

    ref: Ref
    expected: Expected = field(repr=False)


@dataclass(frozen=True, slots=True)
class PutBack:
    """Put deleted rows back as they were.

    ``live`` are the values of a record that was live, ``key`` is another key for it.
    """

    ref: Ref
    snapshot: Snapshot = field(repr=False)
    live: Values = field(repr=False, default_factory=dict)
    key: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class Redecide:
    """Give a review item another verdict; ``expected`` is the state it must be in now."""

    ref: Ref
    expected: State
    verdict: Verdict
    fields: Values = field(repr=False, default_factory=dict)


OneStep = SetFields | SetTrash | TakeOut | PutBack | Redecide


@dataclass(frozen=True, slots=True)
class Together:
    """Steps of one store that are one transaction; ``ref`` is the record that it is done for."""

    ref: Ref
    steps: tuple[OneStep, ...]


Step = OneStep | Together


def refs_of(step: Step) -> frozenset[Ref]:
    """The records that a step is about."""
    return frozenset(one.ref for one in single_steps(step))


def single_steps(step: Step) -> tuple[OneStep, ...]:
    """The steps that it is made of."""
    return step.steps if isinstance(step, Together) else (step,)


def renamed(step: Step, old: Ref, new: Ref) -> Step:
    """The step, about ``new`` where it was about ``old``."""
    if not isinstance(step, Together):
        return replace(step, ref=new) if step.ref == old else step
    steps = tuple(replace(one, ref=new) if one.ref == old else one for one in step.steps)
    return Together(new if step.ref == old else step.ref, steps)


def digest_of(expected: Expected) -> str:
    """32 hex digits of SHA-256 over the values and their names."""
    if isinstance(expected, str):
        return expected
    said = json.dumps(sorted(expected.items()), ensure_ascii=True)
    return sha256(said.encode()).hexdigest()[:32]


def fits(values: Values, expected: Expected) -> bool:
    """Whether a record's values are those that were expected."""
    return values == expected or digest_of(values) == expected
