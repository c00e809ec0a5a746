# SPDX-License-Identifier: MIT
"""For how long an erase holds a database, so that it can be said before: an estimate.

From ERASURE 8 (wipe, VACUUM, rekey, rebuild of full-text indexes, by file size) and the prover's
own pace, for a machine of two busy cores. The database is held until the proof is made.
"""

from __future__ import annotations

from typing import Final

from memory_gui.erasure.plan import StorePlan

_START_S: Final = 0.6
"""Starting the two processes."""
_WIPE_S: Final = 0.012
_WIPE_ENCRYPTED_S: Final = 0.030
_REKEY_S: Final = 0.020
_PROOF_S: Final = 0.030
_PROOF_ENCRYPTED_S: Final = 0.060
"""Seconds for each MiB of the file."""


def seconds(store: StorePlan, size: int) -> float:
    """About how long a database of ``size`` bytes, log included, is held."""
    mib = size / (1 << 20)
    pace = _WIPE_ENCRYPTED_S if store.encrypted else _WIPE_S
    pace += _PROOF_ENCRYPTED_S if store.encrypted else _PROOF_S
    pace += _REKEY_S if store.gets_new_key else 0.0
    return _START_S + mib * pace
