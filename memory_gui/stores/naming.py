# SPDX-License-Identifier: MIT
"""Which record a person's text names, where its kind may be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, RefText, StoreId


def the_one(
    ref: RefText, store: StoreId, kinds: Sequence[str], there: Callable[[Ref], bool]
) -> Ref | None:
    """The one of a store's records that is ``there``; None where none is.

    Raises:
        UserError: ``ref.ambiguous`` when records of several kinds have that key.
    """
    wanted = [Ref(store, kind, ref.key) for kind in (kinds if ref.kind is None else (ref.kind,))]
    found = [one for one in wanted if there(one)]
    if len(found) > 1:
        raise UserError("ref.ambiguous", kinds=", ".join(one.kind for one in found))
    return found[0] if found else None
