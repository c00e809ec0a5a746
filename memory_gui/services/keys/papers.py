# SPDX-License-Identifier: MIT
"""Writing recovery keys to files that only their owner can read."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.services.own.files import new_file


def write_paper(out: Path, data: bytes) -> None:
    """A new file, 0600, never over another one and never through a link.

    Raises:
        UserError: ``recovery.exists``, ``recovery.not_written``: nothing was left there.
    """
    try:
        with new_file(out) as stream:
            stream.write(data)
    except FileExistsError as error:
        raise UserError("recovery.exists", path=str(out)) from error
    except OSError as error:
        raise UserError("recovery.not_written", path=str(out)) from error
