# SPDX-License-Identifier: MIT
"""Pictures of the key pages and of the recovery key, for ``ui.pictures``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Denied, Locked, Mismatch, Unavailable
from memory_gui.services import Services
from memory_gui.ui.pages.key import KeyPage
from memory_gui.ui.pages.key_cause import LookedUp
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.window import MainWindow

_CHAIN: Final = "SecretService.Keyring"
_ALT: Final = "PYTHON_KEYRING_BACKEND=keyrings.alt.file.PlaintextKeyring"
PAGES: Final[tuple[tuple[str, LookedUp], ...]] = (
    ("key-absent", LookedUp(Absent(_CHAIN))),
    ("key-locked", LookedUp(Locked(_CHAIN))),
    ("key-denied", LookedUp(Denied(_CHAIN, "AccessDenied"))),
    ("key-unavailable", LookedUp(Unavailable((f"not-there:{_CHAIN}",)), ignored=(_ALT,))),
    ("key-mismatch", LookedUp(Mismatch(_CHAIN, ("a",)))),
    (
        "key-moved",
        LookedUp(Unavailable(("not-there:kwallet.DBusKeyring", f"no-key:{_CHAIN}"))),
    ),
    ("key-half", LookedUp(None)),
)
"""One for each result, one for a keychain that is another today, one for a readable header."""


class Taking(Protocol):
    """What is used of a set of pictures."""

    window: MainWindow

    @property
    def services(self) -> Services:
        """Those of the sample."""
        ...

    def take(self, name: str) -> Path:
        """Draw what is there."""
        ...

    def pause(self, seconds: float) -> None:
        """Let timers run out."""
        ...

    def press(self, name: str) -> None:
        """Press a button."""
        ...


def draw_keys(one: Taking, strange: str) -> Iterator[Path]:
    """The key pages of a file that looks encrypted, then the recovery key of the sample."""
    for name, looked in PAGES:
        reason = "absent" if looked.result is not None else "half"
        error = UserError("key.needed", reason=reason, path=strange)
        one.window.go("key", KeyProblem(strange, error))
        one.pause(0.2)
        page = one.window.findChild(KeyPage)
        if page is not None:
            page.show_result(looked)
        yield one.take(name)
    stores = one.services.library.stores()
    one.window.go("recovery", stores[0].id if stores else "")
    one.pause(0.3)
    yield one.take("recovery")
    one.press("recovery.show")
    one.pause(0.3)
    yield one.take("recovery-shown")
    one.press("recovery.enter")
    one.pause(0.2)
    yield one.take("recovery-enter")
