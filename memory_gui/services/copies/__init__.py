# SPDX-License-Identifier: MIT
"""What a person gets: the copy of what is held about them, and the letter. No Qt."""

from memory_gui.services.copies.writing import (
    ENDINGS,
    LEAST,
    Copied,
    Form,
    default_name,
    open_copy,
    write_copy,
)

__all__ = ["ENDINGS", "LEAST", "Copied", "Form", "default_name", "open_copy", "write_copy"]
