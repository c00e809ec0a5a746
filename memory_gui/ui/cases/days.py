# SPDX-License-Identifier: MIT
"""What day it is where the person is."""

from __future__ import annotations

from datetime import UTC, date, datetime


def today() -> date:
    """By this computer's clock and zone."""
    return datetime.now(UTC).astimezone().date()
