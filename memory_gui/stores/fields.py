# SPDX-License-Identifier: MIT
"""The fields that a person gives, against those that a record has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memory_gui.domain.errors import UserError


def refuse_others(given: Iterable[str], known: Sequence[str], also: Iterable[str] = ()) -> None:
    """Refuse fields that are not ``known``; ``also`` are taken, and not offered.

    Raises:
        UserError: ``record.no_such_field``, with the first one and those that there are.
    """
    others = set(given).difference(known, also)
    if others:
        raise UserError("record.no_such_field", field=min(others), fields=", ".join(known))
