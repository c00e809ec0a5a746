# SPDX-License-Identifier: MIT
"""Errors, split in known ones (tell the user) and bugs (everything else)."""

from __future__ import annotations


class MemoryGuiError(Exception):
    """The root of all errors that the app raises on purpose."""


class UserError(MemoryGuiError):
    """Something a person can understand and act on.

    ``code`` is a dotted name whose words live in ``memory_gui.words.errors``; ``params`` fill its
    placeholders. Neither ever holds memory text or a key.
    """

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        """The code and the parameter names: what may stand in a log."""
        return f"{self.code} ({', '.join(sorted(self.params))})" if self.params else self.code


class Cancelled(MemoryGuiError):  # noqa: N818 - not an error to show, and the name says so
    """The person stopped it. Silent."""


class IntegrityError(MemoryGuiError):
    """Something is wrong that must stop all further writing; ``code`` as in UserError."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
