# SPDX-License-Identifier: MIT
"""What a module of a format's words holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KindWords:
    """``entity``, ``entities``, and counted: ``NN_("{n} entity", "{n} entities")``."""

    one: str
    several: str
    counted: tuple[str, str]


@dataclass(frozen=True, slots=True)
class FormatWords:
    """Everything is marked with ``N_``. ``reasons`` and ``told`` are by code, ``fields`` by name.

    Codes begin with the format's name: ``facts.vector``.
    """

    name: str
    title: str
    kinds: Mapping[str, KindWords] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    alarms: frozenset[str] = frozenset()
    """Codes of ``told`` that a list says beside a record: something is wrong with it."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Values of a column that mean something to a person: a type, a source."""
